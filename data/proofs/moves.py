"""Proves the transfers: each moves something, from one account to another, and both exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.statement import Row
from data.ledger import accounts
from data.proofs.names import first_number
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, Slice, Stretch, Walk, between
from data.schema import members, pots, transfers
from engine.tables.values import Kind

_here = between(transfers.c.id)
_LOOKED: Final = sa.select(sa.func.count()).where(_here)
_UNSOUND: Final = sa.select(transfers.c.key, transfers.c.guild, transfers.c.amount).where(
    _here, sa.or_(transfers.c.amount <= 0, transfers.c.source == transfers.c.target, transfers.c.id < 1)
)
_ORDERED: Final = (
    sa.select(transfers.c.key, transfers.c.guild, transfers.c.reason, transfers.c.actor, members.c.id)
    .select_from(transfers.outerjoin(members, members.c.id == transfers.c.actor))
    .where(
        _here,
        sa.or_(transfers.c.actor.is_not(None), transfers.c.reason.like("grant: %"), transfers.c.reason.like("take: %")),
        sa.or_(members.c.id.is_(None), members.c.guild != transfers.c.guild),
    )
)


async def _moves(connection: AsyncConnection, here: Stretch) -> Slice:
    looked = (await connection.execute(_LOOKED, here.values)).scalar_one()
    unsound = (await connection.execute(_UNSOUND, here.values)).all()
    faults = [Fault(Wrong.TRANSFER, row.key, row.guild, "a move", str(row.amount)) for row in unsound]
    ordered = (await connection.execute(_ORDERED, here.values)).all()
    faults += [Fault(Wrong.ACTOR, row.key, row.guild, "a member", str(row.actor)) for row in ordered]
    return Slice(looked, faults)


# -- the accounts that transfers name ----------------------------------------------------------------------------------


def _total(side: sa.Column[str]) -> sa.ScalarSelect[int]:
    here = (transfers.c.guild == sa.bindparam("guild"), side == sa.bindparam("name"))
    total = sa.cast(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0), sa.BigInteger)
    return sa.select(total).where(*here).scalar_subquery()


_LOST: Final = sa.select(_total(transfers.c.target) - _total(transfers.c.source))


def unknown(names: sa.FromClause) -> sa.Select[Any]:
    """Of these names, each with its guild, those that no account has."""
    person = sa.literal(f"{Kind.MEMBER.value}/", sa.Text)
    return sa.select(names).where(
        names.c.name.not_in([accounts.HOUSE, accounts.MINT]),
        ~sa.exists(sa.select(pots.c.guild).where(pots.c.guild == names.c.guild, pots.c.name == names.c.name)),
        ~sa.exists(
            sa.select(members.c.id).where(
                members.c.id == first_number(names.c.name),
                # Added up, so that no index leads through all members of the guild: the number finds the one.
                members.c.guild + sa.literal_column("0") == names.c.guild,
                names.c.name == person + sa.cast(members.c.id, sa.Text),
            )
        ),
    )


def _named(side: sa.Column[str]) -> Walk:
    """Through the names on one side of the transfers. Most are those of pots, which lie in the same order beside them,
    and are taken away all at once."""
    named = sa.select(transfers.c.guild, side.label("name")).where(between(transfers.c.guild, side)).distinct()
    kept = sa.select(pots.c.guild, pots.c.name).where(between(pots.c.guild, pots.c.name))
    nobody = unknown(sa.except_(named, kept).subquery("names"))

    async def look(connection: AsyncConnection, here: Stretch) -> Slice:
        return await of_nobody(connection, (await connection.execute(nobody, here.values)).all())

    return Walk("names", look, (transfers.c.guild, side), (-1, ""), 20_000)


async def of_nobody(connection: AsyncConnection, found: Sequence[Row]) -> Slice:
    """Transfers have these names, and no account."""
    lost = {(row.guild, row.name): await _lost(connection, row) for row in found}
    faults = [Fault(Wrong.NO_ACCOUNT, who[1], who[0], "an account", str(chips)) for who, chips in lost.items()]
    return Slice(0, faults, {account: -chips for account, chips in lost.items()})


async def _lost(connection: AsyncConnection, row: Row) -> int:
    """What lies in an account that does not exist."""
    return int((await connection.execute(_LOST, {"guild": row.guild, "name": row.name})).scalar_one())


MOVES: Final = Walk("transfers", _moves, (transfers.c.id,), (-LAST,), 20_000)
SOURCES: Final = _named(transfers.c.source)
TARGETS: Final = _named(transfers.c.target)
