"""A whole round for a single player: every deal from a shoe, with the value of each of its plays.

The word *gain* is defined in `outlook`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import Self

import numpy as np

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.rules import Ace, BlackjackRules, DealerDraws, Split
from engine.games.cards import RANKS, SUITS
from engine.solver.finals import dealt
from engine.solver.hands import (
    by_value,
    doubles_after_split,
    insurance,
    met_natural,
    natural_gain,
    split_gain,
    swap_gain,
)
from engine.solver.lattice import ACE, TEN, VALUES, Flags, Floats, Lattice, lattice, swapped_pairs, worth_of
from engine.solver.outlook import HitOrStand, Outlook, draw
from engine.solver.position import PLAYS, may
from engine.solver.splitting import Pair, Sums
from engine.solver.styles import Style


@dataclass(frozen=True, slots=True)
class StartingHand:
    """The two cards of the player against an up card, each as the place of its value in `lattice.CARDS`."""

    cards: tuple[int, int]
    #: Its row of the lattice.
    row: int
    up: int
    chance: float  # that a round is dealt like this
    alive: float  # the chance that this round is played: where the dealer looks, that he has no natural
    total: int
    soft: bool
    natural: bool
    #: The number of unseen cards that make a new pair with one of these cards after a split; None if these are no pair.
    again: int | None
    legal: tuple[str, ...]
    #: The result of the stake if the dealer looks and finds a natural, times the chance of that.
    ended: float


def shoe(rules: BlackjackRules) -> tuple[int, ...]:
    """Return a full shoe as the number of cards of each rank."""
    return (len(SUITS) * rules.decks,) * len(RANKS)


@lru_cache(maxsize=4)  # each takes megabytes
def _dealt(ace: Ace, draws: DealerDraws, full: tuple[float, ...], *, swapped: bool) -> tuple[Lattice, Floats]:
    """Return all hands with the chances of the dealer's final totals against each, for every up card.

    `full` is the shoe by value. The hands grow from no cards, or with `swapped` from the cards kept from swapped pairs.
    """
    hands = swapped_pairs(ace) if swapped else lattice(worth_of(ace, []))
    rules = BlackjackRules(ace=ace, dealer_draws=draws)
    return hands, dealt(rules, hands, np.array(full), tuple(range(VALUES)))


def insured(rules: BlackjackRules, ranks: Sequence[int]) -> float:
    """Return what insurance adds to a game's value. It is offered under an ace, and taken when it pays.

    `ranks` is the shoe as the number of cards of each rank.
    """
    full = by_value(ranks)
    if not rules.insurance or not full[ACE]:
        return 0.0
    unseen = full - np.eye(VALUES)[ACE]
    return float(full[ACE] / full.sum()) * sum(
        chance * max(0.0, insurance(unseen - np.bincount(cards, minlength=VALUES)))
        for cards in combinations_with_replacement(range(VALUES), 2)
        if (chance := _chance(unseen, *cards))
    )


def _chance(unseen: Floats, first: int, second: int) -> float:
    """Return the chance of being dealt these two cards, in any order."""
    ways = unseen[first] * (unseen[second] - (first == second)) * (1 if first == second else 2)
    return float(ways / (unseen.sum() * (unseen.sum() - 1)))


class Against:
    """All deals against one up card, and what is computed once for all of them.

    `ranks` is the shoe as the number of cards of each rank; `rules` are for one seat (`known.one_seat`). `up` is the up
    card's value, as a place in `lattice.CARDS`.
    """

    def __init__(self, rules: BlackjackRules, ranks: Sequence[int], up: int) -> None:
        full = by_value(ranks)
        self.rules = rules
        self.up = up
        self.up_chance = float(full[up] / full.sum())
        self.tens = np.array(ranks[TEN:], float)
        self.unseen = full - np.eye(VALUES)[up]
        self._full = tuple(full.tolist())
        self.outlook = self._outlook(swapped=False)
        self.two = self.outlook.lattice.levels[2]
        self.double = np.zeros(self.outlook.lattice.rows)
        self.double[self.two] = self.outlook.double(self.two)

        #: Caches that copies for other rules share (`under`): deals with their chances, the best choices between hit
        #: and stand, split sums by style, outlooks of swapped hands.
        self._chances: dict[bool, list[tuple[tuple[int, int], float, int | None]]] = {}
        self._drawing: dict[bool, HitOrStand] = {}
        self.sums: dict[object, Sums] = {}
        self._swapped: list[Outlook] = []

    def under(self, rules: BlackjackRules) -> Self:
        """Return a copy for other rules that deal and draw alike (`known.alike`). Both share all that they compute."""
        twin = copy(self)
        twin.rules = rules
        return twin

    def deals(self) -> Iterator[StartingHand]:
        """Yield every deal that is possible, with its chance."""
        unlike, pair = _plays(self.rules)
        by_rank = self.rules.split is Split.EQUAL_RANK
        if by_rank not in self._chances:
            self._chances[by_rank] = list(self._with_chances())
        for cards, chance, again in self._chances[by_rank]:
            yield self._deal(cards, chance, again, pair if cards[0] == cards[1] else unlike)

    def drawing(self, hits: Flags | None, *, swapped: bool = False) -> HitOrStand:
        """Return the choice between hit and stand for each hand, with the gains.

        `hits` says which hands hit; None: the best choices are taken. The hands are unsplit ones; with `swapped`, those
        that grow from the cards kept from swapped pairs.
        """
        outlook = self.swapped if swapped else self.outlook
        if hits is not None:
            return draw(outlook, hits)
        if swapped not in self._drawing:
            self._drawing[swapped] = draw(outlook)
        return self._drawing[swapped]

    @property
    def swapped(self) -> Outlook:
        """The outlook of the cards that are kept when pairs are swapped (`swapped_pairs`)."""
        if not self._swapped:
            self._swapped.append(self._outlook(swapped=True))
        return self._swapped[0]

    def _outlook(self, *, swapped: bool) -> Outlook:
        rules = self.rules
        hands, totals = _dealt(rules.ace, rules.dealer_draws, self._full, swapped=swapped)
        return Outlook(rules, hands, self.unseen, self.up, totals=totals[self.up])

    def without_pair(self, value: int) -> Floats:
        """Return the number of unseen cards of each value beside a pair of this value."""
        unseen: Floats = self.unseen - 2 * np.eye(VALUES)[value]
        return unseen

    def _with_chances(self) -> Iterator[tuple[tuple[int, int], float, int | None]]:
        """Yield the cards of every deal, its chance, and its `StartingHand.again`."""
        for cards in combinations_with_replacement(range(VALUES), 2):
            if chance := self.up_chance * _chance(self.unseen, *cards):
                for again, share in self._pairs(*cards).items():
                    yield cards, chance * share, again

    def _pairs(self, first: int, second: int) -> dict[int | None, float]:
        """Return the chance of each possible value of `StartingHand.again` for two cards of these values.

        That is the number of unseen cards that make a new pair after a split, or None if the two cards are no pair.
        """
        if first != second:
            return {None: 1.0}
        count = float(self.unseen[first])
        if self.rules.split is not Split.EQUAL_RANK or first != TEN:
            return {int(count) - 2: 1.0}
        shares: Counter[int | None] = Counter()
        ups = np.eye(len(self.tens)) if self.up == TEN else np.zeros((1, len(self.tens)))
        for gone, chance in zip(ups, self.tens / self.tens.sum() if self.up == TEN else [1.0], strict=True):
            for left in (self.tens - gone).tolist():
                if left >= 2:
                    shares[int(left) - 2] += float(chance) * left * (left - 1) / (count * (count - 1))
        rest = 1.0 - sum(shares.values())
        return {**shares, None: rest} if rest > 1e-9 else dict(shares)

    def _deal(self, cards: tuple[int, int], chance: float, again: int | None, plays: tuple[str, ...]) -> StartingHand:
        outlook = self.outlook
        row = outlook.lattice.row(cards)
        alive, natural = float(outlook.alive[row]), bool(outlook.lattice.totals[row] == 21)
        found = float(outlook.natural[row]) if self.rules.dealer_looks else 0.0
        legal = (play for play in plays if play != SPLIT or again is not None)
        return StartingHand(
            cards=cards,
            row=row,
            up=self.up,
            chance=chance,
            alive=alive,
            total=int(outlook.lattice.totals[row]),
            soft=bool(outlook.lattice.soft[row]),
            natural=natural,
            again=again,
            legal=(STAND,) if natural else tuple(legal),
            ended=met_natural(self.rules, natural=natural) * found,
        )


@lru_cache(maxsize=128)
def _plays(rules: BlackjackRules) -> tuple[tuple[str, ...], ...]:
    """Return the first plays that the rules allow with two unlike cards, and those with a pair."""
    return tuple(tuple(play for play in PLAYS if may(rules, play, cards)) for cards in (("2", "3"), ("2", "2")))


class PlayedOut:
    """The values of the deals against one up card, if everything after the first action is played in one style."""

    def __init__(self, against: Against, style: Style) -> None:
        self.against = against
        self.style = style
        self.outlook = against.outlook
        self.drawing = against.drawing(style.hits(self.outlook.lattice))

    def worths(self, deal: StartingHand) -> dict[str, float]:
        """Return the value of a round with this deal for each legal first action."""
        return {play: self.worth(deal, play) for play in deal.legal}

    def worth(self, deal: StartingHand, play: str) -> float:
        """Return the value of a round with this deal and this first action.

        Rounds that the dealer's look ends before the action count too.
        """
        return self._gain(deal, play) - deal.alive + deal.ended

    def _gain(self, deal: StartingHand, play: str) -> float:
        outlook, row = self.outlook, deal.row
        if play == STAND:
            return natural_gain(self.against.rules, outlook, row) if deal.natural else float(outlook.stand[row])
        if play == HIT:
            return float(self.drawing.hit[row])
        if play == DOUBLE:
            return float(self.against.double[row])
        if play == SURRENDER:
            return 0.5 * deal.alive
        return self._swap(deal) if play == SWAP else self._split(deal)

    def _sums(self) -> Sums:
        shared = self.against.sums
        if self.style.mark not in shared:
            halves = self.style.halves(self.outlook, self.drawing, self.against.two)
            roots = {value: self.outlook.lattice.row([value]) for value in range(VALUES)}
            shared[self.style.mark] = Sums(self.outlook, halves, roots, np.zeros(VALUES))
        return shared[self.style.mark]

    def _split(self, deal: StartingHand) -> float:
        assert deal.again is not None
        value, unsplit = deal.cards[0], self._unsplit(deal.row)
        pair = Pair(value, self.against.without_pair(value), deal.again, 2, self.style.most_hands(value))
        return split_gain(self._sums(), pair, deal.alive, lambda split: self.style.splits_again(split, unsplit))

    def _unsplit(self, row: int) -> float:
        """Return the gain of the pair in this row if it is not split again.

        It is the best of stand, hit and, where the rules allow it after a split, double.
        """
        gain = max(float(self.outlook.stand[row]), float(self.drawing.hit[row]))
        return max(gain, float(self.against.double[row])) if doubles_after_split(self.against.rules) else gain

    def _swap(self, deal: StartingHand) -> float:
        return swap_gain(self.against.swapped, self._swapping, row=deal.cards[0])

    @cached_property
    def _swapping(self) -> HitOrStand:
        hits = self.style.hits(self.against.swapped.lattice, swapped=True)
        return self.against.drawing(hits, swapped=True)
