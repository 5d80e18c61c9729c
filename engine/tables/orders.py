"""The orders for new tables: what a person or a tournament asks for when a table is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.elimination.elimination import VERSION
from engine.games.contract import Cents, Rules, Seat
from engine.tables.state import FreedFor
from engine.tables.values import Member

#: The game that elimination tables play.
GAME: Final = "blackjack"


@dataclass(frozen=True, slots=True)
class Order:
    """A table for chips, as its opener wants it."""

    press: int  # the interaction's id; it becomes the table's id
    guild: int
    channel: int
    game: str
    rules_name: str
    member: Member
    rules: Rules | None = None  # a guild's own rule set, by value; None: a built-in one
    solo: bool = False
    computers: int = 0  # the number of computer players who sit down with the opener
    level: str = "intermediate"  # the level of these, and of those who fill free places later
    #: The opener's language, as Discord writes it.
    language: str = ""
    #: The next owners of seats that the invited do not take in time; None: the table is not by invitation.
    freed_for: FreedFor | None = None

    @property
    def opener(self) -> int:
        """The Discord id of the person who opens the table."""
        return self.member.user


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who takes part in an elimination table: a person, or a computer player of a level."""

    member: Member | None = None
    computer: str | None = None
    level: str | None = None
    #: The key of this computer player in its tournament, because its name is only unique at a table.
    key: str = ""


@dataclass(frozen=True, slots=True)
class EliminationOrder:
    """An elimination table, as its opener or a tournament wants it."""

    press: int  # becomes the table's id
    guild: int
    channel: int
    rules_name: str
    budget: Cents
    players: tuple[Contender, ...]  # four
    rules: Rules | None = None
    opener: int = 0  # Discord's id; 0: a tournament
    language: str = ""
    #: Whether the table belongs to no tournament: then people may sit down, and it ends when no person is left.
    lone: bool = True
    odds: bool = True  # whether its players may ask for the odds
    #: Seats of people who were absent before and need not be waited for (R7.8).
    away: frozenset[Seat] = frozenset()
    #: The place of its chain, if it is a tournament's table.
    chain_place: str = ""
    #: The version of its record: a tournament plays all its tables by the rules that it began under.
    version: int = VERSION
