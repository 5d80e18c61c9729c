"""The reasons for which tables and tournaments refuse something, and the errors of the bank that count as such.

`cogs` has the sentences for people.
"""

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
    OnBreak,
    OverLimit,
    ResetAhead,
    Resetting,
    StakesStopped,
    StaleTable,
)


class Reason(StrEnum):
    """The reasons for a refusal. Names with `=` in the comments are the details that its sentence needs.

    If the bank refuses a change for lack of chips, CANNOT_PAY comes without details and has another sentence.
    """

    # about a press
    OLD_BUTTON = "old button"  # the round or the turn has moved on
    NOT_SEATED = "not seated"  # the person has no seat at this table
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
    NO_PROMISE = "no promise"  # the promise of the next rounds could not be posted yet
    # about seats
    ALREADY_SEATED = "already seated"
    TABLE_FULL = "table full"
    TABLE_SOLO = "table solo"
    NOT_INVITED = "not invited"  # the opener has named who may sit
    TABLE_STARTED = "table started"  # a table with stacks takes nobody in after its first deal
    TABLE_CLOSED = "table closed"
    CHANNEL_CLOSED = "channel closed"  # the bot may not write there
    TABLE_BUSY = "table busy"  # a table of this game is open in the channel
    # too many tables are open; each of the four comes with most=
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
    # about the person
    ON_BREAK = "on a break"  # the end of the break: until=
    OVER_LIMIT = "over limit"  # a limit that this person has set
    # about a reset to equal chips
    RESET_AHEAD = "reset ahead"  # the moment of the reset: until=
    RESETTING = "resetting"
    # about the house
    STAKES_STOPPED = "stakes stopped"
    BANK_UNAVAILABLE = "bank unavailable"
    FORGOTTEN = "forgotten"  # the person asked to be forgotten at that moment


class Refused(Exception):
    """Raised where a table or tournament refuses something. `details` has what the sentence about it needs.

    Nothing was changed. Only with BANK_UNAVAILABLE something may have been changed.
    """

    def __init__(self, reason: Reason, **details: Any) -> None:
        super().__init__(f"{reason.value} {details}" if details else reason.value)
        self.reason = reason
        self.details = details

    @classmethod
    def by(cls, error: BankError) -> Refused:
        """Return the refusal that stands for an error of the bank, which must be one of `REFUSALS`."""
        details = {"until": error.until} if isinstance(error, OnBreak | ResetAhead) else {}
        return cls(_MEANINGS[type(error)], **details)


def refuse_from(most: int, reason: Reason, count: int) -> None:
    """Raise Refused with this reason if `count` has reached `most`."""
    if count >= most:
        raise Refused(reason, most=str(most))


#: The reason for refusing that each of these errors of the bank becomes.
_MEANINGS: Final[dict[type[BankError], Reason]] = {
    AlreadyDone: Reason.ALREADY_DONE,
    CannotPay: Reason.CANNOT_PAY,
    OnBreak: Reason.ON_BREAK,
    OverLimit: Reason.OVER_LIMIT,
    ResetAhead: Reason.RESET_AHEAD,
    Resetting: Reason.RESETTING,
    StakesStopped: Reason.STAKES_STOPPED,
    StaleTable: Reason.OLD_BUTTON,
    MemberGone: Reason.FORGOTTEN,
    BankUnavailable: Reason.BANK_UNAVAILABLE,
}


#: The errors of the bank that become refusals. OutcomeUnknown is none of them.
REFUSALS: Final = tuple(_MEANINGS)


@contextmanager
def refusing() -> Iterator[None]:
    """Raise Refused in place of any error of `REFUSALS` that the block raises."""
    try:
        yield
    except REFUSALS as error:
        raise Refused.by(error) from error
