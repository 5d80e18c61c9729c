"""What a guild may set of its casino."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.contract import CHIP, Cents


@dataclass(frozen=True, slots=True)
class HouseSettings:
    """Defaults of design; the environment changes them for all guilds, `/casino settings` for one."""

    starting_chips: Cents = 1_000 * CHIP
    smallest_stake: Cents = 1 * CHIP
    largest_stake: Cents = 10_000 * CHIP
    turn_seconds: float = 60
    betting_seconds: float = 45
    war_seconds: float = 60
    idle_seconds: float = 300
    think_seconds: float = 1.2
    daily_chips: Cents = 200 * CHIP
    gift_cap: Cents = 1_000 * CHIP
