"""Scheduled backups: a separate process makes each one, restores it, and audits the copy."""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from cogs.answers.client import Casino, OperatorSettings
from cogs.background.chore import BankChore
from data import Bank, home

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).resolve().parents[2]
#: Seconds before the first check, because a start has more urgent work.
FIRST: Final = 300.0
#: Seconds between checks whether a backup is due.
EVERY: Final = 1800.0


class Backups(BankChore):
    """The chore that makes a backup if one is due."""

    first, every = FIRST, EVERY
    failure = "no backup was made"

    def __init__(self, bank: Bank, settings: OperatorSettings) -> None:
        super().__init__(bank)
        self._settings = settings

    async def do(self) -> bool:
        await self.keep()
        return True

    async def keep(self) -> bool:
        """Run a process that makes a backup if one is due, and log its output. Return whether there was no error."""
        settings = self._settings
        folder = home() / settings.backup_folder
        words = ("backups", folder, "--keep", settings.backups_kept, "--every", settings.backup_hours)
        made = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "data", *map(str, words)),
            env={**os.environ, "DATABASE_URL": settings.database_url, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            **_lower_priority(),
        )
        try:
            output, _ = await made.communicate()
        except asyncio.CancelledError:
            made.kill()
            raise
        fine = made.returncode == 0
        said = output.decode(errors="replace").strip()
        ended = f"{self.failure}: its process ended with {made.returncode}"  # a killed one says nothing
        log.log(logging.INFO if fine else logging.ERROR, "%s", said or ended)
        return fine


def _lower_priority() -> dict[str, Any]:
    """Return the arguments that start a process with a lower priority, because players come first."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"preexec_fn": functools.partial(os.nice, 15)}


async def setup(bot: Casino) -> None:
    settings = bot.settings
    playing = settings.database_url == settings.playground_database_url  # its database may be deleted to start over
    if settings.backup_hours and not playing:
        await bot.add_cog(Backups(bot.bank, settings))
