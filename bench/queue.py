"""`python -m bench queue`: what the odds of a hand take while others ask the coach for long work.

First somebody asks for the chart of an own rule set, and for what its rules are worth, while nobody else asks anything.
Then one member asks for the charts of eighteen own rule sets and for what their rules are worth, as fast as they can be
typed; then eighteen members ask for one each. All the time another member asks for the odds of hand after hand.
The coach knows nothing beforehand.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from bench._hands import positions
from engine.coach import Asker, Coach, CoachGone, Urgency, WhatIsBest, WhatIsTheGame, WhatRulesAreWorth
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.blackjack.rules import BlackjackRules, DealerDraws, Pays
from engine.solver import Position, fields_to_weigh

_SETS: Final = 18
#: Seconds between two looks at the odds.
_PAUSE: Final = 0.02
#: The fewest looks at the odds, however soon the long work is done.
_LOOKS: Final = 200

_GUILD, _WATCHER = 1, 1_000


def own_sets() -> Iterator[BlackjackRules]:
    """Yield rule sets that are like none of the built-in ones."""
    choices = itertools.product((3, 5, 7), (Pays.SIX_TO_FIVE, Pays.EVEN), (2, 3, 4), DealerDraws)
    for decks, pays, hands, draws in choices:
        yield replace(VEGAS, most_seats=1, decks=decks, natural_pays=pays, split_hands=hands, dealer_draws=draws)


async def _strategy(coach: Coach, rules: BlackjackRules, asker: Asker) -> float | None:
    """Return the seconds that `/strategy` takes; None where a newer question of the same member replaced it."""
    began = perf_counter()
    try:
        await coach.ask(WhatIsTheGame(rules), Urgency.LATER, asker)
        await coach.ask(WhatRulesAreWorth(rules), Urgency.LATER, asker)
    except CoachGone:
        return None
    return perf_counter() - began


async def _alone(coach: Coach, rules: BlackjackRules) -> dict[str, float]:
    """Return the seconds until `/strategy` shows the chart, the first rows below it and the last."""
    began, asker, rows = perf_counter(), Asker(_GUILD, 0), list[float]()
    await coach.ask(WhatIsTheGame(rules), Urgency.LATER, asker)
    chart = perf_counter() - began
    for fields in fields_to_weigh(rules):
        await coach.ask(WhatRulesAreWorth(rules, fields), Urgency.LATER, asker)
        rows.append(perf_counter() - began)
    return {"the chart, s": round(chart, 2), "the first rows, s": round(rows[0], 2), "all, s": round(rows[-1], 2)}


async def _beside(
    coach: Coach, sets: Iterator[BlackjackRules], members: int, hands: Iterator[Position]
) -> dict[str, Any]:
    """Return figures of how long odds take while a number of members ask for eighteen charts, until all of those are
    there.
    """
    asked = [
        asyncio.ensure_future(_strategy(coach, rules, Asker(_GUILD, number % members)))
        for number, rules in enumerate(itertools.islice(sets, _SETS))
    ]
    odds, began = list[float](), perf_counter()
    while len(odds) < _LOOKS or not all(chart.done() for chart in asked):
        start = perf_counter()
        await coach.ask(WhatIsBest(VEGAS, next(hands)), Urgency.PERSON, Asker(_GUILD, _WATCHER))
        odds.append(perf_counter() - start)
        await asyncio.sleep(_PAUSE)
    took = [seconds for chart in asked if (seconds := chart.result()) is not None]
    return {
        **_told(odds),
        "charts answered": len(took),
        "the first chart and its rules, s": round(min(took), 2),
        "the last, s": round(max(took), 2),
        "looks": len(odds),
        "s in all": round(perf_counter() - began, 1),
    }


def _told(seconds: list[float]) -> dict[str, float]:
    return {
        "p50 ms": round(1_000 * median(seconds), 1),
        "p99 ms": round(1_000 * quantiles(seconds, n=100)[98], 1),
        "worst ms": round(1_000 * max(seconds), 1),
    }


async def _run() -> dict[str, Any]:
    sets = own_sets()
    hands = itertools.cycle(positions(seats=5, hands=5_000))
    found: dict[str, Any] = {"bench": "queue"}
    for members in (1, _SETS):
        coach = Coach()
        try:
            await coach.ask(WhatIsBest(VEGAS, next(hands)))  # the coach has its process now
            if members == 1:
                found["an own set, nothing else asked for"] = await _alone(coach, next(sets))
            found[f"odds beside {_SETS} charts asked for by {members}"] = await _beside(coach, sets, members, hands)
        finally:
            await coach.close()
    return found


def main() -> None:
    print(json.dumps(asyncio.run(_run())))
