"""Rounds of blackjack in one line of text.

    vegas  stake 10  |  A A / 6 ?  |  split 9 5  |  dealer 6 K 7

Rule set, fields that differ from it (`double=no`), stakes; the cards dealt to each seat, a comma between seats, and
behind the slash the dealer's; then each action with the cards that it brings to the seats, in the order they are dealt;
last the dealer's whole hand. `2: hit 5` says whose action it is, where that is not plain. A rank alone is a card of any
suit, `?` is one that is not known. A line may stop anywhere: that is a round in play.
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
from engine.games.blackjack.rules import Rules
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.cards import RANKS, SUITS, Card
from engine.games.contract import CHIP, By, Cents, Seat

UNKNOWN: Final = "?"


class BadNotation(ValueError):
    """A line that does not describe a round. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action as it is written: with the cards it brings, and whose it is where that must be said."""

    action: str
    cards: tuple[Card, ...] = ()
    seat: Seat | None = None  # None: the one that is asked


@dataclass(frozen=True, slots=True)
class Script:
    """What a line says, before it is played."""

    rules: Rules
    stakes: tuple[Cents, ...]
    hands: tuple[tuple[Card, Card], ...]
    dealer: tuple[Card, ...]
    moves: tuple[Move, ...]

    def shoe(self) -> tuple[Card, ...]:
        """All cards in the order they are dealt (R1.2)."""
        firsts, seconds = zip(*self.hands, strict=True)
        drawn = [card for move in self.moves for card in move.cards]
        up, hole, *more = self.dealer
        return tuple(_suited([*firsts, up, *seconds, hole, *drawn, *more], self.rules.decks))


class _Written:
    """A shoe that holds what is written, and says so when a round wants more."""

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
    """The round that a line describes, not played yet, or BadNotation."""
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


def _head(text: str, seats: int) -> tuple[Rules, tuple[Cents, ...]]:
    before, _, after = text.partition(" stake ")
    name, *fields = before.split()
    if name not in RULE_SETS:
        raise BadNotation(f"no rule set is called {name!r}")
    stakes = [int(chips) * CHIP for chips in after.split(",")]
    if len(stakes) not in (1, seats):
        raise BadNotation(f"{len(stakes)} stakes for {seats} seats")
    rules = replace(RULE_SETS[name], **dict(_field(RULE_SETS[name], field) for field in fields))
    return rules, tuple(stakes * seats if len(stakes) == 1 else stakes)


def _field(rules: Rules, text: str) -> tuple[str, Any]:
    """`decks=2`, `surrender=no`, or a choice by its name: `dealer_draws=hits_soft_17`."""
    name, _, word = text.partition("=")
    old = getattr(rules, name)
    if isinstance(old, StrEnum):
        return name, type(old)[word.upper()]
    return name, word == "yes" if isinstance(old, bool) else int(word)


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
    """Bare ranks get the suits that are left of them."""
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
    """The round as it was dealt, and after each action: one round, which goes on. Every card must be accounted for."""
    script = read(text)
    round = BlackjackRound(script.rules, [{"main": stake} for stake in script.stakes], _Written(script.shoe()))
    yield round
    written = 2 * len(script.hands) + 2
    for move in script.moves:
        seat = move.seat if move.seat is not None else _only(round.asked)
        round.apply(seat, move.action, By.CLOCK if move.action == TIME else By.MEMBER)
        written += len(move.cards)
        taken = round.cards_taken - max(0, len(round.dealer.cards) - 2)
        if taken != written:
            raise BadNotation(f"{taken - written:+d} cards at {move.action}")
        yield round
    if round.over and len(round.dealer.cards) != len(script.dealer):
        raise BadNotation(f"the dealer has {' '.join(round.dealer.cards)}")


def round_of(text: str) -> BlackjackRound:
    """The round where the line leaves it."""
    *_, last = positions(text)
    return last


def play(text: str) -> str:
    """The line played, told in a line."""
    return summary(round_of(text))


def _only(asked: tuple[Seat, ...]) -> Seat:
    if len(asked) != 1:
        raise BadNotation(f"{len(asked)} seats are asked: say whose action it is")
    return asked[0]


# -- telling -----------------------------------------------------------------------------------------------------------

_STATES: Final[Mapping[HandState, str]] = {
    HandState.WAITING: "waits",
    HandState.ACTING: "acts",
    HandState.STANDING: "stands",
    HandState.BUST: "busts",
    HandState.SURRENDERED: "surrenders",
}


def summary(round: BlackjackRound) -> str:
    """How it stands or how it ended: `20 stands, 16 stands; dealer 23; +20`. Seats are parted by slashes."""
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
    """The line of a round that was dealt under a built-in rule set, with every card that may be seen."""
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
