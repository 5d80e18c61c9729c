"""Two-card hands under the rules: what each action gains, at a table and in the whole game alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.games.blackjack.actions import DOUBLE
from engine.games.blackjack.rules import DealerDraws, Pays, Rules, SplitAces, Verdict
from engine.games.cards import RANKS
from engine.games.contract import CHIP
from engine.solver.lattice import ACE, VALUES, Flags, Floats
from engine.solver.outlook import TOLERANCE, VERDICTS, Drawing, Outlook
from engine.solver.position import PLAYS, may
from engine.solver.splitting import Halves, Pair, Sums

#: Ranks by value, and the value of each rank.
NAMES = (*RANKS[:9], "T")
VALUE_OF: Mapping[str, int] = {rank: min(place, VALUES - 1) for place, rank in enumerate(RANKS)}


def by_value(unseen: Sequence[int]) -> Floats:
    """Counts by rank as counts by value."""
    counts = np.zeros(VALUES)
    np.add.at(counts, list(VALUE_OF.values()), unseen)
    return counts


def best(gains: Mapping[str, float]) -> str:
    """The best play; of equals the first of `PLAYS`."""
    chosen = ""
    for play in PLAYS:
        if play in gains and (not chosen or is_better(gains[play], gains[chosen])):
            chosen = play
    return chosen


def is_better(gain: float, other: float) -> bool:
    """Return whether a play is preferred to one that comes before it among equals."""
    return gain > other + TOLERANCE


def split_gain(sums: Sums, pair: Pair, alive: float, splits_again: Callable[[float], bool]) -> float:
    """Return what a split gains; `splits_again` decides about halves that are pairs, by what splitting them gains."""
    again = sums.worth(pair) + alive
    if pair.most == pair.hands or splits_again(again):
        return again
    return sums.worth(replace(pair, most=pair.hands)) + alive


def best_halves(rules: Rules, outlook: Outlook, drawing: Drawing, two: slice, *, doubles: bool) -> Halves:
    """Halves played as the unsplit hand of the same cards would best be, short of what a half may not do."""
    doubled: Flags = np.zeros(outlook.lattice.rows, np.bool_)
    if doubles:
        undoubled = np.maximum(drawing.hit[two], outlook.stand[two])
        doubled[two] = (outlook.double(two) > undoubled + TOLERANCE) & (outlook.lattice.totals[two] < 21)
    return Halves(drawing.hits, doubled, rules.split_aces is SplitAces.ONCE)


def doubles_after_split(rules: Rules) -> bool:
    return may(rules, DOUBLE, ("2", "3"), from_split=True)


def most_hands(rules: Rules, value: int, hands: int) -> int:
    """How many hands a seat can come to hold when a pair of this value has been split into the last of so many."""
    return hands if value == ACE and rules.split_aces is SplitAces.ONCE else rules.split_hands


def natural_gain(rules: Rules, outlook: Outlook, row: int) -> float:
    """An unsplit natural. To one who chases it is no hand: he draws no card against it."""
    pays = winnings(rules.natural_pays)
    worth = {Verdict.WINS: pays, **{verdict: VERDICTS[verdict] for verdict in (Verdict.PUSH, Verdict.LOSES)}}
    made_21 = 0.0 if rules.dealer_draws is DealerDraws.CHASES else float(outlook.totals[21, row])
    natural, alive = float(outlook.natural[row]), float(outlook.alive[row])
    gain = pays * (1.0 - natural - made_21) + worth[rules.natural_against_21] * made_21 + alive
    return gain if rules.dealer_looks else gain + worth[rules.natural_against_natural] * natural


def met_natural(rules: Rules, *, natural: bool) -> float:
    """What a first stake ends as when the look finds a natural."""
    if not natural:
        return -1.0
    verdict = rules.natural_against_natural
    return winnings(rules.natural_pays) if verdict is Verdict.WINS else VERDICTS[verdict]


def winnings(pays: Pays) -> float:
    return pays.winnings(2 * CHIP) / (2 * CHIP)


def swap_gain(outlook: Outlook, drawing: Drawing) -> float:
    """Both stakes ride on one card of the pair, the first of this lattice; the other is out of the game."""
    return 2 * float(drawing.hit[0]) - float(outlook.alive[0])


def insurance(unseen: Floats) -> float:
    """Half the first stake at two to one on a ten in the hole."""
    return (3 * float(unseen[-1] / unseen.sum()) - 1) / 2
