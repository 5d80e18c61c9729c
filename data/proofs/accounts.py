"""Proves the accounts: each balance is the sum of its transfers, and each stake and pool belongs to somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data import accounts
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, next_rows
from data.schema import members, plays, pots, rounds, tables, transfers
from data.store import Row
from data.tournament_schema import entries, tournaments
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

_POTS: Final = next_rows(
    sa.select(
        pots,
        (
            _moved(transfers.c.target, pots.c.guild, pots.c.name)
            - _moved(transfers.c.source, pots.c.guild, pots.c.name)
        ).label("moved"),
    ),
    pots.c.guild,
    pots.c.name,
)

_KEYS: Final[sa.BindParameter[Any]] = sa.bindparam("keys", expanding=True)
_ROUNDS: Final = (
    sa.select(rounds.c.table_id, rounds.c.number, rounds.c.guild, rounds.c.finished_at, tables.c.open)
    .outerjoin(tables, tables.c.id == rounds.c.table_id)
    .where(sa.tuple_(rounds.c.table_id, rounds.c.number).in_(_KEYS))
)
_TABLES: Final = sa.select(tables.c.id, tables.c.guild).where(tables.c.open == 1, tables.c.id.in_(_KEYS))
_ENTRIES: Final = (
    sa.select(entries.c.cup, entries.c.member, tournaments.c.guild)
    .join(tournaments, tournaments.c.id == entries.c.cup)
    .where(sa.tuple_(entries.c.cup, entries.c.member).in_(_KEYS))
)


async def _pots(connection: AsyncConnection, here: Stretch) -> Slice:
    found = (await connection.execute(_POTS, here.values)).all()
    faults = [fault for row in found for fault in _balance(row.guild, row.name, row.balance, row.moved)]
    faults += _wrong_escrows(_of(found, Kind.ESCROW), await _asked(connection, _ROUNDS, _of(found, Kind.ESCROW)))
    stacks = [row for row in _of(found, Kind.STACK) if row.balance > 0 and not row.closed]
    faults += _wrong_stacks(stacks, await _open_tables(connection, stacks))
    pools = [row for row in _of(found, Kind.POOL) if row.balance]
    faults += _wrong_pools(pools, await _asked(connection, _ENTRIES, pools))
    surplus = {(row.guild, row.name): row.balance - row.moved for row in found if row.balance != row.moved}
    return Slice(len(found), (found[-1].guild, found[-1].name) if found else None, faults, surplus)


def _of(found: Sequence[Row], kind: Kind) -> list[Row]:
    return [row for row in found if row.name.startswith(f"{kind.value}/")]


def _numbers(name: str) -> tuple[int, int] | None:
    """Of ``escrow/900/3``; None where a name is not made of two numbers."""
    parts = name.split("/")[1:]
    sound = len(parts) == 2 and all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts)
    return (int(parts[0]), int(parts[1])) if sound else None


async def _asked(
    connection: AsyncConnection, query: sa.Select[Any], found: Sequence[Row]
) -> Mapping[tuple[int, int], Row]:
    """What the names' two numbers stand for."""
    keys = [key for row in found if (key := _numbers(row.name))]
    answers = (await connection.execute(query, {"keys": keys})).all() if keys else ()
    return {(row[0], row[1]): row for row in answers}


async def _open_tables(connection: AsyncConnection, stacks: Sequence[Row]) -> set[tuple[int, int]]:
    keys = {key[0] for row in stacks if (key := _numbers(row.name))}
    answers = (await connection.execute(_TABLES, {"keys": list(keys)})).all() if keys else ()
    return {(row.id, row.guild) for row in answers}


def _wrong_escrows(found: Sequence[Row], played: Mapping[tuple[int, int], Row]) -> Iterator[Fault]:
    """Chips lie in it while its round is open, at an open table; it is closed, and empty, when the round has ended."""
    for row in found:
        key = _numbers(row.name)
        its = played.get(key) if key else None
        its = its if its is not None and its.guild == row.guild else None
        over = its is not None and its.finished_at is not None
        playing = its is not None and not over and its.open == 1
        if row.balance > 0 and not row.closed and not playing:
            yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))
        if bool(row.closed) != over or (row.closed and row.balance):
            yield Fault(Wrong.UNSETTLED, row.name, row.guild, "settled once", str(row.balance))


def _wrong_stacks(found: Sequence[Row], playing: set[tuple[int, int]]) -> Iterator[Fault]:
    for row in found:
        key = _numbers(row.name)
        if key is None or (key[0], row.guild) not in playing:
            yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))


def _wrong_pools(found: Sequence[Row], entered: Mapping[tuple[int, int], Row]) -> Iterator[Fault]:
    """What lies in a pool that nobody bought in to; how much it must be of the others, `data.proofs.entries` says."""
    for row in found:
        key = _numbers(row.name)
        entry = entered.get(key) if key else None
        if entry is None or entry.guild != row.guild:
            yield Fault(Wrong.POOL, row.name, row.guild, "0", str(row.balance))


#: A member may have very many transfers.
MEMBERS: Final = Walk(_members, (members.c.id,), (0,), 20)
POTS: Final = Walk(_pots, (pots.c.guild, pots.c.name), (-1, ""), 300)
