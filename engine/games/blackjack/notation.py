"""A notation for rounds of blackjack on one line of text.

    vegas  stake 10  |  A A / 6 ?  |  split 9 5  |  dealer 6 K 7

First the rule set, the fields that differ from it (`double=no`) and the stakes in chips: one for all seats, or one for
each. Then the cards dealt to each seat, with a comma between seats, and the dealer's after the slash. Then each
action, with the cards it brings to the seats in the order they are dealt. Where several seats are asked, `2: hit 5` is
the action of the second one. Last the dealer's whole hand. A rank without a suit is a card of any suit, and `?` is an
unknown card. A line that stops early is a round in play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from engine.games.blackjack.actions import TIME
from engine.games.blackjack.events import Happening
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import FROM_FAR_END, BlackjackRules
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.cards import PACK, RANKS, SUITS, Card
from engine.games.contract import CHIP, By, Cents, Seat

UNKNOWN: Final = "?"


class BadNotation(ValueError):
    """Raised for a line that describes no round. The message explains the fault."""


@dataclass(frozen=True, slots=True)
class Move:
    """A written action: its word, the cards it brings, and its seat where that must be named."""

    action: str
    cards: tuple[Card, ...] = ()
    seat: Seat | None = None  # None is the seat that is asked


@dataclass(frozen=True, slots=True)
class Script:
    """A round as its line describes it, before it is played."""

    rules: BlackjackRules
    stakes: tuple[Cents, ...]
    hands: tuple[tuple[Card, Card], ...]
    dealer: tuple[Card, ...]
    moves: tuple[Move, ...]

    def shoe(self) -> tuple[Card, ...]:
        """Return a shoe that deals the written cards: in dealing order (R1.2), or the dealer's at the far end (R1.9).

        Raises BadNotation if the decks do not have all these cards.
        """
        firsts, seconds = zip(*self.hands, strict=True)
        drawn = [card for move in self.moves for card in move.cards]
        up, hole, *more = self.dealer
        if self.rules.dealer_cards is FROM_FAR_END:
            players = [*firsts, *seconds, *drawn]
            between = self.rules.decks * len(PACK) - len(players) - len(self.dealer)
            return tuple(_suited([*players, *UNKNOWN * between, *reversed(self.dealer)], self.rules.decks))
        return tuple(_suited([*firsts, up, *seconds, hole, *drawn, *more], self.rules.decks))


class _WrittenShoe:
    """A shoe of the written cards. It raises BadNotation when the round takes a further or unknown card."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = cards

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, place: int, /) -> Card:
        if place >= len(self._cards):
            raise BadNotation("the round takes more cards than are written")
        if self._cards[place] == UNKNOWN:
            raise BadNotation("the round needs a card that is not known")
        return self._cards[place]


# -- reading -----------------------------------------------------------------------------------------------------------


def read(text: str) -> Script:
    """Parse a line into a script, without playing it.

    Raises BadNotation if the line describes no round, BadRules for impossible rules.
    """
    head, *parts = [part.strip() for part in text.split("|")]
    if not parts:
        raise BadNotation("no cards are dealt")
    hands, dealer = _deal(parts.pop(0))
    if parts and parts[-1].startswith("dealer "):
        whole = tuple(map(_card, parts.pop().split()[1:]))
        if len(whole) < 2 or any(
            UNKNOWN not in (new, old) and new != old for new, old in zip(whole, dealer, strict=False)
        ):
            raise BadNotation("the dealer's hand does not begin with the cards he was dealt")
        dealer = whole
    rules, stakes = _head(head, len(hands))
    return Script(rules, stakes, hands, dealer, tuple(map(_move, parts)))


def _head(text: str, seats: int) -> tuple[BlackjackRules, tuple[Cents, ...]]:
    before, _, after = text.partition(" stake ")
    name, *fields = before.split()
    if name not in RULE_SETS:
        raise BadNotation(f"no rule set is called {name!r}")
    try:
        stakes = [int(chips) * CHIP for chips in after.split(",")]
    except ValueError as fault:
        raise BadNotation(f"{after!r} is no stake") from fault
    if len(stakes) not in (1, seats):
        raise BadNotation(f"{len(stakes)} stakes for {seats} seats")
    rules = replace(RULE_SETS[name], **dict(_field(RULE_SETS[name], field) for field in fields))
    return rules, tuple(stakes * seats if len(stakes) == 1 else stakes)


def _field(rules: BlackjackRules, text: str) -> tuple[str, Any]:
    """Parse one field: `decks=2`, `surrender=no`, or a choice by its name such as `dealer_draws=hits_soft_17`."""
    name, _, word = text.partition("=")
    try:
        old = getattr(rules, name)
        if isinstance(old, StrEnum):
            return name, type(old)[word.upper()]
        return name, {"yes": True, "no": False}[word] if isinstance(old, bool) else int(word)
    except (AttributeError, KeyError, ValueError) as fault:
        raise BadNotation(f"{text!r} changes no rule") from fault


def _deal(text: str) -> tuple[tuple[tuple[Card, Card], ...], tuple[Card, ...]]:
    seats, _, dealer = text.partition("/")
    hands = [tuple(map(_card, seat.split())) for seat in seats.split(",")]
    cards = tuple(map(_card, dealer.split()))
    if any(len(hand) != 2 for hand in [*hands, cards]):
        raise BadNotation(f"everyone is dealt two cards: {text}")
    return tuple((first, second) for first, second in hands), cards


def _card(text: str) -> Card:
    text = text.replace("10", "T")
    if not re.fullmatch(rf"\?|[{RANKS}][{SUITS}]?", text):
        raise BadNotation(f"{text!r} is no card")
    return text


def _move(text: str) -> Move:
    parts = re.fullmatch(r"(?:(\d+):\s*)?([a-z]+)(.*)", text)
    if parts is None:
        raise BadNotation(f"{text!r} is no action")
    seat, action, cards = parts.groups()
    return Move(action, tuple(map(_card, cards.split())), int(seat) - 1 if seat else None)


def _suited(cards: Sequence[Card], decks: int) -> Iterator[Card]:
    """Yield the cards in order. A rank without a suit becomes a card of that rank that the decks still have."""
    left = {rank: [rank + suit for suit in SUITS] * decks for rank in RANKS}
    for card in cards:
        if len(card) == 2:
            _take(left[card[0]], card)
    for card in cards:
        yield card if len(card) == 2 or card == UNKNOWN else _take(left[card], *left[card][:1])


def _take(pile: list[Card], card: Card = "") -> Card:
    if card not in pile:
        raise BadNotation(f"the shoe has no such card left: {card or 'a rank is written too often'}")
    pile.remove(card)
    return card


# -- playing -----------------------------------------------------------------------------------------------------------


def positions(text: str) -> Iterator[BlackjackRound]:
    """Play the line, and yield the round as it was dealt and after each action: always the same object.

    Raises BadNotation if the line describes no round, or unless exactly the written cards are used (the dealer's are
    compared once the round is over). Raises BadRules and BadStakes for impossible rules and stakes, IllegalAction for
    an action against the rules.
    """
    script = read(text)
    round = BlackjackRound(script.rules, [{"main": stake} for stake in script.stakes], _WrittenShoe(script.shoe()))
    yield round
    written = 2 * len(script.hands) + 2
    for move in script.moves:
        seat = move.seat if move.seat is not None else _only(round.asked)
        round.apply(seat, move.action, By.CLOCK if move.action == TIME else By.MEMBER)
        written += len(move.cards)
        taken = len(round.taken) - max(0, len(round.dealer.cards) - 2)
        if taken != written:
            raise BadNotation(f"{taken - written:+d} cards at {move.action}")
        yield round
    if round.over and len(round.dealer.cards) != len(script.dealer):
        raise BadNotation(f"the dealer has {' '.join(round.dealer.cards)}")


def round_of(text: str) -> BlackjackRound:
    """Play the line, and return the round as it is at its end. Raises the same exceptions as `positions`."""
    *_, last = positions(text)
    return last


def play(text: str) -> str:
    """Play the line and return its summary. Raises the same exceptions as `positions`."""
    return summary(round_of(text))


def _only(asked: tuple[Seat, ...]) -> Seat:
    if len(asked) != 1:
        raise BadNotation(f"{len(asked)} seats are asked: say whose action it is")
    return asked[0]


# -- summaries ---------------------------------------------------------------------------------------------------------

_STATES: Final[Mapping[HandState, str]] = {
    HandState.WAITING: "waits",
    HandState.ACTING: "acts",
    HandState.STANDING: "stands",
    HandState.BUST: "busts",
    HandState.SURRENDERED: "surrenders",
}


def summary(round: BlackjackRound) -> str:
    """Return the round on one line: the hands of each seat, the dealer, and the results or who may do what now.

    For one seat with two hands: `20 stands, 16 stands; dealer 23; +20`. If there are more seats, slashes separate them.
    """
    view = round.view()
    last = _nets(round) if round.over else _question(round, view)
    return f"{' / '.join(map(_seat, view.seats))}; dealer {_dealer(view.dealer)}; {last}"


def _seat(seat: SeatView) -> str:
    return ", ".join([*map(_hand, seat.hands), *(["insured"] if seat.insurance else [])])


def _hand(hand: HandView) -> str:
    if hand.state is HandState.NATURAL:
        return "natural"
    return f"{hand.total} {_STATES[hand.state]}{' x2' if hand.doubled or hand.swapped else ''}"


def _dealer(dealer: DealerView) -> str:
    if dealer.natural:
        return "natural"
    return f"{dealer.total} ?" if None in dealer.cards else f"{dealer.total}"


def _nets(round: BlackjackRound) -> str:
    settlement = round.settlement()
    return " / ".join(f"{settlement.net(seat) / CHIP:+g}" for seat in range(len(round.hands)))


def _question(round: BlackjackRound, view: BlackjackView) -> str:
    seats = " ".join(str(seat + 1) for seat in view.asked)
    return f"{seats} may {' '.join(round.legal(view.asked[0]))}"


# -- writing -----------------------------------------------------------------------------------------------------------


def write(round: BlackjackRound, rule_set: str) -> str:
    """Return a round as a line, with every card that may be seen. Its rules are those of the built-in `rule_set`."""
    head = f"{rule_set}  stake {', '.join(str(stake // CHIP) for stake in round.stakes)}"
    parts = [head, _dealt(round), *_moves(round)]
    if round.over:
        parts.append(f"dealer {_spaced(round.dealer.cards)}")
    return "  |  ".join(parts)


def _dealt(round: BlackjackRound) -> str:
    seats = len(round.hands)
    cards = [event.card or UNKNOWN for event in round.events[: 2 * seats + 2]]
    hands = (f"{cards[seat]} {cards[seats + 1 + seat]}" for seat in range(seats))
    return f"{', '.join(hands)} / {round.up_card} {UNKNOWN}"


def _moves(round: BlackjackRound) -> list[str]:
    moves: list[list[str]] = []
    for event in round.events:
        if event.step is not None:
            moves.append([f"{event.step.seat + 1}: {event.step.action}"])
        elif event.what is Happening.CARD and event.card and event.seat is not None and moves:
            moves[-1].append(event.card)
    return list(map(_spaced, moves))


def _spaced(words: Iterable[str]) -> str:
    return " ".join(words)
