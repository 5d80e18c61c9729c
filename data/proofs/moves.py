"""Proves the transfers: each moves something, for a known reason, between two accounts that exist.

Anybody who ordered one must be a member of its guild.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import members, pots, transfers
from data.drivers.statement import Row
from data.proofs.names import first_number, first_word, kind_of
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between
from engine.tables.values import Kind

#: Every reason for which chips move, by the kinds of account that they leave and that they reach. There is no other.
REASONS: Final = {
    (Kind.MINT, Kind.MEMBER): ("opening", "daily", "help", "grant"),
    (Kind.MEMBER, Kind.MINT): ("take",),
    (Kind.MEMBER, Kind.HOUSE): ("role", "reset"),
    (Kind.HOUSE, Kind.MEMBER): ("role back", "reset"),
    (Kind.MEMBER, Kind.MEMBER): ("gift",),
    (Kind.MEMBER, Kind.ESCROW): ("stake",),
    (Kind.STACK, Kind.ESCROW): ("stake",),
    (Kind.COMPUTER, Kind.ESCROW): ("stake",),
    (Kind.ESCROW, Kind.MEMBER): ("returned",),
    (Kind.ESCROW, Kind.STACK): ("returned",),
    (Kind.ESCROW, Kind.COMPUTER): ("returned",),
    (Kind.ESCROW, Kind.HOUSE): ("losses",),
    (Kind.HOUSE, Kind.ESCROW): ("winnings",),
    (Kind.MEMBER, Kind.STACK): ("buy-in",),
    (Kind.STACK, Kind.MEMBER): ("cash-out",),
    (Kind.HOUSE, Kind.COMPUTER): ("buy-in", "refill"),
    (Kind.COMPUTER, Kind.HOUSE): ("cash-out",),
    (Kind.MEMBER, Kind.POOL): ("tournament",),
    (Kind.POOL, Kind.POOL): ("pool",),
    (Kind.POOL, Kind.MEMBER): ("prize", "buy-in back"),
    (Kind.MEMBER, Kind.DUEL): ("duel",),
    (Kind.DUEL, Kind.MEMBER): ("duel won", "duel back"),
}
_SHAPES: Final = [
    f"{source.value} {target.value} {reason}" for (source, target), reasons in REASONS.items() for reason in reasons
]

_here = between(transfers.c.id)
_blank = sa.literal(" ", sa.Text)
_shape = kind_of(transfers.c.source) + _blank + kind_of(transfers.c.target) + _blank + first_word(transfers.c.reason)
#: The key that a transfer of starting chips must have. It names the member, so that an account gets them once.
_opened = sa.literal("open/", sa.Text) + sa.func.substr(transfers.c.target, len(f"{Kind.MEMBER.value}/") + 1)
_MISSHAPEN: Final = sa.select(transfers).where(
    _here,
    sa.or_(_shape.not_in(_SHAPES), sa.and_(transfers.c.reason == "opening", transfers.c.key != _opened)),
)
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


async def _moves(connection: AsyncConnection, here: KeyRange) -> Slice:
    looked = (await connection.execute(_LOOKED, here.values)).scalar_one()
    unsound = (await connection.execute(_UNSOUND, here.values)).all()
    faults = [Fault(Wrong.TRANSFER, row.key, row.guild, "a move", str(row.amount)) for row in unsound]
    misshapen = (await connection.execute(_MISSHAPEN, here.values)).all()
    faults += [
        Fault(Wrong.TRANSFER, row.key, row.guild, "a reason", f"{row.source} to {row.target}: {row.reason}")
        for row in misshapen
    ]
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
    """Return a query for the names among these, each with its guild, that belong to no account."""
    person = sa.literal(f"{Kind.MEMBER.value}/", sa.Text)
    return sa.select(names).where(
        names.c.name.not_in([accounts.HOUSE, accounts.MINT]),
        ~sa.exists(sa.select(pots.c.guild).where(pots.c.guild == names.c.guild, pots.c.name == names.c.name)),
        ~sa.exists(
            sa.select(members.c.id).where(
                members.c.id == first_number(names.c.name),
                # Adding 0 keeps PostgreSQL from an index that leads through all members of the guild. The primary key
                # finds the one row.
                members.c.guild + sa.literal_column("0") == names.c.guild,
                names.c.name == person + sa.cast(members.c.id, sa.Text),
            )
        ),
    )


def _named(side: sa.Column[str]) -> Walk:
    """Return the walk through the names of accounts on one side of the transfers. It finds names that no account has.

    Most names are those of pots. The query for a slice leaves these out: it compares the slice with the pots in the
    same range of guilds and names.
    """
    named = sa.select(transfers.c.guild, side.label("name")).where(between(transfers.c.guild, side)).distinct()
    kept = sa.select(pots.c.guild, pots.c.name).where(between(pots.c.guild, pots.c.name))
    nobody = unknown(sa.except_(named, kept).subquery("names"))

    async def look(connection: AsyncConnection, here: KeyRange) -> Slice:
        return await of_nobody(connection, (await connection.execute(nobody, here.values)).all())

    return Walk("names", look, (transfers.c.guild, side), (-1, ""), 20_000)


async def of_nobody(connection: AsyncConnection, found: Sequence[Row]) -> Slice:
    """Return a slice with a fault for each of these names, which stand in transfers but belong to no account."""
    lost = dict[tuple[int, str], int]()
    for row in found:
        left = await connection.execute(_LOST, {"guild": row.guild, "name": row.name})
        lost[row.guild, row.name] = int(left.scalar_one())
    faults = [Fault(Wrong.NO_ACCOUNT, who[1], who[0], "an account", str(chips)) for who, chips in lost.items()]
    return Slice(0, faults, {account: -chips for account, chips in lost.items()})


MOVES: Final = Walk("transfers", _moves, (transfers.c.id,), (-LAST,), 20_000)
SOURCES: Final = _named(transfers.c.source)
TARGETS: Final = _named(transfers.c.target)
