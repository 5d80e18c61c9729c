"""What is printed on every key that a table can have, and the keys that all tables share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import discord

from cogs.table.page import Cap, Key
from cogs.words import N_
from engine.tables.snapshot import Snapshot, TablePhase

_Style = discord.ButtonStyle

CAPS: Final[Mapping[str, Cap]] = {
    "hit": Cap(N_("Hit"), _Style.primary),
    "stand": Cap(N_("Stand"), _Style.primary),
    "double": Cap(N_("Double"), _Style.secondary),
    "split": Cap(N_("Split"), _Style.secondary),
    "swap": Cap(N_("Swap"), _Style.secondary),
    "surrender": Cap(N_("Surrender"), _Style.secondary),
    "insure": Cap(N_("Insurance"), _Style.primary),
    "decline": Cap(N_("No insurance"), _Style.secondary),
    "war": Cap(N_("Go to war"), _Style.danger),
    "player": Cap(N_("Player"), _Style.primary),
    "banker": Cap(N_("Banker"), _Style.primary),
    "tie": Cap(N_("Tie"), _Style.primary),
    "deal": Cap(N_("Deal"), _Style.success),  # with a stake, where everybody's own brings the cards
    "cards": Cap(N_("Deal"), _Style.success),  # what lies there, where the opener deals
    "again": Cap(N_("Bet again"), _Style.secondary),
    "bet": Cap(N_("Bet"), _Style.primary),
    "join": Cap(N_("Join"), _Style.secondary),
    "leave": Cap(N_("Leave"), _Style.secondary),
    "smallest": Cap(N_("Smallest"), _Style.primary),
    "half": Cap(N_("Half"), _Style.secondary),
    "twice": Cap(N_("2x stake"), _Style.secondary),
    "all-in": Cap(N_("All in"), _Style.danger),
    "other": Cap(N_("Other"), _Style.secondary),
    "back": Cap(N_("I am back"), _Style.success),
}


def to_come(snapshot: Snapshot) -> int:
    """The number of the round that stakes are for."""
    return snapshot.round + 1


def has_room(snapshot: Snapshot, most_seats: int) -> bool:
    """A table of stacks takes nobody in once it has begun (R5)."""
    if snapshot.rules.seating.stack and snapshot.round:
        return False
    taken = sum(1 for sitter in snapshot.sitters if sitter.member is not None or sitter.computer)
    return not snapshot.solo and taken < most_seats


def seat_keys(snapshot: Snapshot, most_seats: int) -> tuple[Key, ...]:
    """Join and Leave, made for the round to come."""
    number = to_come(snapshot)
    join = () if snapshot.solo else (Key("join", number, enabled=has_room(snapshot, most_seats)),)
    return (*join, Key("leave", number))


def betting_keys(snapshot: Snapshot, most_seats: int) -> tuple[Key, ...]:
    number = to_come(snapshot)
    stakes_fixed = bool(snapshot.rules.seating.fixed_stake)
    bet = () if stakes_fixed else (Key("bet", number),)
    return (Key("deal", number), *bet, *seat_keys(snapshot, most_seats))


def action_keys(snapshot: Snapshot, words: tuple[str, ...]) -> tuple[Key, ...]:
    """A key for each word; those can be pressed that some asked seat may take."""
    may = {word for legal in snapshot.legal for word in legal}
    return tuple(Key(word, snapshot.round, snapshot.turn, enabled=word in may) for word in words)


def is_open(snapshot: Snapshot) -> bool:
    return snapshot.phase is not TablePhase.CLOSED
