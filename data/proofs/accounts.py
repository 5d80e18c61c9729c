"""Proves the accounts: each balance is the sum of its transfers, and each stake and pool belongs to somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.statement import Row
from data.ledger import accounts
from data.proofs.names import first_number, second_number
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, next_rows
from data.schema import members, plays, pots, rounds, tables, transfers
from data.tournaments.tournament_schema import entries
from engine.tables.ports import Kind


def _moved(side: sa.Column[str], guild: sa.Column[int], name: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
    """All that ever went into an account (by `transfers.c.target`) or came out of it (by `transfers.c.source`)."""
    total = sa.cast(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0), sa.BigInteger)
    return sa.select(total).where(transfers.c.guild == guild, side == name).scalar_subquery()


def _balance(guild: int, name: str, kept: int, moved: int) -> Iterator[Fault]:
    if kept != moved:
        yield Fault(Wrong.BALANCE, name, guild, str(moved), str(kept))
    if kept < 0:
        yield Fault(Wrong.NEGATIVE, name, guild, "0 or more", str(kept))


# -- members -----------------------------------------------------------------------------------------------------------

_me = sa.literal(f"{Kind.MEMBER.value}/", sa.Text) + sa.cast(members.c.id, sa.Text)
_real = sa.and_(plays.c.member == members.c.id, plays.c.real == 1)
_net = sa.cast(sa.func.coalesce(sa.func.sum(plays.c.returned - plays.c.staked), 0), sa.BigInteger)
_MEMBERS: Final = next_rows(
    sa.select(
        members.c.id,
        members.c.guild,
        members.c.balance,
        members.c.winnings,
        members.c.rounds,
        (_moved(transfers.c.target, members.c.guild, _me) - _moved(transfers.c.source, members.c.guild, _me)).label(
            "moved"
        ),
        sa.select(_net).where(_real).scalar_subquery().label("net"),
        sa.select(sa.func.count()).select_from(plays).where(_real).scalar_subquery().label("played"),
    ),
    members.c.id,
)


async def _members(connection: AsyncConnection, here: Stretch) -> Slice:
    found = (await connection.execute(_MEMBERS, here.values)).all()
    faults = [fault for row in found for fault in _member(row)]
    surplus = {
        (row.guild, accounts.member(row.id)): row.balance - row.moved for row in found if row.balance != row.moved
    }
    return Slice(len(found), (found[-1].id,) if found else None, faults, surplus)


def _member(row: Row) -> Iterator[Fault]:
    name = accounts.member(row.id)
    yield from _balance(row.guild, name, row.balance, row.moved)
    if (row.winnings, row.rounds) != (row.net, row.played):
        yield Fault(
            Wrong.SCORE, name, row.guild, f"{row.net} in {row.played} rounds", f"{row.winnings} in {row.rounds}"
        )


# -- escrows, stacks, pools and computer players -----------------------------------------------------------------------

_first, _second = first_number(pots.c.name), second_number(pots.c.name)
_round = sa.and_(rounds.c.table_id == _first, rounds.c.number == _second, rounds.c.guild == pots.c.guild)
_table = sa.and_(tables.c.id == _first, tables.c.guild == pots.c.guild)
_POTS: Final = next_rows(
    sa.select(
        pots,
        (
            _moved(transfers.c.target, pots.c.guild, pots.c.name)
            - _moved(transfers.c.source, pots.c.guild, pots.c.name)
        ).label("moved"),
        _first.label("first"),
        _second.label("second"),
        tables.c.open.label("table_open"),
        rounds.c.number.label("round"),
        rounds.c.finished_at,
        entries.c.member.label("entered"),
    ).select_from(
        pots.outerjoin(tables, _table)
        .outerjoin(rounds, _round)
        .outerjoin(entries, sa.and_(entries.c.tournament == _first, entries.c.member == _second))
    ),
    pots.c.guild,
    pots.c.name,
)


async def _pots(connection: AsyncConnection, here: Stretch) -> Slice:
    found = (await connection.execute(_POTS, here.values)).all()
    faults = [fault for row in found for fault in _pot(row)]
    surplus = {(row.guild, row.name): row.balance - row.moved for row in found if row.balance != row.moved}
    return Slice(len(found), (found[-1].guild, found[-1].name) if found else None, faults, surplus)


def _pot(row: Row) -> Iterator[Fault]:
    yield from _balance(row.guild, row.name, row.balance, row.moved)
    kind = row.name.partition("/")[0]
    if kind in _BELONGS:
        known = row.name == f"{kind}/{row.first}/{row.second}"
        yield from _BELONGS[kind](row, known=known)


def _escrow(row: Row, *, known: bool) -> Iterator[Fault]:
    """Chips lie in it while its round is open, at an open table; it is closed, and empty, when the round has ended."""
    known = known and row.round is not None
    over = known and row.finished_at is not None
    playing = known and not over and row.table_open == 1
    if row.balance > 0 and not row.closed and not playing:
        yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))
    if bool(row.closed) != over or (row.closed and row.balance):
        yield Fault(Wrong.UNSETTLED, row.name, row.guild, "settled once", str(row.balance))


def _stack(row: Row, *, known: bool) -> Iterator[Fault]:
    """Chips lie in it while its table is open."""
    if row.balance > 0 and not row.closed and not (known and row.table_open == 1):
        yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))


def _pool(row: Row, *, known: bool) -> Iterator[Fault]:
    """Only who bought in has chips in a pool; how many, `data.proofs.entries` says."""
    if row.balance and not (known and row.entered is not None):
        yield Fault(Wrong.POOL, row.name, row.guild, "0", str(row.balance))


#: Whom an account belongs to, by its kind.
_BELONGS: Final = {Kind.ESCROW.value: _escrow, Kind.STACK.value: _stack, Kind.POOL.value: _pool}

#: A member may have very many transfers.
MEMBERS: Final = Walk(_members, (members.c.id,), (0,), 20)
POTS: Final = Walk(_pots, (pots.c.guild, pots.c.name), (-1, ""), 300)
