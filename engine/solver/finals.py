"""The hands that the dealer can end with, and how likely he ends with each total, for several up cards at once.

His hand is a multiset of cards like the player's (`lattice`), with the up card in it. Hands of the same cards are
one final hand, whichever card is up, so the ways to draw them are counted once for all up cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from engine.games.blackjack import dealer
from engine.games.blackjack.rules import Ace, BlackjackRules, DealerDraws
from engine.games.blackjack.worth import NOTHING
from engine.solver.falling import falling, products
from engine.solver.lattice import HALVES, VALUES, Floats, Ints, Lattice, lattice, patterns

#: The numbers of final hands, and of the player's, handled at a time: enough to be fast, with little memory.
_BLOCK: Final = 64
_HANDS: Final = 4096


class Finals:
    """All hands of at most 21, except a natural, with which the dealer can end.

    His up card is one of `ups`, and he draws to the total `target`. The hands are ordered by total and size. `draws`
    counts the cards of each by value, the up card among them, and `sizes` the cards drawn to the up card. Hands over 21
    are not needed: the chance that he busts is what remains to 1.
    """

    def __init__(self, rules: BlackjackRules, ups: Sequence[int], target: int) -> None:
        hands, orders = lattice(NOTHING[rules.ace]), _orders(rules.ace, rules.dealer_draws, target)[:, ups]
        rows = np.flatnonzero(orders.any(axis=1))
        rows = rows[np.lexsort((hands.sizes[rows], hands.totals[rows]))]
        self.draws = hands.draws[rows]
        self.totals = hands.totals[rows]
        self.sizes: Ints = hands.sizes[rows] - 1
        #: The number of orders in which the dealer can draw each hand (row) to each up card (column).
        self.orders = orders[rows]
        #: The slices of final hands with equal totals and sizes.
        self.groups = _runs(self.totals * 32 + self.sizes)
        #: The slices of final hands with equal totals, none longer than a block, so that working on one needs little
        #: memory.
        self.blocks = _runs(self.totals * _BLOCK + np.arange(len(rows)) // _BLOCK)
        #: The distinct counts of aces to fours, and of fives to tens, each with the index of every final hand's counts.
        self.halves = tuple(patterns(self.draws[:, half]) for half in HALVES)


class Beside:
    """The number of ways to draw each of the dealer's final hands (`ends`) beside some of the player's hands.

    The player's hands are the `rows` of the lattice `hands`; their cards cannot be drawn. `full` has the number of
    cards of each value that are unseen at the lattice's start, the up card included. `low` and `high` are the ways to
    draw the small cards of a final hand (aces to fours) and the large ones: a row for each pattern in `Finals.halves`,
    a column for each of the player's hands. The ways to draw the whole hand are their product.
    """

    def __init__(self, ends: Finals, hands: Lattice, rows: Ints, full: Floats) -> None:
        self.low, self.high = (
            products(counts, np.maximum(full[half, None] - held[used].T, 0.0)).take(of_row, axis=1)
            for half, (counts, _), (held, places) in zip(HALVES, ends.halves, hands.halves, strict=True)
            for used, of_row in [_used(places[rows])]
        )
        (_, self._in_low), (_, self._in_high) = ends.halves
        self._space = np.empty((max((run.stop - run.start for run in ends.groups + ends.blocks), default=0), len(rows)))

    def ways(self, some: slice) -> Floats:
        """Return the number of ways in which the dealer can draw each final hand in `some` (rows).

        Each column is for one of the player's hands, whose cards cannot be drawn. The next call overwrites the array.
        """
        ways = self._space[: some.stop - some.start]
        for row, in_low, in_high in zip(ways, self._in_low[some].tolist(), self._in_high[some].tolist(), strict=True):
            np.multiply(self.low[in_low], self.high[in_high], out=row)
        return ways


def _used(places: Ints) -> tuple[Ints, Ints]:
    """Return the places that occur, and for each place its index among them."""
    occurs = np.bincount(places) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[places]


@lru_cache(maxsize=64)
def _orders(ace: Ace, draws: DealerDraws, target: int) -> Floats:
    """Return in how many orders the dealer can draw the rest of each hand (row) to each up card (column).

    The hands are those of the lattice that starts from no cards. The dealer always draws the hole card, and then more
    cards up to the total `target`. An entry is 0 if he cannot end with that hand, or if the hand is a natural.
    """
    rules, hands = BlackjackRules(ace=ace, dealer_draws=draws), lattice(NOTHING[ace])
    again = {worth: dealer.draws(rules, worth, target) for worth in set(hands.worths)}
    goes_on = np.array([*(again[worth] for worth in hands.worths), False])
    goes_on[hands.levels[1]] = True
    orders = np.zeros((hands.rows + 1, VALUES))
    orders[hands.levels[1]] = np.eye(VALUES)
    for level in hands.levels[2:]:
        before = hands.before[level]
        orders[level] = (orders[before] * goes_on[before, None]).sum(axis=1)
    natural = (hands.sizes == 2) & (hands.totals == 21)
    return np.where((goes_on[:-1] | natural)[:, None], 0.0, orders[:-1])


def _runs(marks: Ints) -> list[slice]:
    """Return the slices of neighbours with equal marks, which together cover all marks."""
    cuts = [0, *(np.flatnonzero(np.diff(marks)) + 1).tolist(), len(marks)]
    return [slice(begin, end) for begin, end in pairwise(cuts) if begin < end]


@lru_cache(maxsize=512)
def _finals(ace: Ace, draws: DealerDraws, ups: tuple[int, ...], target: int) -> Finals:
    return Finals(BlackjackRules(ace=ace, dealer_draws=draws), ups, target)


def finals(rules: BlackjackRules, ups: tuple[int, ...], target: int) -> Finals:
    """Return the final hands of a dealer who draws to the total `target` from one of these up cards, cached."""
    return _finals(rules.ace, rules.dealer_draws, ups, target)


def stops(rules: BlackjackRules, lattice: Lattice, standing: int = 0) -> list[tuple[int, Ints]]:
    """Return the rows of the hands in the lattice, grouped by the total to which the dealer draws against them.

    That total is 17. A dealer who only draws to match the highest hand (`DealerDraws.CHASES`) draws to the hand's total
    or to `standing`, whichever is higher, but at most to 17. `standing` is the highest total that stands elsewhere on
    the table.
    """
    targets = np.full(lattice.rows, 17)
    if rules.dealer_draws is DealerDraws.CHASES:
        targets = np.minimum(17, np.maximum(lattice.totals, standing))
    return [(target, np.flatnonzero(targets == target)) for target in sorted(set(targets.tolist()))]


def dealt(rules: BlackjackRules, lattice: Lattice, full: Floats, ups: tuple[int, ...], standing: int = 0) -> Floats:
    """Return the chances of the dealer's final totals, by up card, total (0 to 21) and the player's hand that stands.

    The player's hands are those of the lattice. A natural and a bust of the dealer are not among the totals. `full` has
    the number of unseen cards of each value at the lattice's start. The up card counts as unseen. `standing` is as in
    `stops`.
    """
    totals = np.zeros((len(ups), 22, lattice.rows))
    left = np.maximum(full.sum() - 1 - lattice.sizes, 1.0)
    lying = np.maximum(full - lattice.draws, 1.0)[:, ups].T  # the cards of which one is the up card
    for target, against in stops(rules, lattice, standing):
        ends = finals(rules, ups, target)
        for rows in np.array_split(against, len(against) // _HANDS + 1):
            beside = Beside(ends, lattice, rows, full)
            orders = np.maximum(falling(left[rows], int(ends.sizes.max(initial=0))), 1.0)
            for total, runs in groupby(ends.groups, key=lambda run: int(ends.totals[run.start])):
                parts = (ends.orders[run].T @ beside.ways(run) / orders[ends.sizes[run.start]] for run in runs)
                totals[:, total, rows] = sum(parts) / lying[:, rows]
    return totals
