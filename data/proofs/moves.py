"""Proves the transfers: each moves something, from one account to another, and both exist."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.ledger import accounts
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, next_rows
from data.schema import members, pots, transfers
from engine.tables.ports import Kind

_slice = next_rows(sa.select(transfers), transfers.c.id).subquery("slice")
_HERE: Final = sa.select(sa.func.count().label("looked"), sa.func.max(_slice.c.id).label("last"))
_UNSOUND: Final = sa.select(_slice.c.key, _slice.c.guild, _slice.c.amount).where(
    sa.or_(_slice.c.amount <= 0, _slice.c.source == _slice.c.target)
)
_named = sa.union(
    sa.select(_slice.c.guild, _slice.c.source.label("name")), sa.select(_slice.c.guild, _slice.c.target)
).subquery("named")
#: The accounts of a slice that are no pots.
_OTHERS: Final = sa.select(_named.c.guild, _named.c.name).where(
    _named.c.name.not_in([accounts.HOUSE, accounts.MINT]),
    ~sa.exists(sa.select(pots.c.guild).where(pots.c.guild == _named.c.guild, pots.c.name == _named.c.name)),
)
_MEMBERS: Final = sa.select(members.c.id, members.c.guild).where(members.c.id.in_(sa.bindparam("ids", expanding=True)))


def _total(side: sa.Column[str]) -> sa.ScalarSelect[int]:
    here = (transfers.c.guild == sa.bindparam("guild"), side == sa.bindparam("name"))
    total = sa.cast(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0), sa.BigInteger)
    return sa.select(total).where(*here).scalar_subquery()


_LOST: Final = sa.select(_total(transfers.c.target) - _total(transfers.c.source))


async def _look(connection: AsyncConnection, here: Stretch) -> Slice:
    looked, last = (await connection.execute(_HERE, here.values)).one()
    if not looked:
        return Slice(0, None)
    unsound = (await connection.execute(_UNSOUND, here.values)).all()
    faults = [Fault(Wrong.TRANSFER, row.key, row.guild, "a move", str(row.amount)) for row in unsound]
    surplus = {}
    for guild, name in await _unknown(connection, here.values):
        lost = (await connection.execute(_LOST, {"guild": guild, "name": name})).scalar_one()
        faults.append(Fault(Wrong.NO_ACCOUNT, name, guild, "an account", str(lost)))
        surplus[guild, name] = -lost
    return Slice(looked, (last,), faults, surplus)


async def _unknown(connection: AsyncConnection, here: dict[str, Any]) -> list[tuple[int, str]]:
    others = [(row.guild, row.name) for row in (await connection.execute(_OTHERS, here)).all()]
    known = await _known(connection, (name for _, name in others))
    return [(guild, name) for guild, name in others if name not in known[guild]]


async def _known(connection: AsyncConnection, names: Iterable[str]) -> defaultdict[int, set[str]]:
    """The members among them, by guild."""
    ids = [int(number) for kind, _, number in (name.partition("/") for name in names) if _is_member(kind, number)]
    known: defaultdict[int, set[str]] = defaultdict(set)
    for row in (await connection.execute(_MEMBERS, {"ids": ids})).all() if ids else ():
        known[row.guild].add(accounts.member(row.id))
    return known


def _is_member(kind: str, number: str) -> bool:
    return kind == Kind.MEMBER.value and number.isascii() and number.isdigit() and len(number) < 19


MOVES: Final = Walk(_look, (transfers.c.id,), (0,), 1_000)
