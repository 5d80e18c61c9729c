"""Moving chips: transfers as guarded statements, no balance ever read and then written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from data.drivers.batch import Batch
from data.faults import BadChange
from data.ledger import accounts
from data.statements import Statements
from engine.games.contract import Cents
from engine.tables.ports import AlreadyDone, CannotPay
from engine.tables.values import Account, Kind, Transfer

#: More chips than Discord can count to; a transfer of more is a fault in the program.
MOST: Final[Cents] = 100 * 2**53


def move(batch: Batch, sql: Statements, transfers: Sequence[Transfer], at: float) -> None:
    """Add the transfers of one change, by what they come to for each account."""
    for transfer in transfers:
        _sound(transfer)
    for account, changes in sorted(_changes(transfers).items(), key=_order):
        touch = _touch_member if account.kind is Kind.MEMBER else _touch_pot
        for change in changes:
            touch(batch, sql, account, change)
    for transfer in transfers:
        batch.must(sql.chips.transfer, _written(transfer, at), AlreadyDone(transfer.key))


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
    """A pot changes by what is left. A member pays first, whatever comes back in the same change.

    A double that wins at once brings more than it costs: by what is left, who has nothing could double, and would be
    refused only when it loses.
    """
    if account.kind is Kind.MEMBER:
        return tuple(change for change in (-paid, got) if change)
    return (got - paid,)


def _order(entry: tuple[Account, tuple[Cents, ...]]) -> tuple[bool, int, str]:
    """Two changes that lock the same rows lock them in the same order."""
    account, _ = entry
    is_member = account.kind is Kind.MEMBER
    return not is_member, int(account.owner) if is_member else account.guild, accounts.name(account)


def _touch_member(batch: Batch, sql: Statements, account: Account, change: Cents) -> None:
    values = {"p_member": int(account.owner), "p_guild": account.guild, "p_amount": abs(change)}
    if change < 0:
        batch.must(sql.chips.debit_member, values, CannotPay(account))
    else:
        batch.must(sql.chips.credit_member, values, BadChange(f"{account} does not exist"))


def _touch_pot(batch: Batch, sql: Statements, account: Account, change: Cents) -> None:
    values = {"p_guild": account.guild, "p_name": accounts.name(account), "p_amount": abs(change)}
    if change < 0:
        batch.must(sql.chips.debit_pot, values, CannotPay(account))
    else:
        batch.must(sql.chips.credit_pot, values, BadChange(f"{account} is settled"))


def _written(transfer: Transfer, at: float) -> dict[str, object]:
    return {
        "p_key": transfer.key,
        "p_guild": transfer.source.guild,
        "p_source": accounts.name(transfer.source),
        "p_target": accounts.name(transfer.target),
        "p_amount": transfer.amount,
        "p_reason": transfer.reason,
        "p_actor": transfer.actor,
        "p_at": at,
    }
