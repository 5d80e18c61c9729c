"""What the bank refuses beyond the faults of `engine.tables.ports`. Some say one sentence to whoever runs it."""

from __future__ import annotations

from sqlalchemy.exc import TimeoutError as NoConnectionInTime

from engine.tables.ports import BankError, BankUnavailable

#: Why a bank cannot be used that says nothing at all.
SILENT = "it does not answer in time"


def is_late(error: BaseException) -> bool:
    """Whether nothing is known but that it took too long."""
    return isinstance(error, TimeoutError | NoConnectionInTime)


class BadAddress(BankUnavailable):
    """DATABASE_URL names nothing that could be a bank."""


class NewerSchema(BankUnavailable):
    """The database was written by a later release."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"The database has schema {found}, which this release does not know: "
            "start the newer release again, or restore a backup from before."
        )
        self.found = found


class BadChange(BankError):
    """The change contradicts what is stored or itself: a fault in the program, never a person's."""


class Unstorable(BadChange):
    """A text has a character that one of the databases does not take: a NUL, or half of a surrogate pair."""

    def __init__(self) -> None:
        super().__init__("a text cannot be stored as it is")


class NoSuchMember(BankError):
    """Nobody has this number."""


class TooSoon(BankError):
    """Chips were handed out already; the next are due at `again` (seconds since 1970)."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class TooYoung(BankError):
    """The account, or its stay on the server, is younger than the house asks; old enough at `again`."""

    def __init__(self, again: float) -> None:
        super().__init__(f"not before {again}")
        self.again = again


class NotBroke(BankError):
    """Help is for those who have next to nothing, in hand and on the tables."""


class OverCap(BankError):
    """Gifts of one day would exceed the cap; `left` may still be given."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} left")
        self.left = left


class StillPlaying(BankError):
    """The member sits at, or has chips on, an open table."""


class StillSecret(BankError):
    """A round is not over: nothing is shown that its seed is, or follows from."""


class TakenOver(BankError):
    """The job was not this process's any more."""


class BadBackup(BankError):
    """The file cannot be restored, or not into this bank."""
