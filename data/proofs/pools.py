"""Proves the pools: each holds its member's buy-in until the tournament is over or called off, and nothing after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import entries, members, pots, tournaments
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between
from engine.tables.values import Kind
from engine.tournament.tournament import TournamentPhase

_HOLDING: Final = tuple(
    phase.value for phase in (TournamentPhase.SIGN_UP, TournamentPhase.CLOSED, TournamentPhase.PLAYING)
)

_share = (
    sa.literal(f"{Kind.POOL.value}/", sa.Text)
    + sa.cast(entries.c.tournament, sa.Text)
    + sa.literal("/", sa.Text)
    + sa.cast(entries.c.member, sa.Text)
)
#: The entries with their pools. The guild is that of the member, because the tournament may be gone.
_ENTRIES: Final = (
    sa.select(
        entries,
        members.c.guild,
        tournaments.c.guild.label("played_in"),
        tournaments.c.phase,
        _share.label("share"),
        pots.c.balance,
    )
    .join(members, members.c.id == entries.c.member)
    .outerjoin(tournaments, tournaments.c.id == entries.c.tournament)
    .outerjoin(pots, sa.and_(pots.c.guild == members.c.guild, pots.c.name == _share))
    .where(between(entries.c.tournament, entries.c.member))
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_ENTRIES, here.values)).all()
    faults = [fault for row in found for fault in _share_of(row)]
    return Slice(len(found), faults)


def _share_of(row: Row) -> Iterator[Fault]:
    if row.played_in != row.guild:
        yield Fault(Wrong.POOL, row.share, row.guild, "a tournament of this server", str(row.played_in))
    owed, kept = row.buy_in if row.phase in _HOLDING else 0, row.balance or 0
    if owed != kept:
        yield Fault(Wrong.POOL, row.share, row.guild, str(owed), str(kept))


ENTRIES: Final = Walk("entries", _look, (entries.c.tournament, entries.c.member), (0, 0), 300)
