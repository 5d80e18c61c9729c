"""One round of blackjack, from the deal to the settlement, under any rules.

The round knows where its shoe is and who is asked; what a hand may do is `legality`, what the dealer does is
`dealer`, how it ends is `settling`, and what may be seen is `showing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Self

from engine.games import plain
from engine.games.blackjack import dealer, settling, showing
from engine.games.blackjack.actions import ACTIONS, DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP, TIME
from engine.games.blackjack.events import Event, Happening, Note, event, settled
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.legality import COSTLY, QUESTIONS
from engine.games.blackjack.rules import Rules, SplitAces, Turns
from engine.games.blackjack.view import BlackjackView, HandState, Phase
from engine.games.blackjack.worth import NOTHING, POINTS
from engine.games.cards import Card, Shoe
from engine.games.contract import (
    BOTTOMLESS,
    By,
    Cents,
    IllegalAction,
    Line,
    Outcome,
    Refusal,
    Seat,
    Settlement,
    Stakes,
    Step,
)

_WAITING: Final = HandState.WAITING
_STANDING: Final = HandState.STANDING
_CARD: Final = Happening.CARD


class BlackjackRound:
    """Everything without an underscore lies face up on the table."""

    __slots__ = (
        "_hole",
        "_notes",
        "_place",
        "_settlement",
        "_shoe",
        "acting",
        "asked",
        "dealer",
        "hands",
        "insurance",
        "looked",
        "rules",
        "stakes",
        "steps",
        "turn",
        "turned",
    )

    def __init__(self, rules: Rules, stakes: Sequence[Stakes], shoe: Shoe) -> None:
        self.rules = rules
        self.stakes = tuple([_first_stake(staked) for staked in stakes])
        if not 1 <= len(stakes) <= rules.most_seats:
            raise ValueError(f"{len(stakes)} seats at a table of {rules.most_seats}")
        nothing = NOTHING[rules.ace]
        self.hands = [[Hand(nothing, stake)] for stake in self.stakes]
        self.dealer = Hand(nothing)
        #: By seat; None until the seat has answered.
        self.insurance: list[Cents | None] = [None] * len(stakes)
        self.steps: list[Step] = []
        self.turn = 0
        self.asked: tuple[Seat, ...] = ()
        #: (seat, hand) that acts. None in the insurance question and when the round is over.
        self.acting: tuple[Seat, int] | None = None
        #: The dealer has looked at his hole card, if he ever does, and found no natural.
        self.looked = False
        #: The hole card lies face up.
        self.turned = False
        self._shoe = shoe
        self._place = 0
        self._notes: list[Note] = []
        self._settlement: Settlement | None = None
        self._deal()

    # -- the contract --------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return not self.asked

    @property
    def phase(self) -> Phase:
        if not self.asked:
            return Phase.OVER
        return Phase.TURNS if self.acting else Phase.INSURANCE

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        if seat not in self.asked:
            return self._not_asked(seat)
        refused = self._of_asked(seat, action)
        if refused is None and purse < BOTTOMLESS and self.cost(seat, action) > purse:
            return Refusal.CANNOT_PAY
        return refused

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        if seat not in self.asked:
            return ()
        return tuple([action for action in ACTIONS if self.refusal(seat, action, purse) is None])

    def cost(self, seat: Seat, action: str) -> Cents:
        if action == INSURE:
            return self.stakes[seat] // 2
        return self.stakes[seat] if action in COSTLY else 0

    def apply(self, seat: Seat, action: str, by: By = By.MEMBER) -> None:
        refused = self.refusal(seat, action)
        if refused is not None:
            raise IllegalAction(refused)
        step = Step(seat, action, by)
        self.steps.append(step)
        if self.acting is None:
            self._notes.append((Happening.TAKEN, seat, 0, step))
            self._answer(seat, action)
            return
        index = self.acting[1]
        self._notes.append((Happening.TAKEN, seat, index, step))
        _PLAYS[action](self, seat, index, self.hands[seat][index])
        self._ask_next(after=seat)

    def timeout(self, seat: Seat) -> str:
        return TIME

    def view(self, seat: Seat | None = None) -> BlackjackView:
        """The same for every seat: at blackjack all cards but the hole card lie face up."""
        return showing.view(self)

    def settlement(self) -> Settlement:
        if self.asked:
            raise IllegalAction(Refusal.NOT_NOW)
        if self._settlement is None:
            lines = (line for seat in range(len(self.hands)) for line in self._lines(seat))
            self._settlement = Settlement(tuple(lines))
        return self._settlement

    def fork(self) -> Self:
        twin = object.__new__(type(self))
        for name in BlackjackRound.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [[hand.copy() for hand in hands] for hands in self.hands]
        twin.dealer = self.dealer.copy()
        twin.insurance = self.insurance.copy()
        twin.steps = self.steps.copy()
        twin._notes = self._notes.copy()
        return twin

    # -- beyond the contract -------------------------------------------------------------------------------------------

    @property
    def events(self) -> tuple[Event, ...]:
        told = tuple(map(event, self._notes))
        return told if self.asked else told + tuple(map(settled, self.settlement().lines))

    @property
    def up_card(self) -> Card:
        return self.dealer.cards[0]

    @property
    def cards_taken(self) -> int:
        """How many cards have left the shoe."""
        return self._place

    def hand_line(self, seat: Seat, index: int) -> Line | None:
        """What became of a hand, as soon as nothing can change it."""
        hand = self.hands[seat][index]
        if not self.asked:
            outcome: Outcome | None = settling.outcome(self.rules, hand, self.dealer)
        elif self.looked and hand.state is HandState.NATURAL and dealer.naturals_are_paid_early(self.rules):
            outcome = Outcome.NATURAL
        else:
            outcome = settling.early_outcome(hand)
        if outcome is None:
            return None
        returned = settling.returned(self.rules, outcome, hand.stake)
        return Line(seat, f"hand {index + 1}", hand.stake, returned, outcome)

    def insurance_line(self, seat: Seat) -> Line | None:
        """R2.1."""
        stake = self.insurance[seat]
        if not stake or not (self.looked or self.turned):
            return None
        if self.turned and self.dealer.is_21_in_two():
            return Line(seat, "insurance", stake, stake * 3, Outcome.INSURANCE_WON)
        return Line(seat, "insurance", stake, 0, Outcome.INSURANCE_LOST)

    # -- the deal (R1.2, R1.5) -----------------------------------------------------------------------------------------

    def _deal(self) -> None:
        self._deal_a_card_each()
        self._give_dealer()
        self._deal_a_card_each()
        self._hole = self._place
        self._place += 1
        self._notes.append((Happening.FACE_DOWN, None, 0, None))
        for (hand,) in self.hands:
            if hand.worth.total == 21:
                hand.state = HandState.NATURAL
        if self.rules.insurance and POINTS[self.up_card] == 11:
            self.asked = tuple(range(len(self.hands)))
            self.turn = 1
        else:
            self._look()

    def _deal_a_card_each(self) -> None:
        for seat, (hand,) in enumerate(self.hands):
            self._give(seat, 0, hand)

    def _give(self, seat: Seat, index: int, hand: Hand) -> None:
        card = self._shoe[self._place]
        self._place += 1
        hand.take(card)
        self._notes.append((_CARD, seat, index, card))

    def _give_dealer(self) -> None:
        card = self._shoe[self._place]
        self._place += 1
        self.dealer.take(card)
        self._notes.append((_CARD, None, 0, card))

    def _look(self) -> None:
        """Under an ace and under a ten; a natural found there ends the round."""
        if self.rules.dealer_looks:
            if POINTS[self.up_card] >= 10:
                if self.dealer.worth.plus[self._shoe[self._hole]].total == 21:
                    self._turn_hole_card()
                    self._end()
                    return
                self._notes.append((Happening.LOOKED, None, 0, None))
            self.looked = True
        self._ask_next(after=-1)

    # -- questions -----------------------------------------------------------------------------------------------------

    def _not_asked(self, seat: Seat) -> Refusal:
        if not self.asked:
            return Refusal.ROUND_OVER
        if not 0 <= seat < len(self.hands):
            return Refusal.NOT_SEATED
        return Refusal.NOT_YOUR_TURN if self.acting else Refusal.ALREADY_ANSWERED

    def _of_asked(self, seat: Seat, action: str) -> Refusal | None:
        question = QUESTIONS.get(action)
        if question is None:
            return self._of_answer(action)
        if self.acting is None:
            return Refusal.INSURANCE_FIRST
        hands = self.hands[seat]
        return question(self.rules, hands[self.acting[1]], len(hands))

    def _of_answer(self, action: str) -> Refusal | None:
        if action == TIME:
            return None
        if action not in (INSURE, DECLINE) or not self.rules.insurance:
            return Refusal.NOT_OFFERED
        return Refusal.NOT_NOW if self.acting else None

    def _answer(self, seat: Seat, action: str) -> None:
        """R2.1. All seats share the question: its number stays until the last of them has answered."""
        self.insurance[seat] = self.stakes[seat] // 2 if action == INSURE else 0
        self.asked = tuple([other for other in self.asked if other != seat])
        if not self.asked:
            self._look()

    def _ask_next(self, *, after: Seat) -> None:
        """Ask the next seat with a hand that can still draw; with none the dealer plays.

        Seat by seat, the search always starts at the first seat: a finished hand never opens again. Rotating, it starts
        behind the seat that acted (R5.4).
        """
        self.turn += 1
        seats = len(self.hands)
        start = after + 1 if self.rules.turns is Turns.ROTATING else 0
        for offset in range(seats):
            seat = (start + offset) % seats
            for index, hand in enumerate(self.hands[seat]):
                if hand.state is _WAITING and self._opens(seat, index, hand):
                    self.acting = (seat, index)
                    self.asked = (seat,)
                    return
        self._dealer_plays()

    def _opens(self, seat: Seat, index: int, hand: Hand) -> bool:
        """Whether there is something to ask. A split half gets its second card when its turn comes (R2.3)."""
        if len(hand.cards) == 1:
            self._give(seat, index, hand)
            if hand.worth.total == 21 or self._is_split_ace(hand):
                hand.state = _STANDING
        return hand.state is _WAITING

    def _is_split_ace(self, hand: Hand) -> bool:
        """R2.4."""
        return hand.from_split and POINTS[hand.cards[0]] == 11 and self.rules.split_aces is SplitAces.ONCE

    # -- what each action does -----------------------------------------------------------------------------------------

    def _hit(self, seat: Seat, index: int, hand: Hand) -> None:
        self._give(seat, index, hand)
        total = hand.worth.total
        if total > 21:
            hand.state = HandState.BUST
        elif total == 21:
            hand.state = _STANDING

    def _stand(self, seat: Seat, index: int, hand: Hand) -> None:
        hand.state = _STANDING

    def _double(self, seat: Seat, index: int, hand: Hand) -> None:
        hand.stake *= 2
        hand.doubled = True
        self._hit(seat, index, hand)
        if hand.state is _WAITING:
            hand.state = _STANDING

    def _split(self, seat: Seat, index: int, hand: Hand) -> None:
        """The right half lies down beside its sibling and waits; the left one gets its second card with the others'."""
        right = Hand(NOTHING[self.rules.ace], hand.stake)
        left = Hand(NOTHING[self.rules.ace], hand.stake)
        for half, card in zip((left, right), hand.cards, strict=True):
            half.take(card)
            half.from_split = True
        self.hands[seat][index : index + 1] = [left, right]

    def _swap(self, seat: Seat, index: int, hand: Hand) -> None:
        first, second = hand.cards
        self._notes.append((Happening.DISCARDED, seat, index, second))
        hand.cards = []
        hand.worth = NOTHING[self.rules.ace]
        hand.take(first)
        hand.stake *= 2
        hand.swapped = True
        self._hit(seat, index, hand)

    def _surrender(self, seat: Seat, index: int, hand: Hand) -> None:
        hand.state = HandState.SURRENDERED

    def _out_of_time(self, seat: Seat, index: int, hand: Hand) -> None:
        """Every hand of the seat stands, with the cards that are its due."""
        for place, each in enumerate(self.hands[seat]):
            if each.state is _WAITING and self._opens(seat, place, each):
                each.state = _STANDING

    # -- the end (R1.6) ------------------------------------------------------------------------------------------------

    def _dealer_plays(self) -> None:
        self._turn_hole_card()
        target = dealer.draws_to(self.rules, [hand for hands in self.hands for hand in hands])
        while target and dealer.draws(self.rules, self.dealer.worth, target):
            self._give_dealer()
        self._end()

    def _turn_hole_card(self) -> None:
        card = self._shoe[self._hole]
        self.dealer.take(card)
        self.turned = True
        self._notes.append((Happening.TURNED, None, 0, card))

    def _end(self) -> None:
        self.acting = None
        self.asked = ()

    def _lines(self, seat: Seat) -> list[Line]:
        lines = [self.hand_line(seat, index) for index in range(len(self.hands[seat]))]
        lines.append(self.insurance_line(seat))
        return [line for line in lines if line is not None]


def _first_stake(staked: Stakes) -> Cents:
    if len(staked) != 1 or "main" not in staked:
        raise ValueError("a blackjack seat stakes on one spot, main")
    stake = staked["main"]
    plain.check_stake(stake)
    return stake


_PLAYS: Final[Mapping[str, Callable[[BlackjackRound, Seat, int, Hand], None]]] = {
    HIT: BlackjackRound._hit,
    STAND: BlackjackRound._stand,
    DOUBLE: BlackjackRound._double,
    SPLIT: BlackjackRound._split,
    SWAP: BlackjackRound._swap,
    SURRENDER: BlackjackRound._surrender,
    TIME: BlackjackRound._out_of_time,
}
