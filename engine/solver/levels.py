"""The levels of computer players as styles of play for the solver.

Each action comes from the code with which computer players choose at tables (`players.choose`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, SPLIT, STAND
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.players import choose
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules, SplitAces
from engine.games.blackjack.worth import NOTHING
from engine.games.contract import CHIP
from engine.solver.hands import most_hands
from engine.solver.lattice import CARDS, TEN, VALUES, Flags, Lattice
from engine.solver.outlook import HitOrStand, Outlook
from engine.solver.splitting import Halves
from engine.solver.whole import StartingHand

#: A card of each value, and a jack: with the ten it has equal value, but not equal rank.
_CARDS: Final = (*CARDS, "Js")
JACK: Final = VALUES


class Habits:
    """A level's play against one up card. It depends on a hand's total, its softness, and whether two cards pair."""

    def __init__(self, rules: BlackjackRules, level: str, up: int) -> None:
        self.rules = rules
        self.level = level
        self.up = up
        deal = (CARDS[1], CARDS[up], CARDS[2], CARDS[4])
        #: Whether hands of three or more cards are hit, by total, softness, and whether a card was swapped.
        self._of_three: dict[tuple[int, bool, bool], bool] = {}
        self._round = BlackjackRound(rules, [{"main": CHIP}], deal)
        if self._round.acting is None:
            self._round.apply(0, DECLINE)

    @property
    def mark(self) -> object:
        return self.level

    def first(self, deal: StartingHand) -> str:
        """Return the level's first action with this deal."""
        if deal.natural:
            return STAND
        return self._asked([TEN, JACK] if deal.cards == (TEN, TEN) and deal.again is None else deal.cards)

    def hits(self, lattice: Lattice, *, swapped: bool = False) -> Flags:
        """Return which hands of a lattice are hit. Hands of 21 or with fewer than two cards are not.

        `swapped` says that the lattice is that of `swapped_pairs`: the cards drawn include the one swapped away.
        """
        sizes = lattice.sizes - swapped
        like = np.where(sizes > 2, -2 * lattice.totals - lattice.soft, np.arange(lattice.rows))
        like[(lattice.totals == 21) | (sizes < 2)] = lattice.rows
        marks, rows, places = np.unique(like, return_index=True, return_inverse=True)
        answers = [
            mark < lattice.rows and self._hits(lattice, row, swapped=swapped)
            for mark, row in zip(marks, rows, strict=True)
        ]
        return np.array(answers)[places]

    def _hits(self, lattice: Lattice, row: int, *, swapped: bool) -> bool:
        like = int(lattice.totals[row]), bool(lattice.soft[row]), swapped
        cards = _drawn(lattice, row)
        if swapped:
            cards.remove(int(lattice.starts[row]))  # the card that is swapped away
        if len(cards) == 2:
            return self._asked(cards, swapped=swapped) == HIT
        if like not in self._of_three:
            self._of_three[like] = self._asked(cards, swapped=swapped) == HIT
        return self._of_three[like]

    def halves(self, outlook: Outlook, drawing: HitOrStand, two: slice) -> Halves:
        """Return how this level plays the hands of a split. A new pair counts as one that may not be split again.

        `two` selects the hands of two cards. Hands of more cards are hit as `drawing` says for unsplit hands.
        """
        hits, doubles = drawing.hits.copy(), np.zeros(outlook.lattice.rows, np.bool_)
        for row in range(two.start, two.stop):
            if outlook.lattice.totals[row] < 21:
                play = self._asked(_drawn(outlook.lattice, row), hands=self.rules.split_hands)
                hits[row], doubles[row] = play == HIT, play == DOUBLE
        return Halves(hits, doubles, self.rules.split_aces is SplitAces.ONCE)

    def most_hands(self, value: int) -> int:
        again = self._asked([value] * 2, hands=2) == SPLIT
        return most_hands(self.rules, value, 2) if again else 2

    def splits_again(self, split: float, unsplit: float) -> bool:
        return True

    def _asked(self, cards: Sequence[int], *, hands: int = 1, swapped: bool = False) -> str:
        hand = Hand(NOTHING[self.rules.ace], CHIP)
        for card in cards:
            hand.take(_CARDS[card])
        hand.from_split, hand.swapped = hands > 1, swapped
        self._round.hands[0] = [hand] * hands
        self._round.ask(0, 0)
        return choose(self.level, self._round, 0)


def _drawn(lattice: Lattice, row: int) -> list[int]:
    cards: list[int] = np.repeat(np.arange(VALUES), lattice.draws[row]).tolist()
    return cards
