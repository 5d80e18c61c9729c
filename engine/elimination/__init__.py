"""Elimination tables and the tournaments made of them (R7): pure state machines, each the fold of its steps.

They deal no cards: they ask for stakes, are told what each round won or lost, and say who goes, who is paid and why.
"""
