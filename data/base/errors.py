"""The bank's refusals beyond those of `engine.tables.ports`. Some say one sentence to the operator."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as NoConnectionInTime

from engine.tables.ports import BankError, BankUnavailable

#: The text for a database that says nothing at all.
SILENT = "it does not answer in time"


def is_late(error: BaseException) -> bool:
    """Return whether the only thing known is that it took too long."""
    return isinstance(error, TimeoutError | NoConnectionInTime)


class BadAddress(BankUnavailable):
    """Raised for a DATABASE_URL that cannot be a bank."""


class NewerSchema(BankUnavailable):
    """Raised for a database that a later release has written."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"The database has schema {found}, which this release does not know: "
            "start the newer release again, or restore a backup from before."
        )
        self.found = found


class BadChange(BankError):
    """Raised for a change that contradicts what is stored, or itself: a fault of the program, never of a member."""


class Unstorable(BadChange):
    """Raised for a text that one of the databases cannot store: a NUL, or half of a surrogate pair."""

    def __init__(self) -> None:
        super().__init__("a text cannot be stored as it is")


class NoSuchMember(BankError):
    """Raised for a number that no member has."""


class TooSoon(BankError):
    """Raised for chips that were handed out already; the next are due at `again` (seconds since 1970)."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class TooYoung(BankError):
    """Raised for an account, or a stay on the server, that is younger than required; it is old enough at `again`."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class NotBroke(BankError):
    """Raised for help to a member who still has chips, in the wallet or on tables."""


class OverCap(BankError):
    """Raised for a gift above the daily cap; `left` may still be given."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} left")
        self.left = left


class OverReceived(OverCap):
    """Raised for a gift above the daily cap of its receiver; `left` may still be received."""


class MustKeep(BankError):
    """Raised for a gift that would leave the giver less than `kept`."""

    def __init__(self, kept: int) -> None:
        super().__init__(f"{kept} must be kept")
        self.kept = kept


class TooFewHands(BankError):
    """Raised for a giver who has finished fewer hands on the server than the house asks for."""

    def __init__(self, needed: int, finished: int) -> None:
        super().__init__(f"{finished} of {needed} hands")
        self.needed = needed
        self.finished = finished


class StillPlaying(BankError):
    """Raised for a member who sits at an open table or has chips on one."""


class StillSecret(BankError):
    """Raised for the seed of a round that is not over."""


class TakenOver(BankError):
    """Raised for a job that another process has taken."""


class BadBackup(BankError):
    """Raised for a file that cannot be restored, or not into this bank."""
