"""A whole round for one player alone, from a full shoe: every deal, and what each play of it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.rules import Rules, Split
from engine.games.cards import SUITS
from engine.solver.hands import (
    NAMES,
    best,
    best_halves,
    doubles_after_split,
    insurance,
    met_natural,
    most_hands,
    natural_gain,
    swap_gain,
)
from engine.solver.lattice import ACE, TEN, VALUES, Floats, lattice, worth_of
from engine.solver.outlook import Outlook, draw
from engine.solver.position import may
from engine.solver.splitting import Pair, Sums


@dataclass(frozen=True, slots=True)
class Deal:
    """Two cards against an up card. Worths are joint with the chance `alive` that the round is played."""

    cards: tuple[int, int]
    up: int
    chance: float
    alive: float
    total: int
    soft: bool
    natural: bool
    #: Two cards of a kind, tens of different ranks only where value decides.
    pair: bool
    worths: Mapping[str, float]
    #: What a natural found by the look does to the stake, times its chance.
    ended: float

    @property
    def best(self) -> str:
        return best(self.worths)

    @property
    def value(self) -> float:
        """Under best play."""
        return self.worths[self.best] + self.ended


def shoe(rules: Rules) -> Floats:
    """A full shoe, by value."""
    suits = len(SUITS) * rules.decks
    return np.array([suits] * TEN + [4 * suits], float)


def deals(rules: Rules) -> Iterator[Deal]:
    """Every deal with the worth of every legal play. `rules` are those of one seat."""
    for up in range(VALUES):
        yield from _Against(rules, up).deals()


def insured(rules: Rules) -> float:
    """What insurance adds to a whole round: it is asked under an ace, and taken where it pays."""
    if not rules.insurance:
        return 0.0
    full = shoe(rules)
    unseen = full - np.eye(VALUES)[ACE]
    return float(full[ACE] / full.sum()) * sum(
        chance * max(0.0, insurance(unseen - _cards(cards)))
        for cards in combinations_with_replacement(range(VALUES), 2)
        if (chance := _chance(unseen, *cards))
    )


def _cards(cards: tuple[int, int]) -> Floats:
    return np.bincount(cards, minlength=VALUES).astype(float)


def _chance(unseen: Floats, first: int, second: int) -> float:
    """Of two cards in any order."""
    ways = unseen[first] * (unseen[second] - (first == second)) * (1 if first == second else 2)
    return float(ways / (unseen.sum() * (unseen.sum() - 1)))


class _Against:
    """All deals against one up card."""

    def __init__(self, rules: Rules, up: int) -> None:
        self.rules = rules
        self.up = up
        full = shoe(rules)
        self.up_chance = float(full[up] / full.sum())
        self.unseen = full - np.eye(VALUES)[up]
        self.outlook = Outlook(rules, lattice(worth_of(rules.ace, [])), self.unseen, up)
        self.two = self.outlook.lattice.levels[2]
        self.drawing = draw(self.outlook)
        self.double = np.zeros(self.outlook.lattice.rows)
        self.double[self.two] = self.outlook.double(self.two)
        self.sums = self._sums() if rules.split else None

    def _sums(self) -> Sums:
        halves = best_halves(self.outlook, self.drawing, self.two, doubles=doubles_after_split(self.rules))
        roots = {value: self.outlook.lattice.row([value]) for value in range(VALUES)}
        return Sums(self.outlook, halves, roots, np.zeros(VALUES))

    def deals(self) -> Iterator[Deal]:
        for cards in combinations_with_replacement(range(VALUES), 2):
            if chance := _chance(self.unseen, *cards):
                yield from self._of(cards, self.up_chance * chance)

    def _of(self, cards: tuple[int, int], chance: float) -> Iterator[Deal]:
        """A pair of tens in as many deals as its ranks make a difference."""
        for share, again in self._pairs(cards) if cards[0] == cards[1] else [(1.0, None)]:
            yield self._deal(cards, chance * share, again)

    def _pairs(self, cards: tuple[int, int]) -> Iterator[tuple[float, int | None]]:
        """How likely a pair is to have so many more cards of its kind unseen; None: it is none that may be split."""
        count = int(self.unseen[cards[0]])
        if self.rules.split is not Split.EQUAL_RANK or cards[0] != TEN:
            yield 1.0, count - 2
            return
        rank = len(SUITS) * self.rules.decks
        ways = count * (count - 1)
        if self.up == TEN:
            yield (rank - 1) * (rank - 2) / ways, rank - 3
            yield 3 * rank * (rank - 1) / ways, rank - 2
            yield 1 - ((rank - 1) * (rank - 2) + 3 * rank * (rank - 1)) / ways, None
        else:
            yield 4 * rank * (rank - 1) / ways, rank - 2
            yield 1 - 4 * rank * (rank - 1) / ways, None

    def _deal(self, cards: tuple[int, int], chance: float, again: int | None) -> Deal:
        outlook = self.outlook
        row = outlook.lattice.row(cards)
        total = int(outlook.lattice.totals[row])
        alive, natural = float(outlook.alive[row]), total == 21
        met = met_natural(self.rules, natural=natural) * float(outlook.natural[row]) if self.rules.dealer_looks else 0.0
        gains = {STAND: natural_gain(outlook, row)} if natural else self._gains(cards, row, again)
        return Deal(
            cards=cards,
            up=self.up,
            chance=chance,
            alive=alive,
            total=total,
            soft=bool(outlook.lattice.soft[row]),
            natural=natural,
            pair=again is not None,
            worths={play: gain - alive for play, gain in gains.items()},
            ended=met,
        )

    def _gains(self, cards: tuple[int, int], row: int, again: int | None) -> dict[str, float]:
        gains: dict[str, float] = {STAND: float(self.outlook.stand[row]), HIT: float(self.drawing.hit[row])}
        names = [NAMES[card] for card in cards]
        if may(self.rules, DOUBLE, names):
            gains[DOUBLE] = float(self.double[row])
        if may(self.rules, SURRENDER, names):
            gains[SURRENDER] = 0.5 * float(self.outlook.alive[row])
        if again is not None and may(self.rules, SPLIT, names):
            gains[SPLIT] = self._split(cards[0], again) + float(self.outlook.alive[row])
        if may(self.rules, SWAP, names):
            gains[SWAP] = self._swap(cards[0])
        return gains

    def _split(self, value: int, again: int) -> float:
        assert self.sums is not None
        unseen = self.unseen - 2 * np.eye(VALUES)[value]
        return self.sums.worth(Pair(value, unseen, again, 2, most_hands(self.rules, value, 2)))

    def _swap(self, value: int) -> float:
        unseen = self.unseen - 2 * np.eye(VALUES)[value]
        outlook = Outlook(self.rules, lattice(worth_of(self.rules.ace, [value])), unseen, self.up)
        return swap_gain(outlook, draw(outlook))
