"""The settings that a guild may choose for its casino, and limits that are the same for every guild."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.games.contract import CHIP, Cents

#: The fewest seconds that an open question or window still has after an outage, so that nobody loses a hand to one.
GRACE_SECONDS: Final = 60.0

#: The number of rounds in a row without a stake that frees a person's seat.
PATIENCE: Final = 2

#: Seconds, from the last invitation, for which a table keeps its free seats for the people who are invited (R14.4).
KEPT_SECONDS: Final = 600.0

#: The most results in the road of a table, the list of its last results.
ROAD: Final = 20

#: The smallest loan of the house to a computer player.
BANKROLL: Final[Cents] = 1_000 * CHIP


@dataclass(frozen=True, slots=True)
class Caps:
    """The most tables and tournaments that may be open at once, and the most people in a tournament.

    Tables of tournaments count only towards `process`, because they have to be played.
    """

    member: int = 10  # opened by one person, on all servers of the process
    channel: int = 50
    guild: int = 500
    process: int = 20_000
    tournaments: int = 25  # unfinished ones of a guild
    entrants: int = 2_000  # people in one tournament


CAPS: Final = Caps()


@dataclass(frozen=True, slots=True)
class HouseSettings:
    """The settings of a guild's casino. The environment changes the defaults, `/casino settings` one guild's values."""

    starting_chips: Cents = 1_000 * CHIP
    smallest_stake: Cents = 1 * CHIP
    largest_stake: Cents = 10_000 * CHIP
    turn_seconds: float = 60
    betting_seconds: float = 45
    war_seconds: float = 60
    idle_seconds: float = 300
    think_seconds: float = 1.2
    daily_chips: Cents = 200 * CHIP
    #: Hours until the daily chips come again.
    daily_hours: float = 20
    #: Chips that one member may give, and may receive, in a rolling day.
    gift_cap: Cents = 1_000 * CHIP
    received_cap: Cents = 1_000 * CHIP
    #: The fewest chips that a gift must leave the giver.
    kept_chips: Cents = 100 * CHIP
    #: Hands that a giver must have finished on the server.
    gift_hands: int = 50
    #: The least age of an account, and of its stay on the server, for giving and for buy-ins.
    gift_account_days: int = 30
    gift_server_days: int = 7
    #: Whether people may ask for the odds of their hands.
    odds: bool = True
