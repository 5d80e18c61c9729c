"""A tournament that is wanted, and its first state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.games.contract import Cents
from engine.games.tournament.cup import Cup, CupTerms
from engine.live.cup_run import REMINDER
from engine.live.cup_state import CupState, Every
from engine.live.ports import Member


@dataclass(frozen=True, slots=True)
class CupOrder:
    """What somebody planned."""

    press: int  # becomes its id
    guild: int
    channel: int
    organiser: Member
    rules_name: str
    rules: Mapping[str, Any]
    budget: Cents
    buy_in: Cents
    level: str
    starts: float
    every: Every
    zone: str
    wall: str


def opening(order: CupOrder, seed: bytes, now: float) -> CupState:
    """Sign-up begins. Who plans it for the next minutes needs no reminder of it."""
    cup = Cup(CupTerms(order.budget, order.buy_in, order.level), seed)
    return CupState(
        id=order.press,
        guild=order.guild,
        channel=order.channel,
        organiser=order.organiser.id,
        rules_name=order.rules_name,
        rules=order.rules,
        starts=order.starts,
        cup=cup.record(),
        every=order.every,
        zone=order.zone,
        wall=order.wall,
        reminded=order.starts - now <= REMINDER,
    )
