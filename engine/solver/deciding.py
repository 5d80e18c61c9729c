"""Solves one decision at a table: the value of each action of a hand, and what else a `Decision` tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.rules import BlackjackRules, DealerDraws, Split, SplitAces
from engine.games.cards import RANKS
from engine.solver import answers
from engine.solver.answers import Decision
from engine.solver.hands import (
    VALUE_OF,
    best,
    best_halves,
    by_value,
    doubles_after_split,
    insurance,
    is_better,
    most_hands,
    natural_gain,
    split_gain,
    swap_gain,
)
from engine.solver.known import one_seat
from engine.solver.lattice import ACE, VALUES, lattice, worth_of
from engine.solver.outlook import TOLERANCE, Outlook, draw
from engine.solver.position import Position
from engine.solver.splitting import Pair, Sums

#: The most stakes that a split can still cost: three more hands, and a double on each of four.
_ALL_STAKES: Final = 7


def decide(rules: BlackjackRules, position: Position) -> Decision:
    """Return the solution of the decision that the hand has to make in this position.

    Raises UnknownRule for rules that the solver does not know, and BadPosition for an impossible position.
    """
    rules = one_seat(rules)
    return _decide(rules, _in_one_form(rules, position))


def _in_one_form(rules: BlackjackRules, position: Position) -> Position:
    """Return the position without details that change no value, so that the cache of `_decide` needs fewer entries.

    The cards are sorted. `stakes` becomes None if the purse can pay for every play. Unless the dealer chases (R3.2),
    the other hands are left out.
    """
    chases = rules.dealer_draws is DealerDraws.CHASES
    rich = position.stakes is None or position.stakes >= _ALL_STAKES
    return replace(
        position,
        hand=tuple(sorted(position.hand)),
        stakes=None if rich else position.stakes,
        standing=position.standing if chases else 0,
        others_to_play=chases and position.others_to_play,
    )


@lru_cache(maxsize=20_000)
def _decide(rules: BlackjackRules, position: Position) -> Decision:
    position.check(rules)
    return _Deciding(rules, position).decision()


class _Deciding:
    """The working of one decision, over the lattice of all hands that can grow from this one.

    The lattice starts from the whole hand; for a pair that may be split, from its first card, so that it also has the
    hands of the split. `held` counts the cards of that start by value, and `row` is the hand's row in the lattice.
    """

    def __init__(self, rules: BlackjackRules, position: Position) -> None:
        self.rules = rules
        self.position = position
        self.legal = position.legal(rules)
        self.unseen = by_value(position.unseen)
        self.up = VALUE_OF[position.up]
        hand = [VALUE_OF[rank] for rank in position.hand]
        self.value = hand[0]
        drawn = hand[1:] if SPLIT in self.legal else []
        start = hand[: len(hand) - len(drawn)]
        unseen = self.unseen + np.bincount(drawn, minlength=VALUES)
        self.held = np.bincount(start, minlength=VALUES).astype(float)
        grown = lattice(worth_of(rules.ace, start))
        self.outlook = Outlook(rules, grown, unseen, self.up, standing=position.standing)
        self.drawing = draw(self.outlook)
        self.row = grown.row(drawn)

    def decision(self) -> Decision:
        gains = {play: self._gain(play) for play in self.legal}
        worths = {play: self.outlook.value(self.row, gain) for play, gain in gains.items()}
        return Decision(
            actions=worths,
            best=STAND if self.outlook.lattice.totals[self.row] == 21 else best(worths),
            bust=self._bust(),
            dealer=dict(self._dealer()),
            insurance=self._insurance(),
            why=tuple(self._why()),
        )

    def _bust(self) -> float:
        outlook = self.outlook
        safe = float(outlook.drawn(self._rows, outlook.alive)[0] / (outlook.alive[self.row] or 1.0))
        return 1.0 - safe if safe < 1.0 - TOLERANCE else 0.0

    @property
    def _rows(self) -> slice:
        return slice(self.row, self.row + 1)

    def _gain(self, play: str) -> float:
        outlook = self.outlook
        if play == STAND:
            natural = self.position.is_natural(self.rules)
            return natural_gain(self.rules, outlook, self.row) if natural else float(outlook.stand[self.row])
        if play == HIT:
            return float(self.drawing.hit[self.row])
        if play == DOUBLE:
            return float(outlook.double(self._rows)[0])
        if play == SWAP:
            return self._swap_gain()
        if play == SURRENDER:
            return 0.5 * float(outlook.alive[self.row])
        return self._split_gain()

    def _swap_gain(self) -> float:
        kept = lattice(worth_of(self.rules.ace, [self.value]))
        outlook = Outlook(self.rules, kept, self.unseen, self.up, standing=self.position.standing)
        return swap_gain(outlook, draw(outlook))

    def _split_gain(self) -> float:
        position, rules = self.position, self.rules
        more = 99 if position.stakes is None else position.stakes
        by_rank = rules.split is Split.EQUAL_RANK
        doubles = doubles_after_split(rules) and more > 1
        halves = best_halves(rules, self.outlook, self.drawing, self.outlook.lattice.levels[1], doubles=doubles)
        pair = Pair(
            value=self.value,
            unseen=self.unseen,
            again=position.unseen[RANKS.index(position.hand[0])] if by_rank else int(self.unseen[self.value]),
            hands=position.hands + 1,
            most=min(most_hands(rules, self.value, position.hands + 1), position.hands + more),
        )
        sums, unsplit = Sums(self.outlook, halves, {self.value: 0}, self.held), self._unsplit(doubles=doubles)
        return split_gain(sums, pair, float(self.outlook.alive[self.row]), lambda split: is_better(split, unsplit))

    def _unsplit(self, *, doubles: bool) -> float:
        """Return the gain of the pair if it is not split: the best of stand, hit and, with `doubles`, double."""
        return max(self._gain(play) for play in (STAND, HIT, *([DOUBLE] if doubles else [])))

    def _dealer(self) -> Iterator[tuple[str, float]]:
        """Yield each final total of the dealer, a bust too, with its chance.

        If the rules let him look for a natural, the chances assume that he has none. Otherwise a natural comes last.
        """
        looks, chases = self.rules.dealer_looks, self.rules.dealer_draws is DealerDraws.CHASES
        outlook = self.outlook
        chances = outlook.totals[:, self.row] / (outlook.alive[self.row] or 1.0)
        natural = 0.0 if looks else float(outlook.natural[self.row])
        for total in range(2 if chases else 17, 22):
            if chances[total] or not chases:
                yield str(total), float(chances[total])
        yield "bust", max(0.0, 1.0 - float(chances.sum()) - natural)
        if not looks:
            yield "natural", natural

    def _insurance(self) -> float | None:
        first = len(self.position.hand) == 2 and not self.position.from_split and not self.position.swapped
        return insurance(self.unseen) if self.rules.insurance and self.up == ACE and first else None

    def _why(self) -> Iterator[str]:
        chases = self.rules.dealer_draws is DealerDraws.CHASES
        if chases and self.position.others_to_play:
            yield answers.CHASE_OTHERS
        if SPLIT in self.legal:
            if chases:
                yield answers.CHASE_SPLIT
            if self.position.stakes is not None and 1 < self.position.stakes < self._most_stakes():
                yield answers.PURSE

    def _most_stakes(self) -> int:
        """Return the most stakes a split can cost: one for each further hand, and one on each hand that may double."""
        hands = self.position.hands
        most = most_hands(self.rules, self.value, hands + 1)
        once = self.value == ACE and self.rules.split_aces is SplitAces.ONCE
        return most - hands + (most - hands + 1 if doubles_after_split(self.rules) and not once else 0)
