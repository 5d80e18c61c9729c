"""The keys that all tables share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import discord

from cogs.table.page import Cap, Key
from cogs.words import N_, chips, signed
from engine.games.contract import CHIP, Stakes
from engine.tables.snapshot import Sitter, Snapshot, TablePhase

Style = discord.ButtonStyle

JOIN: Final = Cap("join", N_("Join"), Style.secondary)
LEAVE: Final = Cap("leave", N_("Leave"), Style.secondary)
#: With a stake, where everybody's own brings the cards; and of what lies there, where the opener deals.
DEAL: Final = Cap("deal", N_("Deal"), Style.success)
CARDS: Final = Cap("cards", N_("Deal"), Style.success)
BET: Final = Cap("bet", N_("Bet"), Style.primary)
AGAIN: Final = Cap("again", N_("Bet again"), Style.secondary)
#: For whoever plays alone: the next hand for twice the stake, or half of it.
TWICE: Final = Cap("deal-twice", N_("x2"), Style.secondary)
HALF: Final = Cap("deal-half", N_("1/2"), Style.secondary)
#: Tells the one who presses it alone, and leaves the table as it is.
ODDS: Final = Cap("odds", N_("Odds"), Style.secondary)

#: The keys that any table may have. A game's own are in its presentation.
SHARED: Final = (JOIN, LEAVE, DEAL, CARDS, BET, AGAIN, TWICE, HALF, ODDS)


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
    join = () if snapshot.solo or snapshot.rules.seating.most == 1 else (Key(JOIN, number, enabled=has_room(snapshot)),)
    return (*join, Key(LEAVE, number))


def alone(snapshot: Snapshot) -> Sitter | None:
    """The one person at the table, if there is just one."""
    people = [sitter for sitter in snapshot.sitters if sitter.member is not None]
    return people[0] if len(people) == 1 else None


def odds_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """Odds, while cards are played; it can be pressed while a person is asked."""
    asked = any(snapshot.legal)
    playing = snapshot.odds and snapshot.phase is TablePhase.PLAYING
    return (Key(ODDS, snapshot.round, snapshot.turn, enabled=asked),) if playing else ()


def betting_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """The next hand: for a lone player with its price, doubled or halved by one press; else everybody's own stake."""
    number, lone = to_come(snapshot), alone(snapshot)
    if snapshot.rules.seating.fixed_stake:
        return (Key(DEAL, number, amount=chips(snapshot.rules.seating.fixed_stake)),)
    if lone is None or not lone.last_stakes:
        return Key(DEAL, number), Key(BET, number)
    last = lone.last_stakes
    return (
        Key(DEAL, number, amount=chips(sum(last.values())), enabled=can_stake(snapshot, lone, last)),
        Key(TWICE, number, enabled=can_stake(snapshot, lone, times(last, 2))),
        Key(HALF, number, enabled=can_stake(snapshot, lone, times(last, 1 / 2))),
        Key(BET, number),
    )


def times(stakes: Stakes, factor: float) -> Stakes:
    """Each stake so many times, in whole chips."""
    return {spot: int(cents // CHIP * factor) * CHIP for spot, cents in stakes.items()}


def can_stake(snapshot: Snapshot, sitter: Sitter, stakes: Stakes) -> bool:
    """Whether limits and purse allow it."""
    within = all(snapshot.smallest <= cents <= snapshot.largest for cents in stakes.values())
    return within and sum(stakes.values()) <= sitter.balance


def action_keys(snapshot: Snapshot, caps: Iterable[Cap], amounts: Mapping[str, str] | None = None) -> tuple[Key, ...]:
    """A key for each; those can be pressed whose action some asked seat may take. Prices stand behind their labels;
    `amounts` has what else is to be said."""
    may = {word for legal in snapshot.legal for word in legal}
    costs = {word: signed(cost) for word, cost in snapshot.costs.items()} | dict(amounts or {})
    return tuple(
        Key(cap, snapshot.round, snapshot.turn, amount=costs.get(cap.word, ""), enabled=cap.word in may) for cap in caps
    )
