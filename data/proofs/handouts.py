"""Proves what the house gives away: nobody had daily chips or help more often than any server may allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import members, transfers
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between
from engine.tables.values import Kind

#: The fewest seconds that a server may set between two handouts, and the column with the last one, by the reason.
_APART: Final = {"daily": (3600.0, "daily_at"), "help": (3600.0, "helped_at")}
#: Seconds by which a transfer may be later than the time that is stored with its member.
_SLACK: Final = 60.0

_me = sa.literal(f"{Kind.MEMBER.value}/", sa.Text) + sa.cast(members.c.id, sa.Text)
_HANDED: Final = (
    sa.select(
        *(members.c[name] for name in ("id", "guild", "user_id", "daily_at", "helped_at")),
        transfers.c.reason,
        sa.func.count().label("times"),
        sa.func.min(transfers.c.at).label("first"),
        sa.func.max(transfers.c.at).label("last"),
    )
    .join(
        transfers,
        sa.and_(transfers.c.guild == members.c.guild, transfers.c.target == _me, transfers.c.source == accounts.MINT),
    )
    .where(between(members.c.id), transfers.c.reason.in_(list(_APART)))
    .group_by(members.c.id, transfers.c.reason)
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_HANDED, here.values)).all()
    return Slice(0, [fault for row in found for fault in _handed(row)])


def _handed(row: Row) -> Iterator[Fault]:
    apart, column = _APART[row.reason]
    most, kept = int((row.last - row.first + _SLACK) // apart) + 1, getattr(row, column)
    where = f"{row.reason} of {accounts.member(row.id)}"
    if row.times > most:
        yield Fault(Wrong.HANDOUT, where, row.guild, f"at most {most} times", f"{row.times} times")
    if row.user_id is not None and (kept is None or row.last > kept + _SLACK):  # forgotten members have no times
        yield Fault(Wrong.HANDOUT, where, row.guild, f"the last one at {kept}", f"at {row.last}")


HANDOUTS: Final = Walk("accounts", _look, (members.c.id,), (0,), 200)
