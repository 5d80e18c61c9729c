"""Days prepared for the tests, each once."""

from __future__ import annotations

from functools import cache

from engine.fairness.chain import seed_of
from engine.fairness.sets import day_name, stream
from engine.sets.answers import worked_out
from engine.sets.choosing import chosen
from engine.sets.deals import Stream
from engine.sets.prepared import Prepared
from engine.sets.programme import programme

#: Monday, 4 January 2027.
MONDAY = 20_822
ROOT = bytes(range(32))


def seed(day: int) -> bytes:
    return seed_of(ROOT, day - MONDAY + 1)


def shoes(day: int) -> Stream:
    return stream(seed(day), day_name(day), programme(day).rules.decks)


@cache
def prepared(day: int) -> Prepared:
    """A day without earlier weeks."""
    terms, cards = programme(day), shoes(day)
    deals = chosen(terms, cards, ())
    return Prepared(terms, deals, tuple(worked_out(terms.rules, cards(deal.number)) for deal in deals))


def best_steps(day: int) -> str:
    """The letters of a perfect try."""
    ways = []
    for answers in prepared(day).answers:
        way = ""
        while way in answers:
            way += max(answers[way], key=answers[way].__getitem__)
        ways.append(way)
    return "/".join(ways)
