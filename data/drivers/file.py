"""The bank's files: only their owner may read them, their loss is noticed, and no empty bank replaces a lost one."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from engine.tables.ports import BankUnavailable

log = logging.getLogger(__name__)

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
#: Suffixes of the files that SQLite keeps beside an open bank, and may leave there.
_OPEN_COMPANIONS: Final = ("-wal", "-shm")
_COMPANIONS: Final = (*_OPEN_COMPANIONS, "-journal")

#: Device and inode of a file.
Identity: TypeAlias = tuple[int, int]

_MARK: Final = """A bank is kept beside this note, in {name}.

As long as the note is here, no empty bank is made in its place should that file be missing: somebody may only have
mislaid it. To make one on purpose there are `python -m data restore BACKUP` and `python -m data new`.
"""
_WAYS: Final = (
    "put the file back (a copy of it as docs/hosting.md says, Backups), or fill a new one with "
    "`python -m data restore BACKUP`, or begin with an empty one with `python -m data new`"
)


def mark_of(file: Path) -> Path:
    """Return the path of the note: a small file beside the bank, which says that a bank exists."""
    return file.with_name(f"{file.name}.note")


def is_there(file: Path) -> bool:
    """Return whether the file exists, or raise BankUnavailable if its folder may not be searched."""
    try:
        return file.exists()
    except OSError as error:
        raise BankUnavailable(f"{file} cannot be looked at: {error.strerror}.") from error


def make_room(file: Path, *, fresh: bool) -> None:
    """Create the folder and an empty file if they are missing, and let only the owner read the file.

    Raise BankUnavailable if the folder cannot be made or searched. Unless a `fresh` bank is asked for, also raise it if
    the file is missing or empty although there is a note beside it, which says that there was a bank.
    """
    if not fresh:
        expect_bank(file, found=is_there(file) and file.stat().st_size > 0)
    try:
        for folder in reversed([file.parent, *file.parent.parents]):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BankUnavailable(f"The folder {file.parent} cannot be made: {error.strerror}.") from error
    with contextlib.suppress(OSError):  # SQLite will find the fault and explain it better
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    _tighten(file)


def expect_bank(file: Path, *, found: bool) -> None:
    """Raise BankUnavailable if no bank was `found` and the note beside the file says that there was one."""
    if not found and is_there(mark_of(file)):
        raise BankUnavailable(f"There was a bank in {file}, and it is gone: {_WAYS}.")


def mark(file: Path) -> None:
    """Write the note that says a bank exists, or raise BankUnavailable."""
    try:
        handle = os.open(mark_of(file), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as note:
            note.write(_MARK.format(name=file.name))
    except OSError as error:
        raise BankUnavailable(f"{mark_of(file)} cannot be written: {error.strerror}.") from error


def remove(file: Path) -> None:
    """Remove a bank that was just created and is not wanted, with the files that SQLite keeps beside it."""
    for path in (file, *_beside(file)):
        path.unlink(missing_ok=True)


def _beside(file: Path) -> list[Path]:
    return [file.with_name(file.name + ending) for ending in _COMPANIONS]


def _tighten(file: Path) -> None:
    """Let only the owner use the bank's files, which hold the seeds of open rounds; log a warning if that fails."""
    for path in (file, *_beside(file)):
        try:
            if path.is_file() and path.stat().st_mode & _OTHERS:
                path.chmod(0o600)
        except OSError as error:
            log.warning("other users of this machine can read %s: %s", path, error.strerror)


def identities(file: Path) -> Mapping[Path, Identity]:
    """Return device and inode of the files of an open bank (its own, the `-wal` and the `-shm`).

    They show when another file has taken the place of one of these.
    """
    paths = (file, *(file.with_name(file.name + ending) for ending in _OPEN_COMPANIONS))
    return {path: found for path in paths if (found := _identity(path)) is not None}


def changed(opened: Mapping[Path, Identity]) -> Path | None:
    """Return the first of these files that was removed or replaced since they were opened, or None."""
    return next((path for path, identity in opened.items() if _identity(path) != identity), None)


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lost(file: Path, path: Path) -> BankUnavailable:
    """Return the refusal for an open bank after one of its files (`path`) was removed, or replaced by another."""
    if path == file:
        return BankUnavailable(f"The bank's file {file} was removed or replaced: stop the bot, then {_WAYS}.")
    return BankUnavailable(
        f"{path}, which belongs to the bank, was removed or replaced: stop the bot without killing it, so that what it "
        f"has written goes into {file}, and start it again."
    )
