"""An elimination table that is asked for, and its first state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.elimination.draft import place_of
from engine.elimination.elimination import VERSION, Elimination
from engine.elimination.terms import Entrant, Terms
from engine.fairness.lots import Lots
from engine.games.contract import Cents, Rules, Seat
from engine.tables.ports import Member
from engine.tables.state import Chair, Money, Seated, TableState

#: The game that elimination tables play.
GAME: Final = "blackjack"


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes part in an elimination table: a person, or a computer player of a level."""

    member: Member | None = None
    computer: str | None = None
    level: str | None = None
    #: What a tournament calls this computer player: names are only unique at a table.
    key: str = ""


@dataclass(frozen=True, slots=True)
class EliminationOrder:
    """What its opener, or a tournament, wants."""

    press: int  # becomes the table's id
    guild: int
    channel: int
    rules_name: str
    budget: Cents
    players: tuple[Player, ...]  # four
    rules: Rules | None = None
    opener: int = 0
    #: A table of its own ends when no person is left; one of a tournament plays on, and nobody may sit down.
    lone: bool = True
    odds: bool = True
    #: Who was absent before and need not be waited for (R7.8).
    away: frozenset[Seat] = frozenset()
    #: Where its chain runs, if that follows from a tournament's.
    chain_place: str = ""
    #: Of the record: a tournament plays all its tables by the rules that it began under.
    version: int = VERSION


def new_elimination(order: EliminationOrder, seed: bytes) -> Elimination:
    """The table before its first stake. From version 2 on its lots come with its promise; `seed` is for version 1."""
    entrants = [Entrant(_key(who), who.level) for who in order.players]
    lots = Lots(seed, (str(order.press),)) if order.version == 1 else Lots(b"")
    table = Elimination(Terms(order.budget, lone=order.lone), entrants, lots, order.version)
    for seat in sorted(order.away):
        table.step_out(seat)
    return table


def seated(order: EliminationOrder, state: TableState, begun: Elimination) -> TableState:
    """The table's state with everybody in their chairs."""
    chairs = tuple(_chair(seat, who, order.budget) for seat, who in enumerate(order.players))
    players = tuple(Seated(chair.place, chair.user, chair.computer) for chair in chairs)
    return replace(
        state,
        money=Money.PLAY,
        solo=not order.lone,
        odds=order.odds,
        chairs=chairs,
        players=players,
        elimination=begun.record(),
    )


def _key(who: Player) -> str:
    """As the chair's holder: surrogate ids for people, names for computer players."""
    return who.key or (str(who.member.id) if who.member is not None else str(who.computer))


def _chair(seat: Seat, who: Player, budget: Cents) -> Chair:
    return Chair(
        place_of(seat),
        user=who.member.user if who.member else None,
        member=who.member.id if who.member else None,
        computer=who.computer,
        level=who.level,
        stack=budget,
    )
