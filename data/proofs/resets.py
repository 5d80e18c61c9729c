"""Proves the resets to equal chips: each was announced in time and left nobody out.

Each transfer whose reason is a reset must belong to a reset that began, and leave its member with that reset's amount.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import members, resets, transfers
from data.ledger.ledger import RESET
from data.ledger.resets import NOTICE, RESETS
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between

_over = resets.c.ended_at.is_not(None)
_began = resets.c.began_at.is_not(None)
_withdrawn = resets.c.withdrawn != 0
_left_out = sa.exists(
    sa.select(members.c.id).where(
        *(members.c.guild == resets.c.guild, members.c.id <= resets.c.last, members.c.user_id.is_not(None)),
        sa.or_(members.c.reset.is_(None), members.c.reset < resets.c.id),
    )
)
_ORDERS: Final = sa.select(resets.c.id, resets.c.guild).where(
    between(resets.c.id),
    sa.or_(
        resets.c.at < resets.c.announced_at + NOTICE,
        sa.and_(_began, sa.or_(resets.c.announced_at.is_(None), resets.c.began_at < resets.c.at, _withdrawn)),
        sa.and_(_over, sa.or_(_left_out, resets.c.ended_at < resets.c.began_at, sa.and_(~_began, ~_withdrawn))),
    ),
)
_went_through = sa.exists(
    sa.select(resets.c.id).where(
        *(resets.c.id == members.c.reset, resets.c.guild == members.c.guild, _began, members.c.id <= resets.c.last)
    )
)
_MARKS: Final = sa.select(members.c.id, members.c.guild, members.c.reset).where(
    between(members.c.id), members.c.reset.is_not(None), ~_went_through
)


def _text(word: str) -> sa.ColumnElement[str]:
    return sa.literal(word, sa.Text)


_member = sa.case((transfers.c.source == "house", transfers.c.target), else_=transfers.c.source)
_key = _text(f"{RESETS}/") + sa.cast(resets.c.id, sa.Text) + sa.func.substr(_member, len("member/"))
_until = transfers.alias("until")


def _moved(side: sa.ColumnElement[str]) -> sa.ScalarSelect[int]:
    """Return the SQL sum of all that a transfer's member had got or paid by then, that transfer included.

    `side` is the column `target` for what they got, `source` for what they paid.
    """
    chips = sa.cast(sa.func.coalesce(sa.func.sum(_until.c.amount), 0), sa.BigInteger)
    here = (_until.c.guild == transfers.c.guild, side == _member, _until.c.id <= transfers.c.id)
    return sa.select(chips).where(*here).correlate(transfers).scalar_subquery()


#: The member's chips right after the transfer.
_chips = _moved(_until.c.target) - _moved(_until.c.source)
_booked = sa.exists(
    sa.select(resets.c.id).where(
        *(resets.c.guild == transfers.c.guild, resets.c.began_at <= transfers.c.at, transfers.c.key == _key),
        resets.c.amount == _chips,
    )
)
_STRAY: Final = sa.select(transfers.c.key, transfers.c.guild, transfers.c.id).where(
    between(transfers.c.id), transfers.c.reason == RESET, ~_booked
)


async def _orders(connection: AsyncConnection, here: KeyRange) -> Slice:
    return _slice(await _found(connection, _ORDERS, here), "as it was announced, with nobody left out")


async def _marks(connection: AsyncConnection, here: KeyRange) -> Slice:
    return _slice(await _found(connection, _MARKS, here), "one of a reset")


async def _transfers(connection: AsyncConnection, here: KeyRange) -> Slice:
    return _slice(await _found(connection, _STRAY, here), "one of a reset")


async def _found(connection: AsyncConnection, query: sa.Select[Any], here: KeyRange) -> list[tuple[str, int]]:
    return [(str(row[0]), row.guild) for row in (await connection.execute(query, here.values)).all()]


def _slice(found: list[tuple[str, int]], expected: str) -> Slice:
    return Slice(0, [Fault(Wrong.RESET, where, guild, expected, "another") for where, guild in found])


ALL_RESETS: Final = (
    Walk("resets", _orders, (resets.c.id,), (-LAST,), 10),
    Walk("resets", _marks, (members.c.id,), (0,), 20_000),
    Walk("resets", _transfers, (transfers.c.id,), (-LAST,), 20_000),
)
