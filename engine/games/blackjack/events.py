"""The events of a round, in order, as an onlooker would see them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.games.cards import Card
from engine.games.contract import Line, Seat, Step


class Happening(StrEnum):
    """The kinds of events in a round."""

    CARD = "card"  # a card dealt face up
    FACE_DOWN = "face down"  # the hole card, face down
    TAKEN = "taken"  # an action
    DISCARDED = "discarded"  # the card that a swap throws away
    LOOKED = "looked"  # the dealer looked and has no natural
    TURNED = "turned"  # the hole card is turned
    SETTLED = "settled"


#: Aliases for the round, which notes these for every card: reading a member of an enum takes longer.
CARD, FACE_DOWN, TAKEN, DISCARDED, LOOKED, TURNED, SETTLED = Happening


@dataclass(frozen=True, slots=True)
class Event:
    """Something that everybody could see happen. `what` decides which of `card`, `step` and `line` it has."""

    what: Happening
    #: The seat, or None for the dealer.
    seat: Seat | None = None
    #: The position of the hand at its seat at that moment. A split moves the hands to the right of it.
    hand: int = 0
    card: Card | None = None
    step: Step | None = None
    line: Line | None = None


#: An event as the round notes it during play: its kind, its seat, the position of the hand, and a card or a step.
NotedEvent = tuple[Happening, Seat | None, int, Card | Step | None]


def event(note: NotedEvent) -> Event:
    """Return the event that a note stands for."""
    what, seat, hand, thing = note
    if isinstance(thing, Step):
        return Event(what, seat, hand, step=thing)
    return Event(what, seat, hand, card=thing)


def settled(line: Line) -> Event:
    """Return the event of a stake being settled."""
    return Event(SETTLED, line.seat, line=line)
