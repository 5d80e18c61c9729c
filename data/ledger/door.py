"""Writes batches that move chips, and says why one of them was refused."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import MayNotEnter, ResetNear
from data.base.schema import OPEN_RESET, members, resets
from data.drivers.batch import Batch
from data.drivers.statement import Statement, param
from data.drivers.store import Store
from data.ledger.ledger import UNRESET
from engine.tables.ports import BankError, CannotPay, OnBreak, ResetAhead, Resetting
from engine.tables.values import Account, Kind

_this = members.c.id == param("member")
#: Selects the end of a member's breaks: True for breaks of any kind, False only for those from everything.
_RESTS: Final = {
    True: Statement(sa.select(members.c.resting_until).where(_this)),
    False: Statement(sa.select(members.c.away_until).where(_this)),
}
_UNRESET: Final = Statement(sa.select(members.c.id).where(_this, UNRESET))
_RESET_AT: Final = Statement(sa.select(resets.c.at).where(resets.c.guild == param("guild"), OPEN_RESET))


async def write(store: Store, batch: Batch, now: float) -> None:
    """Write a batch. If it is refused, raise the exception that says why.

    That is OnBreak for a break, ResetAhead or Resetting for a reset, or else what the batch itself raised. The
    statement that refuses cannot say why, and asking before it would cost every press a query. If the reason cannot be
    read, raise BankUnavailable.
    """
    try:
        await store.write.run(batch)
    except CannotPay as error:
        raise await _why(store, error, _owner(error.account), now) from error
    except MayNotEnter as error:
        raise await _why(store, error, error.member, now, for_chips=error.for_chips) from error
    except ResetNear as error:
        found = await store.fetch(_RESET_AT, {"guild": error.guild})
        raise ResetAhead(found[0][0] if found else now) from error


async def _why(store: Store, error: BankError, member: int, now: float, *, for_chips: bool = True) -> BankError:
    found = await store.fetch(_RESTS[for_chips], {"member": member})
    until: float = max((row[0] for row in found if row[0] is not None), default=0.0)
    if until > now:
        return OnBreak(until)
    return Resetting(str(member)) if await _is_unreset(store, error, member) else error


async def _is_unreset(store: Store, error: BankError, member: int) -> bool:
    return isinstance(error, CannotPay) and bool(
        await store.fetch(_UNRESET, {"member": member, "guild": error.account.guild})
    )


def _owner(account: Account) -> int:
    """Return the member whose wallet or stack this is, or 0."""
    if account.kind is Kind.MEMBER:
        return int(account.owner)
    return accounts.owner_of_stack(account) if account.kind is Kind.STACK else 0
