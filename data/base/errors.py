"""The bank's exceptions beyond those of `engine.tables.ports`. The text of some is a sentence for the operator."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as NoConnectionInTime

from engine.tables.ports import BankError, BankUnavailable

#: The words for a database that does not answer.
SILENT = "it does not answer in time"


def is_late(error: BaseException) -> bool:
    """Return whether the error means that an answer, or a free connection, took too long."""
    return isinstance(error, TimeoutError | NoConnectionInTime)


class BadAddress(BankUnavailable):
    """Raised for a DATABASE_URL that the bank cannot use."""


class NewerSchema(BankUnavailable):
    """Raised for a database that a later release has written."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"The database has schema {found}, which this release does not know: "
            "start the newer release again, or restore a backup from before."
        )
        self.found = found


class EmptyDatabase(BankUnavailable):
    """Raised for a database in which no bank was founded yet, where none may be founded."""

    def __init__(self) -> None:
        super().__init__("The database is empty: start the bot once, or run python -m data migrate.")


class BadChange(BankError):
    """Raised for a change that contradicts what is stored, or itself: a fault of the program, never of a member."""


class Unstorable(BadChange):
    """Raised for a text that one of the databases cannot store: a NUL, or half of a surrogate pair."""

    def __init__(self) -> None:
        super().__init__("a text cannot be stored as it is")


class NoSuchMember(BankError):
    """Raised for a number that no member has, and where settings are stored for a member who was forgotten."""


class TooSoon(BankError):
    """Raised when somebody asks before `again` (a moment) for chips from the house, or to end a permanent break."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class TooYoung(BankError):
    """Raised for an account, or a stay on the server, that is younger than required; it is old enough at `again`."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class NotBroke(BankError):
    """Raised when a member asks for help and still has 10 chips or more in the wallet, or any at stake (R10.3)."""


class WareChanged(BankError):
    """Raised for a role that is no longer sold on these terms, or no longer given to this kind of champion."""


class RoleInUse(BankError):
    """Raised for a role that is to be sold or given to champions, but already is sold or given to them."""


class ShopFull(BankError):
    """Raised for one more role than the `most` that a server can sell."""

    def __init__(self, most: int) -> None:
        super().__init__(f"at most {most} roles")
        self.most = most


class AlreadyHeld(BankError):
    """Raised for a role that the member has or is about to get, or that the previous champion still has."""


class Moved(BankError):
    """Raised when a balance has changed since it was read."""


class OverCap(BankError):
    """Raised for a gift above the daily cap; `left` (cents) may still be given."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} left")
        self.left = left


class OverReceived(OverCap):
    """Raised for a gift above the daily cap of its receiver; `left` (cents) may still be received."""


class MustKeep(BankError):
    """Raised for a gift, or a stake on a duel, that would leave its giver less than `kept` (cents)."""

    def __init__(self, kept: int) -> None:
        super().__init__(f"{kept} must be kept")
        self.kept = kept


class TooFewHands(BankError):
    """Raised for a gift, or a stake on a duel, by somebody who has finished too few hands on the server for that."""

    def __init__(self, needed: int, finished: int) -> None:
        super().__init__(f"{finished} of {needed} hands")
        self.needed = needed
        self.finished = finished


class StillPlaying(BankError):
    """Raised when somebody cannot be forgotten yet.

    They have chips at stake, or an open table, an open tournament or a job that waits names them. A table also names
    its opener, and the players of the round on display, when they have left.
    """


class MayNotEnter(BankError):
    """Raised when a member on a break would begin to play; `for_chips` says whether real chips would be staked.

    `data.ledger.door` turns it into OnBreak, with the end of the break.
    """

    def __init__(self, member: int, *, for_chips: bool) -> None:
        super().__init__("on a break")
        self.member = member
        self.for_chips = for_chips


class ResetNear(BankError):
    """Raised for a buy-in, or a stake on a duel, shortly before a reset.

    `data.ledger.door` turns it into ResetAhead, with the time of the reset.
    """

    def __init__(self, guild: int) -> None:
        super().__init__("a reset is near")
        self.guild = guild


class ResetMoved(BankError):
    """Raised for a new reset before the last is over, for an unknown reset, and for a step too early or too late."""


class TakenOver(BankError):
    """Raised for a job that this process has not claimed, or has lost: another process has taken or finished it."""


class BadBackup(BankError):
    """Raised for a copy that cannot be written, a backup that cannot be restored here, or a bank that is not empty."""


class DayClosed(BankError):
    """Raised for a press on Today's five, or on another set, outside of the time in which it can be played."""


class OutdatedTry(BankError):
    """Raised for a press on a try that another press has changed since it was read."""


class DuelMoved(BankError):
    """Raised for a press that does not fit the state of its duel: another press, or the deadline, came first."""


class FieldClosed(BankError):
    """Raised for a press in a tournament with the same cards for all, before they are dealt or once it is over."""


class NotInField(BankError):
    """Raised for a press in a tournament with the same cards for all by somebody who has not signed up."""


class NotTaken(BankError):
    """Raised for a challenge to somebody who takes no such challenge now. The challenger never learns why (R12.7)."""


class ChallengedBefore(BankError):
    """Raised for a second open challenge between two people."""


class TooManyDuels(BankError):
    """Raised for somebody with as many challenges or running duels as a person may have."""


class TooManySilenced(BankError):
    """Raised for somebody who has silenced as many people as a person may."""


class OverDuelCap(BankError):
    """Raised for a stake above a daily cap of one of the two, on chips given or on chips received (R12.9)."""


class StillDuelling(StillPlaying):
    """Raised when somebody cannot be forgotten yet, because a duel of theirs is not over."""


class PlayedBefore(BankError):
    """Raised for a day of Today's five that somebody may have played before they were forgotten (R11.10)."""
