"""Proves the accounts: each balance is the sum of its transfers, and each stake and pool belongs to somebody.

The database does the sums and hands over only what looks wrong: a bank has a closed escrow for every round that was
ever played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.statement import Row
from data.ledger import accounts
from data.proofs.names import first_number, second_number
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, between
from data.schema import members, plays, pots, rounds, tables, transfers
from data.tournaments.tournament_schema import entries, titles
from engine.tables.ports import Kind


def _moved(guild: sa.ColumnElement[int], name: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
    """What all transfers of an account come to."""

    def total(side: sa.Column[str]) -> sa.ScalarSelect[int]:
        chips = sa.cast(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0), sa.BigInteger)
        return sa.select(chips).where(transfers.c.guild == guild, side == name).scalar_subquery()

    return (total(transfers.c.target) - total(transfers.c.source)).label("moved")


def _looked(*key: sa.Column[Any]) -> sa.Select[Any]:
    return sa.select(sa.func.count()).select_from(key[0].table).where(between(*key))


def _balance(guild: int, name: str, kept: int, moved: int) -> Iterator[Fault]:
    if kept != moved:
        yield Fault(Wrong.BALANCE, name, guild, str(moved), str(kept))
    if kept < 0:
        yield Fault(Wrong.NEGATIVE, name, guild, "0 or more", str(kept))


# -- members -----------------------------------------------------------------------------------------------------------

_me = sa.literal(f"{Kind.MEMBER.value}/", sa.Text) + sa.cast(members.c.id, sa.Text)
_real = sa.and_(plays.c.member == members.c.id, plays.c.real == sa.literal_column("1"))
_net = sa.cast(sa.func.coalesce(sa.func.sum(plays.c.returned - plays.c.staked), 0), sa.BigInteger)
_mine = sa.and_(titles.c.guild == members.c.guild, titles.c.member == members.c.id)
_PEOPLE: Final = sa.select(
    members.c.id,
    members.c.guild,
    members.c.balance,
    members.c.winnings,
    members.c.rounds,
    _moved(members.c.guild, _me),
    sa.select(_net).where(_real).scalar_subquery().label("net"),
    sa.select(sa.func.count()).select_from(plays).where(_real).scalar_subquery().label("played"),
    (members.c.tournaments_won + members.c.tables_won).label("counted"),
    sa.select(sa.func.count()).select_from(titles).where(_mine).scalar_subquery().label("titles"),
)


def _strange(query: sa.Select[Any], *signs: str) -> sa.Select[Any]:
    """Of these accounts those that one of the signs is seen at."""
    found = query.subquery("found")
    return sa.select(found).where(sa.or_(*map(sa.literal_column, signs)))


_MEMBERS_LOOKED: Final = _looked(members.c.id)


def strange_members(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Of these members those with a balance, a score or a number of titles that is wrong."""
    signs = ("balance <> moved", "balance < 0", "winnings <> net", "rounds <> played", "counted <> titles")
    return _strange(_PEOPLE.where(which), *signs)


_MEMBERS: Final = strange_members(between(members.c.id))


async def _members(connection: AsyncConnection, here: Stretch) -> Slice:
    looked = (await connection.execute(_MEMBERS_LOOKED, here.values)).scalar_one()
    return of_members(looked, (await connection.execute(_MEMBERS, here.values)).all())


def of_members(looked: int, found: Sequence[Row]) -> Slice:
    """So many were looked at, and these are wrong."""
    faults = [fault for row in found for fault in _member(row)]
    surplus = {
        (row.guild, accounts.member(row.id)): row.balance - row.moved for row in found if row.balance != row.moved
    }
    return Slice(looked, faults, surplus)


def _member(row: Row) -> Iterator[Fault]:
    name = accounts.member(row.id)
    yield from _balance(row.guild, name, row.balance, row.moved)
    if (row.winnings, row.rounds) != (row.net, row.played):
        yield Fault(
            Wrong.SCORE, name, row.guild, f"{row.net} in {row.played} rounds", f"{row.winnings} in {row.rounds}"
        )
    if row.counted != row.titles:
        yield Fault(Wrong.TITLES, name, row.guild, str(row.titles), str(row.counted))


# -- escrows, stacks, pools and computer players -----------------------------------------------------------------------

_first, _second = first_number(pots.c.name), second_number(pots.c.name)
_round = sa.and_(rounds.c.table_id == _first, rounds.c.number == _second, rounds.c.guild == pots.c.guild)
_table = sa.and_(tables.c.id == _first, tables.c.guild == pots.c.guild)


def strange_pots(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Of these pots those whose balance is wrong."""
    kept = sa.select(pots, _moved(pots.c.guild, pots.c.name)).where(which)
    return _strange(kept, "balance <> moved", "balance < 0")


_POTS: Final = strange_pots(between(pots.c.guild, pots.c.name))


def _unequal_here() -> sa.Select[Any]:
    """One pot, if there is any, whose transfers do not come to what is in it. Pots and transfers lie in one order, so
    each is read once, and not sought for every pot."""

    def moved(side: sa.Column[str], sign: str) -> sa.Select[Any]:
        chips = sa.cast(sa.func.sum(transfers.c.amount), sa.BigInteger) * sa.literal_column(sign)
        here = sa.select(transfers.c.guild, side.label("name"), chips.label("chips"))
        return here.where(between(transfers.c.guild, side)).group_by(transfers.c.guild, side)

    filled = sa.select(pots.c.guild, pots.c.name, pots.c.balance).where(
        between(pots.c.guild, pots.c.name), pots.c.balance != sa.literal_column("0")
    )
    lines = sa.union_all(moved(transfers.c.source, "1"), moved(transfers.c.target, "-1"), filled).subquery("lines")
    no_pot = sa.or_(lines.c.name.in_([accounts.HOUSE, accounts.MINT]), lines.c.name.like(f"{Kind.MEMBER.value}/%"))
    unequal = sa.func.sum(lines.c.chips) != sa.literal_column("0")
    key = (lines.c.guild, lines.c.name)
    return sa.select(*key).where(~no_pot).group_by(*key).having(unequal).limit(sa.literal_column("1"))


_UNEQUAL: Final = _unequal_here()
#: Those with chips in them: whose are they?
_FILLED: Final = (
    sa.select(
        pots,
        _first.label("first"),
        _second.label("second"),
        tables.c.open.label("table_open"),
        rounds.c.number.label("round"),
        rounds.c.finished_at,
        entries.c.member.label("entered"),
    )
    .select_from(
        pots.outerjoin(tables, _table)
        .outerjoin(rounds, _round)
        .outerjoin(entries, sa.and_(entries.c.tournament == _first, entries.c.member == _second))
    )
    .where(between(pots.c.guild, pots.c.name), pots.c.balance != sa.literal_column("0"))
)
_POTS_LOOKED: Final = _looked(pots.c.guild, pots.c.name)


async def _pots(connection: AsyncConnection, here: Stretch) -> Slice:
    looked = (await connection.execute(_POTS_LOOKED, here.values)).scalar_one()
    unequal = (await connection.execute(_UNEQUAL, here.values)).first()
    wrong = of_pots(looked, (await connection.execute(_POTS, here.values)).all() if unequal else ())
    filled = (await connection.execute(_FILLED, here.values)).all()
    return replace(wrong, faults=[*wrong.faults, *(fault for row in filled for fault in _filled(row))])


def of_pots(looked: int, found: Sequence[Row]) -> Slice:
    """So many were looked at, and these have a wrong balance."""
    faults = [fault for row in found for fault in _balance(row.guild, row.name, row.balance, row.moved)]
    surplus = {(row.guild, row.name): row.balance - row.moved for row in found if row.balance != row.moved}
    return Slice(looked, faults, surplus)


def _filled(row: Row) -> Iterator[Fault]:
    if row.balance < 0:
        yield Fault(Wrong.NEGATIVE, row.name, row.guild, "0 or more", str(row.balance))
    kind = row.name.partition("/")[0]
    if kind in _BELONGS:
        known = row.name == f"{kind}/{row.first}/{row.second}"
        yield from _BELONGS[kind](row, known=known)


def _escrow(row: Row, *, known: bool) -> Iterator[Fault]:
    """Chips lie in it while its round is open, at an open table. When it is closed it is empty."""
    playing = known and row.round is not None and row.finished_at is None and row.table_open == 1
    if row.closed:
        yield Fault(Wrong.UNSETTLED, row.name, row.guild, "settled once", str(row.balance))
    elif not playing:
        yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))


def _stack(row: Row, *, known: bool) -> Iterator[Fault]:
    """Chips lie in it while its table is open."""
    if not row.closed and not (known and row.table_open == 1):
        yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))


def _pool(row: Row, *, known: bool) -> Iterator[Fault]:
    """Only who bought in has chips in a pool; how many, `data.proofs.pools` says."""
    if not (known and row.entered is not None):
        yield Fault(Wrong.POOL, row.name, row.guild, "0", str(row.balance))


#: Whom an account belongs to, by its kind.
_BELONGS: Final = {Kind.ESCROW.value: _escrow, Kind.STACK.value: _stack, Kind.POOL.value: _pool}

#: A member may have very many transfers.
MEMBERS: Final = Walk("accounts", _members, (members.c.id,), (0,), 20)
POTS: Final = Walk("accounts", _pots, (pots.c.guild, pots.c.name), (-1, ""), 10_000)
