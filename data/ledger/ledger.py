"""Moves chips: every guard stands in the statement that moves them, and no balance is read first and written then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import BadChange
from data.base.schema import members, pots
from data.base.schema import transfers as booked
from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert, insert_once, param
from engine.games.contract import Cents
from engine.tables.ports import AlreadyDone, CannotPay
from engine.tables.values import Account, Kind, Transfer

#: More chips than Discord can count to; a transfer of more is a fault in the program.
MOST: Final[Cents] = 100 * 2**53

_amount = param("amount", sa.BigInteger())
_member = sa.and_(members.c.id == param("member"), members.c.guild == param("guild"))
_pot = sa.and_(pots.c.guild == param("guild"), pots.c.name == param("name"))
_paid_in = insert(pots).values(guild=param("guild"), name=param("name"), balance=_amount)
_closed = insert(pots).values(guild=param("guild"), name=param("name"), balance=0, closed=1)
_POT: Final = (pots.c.guild, pots.c.name)
CREDIT_MEMBER: Final = Statement(sa.update(members).values(balance=members.c.balance + _amount, stale=1).where(_member))
DEBIT_MEMBER: Final = Statement(
    sa.update(members).values(balance=members.c.balance - _amount, stale=1).where(_member, members.c.balance >= _amount)
)
CREDIT_POT: Final = Statement(
    _paid_in.on_conflict_do_update(
        index_elements=_POT,
        set_={"balance": pots.c.balance + _paid_in.excluded.balance},
        where=pots.c.closed == 0,
    )
)
DEBIT_POT: Final = Statement(
    sa.update(pots).values(balance=pots.c.balance - _amount).where(_pot, pots.c.balance >= _amount)
)
CLOSE_ESCROW: Final = Statement(_closed.on_conflict_do_update(index_elements=_POT, set_={"closed": 1}))
TRANSFER: Final = insert_once(booked, but=("id",))


def move(batch: Batch, transfers: Sequence[Transfer], at: float) -> None:
    """Add the transfers of one change to a batch; each account is touched once for all of them."""
    for transfer in transfers:
        _sound(transfer)
    for account, changes in sorted(_changes(transfers).items(), key=_order):
        touch = _touch_member if account.kind is Kind.MEMBER else _touch_pot
        for change in changes:
            touch(batch, account, change)
    for transfer in transfers:
        batch.must(TRANSFER, _written(transfer, at), AlreadyDone(transfer.key))


def _sound(transfer: Transfer) -> None:
    if not 0 < transfer.amount <= MOST:
        raise BadChange(f"{transfer.key}: {transfer.amount} cents cannot be moved")
    if transfer.source == transfer.target or transfer.source.guild != transfer.target.guild:
        raise BadChange(f"{transfer.key}: from {transfer.source} to {transfer.target}")


def _changes(transfers: Sequence[Transfer]) -> dict[Account, tuple[Cents, ...]]:
    paid: defaultdict[Account, Cents] = defaultdict(int)
    got: defaultdict[Account, Cents] = defaultdict(int)
    for transfer in transfers:
        paid[transfer.source] += transfer.amount
        got[transfer.target] += transfer.amount
    kept = {account: None for account in (*paid, *got) if account.kind not in accounts.UNKEPT}
    return {account: _in_turn(account, paid[account], got[account]) for account in kept}


def _in_turn(account: Account, paid: Cents, got: Cents) -> tuple[Cents, ...]:
    """Return what changes in the account, in order: a member pays first, a pot changes by the difference.

    A double that wins at once brings more than it costs. By the difference, a member with nothing could double, and
    would be refused only when it loses.
    """
    if account.kind is Kind.MEMBER:
        return tuple(change for change in (-paid, got) if change)
    return (got - paid,)


def _order(entry: tuple[Account, tuple[Cents, ...]]) -> tuple[bool, int, str]:
    """Sort accounts, so that two changes that lock the same rows lock them in the same order."""
    account, _ = entry
    is_member = account.kind is Kind.MEMBER
    return not is_member, int(account.owner) if is_member else account.guild, accounts.name(account)


def _touch_member(batch: Batch, account: Account, change: Cents) -> None:
    values = {"member": int(account.owner), "guild": account.guild, "amount": abs(change)}
    if change < 0:
        batch.must(DEBIT_MEMBER, values, CannotPay(account))
    else:
        batch.must(CREDIT_MEMBER, values, BadChange(f"{account} does not exist"))


def _touch_pot(batch: Batch, account: Account, change: Cents) -> None:
    values = {"guild": account.guild, "name": accounts.name(account), "amount": abs(change)}
    if change < 0:
        batch.must(DEBIT_POT, values, CannotPay(account))
    else:
        batch.must(CREDIT_POT, values, BadChange(f"{account} is settled"))


def _written(transfer: Transfer, at: float) -> dict[str, object]:
    return {
        "key": transfer.key,
        "guild": transfer.source.guild,
        "source": accounts.name(transfer.source),
        "target": accounts.name(transfer.target),
        "amount": transfer.amount,
        "reason": transfer.reason,
        "actor": transfer.actor,
        "at": at,
    }
