"""Training at blackjack (R15): what is asked next, what an answer was worth, and how many were right in a row.

    drill = Drill(DrillKind.RUN, VEGAS)
    search = next_search(drill, below)                         hands to choose from, and how close their plays may be
    drill = drill.asking(await coach.ask(WhatToAsk(...)))      the hand that is asked
    drill = drill.answered("hit")                              one more right answer in a row, or a new row

All chance comes from `below`, which the caller hands in. Only the choice among the hands asks the solver.
"""
