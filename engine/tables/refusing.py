"""What the bank's errors mean to somebody who pressed a button."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engine.tables.ports import AlreadyDone, BankError, BankUnavailable, CannotPay, StakesStopped, StaleTable
from engine.tables.refused import Reason, Refused

_MEANINGS: Final[dict[type[BankError], Reason]] = {
    AlreadyDone: Reason.ALREADY_DONE,
    CannotPay: Reason.CANNOT_PAY,
    StakesStopped: Reason.STAKES_STOPPED,
    StaleTable: Reason.OLD_BUTTON,
    BankUnavailable: Reason.BANK_UNAVAILABLE,
}


@contextmanager
def refusing() -> Iterator[None]:
    """The bank's refusals become the table's. A commit whose outcome is unknown is neither: it passes through."""
    try:
        yield
    except tuple(_MEANINGS) as error:
        raise Refused(_MEANINGS[type(error)]) from error
