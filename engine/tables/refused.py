"""Why a table said no. The sentence for the person is the presenter's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final

from engine.tables.ports import (
    AlreadyDone,
    BankError,
    BankUnavailable,
    CannotPay,
    MemberGone,
    StakesStopped,
    StaleTable,
)


class Reason(StrEnum):
    """Why not, with the details that its sentence needs."""

    # about a press
    OLD_BUTTON = "old button"  # the round or the turn has moved on
    NOT_SEATED = "not seated"  # the presser sits elsewhere or nowhere
    NOT_YOUR_TURN = "not your turn"
    ILLEGAL = "illegal"  # refusal=engine.games.contract.Refusal
    ALREADY_DONE = "already done"  # the same press came twice
    # about stakes
    NOT_WHOLE = "not whole"
    BELOW_LIMIT = "below limit"  # smallest=, largest=
    ABOVE_LIMIT = "above limit"  # smallest=, largest=
    CANNOT_PAY = "cannot pay"  # balance=, needed=
    CHIPS_IN_PLAY = "chips in play"  # balance=, needed=, staked= (another open round holds the rest)
    FIXED_STAKE = "fixed stake"  # stake=
    UNKNOWN_SPOT = "unknown spot"
    ALREADY_STAKED = "already staked"
    ROUND_RUNNING = "round running"
    OPENER_DEALS = "opener deals"
    NOTHING_STAKED = "nothing staked"
    NO_PROMISE = "no promise"  # for the next rounds could be posted yet
    # about seats
    ALREADY_SEATED = "already seated"
    TABLE_FULL = "table full"
    TABLE_SOLO = "table solo"
    TABLE_STARTED = "table started"  # a fixed-stake table takes nobody in after its first round
    TABLE_CLOSED = "table closed"
    CHANNEL_CLOSED = "channel closed"  # Discord lets nobody of us write there
    TABLE_BUSY = "table busy"  # a table of this game is open in the channel
    # too many tables are open, most=
    TABLES_OF_MEMBER = "tables of member"
    TABLES_OF_CHANNEL = "tables of channel"
    TABLES_OF_GUILD = "tables of guild"
    TABLES_OF_PROCESS = "tables of process"
    UNKNOWN_RULES = "unknown rules"  # name=
    # about tournaments
    SIGN_UP_OVER = "sign-up over"
    SIGNED_UP = "signed up"
    NOT_SIGNED_UP = "not signed up"
    TOO_FEW = "too few"
    TOURNAMENTS_OF_GUILD = "tournaments of guild"  # most=
    ENTRANTS_OF_TOURNAMENT = "entrants of tournament"  # most=
    NO_SUCH_TOURNAMENT = "no such tournament"
    # about the house
    STAKES_STOPPED = "stakes stopped"
    BANK_UNAVAILABLE = "bank unavailable"
    FORGOTTEN = "forgotten"  # who was to be written down asked to be forgotten in that instant


class Refused(Exception):
    """Nothing was changed."""

    def __init__(self, reason: Reason, **details: Any) -> None:
        super().__init__(f"{reason.value} {details}" if details else reason.value)
        self.reason = reason
        self.details = details

    @classmethod
    def by(cls, error: BankError) -> Refused:
        """Return the table's refusal for what the bank refused."""
        return cls(_MEANINGS[type(error)])


def refuse_from(most: int, reason: Reason, count: int) -> None:
    """Refuse if this many already exist."""
    if count >= most:
        raise Refused(reason, most=str(most))


#: The table's refusal for each error of the bank.
_MEANINGS: Final[dict[type[BankError], Reason]] = {
    AlreadyDone: Reason.ALREADY_DONE,
    CannotPay: Reason.CANNOT_PAY,
    StakesStopped: Reason.STAKES_STOPPED,
    StaleTable: Reason.OLD_BUTTON,
    MemberGone: Reason.FORGOTTEN,
    BankUnavailable: Reason.BANK_UNAVAILABLE,
}


#: The bank's refusals, which become the table's. A commit whose outcome is unknown is none.
REFUSALS: Final = tuple(_MEANINGS)


@contextmanager
def refusing() -> Iterator[None]:
    """Turn the bank's refusals inside the block into the table's."""
    try:
        yield
    except REFUSALS as error:
        raise Refused.by(error) from error
