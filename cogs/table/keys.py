"""The keys that all tables share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord

from cogs.table.page import Cap, Key
from cogs.words import N_
from engine.tables.snapshot import Snapshot

Style = discord.ButtonStyle

JOIN: Final = Cap("join", N_("Join"), Style.secondary)
LEAVE: Final = Cap("leave", N_("Leave"), Style.secondary)
#: With a stake, where everybody's own brings the cards; and of what lies there, where the opener deals.
DEAL: Final = Cap("deal", N_("Deal"), Style.success)
CARDS: Final = Cap("cards", N_("Deal"), Style.success)
BET: Final = Cap("bet", N_("Bet"), Style.primary)
AGAIN: Final = Cap("again", N_("Bet again"), Style.secondary)

#: The keys that any table may have. A game's own are in its presentation.
SHARED: Final = (JOIN, LEAVE, DEAL, CARDS, BET, AGAIN)


def to_come(snapshot: Snapshot) -> int:
    """The number of the round that stakes are for."""
    return snapshot.round + 1


def has_room(snapshot: Snapshot) -> bool:
    """A table of stacks takes nobody in once it has begun (R5)."""
    if snapshot.rules.seating.stack and snapshot.round:
        return False
    taken = sum(1 for sitter in snapshot.sitters if sitter.member is not None or sitter.computer)
    return not snapshot.solo and taken < snapshot.rules.seating.most


def seat_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """Join and Leave, made for the round to come."""
    number = to_come(snapshot)
    join = () if snapshot.solo else (Key(JOIN, number, enabled=has_room(snapshot)),)
    return (*join, Key(LEAVE, number))


def betting_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    number = to_come(snapshot)
    bet = () if snapshot.rules.seating.fixed_stake else (Key(BET, number),)
    return (Key(DEAL, number), *bet, *seat_keys(snapshot))


def action_keys(snapshot: Snapshot, caps: Iterable[Cap]) -> tuple[Key, ...]:
    """A key for each; those can be pressed whose action some asked seat may take."""
    may = {word for legal in snapshot.legal for word in legal}
    return tuple(Key(cap, snapshot.round, snapshot.turn, enabled=cap.word in may) for cap in caps)
