"""Checks of the machine and the database: versions, disk, clock, and whether the bank answers and takes stakes."""

from __future__ import annotations

import email.utils
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import aiohttp
import discord

from cogs.answers.time_limits import REQUEST
from cogs.doctor.results import CheckResult
from data import Bank, EmptyDatabase, home, is_there
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, Clock

#: The least free disk space in bytes. With less, the bank stops sooner or later.
ROOM: Final = 500 * 2**20
#: Seconds by which the clock may differ from Discord's; deadlines are wrong beyond that.
DRIFT: Final = 3.0
_UNUSABLE: Final = "See docs/hosting.md, The database; then try again."


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite database, or None for a database on a server."""
    return home() / url.removeprefix("sqlite:///") if url.startswith("sqlite:///") else None


async def database(url: str, clock: Clock) -> AsyncIterator[CheckResult]:
    """Open the bank without upgrading its schema, and yield whether it answers and takes stakes."""
    file = file_of(url)
    try:
        if file is not None and not is_there(file):
            yield CheckResult("database", f"{file} is not there yet; the first start makes it")
            return
        async with Bank.open(url, HouseSettings(), clock, upgrade=False) as bank:
            stopped = await bank.auditor.stakes_stopped()
    except BankUnavailable as error:
        if file is None and isinstance(error, EmptyDatabase):
            yield CheckResult("database", "the server has no bank yet; the first start makes it")
        else:
            yield CheckResult("database", str(error), _UNUSABLE)
        return
    where = f"{file} ({file.stat().st_size / 2**20:,.1f} MiB)" if file is not None else "the server"
    if stopped is not None:
        remedy = "Run python -m data audit, repair what it reports or restore a backup, then audit again."
        yield CheckResult("database", f"no stakes are taken: {stopped}", remedy)
    else:
        yield CheckResult("database", f"{where} answers and has today's schema")


def disk(url: str) -> CheckResult:
    """Check whether the disk of the database has enough room, and return the result."""
    file = file_of(url)
    if file is None:
        return CheckResult("disk", "the database is on a server; look at its disk there")
    try:
        folder = next(folder for folder in file.absolute().parents if is_there(folder))
    except BankUnavailable as error:
        return CheckResult("disk", str(error), _UNUSABLE)
    free = shutil.disk_usage(folder).free
    said = f"{free / 2**30:,.1f} GiB are free in {folder}"
    return CheckResult("disk", said, None if free > ROOM else "Make room, or move the database to a larger disk.")


async def clock(address: str = "https://discord.com/api/v10/gateway") -> CheckResult:
    """Compare this machine's clock with Discord's, by the date in an answer's header, and return the result."""
    limit = aiohttp.ClientTimeout(total=REQUEST)
    try:
        async with aiohttp.ClientSession(timeout=limit) as session, session.get(address) as answer:
            theirs = email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
    except (aiohttp.ClientError, OSError, KeyError, ValueError) as error:
        return CheckResult(
            "clock", f"it cannot be compared with Discord's ({error})", "Check whether Discord can be reached."
        )
    off = time.time() - theirs - 0.5  # the header has whole seconds
    if abs(off) <= DRIFT:
        return CheckResult("clock", f"within {DRIFT:g} seconds of Discord's")
    return CheckResult("clock", f"it is {off:+.0f} seconds off", "Have it set by NTP (timedatectl set-ntp true).")


def versions() -> CheckResult:
    """Return the result with the versions of Python and discord.py."""
    import platform

    return CheckResult("versions", f"Python {platform.python_version()}, discord.py {discord.__version__}")
