"""One round of blackjack, from the deal to the settlement, under any rules.

The round knows which seat is asked, what each action does to the table, and what may be seen of it (a `view`).
`legality` decides what a hand may do, `dealer` what the dealer does, and `settling` how a stake ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Self

from engine.games import plain
from engine.games.blackjack import dealer, settling
from engine.games.blackjack.actions import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP, TIME, Action
from engine.games.blackjack.events import (
    CARD,
    DISCARDED,
    FACE_DOWN,
    LOOKED,
    TAKEN,
    TURNED,
    Event,
    NotedEvent,
    event,
    settled,
)
from engine.games.blackjack.hand import ACTING, BUST, NATURAL, STANDING, SURRENDERED, WAITING, Hand, early
from engine.games.blackjack.legality import COSTLY, Choice, Legality, legality_of
from engine.games.blackjack.rules import FROM_FAR_END, ONE_CARD_EACH, ROTATING, BlackjackRules
from engine.games.blackjack.view import BlackjackView, DealerView, HandView, RoundPhase, SeatView
from engine.games.blackjack.worth import NOTHING, POINTS
from engine.games.cards import Card, Shoe
from engine.games.contract import (
    BOTTOMLESS,
    BadStakes,
    By,
    Cents,
    IllegalAction,
    Refusal,
    Seat,
    Settlement,
    Stakes,
    Step,
)

#: An alias, because every press looks it up.
_NOT_OFFERED: Final = Refusal.NOT_OFFERED


_OF_FELT: Final = (
    "_far",
    "_hole",
    "_near",
    "_notes",
    "_shoe",
    "_taken",
    "dealer",
    "hands",
    "insurance",
    "looked",
    "rules",
    "stakes",
    "turned",
    "up_card",
)
_OF_ROUND: Final = ("_choice", "_legality", "_settlement", "acting", "asked", "steps", "turn")


class Felt:
    """The table: hands, stakes, the dealer's cards and the shoe.

    Everybody may see the attributes without an underscore.
    """

    __slots__ = _OF_FELT

    def __init__(self, rules: BlackjackRules, stakes: Sequence[Stakes], shoe: Shoe) -> None:
        if not 1 <= len(stakes) <= rules.most_seats:
            raise BadStakes(f"{len(stakes)} stakes at a table of {rules.most_seats} seats")
        nothing = NOTHING[rules.ace]
        self.rules = rules
        self.stakes = tuple([plain.only_stake(staked) for staked in stakes])
        if rules.fixed_stake and self.stakes != (rules.fixed_stake,) * len(stakes):
            raise BadStakes(f"stakes of {self.stakes} cents, where everybody stakes {rules.fixed_stake}")
        #: The hands of each seat, from left to right.
        self.hands = [[Hand(nothing, stake)] for stake in self.stakes]
        self.dealer = Hand(nothing)
        #: The insurance of each seat: 0 if it was declined, None until the seat has answered.
        self.insurance: list[Cents | None] = [None] * len(stakes)
        #: Whether the dealer, under rules with a look, surely has no natural: the look found none, or was not needed.
        self.looked = False
        #: Whether the hole card lies face up.
        self.turned = False
        self._shoe = shoe
        #: The next place at each end of the shoe, and all places taken so far.
        self._near, self._far = 0, len(shoe) - 1
        self._taken: list[int] = []
        self._notes: list[NotedEvent] = []
        self._deal()

    @property
    def taken(self) -> tuple[int, ...]:
        """The places in the shoe of all cards dealt, in dealing order."""
        return tuple(self._taken)

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The places in the shoe of all cards dealt face up, discarded ones included."""
        return self.taken if self.turned else tuple([place for place in self._taken if place != self._hole])

    # -- cards ---------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Deal two cards to each seat and to the dealer (R1.2). A seat's 21 becomes a natural at once."""
        for seat, (hand,) in enumerate(self.hands):
            self._give(seat, 0, hand)
        self.up_card = self._give(None, 0, self.dealer)
        for seat, (hand,) in enumerate(self.hands):
            self._give(seat, 0, hand)
            if hand.worth.total == 21:
                hand.state = NATURAL
        self._hole = self._place_for(None)
        self._took(self._hole)
        self._notes.append((FACE_DOWN, None, 0, None))

    def _place_for(self, seat: Seat | None) -> int:
        """Return the place in the shoe of the next card for a seat, or for the dealer if the seat is None (R1.9)."""
        if self.rules.dealer_cards is not FROM_FAR_END:
            return self._near
        if self._near > self._far:
            raise IndexError("the two ends of the shoe have met")
        return self._far if seat is None else self._near

    def _took(self, place: int) -> None:
        self._taken.append(place)
        if place == self._near:
            self._near += 1
        else:
            self._far -= 1

    def _give(self, seat: Seat | None, index: int, hand: Hand) -> Card:
        """Deal the next card face up to a hand of a seat, or of the dealer if the seat is None, and return it."""
        place = self._place_for(seat)
        card = self._shoe[place]
        self._took(place)
        hand.cards.append(card)
        hand.worth = hand.worth.plus[card]
        self._notes.append((CARD, seat, index, card))
        return card

    def _hides_a_natural(self) -> bool:
        """Return whether the hole card gives the dealer a natural. Only `_look` may use it: the card lies face down."""
        return self.dealer.worth.plus[self._shoe[self._hole]].total == 21

    def _turn_hole_card(self) -> None:
        card = self._shoe[self._hole]
        self.dealer.take(card)
        self.turned = True
        self._notes.append((TURNED, None, 0, card))


class BlackjackRound(Felt):
    """A round of blackjack after its deal. `engine.games.contract.Round` documents its methods."""

    __slots__ = _OF_ROUND

    def __init__(self, rules: BlackjackRules, stakes: Sequence[Stakes], shoe: Shoe) -> None:
        self.steps: list[Step] = []
        self.turn = 0
        self.asked: tuple[Seat, ...] = ()
        #: The (seat, hand) whose turn it is, or None during insurance and after the end.
        self.acting: tuple[Seat, int] | None = None
        self._settlement: Settlement | None = None
        self._legality: Legality = legality_of(rules)
        #: The answers open to the asked seats.
        self._choice: Choice = self._legality.insurance
        super().__init__(rules, stakes, shoe)
        if rules.insurance and POINTS[self.up_card] == 11:
            self.asked = tuple(range(len(self.hands)))
            self.turn = 1
        else:
            self._look()

    # -- the contract --------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return not self.asked

    def refusal(self, seat: object, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        if type(seat) is not int or seat not in self.asked:
            return self._not_asked(seat)
        refused = self._choice.refusals.get(action, _NOT_OFFERED)
        if refused is None and purse < BOTTOMLESS and self.cost(seat, action) > purse:
            return Refusal.CANNOT_PAY
        return refused

    def legal(self, seat: object, purse: Cents = BOTTOMLESS) -> tuple[Action, ...]:
        if type(seat) is not int or seat not in self.asked:
            return ()
        allowed = self._choice.legal
        return allowed if purse >= BOTTOMLESS else tuple([word for word in allowed if self.cost(seat, word) <= purse])

    def cost(self, seat: Seat, action: str) -> Cents:
        if action == INSURE:
            return self.stakes[seat] // 2
        return self.stakes[seat] if action in COSTLY else 0

    def apply(self, seat: object, action: str, by: By = By.MEMBER, purse: Cents = BOTTOMLESS) -> None:
        refused = self.refusal(seat, action, purse)
        if refused is not None:
            raise IllegalAction(refused)
        assert isinstance(seat, int)
        before = len(self.steps)
        try:
            self._take(Step(seat, action, by))
        except BaseException:  # the shoe has no such card
            self._go_back_to(self.steps[:before])
            raise

    def timeout(self, seat: Seat) -> Action:
        return TIME

    def view(self, seat: Seat | None = None) -> BlackjackView:
        """Return the public view, the same for every seat, because only the hole card lies face down.

        The hole card is not read here: it joins the dealer's cards when it is turned.
        """
        phase = RoundPhase.TURNS if self.acting else RoundPhase.INSURANCE
        worth = self.dealer.worth
        return BlackjackView(
            phase=phase if self.asked else RoundPhase.OVER,
            dealer=DealerView(
                cards=tuple(self.dealer.cards) if self.turned else (*self.dealer.cards, None),
                total=worth.total,
                soft=worth.soft and not self.turned,
                natural=self.turned and self.dealer.is_21_in_two(),
                bust=worth.total > 21,
                from_far_end=self.rules.dealer_cards is FROM_FAR_END,
            ),
            seats=tuple([self._seat_view(each, hands) for each, hands in enumerate(self.hands)]),
            asked=self.asked,
            acting=self.acting,
            turn=self.turn,
        )

    def _seat_view(self, seat: Seat, hands: Sequence[Hand]) -> SeatView:
        shown = [
            HandView(
                cards=tuple(hand.cards),
                total=hand.worth.total,
                soft=hand.worth.soft and hand.state is WAITING,
                stake=hand.stake,
                state=ACTING if self.acting == (seat, index) else hand.state,
                doubled=hand.doubled,
                swapped=hand.swapped,
                late=hand.late,
                result=settling.hand_line(self, seat, index) if hand.state is not WAITING else None,
            )
            for index, hand in enumerate(hands)
        ]
        insurance = self.insurance[seat]
        return SeatView(tuple(shown), insurance, settling.insurance_line(self, seat) if insurance else None)

    def silences(self, seat: Seat) -> Iterator[Self]:
        """Fork the round once, and yield this fork for each hand that can still draw at a seat whose time is up.

        In the fork it is that hand's turn. The seat's earlier hands have stood, and a split hand of one card has got
        its second.
        """
        round = self.fork()
        for index, hand in enumerate(round.hands[seat]):
            if len(hand.cards) == 1:
                round._complete(seat, index, hand)
            if hand.state is WAITING:
                round.ask(seat, index)
                yield round
                _stand([hand])

    def settlement(self) -> Settlement:
        if self.asked:
            raise IllegalAction(Refusal.NOT_NOW)
        if self._settlement is None:
            self._settlement = Settlement(tuple(settling.lines(self)))
        return self._settlement

    def fork(self) -> Self:
        """Copy the round. Both copies share the shoe, in which a card never changes its place."""
        twin = type(self).__new__(type(self))
        for name in (*_OF_FELT, *_OF_ROUND):
            setattr(twin, name, getattr(self, name))
        twin.hands = [[hand.copy() for hand in hands] for hands in self.hands]
        twin.dealer = self.dealer.copy()
        twin.insurance = self.insurance.copy()
        twin.steps = self.steps.copy()
        twin._notes = self._notes.copy()
        twin._taken = self._taken.copy()
        return twin

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, as an onlooker would see them."""
        so_far = tuple(map(event, self._notes))
        return so_far if self.asked else so_far + tuple(map(settled, self.settlement().lines))

    # -- taking a step -------------------------------------------------------------------------------------------------

    def _take(self, step: Step) -> None:
        seat, index = step.seat, self.acting[1] if self.acting else 0
        self.steps.append(step)
        self._notes.append((TAKEN, seat, index, step))
        if self.acting is None:
            self._answer(seat, step.action)
        else:
            _PLAYS[step.action](self, seat, index, self.hands[seat][index])
            self._ask_next(after=seat)

    def _go_back_to(self, steps: Sequence[Step]) -> None:
        """Restore the round after these steps, by dealing it again and taking them."""
        BlackjackRound.__init__(self, self.rules, [{"main": stake} for stake in self.stakes], self._shoe)
        for step in steps:
            self._take(step)

    # -- who is asked what ---------------------------------------------------------------------------------------------

    def _not_asked(self, seat: object) -> Refusal:
        if not self.asked:
            return Refusal.ROUND_OVER
        if type(seat) is not int or not 0 <= seat < len(self.hands):
            return Refusal.NOT_SEATED
        return Refusal.NOT_YOUR_TURN if self.acting else Refusal.ALREADY_ANSWERED

    def _answer(self, seat: Seat, action: str) -> None:
        """Record a seat's answer about insurance (R2.1), and let the dealer look when all seats have answered."""
        self.insurance[seat] = self.cost(seat, action)
        self.asked = tuple([other for other in self.asked if other != seat])
        if not self.asked:
            self._look()

    def _look(self) -> None:
        """Let the dealer look under an ace or a ten, where the rules say so (R1.5).

        If that finds a natural, the round ends. Otherwise the turns begin.
        """
        if self.rules.dealer_looks and POINTS[self.up_card] >= 10:
            if self._hides_a_natural():
                for hands in self.hands:
                    _stand(hands)
                self._turn_hole_card()
                return
            self._notes.append((LOOKED, None, 0, None))
        self.looked = self.rules.dealer_looks
        self._ask_next(after=-1)

    def _ask_next(self, *, after: Seat) -> None:
        """Ask the next hand that can still draw, from left to right (R1.8), or let the dealer play if there is none.

        Naturals are skipped (R5.3). If turns go seat by seat, the search starts at the first seat, since a finished
        hand is never asked again. If they rotate, it starts after the seat that acted (R5.4).
        """
        self.turn += 1
        seats: Iterable[tuple[Seat, list[Hand]]] = enumerate(self.hands)
        if self.rules.turns is ROTATING:
            in_order = list(seats)
            seats = in_order[after + 1 :] + in_order[: after + 1]
        for seat, hands in seats:
            for index, hand in enumerate(hands):
                if len(hand.cards) == 1:
                    self._complete(seat, index, hand)
                if hand.state is WAITING:
                    self.ask(seat, index)
                    return
        self._dealer_plays()

    def ask(self, seat: Seat, index: int) -> None:
        """Make this hand the acting one, with the choice that its present cards allow."""
        hands = self.hands[seat]
        self.acting = (seat, index)
        self.asked = (seat,)
        self._choice = self._legality[hands[index].situation(len(hands))]

    def _complete(self, seat: Seat, index: int, half: Hand) -> None:
        """Deal a split half its second card. It stands on 21, or if split aces get one card each (R2.4)."""
        self._give(seat, index, half)
        is_last = POINTS[half.cards[0]] == 11 and self.rules.split_aces is ONE_CARD_EACH
        if half.worth.total == 21 or is_last:
            half.state = STANDING

    def _dealer_plays(self) -> None:
        """End the turns: turn the hole card, and let the dealer draw while that can change a result (R1.6)."""
        self.acting = None
        self.asked = ()
        self._turn_hole_card()
        target = dealer.draws_to(self.rules, chain.from_iterable(self.hands))
        while target and dealer.draws(self.rules, self.dealer.worth, target):
            self._give(None, 0, self.dealer)

    # -- what each action does -----------------------------------------------------------------------------------------

    def _hit(self, seat: Seat, index: int, hand: Hand) -> None:
        self._give(seat, index, hand)
        if hand.worth.total > 21:
            hand.state = BUST
        elif hand.worth.total == 21 or early(hand):
            hand.state = STANDING

    def _stay(self, seat: Seat, index: int, hand: Hand) -> None:
        _stand([hand])

    def _double(self, seat: Seat, index: int, hand: Hand) -> None:
        hand.stake *= 2
        hand.doubled = True
        self._hit(seat, index, hand)
        _stand([hand])

    def _split(self, seat: Seat, index: int, hand: Hand) -> None:
        """Split the hand (R2.3): the left half gets its second card at once, the right half when its turn comes."""
        left, right = (self._half(hand, card) for card in hand.cards)
        self.hands[seat][index : index + 1] = left, right
        self._complete(seat, index, left)

    def _half(self, hand: Hand, card: Card) -> Hand:
        half = Hand(NOTHING[self.rules.ace], hand.stake)
        half.take(card)
        half.from_split = True
        return half

    def _swap(self, seat: Seat, index: int, hand: Hand) -> None:
        first, second = hand.cards
        self._notes.append((DISCARDED, seat, index, second))
        hand.cards, hand.worth = [first], NOTHING[self.rules.ace].plus[first]
        hand.stake *= 2
        hand.swapped = True
        self._hit(seat, index, hand)

    def _surrender(self, seat: Seat, index: int, hand: Hand) -> None:
        hand.state = SURRENDERED

    def _out_of_time(self, seat: Seat, index: int, hand: Hand) -> None:
        """Stand on every hand of the seat (R0.5). A split hand of only one card first gets its second one."""
        for place, each in enumerate(self.hands[seat]):
            if len(each.cards) == 1:
                self._complete(seat, place, each)
            each.late = each.state is WAITING
        _stand(self.hands[seat])


def _stand(hands: Iterable[Hand]) -> None:
    """Stand on those hands that could still draw."""
    for hand in hands:
        if hand.state is WAITING:
            hand.state = STANDING


_PLAYS: Final[Mapping[str, Callable[[BlackjackRound, Seat, int, Hand], None]]] = {
    HIT: BlackjackRound._hit,
    STAND: BlackjackRound._stay,
    DOUBLE: BlackjackRound._double,
    SPLIT: BlackjackRound._split,
    SWAP: BlackjackRound._swap,
    SURRENDER: BlackjackRound._surrender,
    TIME: BlackjackRound._out_of_time,
}
