"""Moves chips. Every guard stands in the statement that moves them: no balance is read first and written later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import BadChange, ResetNear
from data.base.schema import OPEN_RESET, members, pots, resets
from data.base.schema import transfers as booked
from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert, insert_once, param
from data.ledger.limits import HAND_GOES_ON, expect_within
from engine.games.contract import Cents
from engine.tables.ports import AlreadyDone, CannotPay
from engine.tables.values import Account, Kind, Transfer

#: The most cents of a transfer: 2**53 chips, the largest number that Discord can send. More is a fault in the program.
MOST: Final[Cents] = 100 * 2**53

_amount = param("amount", sa.BigInteger())
_member = sa.and_(members.c.id == param("member"), members.c.guild == param("guild"))
_pot = sa.and_(pots.c.guild == param("guild"), pots.c.name == param("name"))
_paid_in = insert(pots).values(guild=param("guild"), name=param("name"), balance=_amount)
_closed = insert(pots).values(guild=param("guild"), name=param("name"), balance=0, closed=1)
_POT: Final = (pots.c.guild, pots.c.name)
CREDIT_MEMBER: Final = Statement(sa.update(members).values(balance=members.c.balance + _amount, stale=1).where(_member))
_awake = sa.or_(members.c.resting_until.is_(None), members.c.resting_until <= param("at", sa.Double()))
_taken = sa.update(members).values(balance=members.c.balance - _amount, stale=1)
_owner = sa.exists(sa.select(members.c.id).where(members.c.id == param("member", sa.BigInteger()), _awake))
#: Seconds before a reset in which nobody buys in anywhere or stakes on a duel (R14.2).
CLOSES: Final = 25 * 3_600.0
#: The reason of the transfers of a reset.
RESET: Final = "reset"
_open_reset = sa.select(resets.c.id).where(resets.c.guild == param("guild"), OPEN_RESET)
#: A reset that has begun and has not come to this member yet.
UNRESET: Final = sa.exists(
    _open_reset.where(
        resets.c.began_at.is_not(None),
        members.c.id <= resets.c.last,
        sa.or_(members.c.reset.is_(None), members.c.reset < resets.c.id),
    ).correlate(members)
)
_RESET_NEAR: Final = Statement(_open_reset.where(resets.c.at - sa.literal_column(str(CLOSES)) <= param("at")))
_may_stake = sa.or_(sa.and_(_awake, ~UNRESET), HAND_GOES_ON)
#: The door (R13.4): nobody on a break, or whose chips are being reset, pays for anything but a hand that goes on.
DEBIT_MEMBER: Final = Statement(_taken.where(_member, members.c.balance >= _amount, _may_stake))
#: Takes chips out of a wallet without the door: for orders of admins, and for resets.
DEBIT_BY_ORDER: Final = Statement(_taken.where(_member, members.c.balance >= _amount))
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
#: Takes a stake out of a stack. Here the door refuses only people on a break.
DEBIT_STACK: Final = Statement(
    sa.update(pots)
    .values(balance=pots.c.balance - _amount)
    .where(_pot, pots.c.balance >= _amount, sa.or_(_owner, HAND_GOES_ON))
)
CLOSE_ESCROW: Final = Statement(_closed.on_conflict_do_update(index_elements=_POT, set_={"closed": 1}))
TRANSFER: Final = insert_once(booked, but=("id",))


#: The accounts of chips that are bound for longer than a hand.
_BOUGHT_IN: Final = frozenset((Kind.STACK, Kind.POOL, Kind.DUEL))


class _Touch(NamedTuple):
    """One change of an account's balance, by `amount`.

    If a wallet pays, or stakes leave a stack, `paid` has the transfers, and `amount` is minus their sum. Otherwise
    `paid` is empty.
    """

    amount: Cents
    paid: Sequence[Transfer] = ()


def move(batch: Batch, transfers: Sequence[Transfer], at: float) -> None:
    """Add to a batch the transfers of one change: they are booked, balances change, and limits of people are checked.

    The batch raises CannotPay if an account has too little or the door refuses, AlreadyDone for a key that was used
    before, BadChange for an unknown wallet or a closed escrow, and also ResetNear or OverLimit. A transfer that makes
    no sense raises BadChange at once.
    """
    for transfer in transfers:
        _sound(transfer)
    paid, got = defaultdict[Account, list[Transfer]](list), defaultdict[Account, list[Transfer]](list)
    for transfer in transfers:
        paid[transfer.source].append(transfer)
        got[transfer.target].append(transfer)
    kept = (account for account in {*paid, *got} if account.kind not in accounts.UNKEPT)
    for account in sorted(kept, key=_order):
        touch = _touch_member if account.kind is Kind.MEMBER else _touch_pot
        for change in _in_turn(account, paid[account], got[account]):
            touch(batch, account, change, at)
    played = {account: play for account, moves in paid.items() if (play := _play(account, moves))}
    _book(batch, (move for play in played.values() for move in play), at)
    for account, play in played.items():  # before anything comes back, or a stake that wins at once would be none
        member = int(account.owner) if account.kind is Kind.MEMBER else accounts.owner_of_stack(account)
        expect_within(batch, account.guild, member, at, **_round(play))
    _book(batch, (move for account, moves in paid.items() for move in moves if move not in played.get(account, ())), at)


def _book(batch: Batch, transfers: Iterable[Transfer], at: float) -> None:
    for transfer in transfers:
        batch.must(TRANSFER, _written(transfer, at), AlreadyDone(transfer.key))


def _sound(transfer: Transfer) -> None:
    if not 0 < transfer.amount <= MOST:
        raise BadChange(f"{transfer.key}: {transfer.amount} cents cannot be moved")
    if transfer.source == transfer.target or transfer.source.guild != transfer.target.guild:
        raise BadChange(f"{transfer.key}: from {transfer.source} to {transfer.target}")


def _in_turn(account: Account, paid: Sequence[Transfer], got: Sequence[Transfer]) -> Iterator[_Touch]:
    """Yield the changes of an account's balance in the order in which they are made.

    A wallet pays everything before it gets anything. A stack is filled, pays its stakes, and then changes by all the
    rest. Any other account changes once, by the difference of what it gets and what it pays.

    A double that wins at once brings more than it costs. If only the difference counted for a player, a member with
    nothing could double, and would be refused only if the double loses; and the door would not see such a stake.
    """
    if account.kind is Kind.STACK:
        bought, stakes = _sum(got, Kind.MEMBER), [move for move in paid if move.target.kind is Kind.ESCROW]
        yield from _touches(bought, stakes, _sum(got) - bought - _sum(paid) + _sum(stakes))
    elif account.kind is Kind.MEMBER:
        yield from _touches(0, paid, _sum(got))
    else:
        yield _Touch(_sum(got) - _sum(paid))  # a difference of zero opens a pot, too


def _touches(first: Cents, paid: Sequence[Transfer], then: Cents) -> Iterator[_Touch]:
    stakes = _Touch(-_sum(paid), paid)
    yield from (touch for touch in (_Touch(first), stakes, _Touch(then)) if touch.amount)


def _sum(transfers: Sequence[Transfer], kind: Kind | None = None) -> Cents:
    return sum(move.amount for move in transfers if kind in (None, move.source.kind))


def _order(account: Account) -> tuple[bool, int, str]:
    """Return a sort key of accounts, so that two changes that lock the same rows lock them in the same order."""
    is_member = account.kind is Kind.MEMBER
    return not is_member, int(account.owner) if is_member else account.guild, accounts.name(account)


def _touch_member(batch: Batch, account: Account, change: _Touch, at: float) -> None:
    values = {"member": int(account.owner), "guild": account.guild, "amount": abs(change.amount)}
    if any(move.target.kind in _BOUGHT_IN for move in change.paid):
        batch.must(_RESET_NEAR, {**values, "at": at}, ResetNear(account.guild), rows=0)
    if change.amount > 0:
        batch.must(CREDIT_MEMBER, values, BadChange(f"{account} does not exist"))
    elif _play(account, change.paid):
        batch.must(DEBIT_MEMBER, {**values, **_round(change.paid), "at": at}, CannotPay(account))
    else:
        batch.must(DEBIT_BY_ORDER, values, CannotPay(account))


def _touch_pot(batch: Batch, account: Account, change: _Touch, at: float) -> None:
    values = {"guild": account.guild, "name": accounts.name(account), "amount": abs(change.amount)}
    if change.amount >= 0:
        batch.must(CREDIT_POT, values, BadChange(f"{account} is settled"))
    elif change.paid:
        owner = {"member": accounts.owner_of_stack(account)}
        batch.must(DEBIT_STACK, {**values, **owner, **_round(change.paid), "at": at}, CannotPay(account))
    else:
        batch.must(DEBIT_POT, values, CannotPay(account))


def _play(account: Account, paid: Sequence[Transfer]) -> list[Transfer]:
    """Return which of the transfers `paid` by an account must pass the door.

    From a wallet, all must except orders of admins and resets; from a stack, only stakes.
    """
    if account.kind is Kind.STACK:
        return [move for move in paid if move.target.kind is Kind.ESCROW]
    if account.kind is not Kind.MEMBER:
        return []
    return [move for move in paid if move.target.kind is not Kind.MINT and move.reason != RESET]


def _round(paid: Sequence[Transfer]) -> dict[str, int]:
    """Return table and number of the round that chips are staked on, or zeros if they go anywhere else."""
    targets = {move.target for move in paid}
    if len(targets) != 1 or next(iter(targets)).kind is not Kind.ESCROW:
        return {"table_id": 0, "number": 0}
    table, _, number = targets.pop().owner.partition("/")
    return {"table_id": int(table), "number": int(number)}


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
