"""Copies the file of an SQLite bank while it is in use."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from data.drivers import sqlite
from engine.tables.ports import BankUnavailable


async def copy(source: Path, target: Path) -> Path:
    """Copy the SQLite file `source` to `target`, check the copy's integrity, and return `target`.

    Raises BankUnavailable if that fails, or if `target` exists; half a copy is never left there.
    """
    try:
        return await asyncio.to_thread(_copy, source, target)
    except (sqlite3.Error, OSError) as error:
        raise sqlite.unavailable(error) from error


def _copy(source: Path, target: Path) -> Path:
    if not source.exists():
        raise BankUnavailable(f"There is no {source}.")
    if target.exists():
        raise BankUnavailable(f"{target} exists already.")
    part = target.with_name(target.name + ".part")
    try:
        part.touch(mode=0o600)  # the seeds of open rounds are in it
        with closing(sqlite3.connect(source)) as there, closing(sqlite3.connect(part)) as here:
            there.backup(here)
            _check(here, source)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return target


def _check(copied: sqlite3.Connection, source: Path) -> None:
    (said,) = copied.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise BankUnavailable(f"{source} is damaged: {said}.")
