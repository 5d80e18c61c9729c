"""Proves the accounts: balances are sums of transfers, scores are sums of results, and no pot has unowned chips.

The database does the sums and hands over only what looks wrong: a bank has a closed escrow for every round that was
ever played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import entries, members, plays, pots, rounds, tables, titles, tournaments, transfers
from data.base.set_tables import OPEN_DUEL, duels
from data.drivers.statement import Row
from data.ledger.settlement import ENOUGH, MILLION
from data.proofs.names import first_number, second_number
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between, between_tables
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.values import Kind


def _moved(guild: sa.ColumnElement[int], name: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
    """Return the SQL sum of all transfers of an account: what came in, minus what went out."""

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
_of_tournament = titles.c.source.startswith(f"{TOURNAMENT}/")
_of_cards = titles.c.source.startswith(f"{SAME_CARDS}/")


def _how_many(*which: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
    return sa.select(sa.func.count()).where(*which).scalar_subquery()


_TITLES_WON: Final = ("tournaments_won", "tables_won", "cards_won")

_PEOPLE: Final = sa.select(
    *(members.c[name] for name in ("id", "guild", "balance", "winnings", "rounds", "won", *_TITLES_WON)),
    sa.func.coalesce(members.c.rate, -1).label("rate"),
    sa.func.coalesce(members.c.first_title, -1).label("first_title"),
    _moved(members.c.guild, _me),
    sa.select(_net).where(_real).scalar_subquery().label("net"),
    _how_many(_real).label("played"),
    _how_many(_real, plays.c.returned > plays.c.staked).label("gained"),
    _how_many(_mine, _of_tournament).label("tournaments"),
    _how_many(_mine, ~_of_tournament, ~_of_cards).label("tables"),
    _how_many(_mine, _of_cards).label("cards"),
    sa.select(sa.func.coalesce(sa.func.min(titles.c.at), -1)).where(_mine).scalar_subquery().label("since"),
)
#: The win rate that follows from the number of rounds won.
_RATE: Final = f"CASE WHEN rounds < {ENOUGH} THEN -1 ELSE CAST(won AS BIGINT) * {MILLION} / rounds END"


def _strange(query: sa.Select[Any], *signs: str) -> sa.Select[Any]:
    """Return a query for those of a query's rows that meet one of these SQL conditions, each the sign of a fault."""
    found = query.subquery("found")
    return sa.select(found).where(sa.or_(*map(sa.literal_column, signs)))


_MEMBERS_LOOKED: Final = _looked(members.c.id)


def strange_members(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return a query for the members who meet a condition and whose balance, score or number of titles is wrong."""
    chips = ("balance <> moved", "balance < 0")
    score = ("winnings <> net", "rounds <> played", "won <> gained", f"rate <> {_RATE}")
    won = ("tournaments_won <> tournaments", "tables_won <> tables", "cards_won <> cards", "first_title <> since")
    return _strange(_PEOPLE.where(which), *chips, *score, *won)


_MEMBERS: Final = strange_members(between(members.c.id))


async def _members(connection: AsyncConnection, here: KeyRange) -> Slice:
    looked = (await connection.execute(_MEMBERS_LOOKED, here.values)).scalar_one()
    return of_members(looked, (await connection.execute(_MEMBERS, here.values)).all())


def of_members(looked: int, found: Sequence[Row]) -> Slice:
    """Return a slice of this many members, with the faults of the rows that `strange_members` found."""
    faults = [fault for row in found for fault in _member(row)]
    surplus = {
        (row.guild, accounts.member(row.id)): row.balance - row.moved for row in found if row.balance != row.moved
    }
    return Slice(looked, faults, surplus)


def _member(row: Row) -> Iterator[Fault]:
    name = accounts.member(row.id)
    yield from _balance(row.guild, name, row.balance, row.moved)
    rate = row.gained * MILLION // row.played if row.played >= ENOUGH else -1
    score, kept = (row.net, row.played, row.gained, rate), (row.winnings, row.rounds, row.won, row.rate)
    if score != kept:
        yield Fault(Wrong.SCORE, name, row.guild, _SCORE.format(*score), _SCORE.format(*kept))
    won = row.tournaments, row.tables, row.cards, row.since
    counted = row.tournaments_won, row.tables_won, row.cards_won, row.first_title
    if won != counted:
        yield Fault(Wrong.TITLES, name, row.guild, _TITLES.format(*won), _TITLES.format(*counted))


_SCORE: Final = "{} in {} rounds, {} won, rate {}"
_TITLES: Final = "{} tournaments, {} tables and {} times the same cards since {}"


# -- escrows, stacks, pools and computer players -----------------------------------------------------------------------

_first, _second = first_number(pots.c.name), second_number(pots.c.name)
_round = sa.and_(rounds.c.table_id == _first, rounds.c.number == _second, rounds.c.guild == pots.c.guild)
_table = sa.and_(tables.c.id == _first, tables.c.guild == pots.c.guild)


def strange_pots(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return a query for the pots that meet a condition and whose balance is wrong."""
    kept = sa.select(pots, _moved(pots.c.guild, pots.c.name)).where(which)
    return _strange(kept, "balance <> moved", "balance < 0")


_POTS: Final = strange_pots(between(pots.c.guild, pots.c.name))


def _unequal_here() -> sa.Select[Any]:
    """Return a query for a pot whose balance is not the sum of its transfers. It finds one at most.

    It looks at the pots of one range, by guild and name. Pots and transfers are in the same order, so each is read once
    instead of being looked up for every pot.
    """

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
#: The pots with chips in them, each with the rows that say whom it belongs to.
_FILLED: Final = (
    sa.select(
        pots,
        _first.label("first"),
        _second.label("second"),
        tables.c.open.label("table_open"),
        rounds.c.number.label("round"),
        rounds.c.finished_at,
        entries.c.member.label("entered"),
        tournaments.c.open.label("tournament_open"),
        duels.c.id.label("duel"),
    )
    .select_from(
        pots.outerjoin(tables, _table)
        .outerjoin(rounds, _round)
        .outerjoin(entries, sa.and_(entries.c.tournament == _first, entries.c.member == _second))
        .outerjoin(tournaments, sa.and_(tournaments.c.id == _first, tournaments.c.guild == pots.c.guild))
        .outerjoin(duels, sa.and_(duels.c.id == _first, duels.c.guild == pots.c.guild, OPEN_DUEL))
    )
    .where(between(pots.c.guild, pots.c.name), pots.c.balance != sa.literal_column("0"))
)
#: Pots that are closed and are not escrows: only an escrow is ever closed.
_CLOSED: Final = sa.select(pots).where(
    between(pots.c.guild, pots.c.name),
    pots.c.closed != sa.literal_column("0"),
    pots.c.name.not_like(f"{Kind.ESCROW.value}/%"),
)
_POTS_LOOKED: Final = _looked(pots.c.guild, pots.c.name)


async def _pots(connection: AsyncConnection, here: KeyRange) -> Slice:
    looked = (await connection.execute(_POTS_LOOKED, here.values)).scalar_one()
    unequal = (await connection.execute(_UNEQUAL, here.values)).first()
    wrong = of_pots(looked, (await connection.execute(_POTS, here.values)).all() if unequal else ())
    filled = (await connection.execute(_FILLED, here.values)).all()
    sealed = (await connection.execute(_CLOSED, here.values)).all()
    stray = [Fault(Wrong.UNSETTLED, row.name, row.guild, "open: it is no escrow", "closed") for row in sealed]
    return replace(wrong, faults=[*wrong.faults, *(fault for row in filled for fault in _filled(row)), *stray])


def of_pots(looked: int, found: Sequence[Row]) -> Slice:
    """Return a slice of this many pots, with the faults of the rows that `strange_pots` found."""
    faults = [fault for row in found for fault in _balance(row.guild, row.name, row.balance, row.moved)]
    surplus = {(row.guild, row.name): row.balance - row.moved for row in found if row.balance != row.moved}
    return Slice(looked, faults, surplus)


def _filled(row: Row) -> Iterator[Fault]:
    if row.balance < 0:
        yield Fault(Wrong.NEGATIVE, row.name, row.guild, "0 or more", str(row.balance))
    kind = row.name.partition("/")[0]
    yield from _BELONGS.get(kind, _of_nobody)(row, well_named=row.name == f"{kind}/{row.first}/{row.second}")


def _escrow(row: Row, *, well_named: bool) -> Iterator[Fault]:
    """Find chips in an escrow that is closed, or that belongs to no open round of an open table.

    `well_named` says whether the account's name is its kind and two numbers, as in `escrow/900/3`.
    """
    playing = well_named and row.round is not None and row.finished_at is None and row.table_open == 1
    if row.closed:
        yield Fault(Wrong.UNSETTLED, row.name, row.guild, "settled once", str(row.balance))
    elif not playing:
        yield from _of_nobody(row, well_named=well_named)


def _stack(row: Row, *, well_named: bool) -> Iterator[Fault]:
    """Find chips in a stack whose table is not open, or whose name is malformed (not `well_named`)."""
    if not (well_named and row.table_open == 1):
        yield from _of_nobody(row, well_named=well_named)


def _computer(row: Row, *, well_named: bool) -> Iterator[Fault]:
    """Find chips of computer players at tables that do not exist.

    The table may be closed, because the first release left chips at closed tables. `well_named` does not count here:
    the account's name ends with the player's name, not with a number.
    """
    if row.table_open is None or not row.name.startswith(f"{Kind.COMPUTER.value}/{row.first}/"):
        yield from _of_nobody(row, well_named=well_named)


def _pool(row: Row, *, well_named: bool) -> Iterator[Fault]:
    """Find chips in a pool that has a malformed name (not `well_named`), or no entry in an open tournament.

    `data.proofs.pools` proves how many chips the other pools hold.
    """
    if not (well_named and row.entered is not None and row.tournament_open == 1):
        yield Fault(Wrong.POOL, row.name, row.guild, "0", str(row.balance))


def _duel(row: Row, *, well_named: bool) -> Iterator[Fault]:
    """Find chips in the account of a duel that is over or does not exist.

    `data.proofs.duels` proves how many chips an open duel holds. `well_named` does not count here: the account's name
    has only one number.
    """
    if row.duel is None or row.name != accounts.duel(row.duel):
        yield from _of_nobody(row, well_named=well_named)


def _of_nobody(row: Row, *, well_named: bool) -> Iterator[Fault]:
    yield Fault(Wrong.STRAY_STAKE, row.name, row.guild, "0", str(row.balance))


#: The proof that an account with chips in it belongs to something, by the kind of account.
_BELONGS: Final = {
    Kind.ESCROW.value: _escrow,
    Kind.STACK.value: _stack,
    Kind.COMPUTER.value: _computer,
    Kind.POOL.value: _pool,
    Kind.DUEL.value: _duel,
}

# -- results -----------------------------------------------------------------------------------------------------------

_KEY: Final = (plays.c.table_id, plays.c.number, plays.c.member)
#: A subquery for each row, because PostgreSQL without statistics would read all rounds for a join.
_its_round: Final = (
    sa.select(rounds.c.guild)
    .where(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number)
    .scalar_subquery()
)
_STRAY: Final = (
    sa.select(plays, members.c.guild)
    .join(members, members.c.id == plays.c.member)
    .where(between_tables(*_KEY), _its_round.is_(None))
)


async def _results(connection: AsyncConnection, here: KeyRange) -> Slice:
    """Find results of rounds that do not exist. `data.proofs.rounds` proves the results of rounds that do."""
    found = (await connection.execute(_STRAY, here.values)).all()
    faults = [
        Fault(Wrong.RESULT, f"member {row.member}", row.guild, "a round", accounts.escrow(row.table_id, row.number))
        for row in found
    ]
    return Slice(0, faults)


#: A member may have very many transfers, so few members make a slice.
MEMBERS: Final = Walk("accounts", _members, (members.c.id,), (0,), 20)
POTS: Final = Walk("accounts", _pots, (pots.c.guild, pots.c.name), (-1, ""), 10_000)
RESULTS: Final = Walk("results", _results, _KEY, (-LAST, -1, -1), 20_000)
