"""The value of splitting a pair, when every hand of the split is played as the unsplit hand would be.

*Pair cards* are cards of the pair's value, and the hands of one split are *siblings*.

The shoe is shuffled, so the order in which hands draw does not change the value of a split. We may assume that one hand
draws first, then the dealer, and then its siblings. The siblings matter only through two numbers: how many of their
second cards were pair cards that were split away, and how many were other cards. `Sums` therefore adds up the results
of a hand once, by the number of pair cards and of all cards that it and the dealer draw. The factor that turns such a
sum into results times chances is made of falling factorials (`_falls`).

Results are in stakes of the pair, and 0 where the dealer's look ends the round before the split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from math import factorial

import numpy as np

from engine.solver.falling import drawn_from, drawn_of, products
from engine.solver.finals import Beside, finals, stops
from engine.solver.lattice import ACE, VALUES, Flags, Floats, Ints
from engine.solver.outlook import Outlook, lost_to_natural


@dataclass(frozen=True, slots=True)
class Halves:
    """The play of the hands of a split: which hands of the lattice hit, and which double.

    `aces_once` says that split aces stand on their second card.
    """

    hits: Flags
    doubles: Flags
    aces_once: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair to be split. `unseen` (by value) no longer contains its cards.

    `again` counts the unseen cards that make a new pair to split: those of its rank or of its value. `hands` is the
    number of hands after the split, `most` the largest number of hands that the seat can come to hold.
    """

    value: int
    unseen: Floats
    again: int
    hands: int
    most: int


class Sums:
    """The summed results of one hand of a split, for pairs of one or more values.

    `roots` maps the value of each pair to the lattice row of its single card. `held` counts, by value, the cards that
    the lattice's start already has.

    `tables` maps the value of each pair to two tables: for hands whose second card has another value (0), and for those
    whose second card has the same value (1). The entry in row p and column n is a sum over the hands that draw n cards
    together with the dealer, p of them pair cards: their results, times the ways to deal the cards that are not pair
    cards.
    """

    def __init__(self, outlook: Outlook, halves: Halves, roots: Mapping[int, int], held: Floats) -> None:
        self.outlook = outlook
        self.values = np.repeat(list(roots), 2)
        self.base = outlook.unseen + held
        self.hand = outlook.lattice.draws + held.astype(np.int64)
        self._follow(halves, roots)
        self._ways = products(self.hand, np.ascontiguousarray(self.base[:, None]))[:, 0]
        shape = self._shape()
        flat = np.zeros(np.prod(shape))
        for place, weights in self._terms(shape):
            flat += np.bincount(place.ravel(), weights.ravel(), minlength=len(flat))
        self.tables = self._without_pair_cards(flat.reshape(shape))

    # -- following a half ----------------------------------------------------------------------------------------------

    def _follow(self, halves: Halves, roots: Mapping[int, int]) -> None:
        """Set `stakes`, the stakes on hands that stand, and `risked`, the stakes on hands of two cards.

        Both have a row for each hand of the lattice. Each value of a pair has two columns: the first for a second card
        of another value, the second for one of the same value. An entry is the stake on the hand, multiplied by the
        number of orders in which its cards can come.
        """
        lattice = self.outlook.lattice
        paths = np.zeros((lattice.rows + 1, len(self.values)))
        for column, value in enumerate(self.values.tolist()):
            same = np.arange(VALUES) == value
            paths[lattice.after[roots[value], same if column % 2 else ~same], column] = 1.0
        paths[lattice.rows] = 0.0
        hits = np.append(halves.hits & ~halves.doubles, False)[:, None] & ~((self.values == ACE) & halves.aces_once)
        doubles = np.append(halves.doubles, False)[:, None] & ~((self.values == ACE) & halves.aces_once)
        self.risked = paths[:-1] * (1.0 + doubles[:-1])
        going_on, doubled = paths * hits, paths * doubles
        first = next(place for place, level in enumerate(lattice.levels) if paths[level].any())
        for level in lattice.levels[first + 1 :]:
            paths[level] = going_on.take(lattice.before[level], axis=0).sum(axis=1)
            going_on[level] = paths[level] * hits[level]
        self.stakes = (paths * ~(hits | doubles))[:-1]
        three = lattice.levels[first + 1]  # a hand that doubles has two cards
        self.stakes[three] += 2 * doubled[lattice.before[three]].sum(axis=1)

    # -- summing up ----------------------------------------------------------------------------------------------------

    def _shape(self) -> tuple[int, int, int]:
        ends = finals(self.outlook.rules, (self.outlook.up,), 17)  # the highest total to which he draws
        pairs = self.outlook.lattice.draws.max() + ends.draws.max()
        cards = self.outlook.lattice.sizes.max() + ends.sizes.max()
        return len(self.values), int(pairs) + 2, int(cards) + 2

    def _terms(self, shape: tuple[int, int, int]) -> Iterator[tuple[Ints, Floats]]:
        for target, rows in stops(self.outlook.rules, self.outlook.lattice, self.outlook.standing):
            if self.stakes[rows].any():
                yield from self._against_finals(target, rows, shape)
        rules, hole = self.outlook.rules, self.outlook.hole
        played = 2 * self.stakes - self.risked
        yield self._alone(played, shape)
        if hole is not None:
            lost = self.stakes * lost_to_natural(rules, self.outlook.lattice.totals)[:, None]
            yield self._alone(-played if rules.dealer_looks else -lost, shape, hole)

    def _places(self, column: Ints, pairs: Ints, cards: Ints, shape: tuple[int, int, int]) -> Ints:
        return (column * shape[1] + pairs) * shape[2] + cards

    def _drawn(self, rows: Ints, columns: Ints) -> tuple[Ints, Ints]:
        """Return two counts for each hand: the pair cards and all cards that it has drawn after its first card.

        `rows` are the places of the hands in the lattice, `columns` those of their pair's value in `values`.
        """
        return self.hand[rows, self.values[columns]] - 1, self.hand[rows].sum(axis=1) - 1

    def _alone(self, weights: Floats, shape: tuple[int, int, int], hole: int | None = None) -> tuple[Ints, Floats]:
        """Return places in `tables`, and what to add at each: results that do not depend on the dealer's draws.

        `weights` has a result for each hand (row) and column of `stakes`; it is multiplied by the ways to deal the
        hand. `hole` is the value of the hole card that makes a natural: if it is given, only deals in which the dealer
        has that card count. `shape` is the shape of the array that holds all of `tables`.
        """
        rows, columns = np.divmod(np.flatnonzero(weights != 0), len(self.values))
        pairs, cards = self._drawn(rows, columns)
        gains = weights[rows, columns] * self._ways[rows]
        if hole is not None:
            pairs, cards = pairs + (self.values[columns] == hole), cards + 1
            gains = gains * np.maximum(self.base[hole] - self.hand[rows, hole], 0.0)
        return self._places(columns, pairs, cards, shape), gains

    def _against_finals(self, target: int, hands: Ints, shape: tuple[int, int, int]) -> Iterator[tuple[Ints, Floats]]:
        """Yield, in blocks, places in `tables` and what to add at each: what the dealer's final totals take away.

        `_alone` counts every hand that stands as won. So a total equal to the hand's takes one stake away, and a higher
        one two. `hands` are the lattice rows of the hands against which the dealer draws to the total `target`. Of
        these, hands with equal numbers of pair cards and of all cards are added up first. `shape` is as in `_alone`.
        """
        outlook, ends = self.outlook, finals(self.outlook.rules, (self.outlook.up,), target)
        local, columns = np.divmod(np.flatnonzero(self.stakes[hands] != 0), len(self.values))
        rows = hands[local]
        places = self._places(columns, *self._drawn(rows, columns), shape)
        order = np.argsort(places)
        rows, columns, places = rows[order], columns[order], places[order]
        firsts = np.flatnonzero(np.diff(places, prepend=-1))
        places, values = places[firsts], self.values[columns[firsts]]
        beside = Beside(ends, outlook.lattice, rows, outlook.with_up)
        high = beside.high * self.stakes[rows, columns] * self._ways[rows] / (outlook.cards[rows, outlook.up] + 1.0)
        drawn = (ends.draws - np.eye(VALUES, dtype=np.int64)[outlook.up]) * shape[2] + ends.sizes[:, None]
        totals = outlook.lattice.totals[rows]
        for total, blocks in groupby(ends.blocks, key=lambda block: ends.totals[block.start]):
            beside.high = high * (-1.0 - np.sign(total - totals))
            for block in blocks:
                gains = np.add.reduceat(beside.ways(block), firsts, axis=1)
                gains *= ends.orders[block]
                yield places + drawn[block].take(values, axis=1), gains

    def _without_pair_cards(self, tables: Floats) -> dict[int, Floats]:
        """Return the tables by the value of the pair's cards, two tables for each value, as `Sums.tables` keeps them.

        Each entry is divided by the number of ways to deal its pair cards. `_falls` counts these ways again, from the
        cards that are unseen at a split.
        """
        pairs, cards = (_rounded(filled) for filled in np.nonzero(tables != 0)[1:])
        clean = {}
        for column in range(0, len(self.values), 2):
            value = int(self.values[column])
            table = tables[column : column + 2, :pairs, :cards]
            ways = drawn_of(int(self.base[value]), table.shape[1])[1:, None]
            clean[value] = np.divide(table, ways, where=ways > 0, out=np.zeros_like(table))
        return clean

    # -- valuing a split -----------------------------------------------------------------------------------------------

    def worth(self, pair: Pair) -> float:
        """Return the mean result of all hands of the split together, in stakes of the pair.

        If the dealer looks, a round that his natural ends counts as 0.
        """
        other, same = self.tables[pair.value]
        whole, count = int(pair.unseen.sum()), int(pair.unseen[pair.value])
        of_other, of_same = _weights(whole, count, pair.again, pair.hands, pair.most, other.shape)
        return float((other * of_other + same * of_same).sum())


def _rounded(filled: Ints) -> int:
    """Return how long an axis must be to contain these places (from 0), rounded up to a multiple of 16.

    Few lengths mean few shapes of tables, so the cached `_weights` is computed less often.
    """
    return 16 * (int(filled.max(initial=0)) // 16 + 1)


@cache
def _courses(hands: int, most: int) -> Counter[tuple[int, int, int]]:
    """Return, by outcome, the number of orders in which second cards can come to the hands of a split.

    `hands` and `most` are those of the `Pair`. An outcome is (pair cards that were split away, hands that drew another
    card, hands that still have to draw because no more splits are allowed).
    """
    ends: Counter[tuple[int, int, int]] = Counter()

    def go(hands: int, away: int, done: int, waiting: int) -> None:
        if not waiting or hands == most:
            ends[away, done, waiting] += 1
            return
        go(hands + 1, away + 1, done, waiting + 1)
        go(hands, away, done + 1, waiting - 1)

    go(hands, 0, 0, 2)
    return ends


@lru_cache(maxsize=512)
def _weights(
    whole: int, count: int, again: int, hands: int, most: int, shape: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Return the weights for the two tables that `Sums.tables` has for a pair. The weighted sum is the split's result.

    `whole` cards are unseen; `count` of them have the pair's value, and `again` of these make a new pair to split.
    `hands` is the number of hands after the split, `most` the largest number that the seat can come to hold. `shape` is
    that of the tables. The answers are cached, because many pairs and rule sets need the same ones.
    """
    of_other, of_same = np.zeros(shape), np.zeros(shape)
    for (away, done, still_open), ways in _courses(hands, most).items():
        if done:
            fall, of_value = _falls(whole, count, again, away, done - 1, shape)
            of_other += ways * done * fall
            of_same += ways * done * of_value
        if still_open:
            fall, _ = _falls(whole, count, again, away, done, shape)
            of_other += ways * still_open * fall
            of_same += ways * still_open * fall
    return of_other, of_same


@lru_cache(maxsize=512)
def _falls(whole: int, count: int, again: int, away: int, done: int, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return the factors for the entries of a table of `Sums`: for any hand, and for one with an odd second card.

    An entry already counts the ways to deal the cards that are not pair cards, so a factor is not a chance; the entry
    times its factor is the results times their chances.

    A factor is the number of ways to deal the pair cards and the siblings' cards, divided by the number of orders in
    which all drawn cards can come. An *odd* card has the pair's value but makes no pair that may be split (a king
    beside a jack).

    `whole` cards are unseen; `count` of them have the pair's value, and `again` of these make a pair that may be split.
    `away` siblings took pair cards that were split away, and `done` siblings took other cards. `shape` is that of the
    table: its rows and columns.
    """
    others = count - again
    pairs, cards = np.arange(shape[0])[:, None], np.arange(shape[1])
    orders = drawn_of(whole, away + done + shape[1])[away + done + cards]
    rest = whole - again - np.maximum(cards - pairs, 0)

    def ways(slots: Ints, others: int, rest: Ints) -> Floats:
        """Return the number of ways to deal the siblings' cards, and `slots` cards of the pair's value to other draws.

        The other draws are those of this hand and of the dealer. Of the `slots` cards at most `others` are odd. The
        second cards of the `done` siblings come from `rest` cards, less one for each odd card.
        """
        alike = drawn_of(again, away + shape[0])
        found: Floats = alike[away + np.maximum(slots, 0)] * drawn_from(whole, done)[np.maximum(rest, 0)]
        for odd in range(1, min(others, shape[0] - 1) + 1):
            places = drawn_from(shape[0], odd)[np.maximum(slots, 0)] / factorial(odd)
            same = alike[np.maximum(away + slots - odd, 0)] * drawn_from(whole, done)[np.maximum(rest - odd, 0)]
            found = found + places * drawn_of(others, odd)[odd] * same
        return found

    any_card = np.divide(ways(pairs, others, rest), orders, where=orders > 0, out=np.zeros(shape))
    if not others:
        return any_card, np.zeros(shape)
    odd_card = (pairs > 0) * others * ways(pairs - 1, others - 1, rest - 1)
    return any_card, np.divide(odd_card, orders, where=orders > 0, out=np.zeros(shape))
