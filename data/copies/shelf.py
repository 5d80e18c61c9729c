"""The shelf: a folder where backups are kept on a schedule, each under the time at which it was made."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_ENDING: Final = ".backup"
#: Of one that is not proved yet, or cannot be restored as it is; it stays until somebody has looked at it.
_UNPROVED: Final = ".unproved"
#: Of one that is being written; and what the copy's folder is called by which one is proved.
PART: Final = ".part"
PROOF: Final = "proof-"
#: Seconds: nobody is at one backup for so long.
_LONG: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Shelf:
    """Nobody but its owner can look into it: a backup holds the seeds of open rounds."""

    folder: Path

    def make_room(self, now: float) -> None:
        """What a process left behind that was killed at it goes: half a backup, or the copy by which one was proved."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in (*self.folder.glob(f"*{PART}"), *self.folder.glob(f"{PROOF}*")):
            if left.stat().st_mtime > now - _LONG:
                continue
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()

    @property
    def kept(self) -> list[Path]:
        """The oldest first."""
        return sorted(self.folder.glob(f"*{_ENDING}"))

    def is_due(self, now: float, every: float) -> bool:
        """Whether the newest is older than so many seconds."""
        return not self.kept or now - self.kept[-1].stat().st_mtime >= every

    def place(self, now: float) -> Path:
        """Where the next one goes until it is proved."""
        return self.folder / f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}{_UNPROVED}"

    def keep(self, proved: Path) -> Path:
        return proved.rename(proved.with_suffix(_ENDING))

    def drop_all_but(self, newest: int) -> None:
        for old in self.kept[:-newest]:
            old.unlink()
