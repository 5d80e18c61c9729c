"""Hands as multisets of cards: every hand that can grow from a start.

The order of the cards only decides in how many ways a multiset can come about. A few thousand multisets stand for
millions of sequences, and numpy works on all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.blackjack.rules import Ace
from engine.games.blackjack.worth import NOTHING, Worth

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: The ten values of cards, each named by one card. `ACE` and `TEN` are indexes into this list.
CARDS: Final = ("As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts")
VALUES: Final = len(CARDS)
ACE: Final = 0
TEN: Final = 9

#: Bits for each value: a multiset is stored as one integer, and no hand holds more than 21 cards.
_BITS: Final = 5
_ONE: Final = tuple(1 << (_BITS * value) for value in range(VALUES))
_PLACES: Final = np.arange(VALUES) * _BITS

#: The number of a hand's start is stored above its cards.
_START: Final = 1 << (_BITS * VALUES)

#: The values from ace to four, and from five to ten. Hands hold few different sets of cards of either part.
HALVES: Final = (slice(0, 4), slice(4, VALUES))


def _counts(keys: Iterable[int]) -> Ints:
    """Return the number of cards of each value (column) in each multiset (row), from multisets stored as integers."""
    return (np.fromiter(keys, np.int64)[:, None] >> _PLACES) & ((1 << _BITS) - 1)


def patterns(draws: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows of `draws`, and for each row of `draws` its index among the distinct ones."""
    keys = (draws << _PLACES[: draws.shape[1]]).sum(axis=1)  # np.unique would import numpy.ma, which takes longer
    order = np.argsort(keys)
    new = np.diff(keys[order], prepend=-1) > 0
    places = np.empty_like(order)
    places[order] = np.cumsum(new) - 1
    return draws[order[new]], places


def worth_of(ace: Ace, hand: Iterable[int]) -> Worth:
    """Return the worth of a hand, given as indexes of `CARDS`. Only its last card may take it over 21."""
    worth = NOTHING[ace]
    for value in hand:
        worth = worth.plus[CARDS[value]]
    return worth


class Lattice:
    """All hands of at most 21 that can grow from some starts, one in each row of the arrays. The starts come first.

    The argument `starts` has the worth of each start, and those of its cards (as indexes of `CARDS`) that the array
    `draws` counts as drawn.
    """

    def __init__(self, starts: Sequence[tuple[Worth, Sequence[int]]]) -> None:
        firsts = (sum(_ONE[value] for value in drawn) + place * _START for place, (_, drawn) in enumerate(starts))
        levels = [dict(zip(firsts, (worth for worth, _ in starts), strict=True))]
        while levels[-1]:
            levels.append(_one_card_more(levels[-1]))
        self.worths = [worth for level in levels for worth in level.values()]
        keys = np.fromiter((key for level in levels for key in level), np.int64)
        ends = np.cumsum([len(level) for level in levels[:-1]])
        #: The rows, grouped by the number of cards that were added to a start: first the starts.
        self.levels = [slice(int(end) - len(level), int(end)) for level, end in zip(levels, ends, strict=False)]
        self.rows = len(keys)
        #: The start of each hand; the number of cards of each value drawn to it, and of all cards drawn.
        self.starts: Ints = keys // _START
        self.draws = _counts(keys.tolist())
        self.sizes: Ints = self.draws.sum(axis=1)
        self.totals = np.fromiter((worth.total for worth in self.worths), np.int64)
        self.soft = np.fromiter((worth.soft for worth in self.worths), np.bool_)
        #: The distinct draws of aces to fours, and of fives to tens, each with the index of every hand's draw.
        self.halves = tuple(patterns(self.draws[:, half]) for half in HALVES)
        #: The row of the hand with one card more, or one card less, of each value; `rows` where there is none.
        self.after = _find(keys, keys[:, None] + np.array(_ONE))
        self.before = np.where(self.draws > 0, _find(keys, keys[:, None] - np.array(_ONE)), self.rows)

    def row(self, draws: Iterable[int]) -> int:
        """Return the row of the hand that grows from the lattice's first start by these cards (indexes of `CARDS`).

        The hand must not exceed 21.
        """
        row = 0
        for value in draws:
            row = int(self.after[row, value])
        return row


def _one_card_more(level: Mapping[int, Worth]) -> dict[int, Worth]:
    more: dict[int, Worth] = {}
    for key, worth in level.items():
        for card, one in zip(CARDS, _ONE, strict=True):
            grown = worth.plus[card]
            if grown.total <= 21:
                more[key + one] = grown
    return more


def _find(keys: Ints, wanted: Ints) -> Ints:
    order = np.argsort(keys)
    places = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    rows = order[places]
    return np.where(keys[rows] == wanted, rows, len(keys))


@lru_cache(maxsize=64)
def lattice(start: Worth) -> Lattice:
    """Return the lattice that grows from a hand of this worth, cached."""
    return Lattice([(start, ())])


@lru_cache
def swapped_pairs(ace: Ace) -> Lattice:
    """Return the lattice of the hands that grow after the swap of a pair, cached.

    Each start is a single card, one for each value. Both cards of the pair count as drawn.
    """
    return Lattice([(worth_of(ace, [value]), (value, value)) for value in range(VALUES)])
