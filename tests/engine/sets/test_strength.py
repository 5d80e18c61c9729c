"""The better player wins a duel as often as exact values say (R12.5), and how much of that is luck."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from math import sqrt

import pytest

from engine.fairness.chain import seed_of
from engine.fairness.sets import stream
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.sets.answers import ACTIONS, Answers, worked_out
from engine.sets.choosing import chosen_freely
from engine.sets.deals import Stream
from engine.sets.duels import Ending, terms_of, verdict
from engine.sets.prepared import Prepared
from engine.sets.tries import NEXT, Try, begun

HANDS = 5
DUELS = 250
SETS = (("vegas", 3), ("ctrl-alt-bet", 4), ("classic", 5), ("kitchen", 6))
#: How likely two players are to decide at random, instead of best.
GOOD, BAD = 0.1, 0.4

#: The probability of each sum that the decisions of a player may cost.
Losses = Mapping[int, float]


@cache
def dealt(name: str, root: int) -> tuple[Prepared, Stream]:
    terms = terms_of(name, RULE_SETS[name])
    shoes = stream(seed_of(bytes([root] * 32), 1), "duel/strength", terms.rules.decks)
    deals = chosen_freely(terms, shoes, HANDS)
    return Prepared(terms, deals, tuple(worked_out(terms.rules, shoes(deal.number)) for deal in deals)), shoes


def losses_of(answers: Answers, careless: float, path: str = "") -> Losses:
    """Return exactly what a player of this strength loses by decisions in one deal."""
    found = defaultdict[int, float](float)
    if path not in answers:
        return {0: 1.0}
    worths = answers[path]
    best = max(worths, key=worths.__getitem__)
    for letter, worth in worths.items():
        chance = careless / len(worths) + (1 - careless if letter == best else 0.0)
        for later, likely in losses_of(answers, careless, path + letter).items():
            found[worths[best] - worth + later] += chance * likely
    return found


def summed(prepared: Prepared, careless: float) -> Losses:
    """The same over all deals of a duel."""
    total: Losses = {0: 1.0}
    for answers in prepared.answers:
        more, deal = defaultdict[int, float](float), losses_of(answers, careless)
        for one, likely in total.items():
            for other, chance in deal.items():
                more[one + other] += likely * chance
        total = more
    return total


def better_wins(good: Losses, bad: Losses) -> float:
    """The probability that the first loses less by decisions than the second."""
    total, above = 0.0, sum(bad.values())
    theirs = sorted(bad.items())
    place = 0
    for loss, likely in sorted(good.items()):
        while place < len(theirs) and theirs[place][0] <= loss:
            above -= theirs[place][1]
            place += 1
        total += likely * above
    return total


def tried(prepared: Prepared, shoes: Stream, careless: float, chance: random.Random) -> Try:
    found = begun(prepared, shoes)
    while not found.over:
        if found.round.over:
            found = found.pressed(NEXT, shoes)
            continue
        worths = found.prepared.answers[found.place][found.letters[-1]]
        random_one = chance.random() < careless
        letter = chance.choice(sorted(worths)) if random_one else max(worths, key=worths.__getitem__)
        found = found.pressed(ACTIONS[letter], shoes)
    return found


@pytest.mark.slow
def test_r12_5_of_a_thousand_duels_the_better_wins_as_often_as_exact_values_say() -> None:
    chance, won, expected, spread, lucky = random.Random(12), 0, 0.0, 0.0, 0
    for name, root in SETS:
        prepared, shoes = dealt(name, root)
        likely = better_wins(summed(prepared, GOOD), summed(prepared, BAD))
        expected += DUELS * likely
        spread += DUELS * likely * (1 - likely)
        for _ in range(DUELS):
            good, bad = (tried(prepared, shoes, careless, chance) for careless in (GOOD, BAD))
            found = verdict(good, bad)
            won += found.ending is Ending.DECISIONS and found.winner == 0
            nets = [sum(each.net(place) for place in range(HANDS)) for each in (good, bad)]
            lucky += nets[0] > nets[1]
    assert abs(won - expected) < 4 * sqrt(spread), (won, expected)
    assert won > DUELS * len(SETS) * 0.6
    assert lucky < won - DUELS * len(SETS) * 0.1, "the nets of so few deals are mostly luck"


def test_the_exact_values_are_those_of_a_small_example() -> None:
    answers = {"": {"h": 0, "s": -10}, "h": {"h": -5, "s": 0}}
    assert losses_of(answers, 0.5) == pytest.approx({0: 0.75 * 0.75, 5: 0.75 * 0.25, 10: 0.25})
    assert better_wins({0: 0.5, 10: 0.5}, {5: 0.5, 10: 0.5}) == pytest.approx(0.5)
