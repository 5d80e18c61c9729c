"""The parts that decisions at a table and whole games share: the best play, and gains of naturals, splits and swaps.

The word *gain* is defined in `outlook`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.games.blackjack.actions import DOUBLE
from engine.games.blackjack.rules import BlackjackRules, DealerDraws, HandVerdict, Pays, SplitAces
from engine.games.cards import RANKS
from engine.games.contract import CHIP
from engine.solver.lattice import ACE, VALUES, Flags, Floats
from engine.solver.outlook import TOLERANCE, VERDICTS, HitOrStand, Outlook
from engine.solver.position import PLAYS, may
from engine.solver.splitting import Halves, Pair, Sums

#: The rank that stands for each value, and the value of each rank.
NAMES = (*RANKS[:9], "T")
VALUE_OF: Mapping[str, int] = {rank: min(place, VALUES - 1) for place, rank in enumerate(RANKS)}


def by_value(unseen: Sequence[int]) -> Floats:
    """Return the numbers of cards by value, from their numbers by rank."""
    counts = np.zeros(VALUES)
    np.add.at(counts, list(VALUE_OF.values()), unseen)
    return counts


def best(gains: Mapping[str, float]) -> str:
    """Return the play with the highest gain or value; among equal ones, the first of `PLAYS`."""
    chosen = ""
    for play in PLAYS:
        if play in gains and (not chosen or is_better(gains[play], gains[chosen])):
            chosen = play
    return chosen


def is_better(gain: float, other: float) -> bool:
    """Return whether a play gains enough to be preferred to an earlier one of `PLAYS`."""
    return gain > other + TOLERANCE


def split_gain(sums: Sums, pair: Pair, alive: float, splits_again: Callable[[float], bool]) -> float:
    """Return the gain of a split. `alive` is the chance that the round is played at all.

    `splits_again` decides whether new pairs are split again. It is called with the gain of a split in which they are.
    """
    again = sums.worth(pair) + alive
    if pair.most == pair.hands or splits_again(again):
        return again
    return sums.worth(replace(pair, most=pair.hands)) + alive


def best_halves(rules: BlackjackRules, outlook: Outlook, drawing: HitOrStand, two: slice, *, doubles: bool) -> Halves:
    """Return how the hands of a split are best played: like unsplit hands of the same cards, as far as allowed.

    `two` selects the hands of two cards, `drawing` has the best hits of unsplit hands, and `doubles` says whether a
    hand of the split may double.
    """
    doubled: Flags = np.zeros(outlook.lattice.rows, np.bool_)
    if doubles:
        undoubled = np.maximum(drawing.hit[two], outlook.stand[two])
        doubled[two] = (outlook.double(two) > undoubled + TOLERANCE) & (outlook.lattice.totals[two] < 21)
    return Halves(drawing.hits, doubled, rules.split_aces is SplitAces.ONCE)


def doubles_after_split(rules: BlackjackRules) -> bool:
    """Return whether a hand that comes from a split may double."""
    return may(rules, DOUBLE, ("2", "3"), from_split=True)


def most_hands(rules: BlackjackRules, value: int, hands: int) -> int:
    """Return the most hands that a seat can come to hold once it has split a pair of this value.

    `hands` is the number that it holds right after that split.
    """
    return hands if value == ACE and rules.split_aces is SplitAces.ONCE else rules.split_hands


def natural_gain(rules: BlackjackRules, outlook: Outlook, row: int) -> float:
    """Return the gain of the natural in this row of the lattice.

    A dealer who only draws to match the highest hand (`DealerDraws.CHASES`) draws no card against it.
    """
    pays = winnings(rules.natural_pays)
    worth = {
        HandVerdict.WINS: pays,
        **{verdict: VERDICTS[verdict] for verdict in (HandVerdict.PUSH, HandVerdict.LOSES)},
    }
    made_21 = 0.0 if rules.dealer_draws is DealerDraws.CHASES else float(outlook.totals[21, row])
    natural, alive = float(outlook.natural[row]), float(outlook.alive[row])
    gain = pays * (1.0 - natural - made_21) + worth[rules.natural_against_21] * made_21 + alive
    return gain if rules.dealer_looks else gain + worth[rules.natural_against_natural] * natural


def met_natural(rules: BlackjackRules, *, natural: bool) -> float:
    """Return what a first stake of 1 wins, or loses (-1), when the dealer looks and finds a natural.

    `natural` says whether the player has one too.
    """
    if not natural:
        return -1.0
    verdict = rules.natural_against_natural
    return winnings(rules.natural_pays) if verdict is HandVerdict.WINS else VERDICTS[verdict]


def winnings(pays: Pays) -> float:
    """Return what a stake of 1 wins at this payout."""
    return pays.winnings(2 * CHIP) / (2 * CHIP)


def swap_gain(outlook: Outlook, drawing: HitOrStand, row: int = 0) -> float:
    """Return the gain of a swap: one card of a pair is thrown away, and the other is hit, with two stakes.

    `outlook` and `drawing` are about hands that grow from a single card. `row` is the lattice row of the kept card.
    """
    return 2 * float(drawing.hit[row]) - float(outlook.alive[row])


def insurance(unseen: Floats) -> float:
    """Return the value of insurance, in first stakes. It costs half of one and pays two to one on a ten in the hole."""
    return (3 * float(unseen[-1] / unseen.sum()) - 1) / 2
