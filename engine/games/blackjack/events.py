"""What happened in a round, one thing after the other, as an onlooker could tell it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.games.cards import Card
from engine.games.contract import Line, Seat, Step


class Happening(StrEnum):
    """Kinds of event."""

    CARD = "card"  # dealt face up
    FACE_DOWN = "face down"  # the hole card lies there
    TAKEN = "taken"  # an action
    DISCARDED = "discarded"  # by a swap
    LOOKED = "looked"  # the dealer looked and has no natural
    TURNED = "turned"  # the hole card
    SETTLED = "settled"


#: By themselves, for the round that notes them card by card.
CARD, FACE_DOWN, TAKEN, DISCARDED, LOOKED, TURNED, SETTLED = Happening


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that everybody could see happen."""

    what: Happening
    #: None is the dealer.
    seat: Seat | None = None
    #: The place of the hand at its seat when this happened; a split moves those right of it.
    hand: int = 0
    card: Card | None = None
    step: Step | None = None
    line: Line | None = None


#: As the round notes it while it is played: what, whose, and a card or a step.
Note = tuple[Happening, Seat | None, int, Card | Step | None]


def event(note: Note) -> Event:
    """The event that a note stands for."""
    what, seat, hand, thing = note
    if isinstance(thing, Step):
        return Event(what, seat, hand, step=thing)
    return Event(what, seat, hand, card=thing)


def settled(line: Line) -> Event:
    """The event that a stake has come to its end."""
    return Event(SETTLED, line.seat, line=line)
