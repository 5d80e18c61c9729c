"""Sets: the same deals for several people, each of whom plays them without the others, scored by their decisions.

    terms = programme(day)                                     the day's rules, and how its deals are chosen and scored
    deals = chosen(terms, stream, before)                      the deals of a stream that are worth playing (R11.3)
    answers = worked_out(terms.rules, stream(deal.number))     the value of every action, wherever one deal can lead
    found = played(Prepared(terms, deals, (answers, ...)), stream, "hhs/s/")    a try, from the letters of its presses
    found.points, found.grades                                 its points and marks (R11.4, R11.5)

Nothing here draws a card by itself: a stream gives the shoe of each deal (`engine.fairness.sets`). Only choosing deals
and `worked_out` ask the solver, which needs numpy. Playing and scoring look the values up.
"""
