"""The order for a new tournament, and the state in which it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.games.contract import Cents
from engine.tables.values import Member
from engine.tournament.run import REMINDER
from engine.tournament.state import Every, TournamentState
from engine.tournament.tournament import Tournament, TournamentTerms


@dataclass(frozen=True, slots=True)
class TournamentOrder:
    """A tournament as its organiser wants it."""

    press: int  # the interaction's id; it becomes the tournament's id
    guild: int
    channel: int
    organiser: Member
    rules_name: str
    rules: Mapping[str, Any]
    budget: Cents
    buy_in: Cents
    level: str  # the computer players'
    starts: float  # seconds since 1970
    every: Every
    zone: str
    wall: str  # the same start as local time in that zone, as ``2026-12-24 20:00``
    odds: bool = False
    hands: int = 0  # the number of hands of the same cards for all; 0: a tournament at tables of four instead
    #: The organiser's language, as Discord writes it.
    language: str = ""


def opening(order: TournamentOrder, now: float) -> TournamentState:
    """Return the state in which sign-up begins. If the start is within `REMINDER`, the reminder counts as sent."""
    tournament = Tournament(TournamentTerms(order.budget, order.buy_in, order.level, order.hands))
    return TournamentState(
        id=order.press,
        guild=order.guild,
        channel=order.channel,
        organiser=order.organiser.id,
        rules_name=order.rules_name,
        rules=order.rules,
        starts=order.starts,
        tournament=tournament.record(),
        every=order.every,
        zone=order.zone,
        wall=order.wall,
        odds=order.odds,
        language=order.language,
        reminded=order.starts - now <= REMINDER,
    )
