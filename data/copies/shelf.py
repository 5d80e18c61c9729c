"""A folder where backups are kept on a schedule, each under the time at which it was made."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_ENDING: Final = ".backup"
#: The pattern of the names that `place` gives, without the suffix.
_DATE: Final = f"{'[0-9]' * 8}-{'[0-9]' * 6}"
#: The suffix of a backup that is not proved yet, or cannot be restored; the newest one stays to be looked at.
_UNPROVED: Final = ".unproved"
#: The suffix of a backup that is being written, and the prefix of the folder of the bank that proves one.
PART: Final = ".part"
PROOF: Final = "proof-"
#: The age in seconds from which an unfinished file counts as left behind by a process that was killed.
_LONG: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of the backups.

    When it is made, only its owner gets access to it, because a backup holds the seeds of open rounds.
    """

    folder: Path

    def make_room(self, now: float) -> None:
        """Make the folder if it is missing, and remove what a killed process left there more than a day ago.

        Such remains are half-written backups, and folders of the banks in which backups were being proved. Of the
        backups that are not proved, remove all but the newest.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in (*self.folder.glob(f"*{PART}"), *self.folder.glob(f"{PROOF}*")):
            if left.stat().st_mtime > now - _LONG:
                continue
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()
        for failed in sorted(self.folder.glob(f"*{_UNPROVED}"))[:-1]:
            failed.unlink()

    @property
    def kept(self) -> list[Path]:
        """The proved backups, the oldest first. Files whose names are no dates are somebody's own."""
        return sorted(self.folder.glob(f"{_DATE}{_ENDING}"))

    def young(self, now: float, every: float) -> Path | None:
        """Return the newest proved backup that is less than `every` seconds old, or None.

        One that is dated in the future, by a clock that was wrong, says nothing of its age.
        """
        return next((made for made in reversed(self.kept) if 0 <= now - made.stat().st_mtime < every), None)

    def place(self, now: float) -> Path:
        """Return the path for a backup that is made now and not proved yet."""
        return self.folder / f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}{_UNPROVED}"

    def keep(self, proved: Path) -> Path:
        """Give a proved backup its final name, and return its new path."""
        return proved.rename(proved.with_suffix(_ENDING))

    def drop_all_but(self, newest: int, now: float) -> None:
        """Keep this many (1 or more) of the newest proved backups, and delete the others.

        Those dated after `now`, by a clock that was wrong, are the first to go.
        """
        today = self.place(now).stem
        for old in sorted(self.kept, key=lambda made: (made.stem <= today, made))[:-newest]:
            old.unlink()
