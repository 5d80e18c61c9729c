"""What the audit compares, one query for each kind of fault: a row is a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data import accounts
from data.schema import LIVE, members, plays, pots, rounds, steps, tables, transfers
from data.tournament_proofs import pools
from engine.tables.ports import Kind


class Wrong(StrEnum):
    BALANCE = "a balance is not the sum of its transfers"
    NO_ACCOUNT = "transfers name an account that does not exist"
    NEGATIVE = "a balance is below zero"
    SUM = "a guild's accounts do not sum to zero"
    TRANSFER = "a transfer moves nothing, or nowhere"
    STRAY_STAKE = "a stake belongs to no open round"
    UNSETTLED = "a finished round's escrow is not empty and closed"
    RESULT = "a result is not what was staked and paid"
    STRANGER = "chips of somebody who was not in the round"
    OUTCOME = "a round's results are not those of its lines"
    LEFT = "a round was left before it ended"
    EARLY = "chips came out of a round before it ended"
    STEPS = "a round's steps have gaps"
    SCORE = "a member's score is not the sum of their rounds"
    POOL = "a tournament's pool is not what was bought in to it"


def _text(number: sa.ColumnElement[int]) -> sa.ColumnElement[str]:
    return sa.cast(number, sa.Text)


def _named(kind: Kind, *numbers: sa.ColumnElement[int]) -> sa.ColumnElement[str]:
    """The name of an account, put together by the database."""
    name: sa.ColumnElement[str] = sa.literal(kind.value, sa.Text)
    for number in numbers:
        name = name + sa.literal("/", sa.Text) + _text(number)
    return name


def _columns(
    place: sa.ColumnElement[Any], guild: sa.ColumnElement[int], expected: Any, found: Any
) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        place.label("place"),
        guild.label("guild"),
        sa.cast(expected, sa.Text).label("expected"),
        sa.cast(found, sa.Text).label("found"),
    )


def _sums() -> sa.Subquery:
    """Every account's balance by its transfers."""
    into = sa.select(transfers.c.guild, transfers.c.target.label("name"), transfers.c.amount.label("amount"))
    out = sa.select(transfers.c.guild, transfers.c.source, -transfers.c.amount)
    both = sa.union_all(into, out).subquery()
    total = sa.cast(sa.func.sum(both.c.amount), sa.BigInteger).label("total")
    return sa.select(both.c.guild, both.c.name, total).group_by(both.c.guild, both.c.name).subquery("sums")


def _kept() -> sa.Subquery:
    """Every balance that is kept."""
    people = sa.select(members.c.guild, _named(Kind.MEMBER, members.c.id).label("name"), members.c.balance)
    return sa.union_all(people, sa.select(pots.c.guild, pots.c.name, pots.c.balance)).subquery("kept")


def _balances() -> sa.Select[Any]:
    kept, sums = _kept(), _sums()
    total = sa.func.coalesce(sums.c.total, 0)
    same = sa.and_(sums.c.guild == kept.c.guild, sums.c.name == kept.c.name)
    return (
        sa.select(*_columns(kept.c.name, kept.c.guild, total, kept.c.balance))
        .select_from(kept.outerjoin(sums, same))
        .where(kept.c.balance != total)
    )


def _unknown_accounts() -> sa.Select[Any]:
    kept, sums = _kept(), _sums()
    same = sa.and_(sums.c.guild == kept.c.guild, sums.c.name == kept.c.name)
    return (
        sa.select(*_columns(sums.c.name, sums.c.guild, "an account", sums.c.total))
        .select_from(sums.outerjoin(kept, same))
        .where(kept.c.name.is_(None), sums.c.name.not_in([accounts.HOUSE, accounts.MINT]))
    )


def _negative() -> sa.Select[Any]:
    kept = _kept()
    return sa.select(*_columns(kept.c.name, kept.c.guild, "0 or more", kept.c.balance)).where(kept.c.balance < 0)


def _guild_sums() -> sa.Select[Any]:
    """What is kept, and the house and the mint, which are not."""
    kept, sums = _kept(), _sums()
    unkept = sa.select(sums.c.guild, sums.c.total).where(sums.c.name.in_([accounts.HOUSE, accounts.MINT]))
    every = sa.union_all(sa.select(kept.c.guild, kept.c.balance.label("total")), unkept).subquery()
    total = sa.func.sum(every.c.total)
    place = sa.literal("all accounts", sa.Text)
    return sa.select(*_columns(place, every.c.guild, "0", total)).group_by(every.c.guild).having(total != 0)


def _transfers() -> sa.Select[Any]:
    wrong = sa.or_(transfers.c.amount <= 0, transfers.c.source == transfers.c.target)
    return sa.select(*_columns(transfers.c.key, transfers.c.guild, "a move", transfers.c.amount)).where(wrong)


def _escrow() -> sa.ColumnElement[str]:
    return _named(Kind.ESCROW, rounds.c.table_id, rounds.c.number)


def _stray_stakes() -> sa.Select[Any]:
    """Chips on the tables that no open round of an open table answers for."""
    playing = sa.select(_escrow()).join(tables, tables.c.id == rounds.c.table_id)
    playing = playing.where(rounds.c.guild == pots.c.guild, _escrow() == pots.c.name)
    playing = playing.where(tables.c.open == 1, rounds.c.finished_at.is_(None))
    buying = sa.select(tables.c.id).where(
        tables.c.guild == pots.c.guild, tables.c.open == 1, pots.c.name.like(_named(Kind.STACK, tables.c.id) + "/%")
    )
    lost = [
        sa.and_(pots.c.name.like(f"{Kind.ESCROW.value}/%"), ~sa.exists(playing)),
        sa.and_(pots.c.name.like(f"{Kind.STACK.value}/%"), ~sa.exists(buying)),
    ]
    return sa.select(*_columns(pots.c.name, pots.c.guild, "0", pots.c.balance)).where(LIVE, sa.or_(*lost))


def _unsettled() -> sa.Select[Any]:
    """A round with real chips is settled when, and only when, its escrow is closed, and closed escrows are empty."""
    same = sa.and_(rounds.c.guild == pots.c.guild, _escrow() == pots.c.name)
    wrong = sa.or_(
        sa.and_(pots.c.closed == 1, pots.c.balance != 0),
        sa.and_(pots.c.closed == 1, rounds.c.finished_at.is_(None)),
        sa.and_(pots.c.closed == 0, rounds.c.finished_at.is_not(None)),
    )
    return (
        sa.select(*_columns(pots.c.name, pots.c.guild, "settled once", pots.c.balance))
        .select_from(pots.outerjoin(rounds, same))
        .where(pots.c.name.like(f"{Kind.ESCROW.value}/%"), wrong)
    )


def _results() -> sa.Select[Any]:
    """What each member staked and got back, by the transfers and by the journal."""
    paid = _moved(into=True)
    got = _moved(into=False)
    staked, returned = plays.c.staked * plays.c.real, plays.c.returned * plays.c.real
    here = sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number)
    shown = _text(staked) + sa.literal(" staked, ", sa.Text) + _text(returned) + sa.literal(" returned", sa.Text)
    moved = _text(paid) + sa.literal(" staked, ", sa.Text) + _text(got) + sa.literal(" returned", sa.Text)
    return (
        sa.select(
            *_columns(_escrow() + sa.literal(" member ", sa.Text) + _text(plays.c.member), rounds.c.guild, moved, shown)
        )
        .select_from(plays.join(rounds, here))
        .where(sa.or_(paid != staked, got != returned))
    )


def _moved(*, into: bool) -> sa.ScalarSelect[Any]:
    escrow, purse = (transfers.c.target, transfers.c.source) if into else (transfers.c.source, transfers.c.target)
    mine = [_named(Kind.MEMBER, plays.c.member), _named(Kind.STACK, plays.c.table_id, plays.c.member)]
    return (
        sa.select(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0))
        .where(transfers.c.guild == rounds.c.guild, escrow == _escrow(), purse.in_(mine))
        .scalar_subquery()
    )


def _strangers() -> sa.Select[Any]:
    """Members' chips that went into a finished round, or came out of it, without a result."""
    into = _theirs(escrow=transfers.c.target, purse=transfers.c.source)
    out = _theirs(escrow=transfers.c.source, purse=transfers.c.target)
    every = sa.union_all(into, out).subquery()
    return sa.select(every.c.place, every.c.guild, every.c.expected, every.c.found)


def _theirs(*, escrow: sa.ColumnElement[str], purse: sa.ColumnElement[str]) -> sa.Select[Any]:
    mine = [_named(Kind.MEMBER, plays.c.member), _named(Kind.STACK, plays.c.table_id, plays.c.member)]
    result = sa.select(plays.c.member).where(
        plays.c.table_id == rounds.c.table_id, plays.c.number == rounds.c.number, purse.in_(mine)
    )
    belonging = sa.and_(transfers.c.guild == rounds.c.guild, escrow == _escrow())
    people = sa.or_(*(purse.like(f"{kind.value}/%") for kind in (Kind.MEMBER, Kind.STACK)))
    return (
        sa.select(*_columns(transfers.c.key, rounds.c.guild, "a result", purse))
        .select_from(rounds.join(transfers, belonging))
        .where(rounds.c.finished_at.is_not(None), people, ~sa.exists(result))
    )


def _left() -> sa.Select[Any]:
    """A round is sealed when the one before it ends, and a table closes between two rounds."""
    later = rounds.alias()
    followed = sa.exists(
        sa.select(later.c.number).where(later.c.table_id == rounds.c.table_id, later.c.number > rounds.c.number)
    )
    deserted = sa.and_(rounds.c.dealt_at.is_not(None), tables.c.open == 0)
    return (
        sa.select(*_columns(_escrow(), rounds.c.guild, "ended", "left"))
        .select_from(rounds.join(tables, tables.c.id == rounds.c.table_id))
        .where(rounds.c.finished_at.is_(None), sa.or_(followed, deserted))
    )


def _early() -> sa.Select[Any]:
    """What is staked comes out of its escrow with the change that ends the round, and with no other."""
    paid = sa.and_(transfers.c.guild == rounds.c.guild, transfers.c.source == _escrow())
    return (
        sa.select(*_columns(transfers.c.key, rounds.c.guild, "0", transfers.c.amount))
        .select_from(rounds.join(transfers, paid))
        .where(rounds.c.finished_at.is_(None))
    )


def _steps() -> sa.Select[Any]:
    place = _named(Kind.ESCROW, rounds.c.table_id, rounds.c.number)
    found, expected = sa.func.count(), sa.func.max(steps.c.place) + 1
    here = sa.and_(rounds.c.table_id == steps.c.table_id, rounds.c.number == steps.c.number)
    return (
        sa.select(*_columns(place, rounds.c.guild, expected, found))
        .select_from(steps.join(rounds, here))
        .group_by(rounds.c.table_id, rounds.c.number, rounds.c.guild)
        .having(found != expected)
    )


def _scores() -> sa.Select[Any]:
    mine = sa.and_(plays.c.member == members.c.id, plays.c.real == 1)
    net = sa.select(sa.func.coalesce(sa.func.sum(plays.c.returned - plays.c.staked), 0)).where(mine).scalar_subquery()
    count = sa.select(sa.func.count()).select_from(plays).where(mine).scalar_subquery()
    return sa.select(*_columns(_named(Kind.MEMBER, members.c.id), members.c.guild, net, members.c.winnings)).where(
        sa.or_(members.c.winnings != net, members.c.rounds != count)
    )


_PROOFS: Final[dict[Wrong, Callable[[], sa.Select[Any]]]] = {
    Wrong.BALANCE: _balances,
    Wrong.NO_ACCOUNT: _unknown_accounts,
    Wrong.NEGATIVE: _negative,
    Wrong.SUM: _guild_sums,
    Wrong.TRANSFER: _transfers,
    Wrong.STRAY_STAKE: _stray_stakes,
    Wrong.UNSETTLED: _unsettled,
    Wrong.RESULT: _results,
    Wrong.STRANGER: _strangers,
    Wrong.LEFT: _left,
    Wrong.EARLY: _early,
    Wrong.STEPS: _steps,
    Wrong.SCORE: _scores,
    Wrong.POOL: pools,
}

_made: dict[str, Mapping[Wrong, str]] = {}


def proofs(dialect: Dialect, most: int) -> Mapping[Wrong, str]:
    """The queries as plain SQL, each limited to so many faults; put together once in the life of the process."""
    if dialect.name not in _made:
        _made[dialect.name] = {
            wrong: str(query().limit(most).compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
            for wrong, query in _PROOFS.items()
        }
    return _made[dialect.name]
