"""The rules of elimination tables (R7): a pure state machine whose state follows from its steps.

It deals no cards. It asks for stakes, takes in what each round won or lost, and says who goes and why.
"""
