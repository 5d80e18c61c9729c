"""The bank on the command line: ``python -m data audit | backup FILE | backups FOLDER | restore FILE | ...``.

Exit codes: 0 all is well, 1 the audit found faults or no leaf has the given head, 2 the command could not be done.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from dotenv import dotenv_values

from data.bank import Bank
from data.base.errors import BadBackup
from data.base.home import env_file
from data.copies.dump import header_of
from data.copies.shelf import PART, PROOF, Shelf
from data.drivers.file import mark_of, remove
from data.drivers.url import address, file_of
from data.people.breaks import KeptCare
from data.people.fingerprints import KeptFingerprints
from data.proofs.report import Report
from engine.tables.house import HouseSettings
from engine.tables.ports import BankError, BankUnavailable

DEFAULT_URL: Final = "sqlite:///var/casino.db"


class SystemClock:
    """The real time, for the banks that these commands open."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.time()


class _Replaced(NamedTuple):
    """The content of a replaced bank that the restored one takes over."""

    forgotten: KeptFingerprints
    care: KeptCare


ShellCommand = Callable[[Bank, argparse.Namespace], Coroutine[Any, Any, int]]


# -- the commands ------------------------------------------------------------------------------------------------------


async def audit(bank: Bank, asked: argparse.Namespace) -> int:
    """Audit everything; print the faults, the heads of all books and how much is not bound yet; return the exit code.

    With `--since HEAD`, also print which leaf has this head; if none has, the exit code is 1.
    """
    progress = _shown if sys.stderr.isatty() else None
    code = _say(await bank.auditor.audit_at_once(os.cpu_count() or 1, progress))
    for head in await bank.leaves.heads():
        print(f"Guild {head.guild}: leaf {head.place}, head {head.hash}")
    transfers, ended = await bank.leaves.loose()
    print(f"Not bound yet: {transfers} transfers, {ended} rounds.")
    return code if asked.since is None else max(code, await _since(bank, asked.since))


def _shown(what: str, looked: int) -> None:
    print(f"\r{what}: {looked:,}   ", end="", file=sys.stderr, flush=True)


async def _since(bank: Bank, head: str) -> int:
    """Print which leaf has this head, or a head that begins with it, and return 0; return 1 if none has.

    If there is such a leaf and the audit is clean, nothing in the book up to this leaf was changed.
    """
    leaf = await bank.leaves.find(head)
    if leaf is None:
        print(f"FAULT  no leaf has the head {head}: what was bound up to it was changed, taken out or added to")
        return 1
    when = datetime.fromtimestamp(leaf.at, UTC)
    print(f"{leaf.hash[:16]} is leaf {leaf.place} of guild {leaf.guild}, bound {when:%Y-%m-%d %H:%M:%S} UTC.")
    return 0


async def migrate(_bank: Bank, _: argparse.Namespace) -> int:
    """Say that the schema is current: opening the bank has migrated it, or made it if there was none."""
    print("The bank has today's schema.")
    return 0


async def new(bank: Bank, _: argparse.Namespace) -> int:
    """Say that the bank is empty, or raise BadBackup if it is not. If there was none, opening has just made it."""
    await bank.copies.expect_empty()
    print("There is a new bank, with nothing in it.")
    return 0


async def backup(bank: Bank, asked: argparse.Namespace) -> int:
    """Write a compressed backup to a new file, and print how many rows it has."""
    rows = await _back_up(bank, asked.file)
    print(f"{rows} rows are in {asked.file}, seeds of open rounds and roots of later ones among them: keep it secret.")
    return 0


async def _back_up(bank: Bank, target: Path) -> int:
    with _whole(target) as part, gzip.open(part, "wt", encoding="utf-8") as file:
        return await bank.copies.dump(file)


async def backups(bank: Bank, asked: argparse.Namespace) -> int:
    """Add a backup to the folder if one is due, prove it by restoring and auditing it, and delete the oldest ones.

    A backup that cannot be proved stays in the folder under a name that says so, and then no proved one is deleted.
    """
    shelf, now = Shelf(asked.folder), time.time()
    shelf.make_room(now)
    if (young := shelf.young(now, asked.every * 3600.0)) is not None:
        print(f"{young} is young enough.")
        return 0
    new = shelf.place(now)
    rows = await _back_up(bank, new)
    report = await _proved(new)
    if not report.clean:
        print(f"{new} cannot be restored as it is:")
        return _say(report)
    kept = shelf.keep(new)
    shelf.drop_all_but(asked.keep, now)
    print(f"{rows} rows are in {kept}, restored and audited: {report.transfers} transfers, {report.rounds} rounds.")
    return 0


async def _proved(kept: Path) -> Report:
    """Restore this backup into a temporary bank beside it, and return the report of the audit."""
    with tempfile.TemporaryDirectory(prefix=PROOF, dir=kept.parent) as folder:
        url = f"sqlite:///{folder}/bank.db"
        async with Bank.open(url, HouseSettings(), SystemClock(), fresh=True) as copy:
            with gzip.open(kept, "rt", encoding="utf-8") as file:
                return await copy.copies.restore(file)


async def restore(bank: Bank, asked: argparse.Namespace) -> int:
    """Fill an empty bank from a backup if that passes the audit, and print the report.

    With `--after`, also forget again whom the replaced bank forgot, and take over its breaks, limits and wishes.
    """
    replaced = await _kept_in(asked.after) if asked.after is not None else None
    with gzip.open(asked.file, "rt", encoding="utf-8") as file:
        report = await bank.copies.restore(file, replaced.forgotten.key if replaced is not None else None)
    if not report.clean:
        print("Nothing was restored: the backup does not pass the audit.")
    else:
        with gzip.open(asked.file, "rt", encoding="utf-8") as file:
            await _carry_over(bank, replaced, header_of(file.readline()).at)
    return _say(report)


async def _kept_in(url: str) -> _Replaced:
    """Return what the new bank takes over from the replaced one, which is at this address and is not changed."""
    async with Bank.open(url, HouseSettings(), SystemClock(), upgrade=False) as bank:
        return _Replaced(await bank.fingerprints.kept(), await bank.breaks.kept())


async def _carry_over(bank: Bank, replaced: _Replaced | None, made: float) -> None:
    """Forget again whom the replaced bank forgot, and take over the breaks, limits and wishes of its people.

    People whom open tables, tournaments or duels of the backup name are not forgotten, and their number is printed.
    Without a replaced bank, only print what may be missing. `made` is the time at which the backup was made.
    """
    when = f"{datetime.fromtimestamp(made, UTC):%Y-%m-%d %H:%M:%S} UTC"
    if replaced is None:
        print(
            f"Back again, and missing among the fingerprints: whoever was forgotten after {when}. To forget them again,"
        )
        print("restore with --after URL, the address of the bank that this one replaces.")
        print(f"Breaks and limits that people set after {when} may be missing; --after carries them over.")
        return
    forgotten, playing = await bank.privacy.forget_again(replaced.forgotten, made)
    print(f"Forgotten again, as they had asked after {when}: {forgotten}.")
    if playing:
        print(f"Not forgotten, for they are still playing in the backup and have to ask once more: {playing}.")
    print(f"Breaks carried over: {await bank.breaks.take_over(replaced.care)}.")


async def restored(bank: Bank, _: argparse.Namespace) -> int:
    """Prepare a bank whose files were put back by hand: end all promises, and mark open hands to be called off."""
    left = await bank.copies.restored()
    print(f"Nothing that was promised before is dealt any more. Open hands are called off at the start ({left} open).")
    return 0


async def export(bank: Bank, asked: argparse.Namespace) -> int:
    """Write all that is no secret to a new file as lines of JSON, or to the terminal if no file is named."""
    if asked.file is None:
        await bank.copies.export(sys.stdout)
        return 0
    with _whole(asked.file) as part, part.open("w", encoding="utf-8") as file:
        rows = await bank.copies.export(file)
    print(f"{rows} rows are in {asked.file}.")
    return 0


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Yield a file to write, which becomes `target` if the block ends well. Raise BadBackup if `target` exists."""
    if target.exists():
        raise BadBackup(f"{target} exists already.")
    part = target.with_name(target.name + PART)
    part.unlink(missing_ok=True)
    try:
        part.touch(mode=0o600)  # a backup holds the seeds of open rounds, an export what people did
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _say(report: Report) -> int:
    print(f"{report.accounts} accounts, {report.transfers} transfers, {report.rounds} rounds.")
    for fault in report.faults:
        print(f"FAULT  {fault}")
    print("No chip was lost or made." if report.clean else f"{len(report.faults)} faults.")
    return 0 if report.clean else 1


# -- running -----------------------------------------------------------------------------------------------------------

#: Each command with its help, and whether it migrates an older bank.
_COMMANDS: Final[dict[str, tuple[ShellCommand, str, bool]]] = {
    "audit": (audit, "prove that no chip was lost or made", False),
    "backup": (backup, "write everything to FILE (gzip), while the bot runs if need be", False),
    "backups": (backups, "keep backups in FOLDER, each restored and audited; the oldest go", False),
    "restore": (restore, "fill an empty bank from a backup of either kind of database", True),
    "restored": (restored, "after a copy was put back by hand: call off open hands, promise everything anew", True),
    "export": (export, "write everything that may be read to FILE, as lines of JSON", False),
    "migrate": (migrate, "bring an older bank to today's schema", True),
    "new": (new, "make an empty bank, also where one is missing", True),
}


def parser(prog: str = "python -m data") -> argparse.ArgumentParser:
    """Return a parser that knows all commands and their options; `prog` is what its help calls the program."""
    made = argparse.ArgumentParser(prog=prog, description="The bank on the command line.")
    made.add_argument("--url", help="the database (else DATABASE_URL, from the environment or .env)")
    commands = made.add_subparsers(dest="command", required=True)
    for name, (_, what, _) in _COMMANDS.items():
        command = commands.add_parser(name, help=what, description=what)
        if name in ("backup", "restore", "export"):
            command.add_argument("file", metavar="FILE", type=Path, nargs="?" if name == "export" else None)
            if name == "restore":
                after = "the bank that is replaced: whom it has forgotten is forgotten again, and its breaks hold on"
                command.add_argument("--after", metavar="URL", help=after)
        elif name == "backups":
            command.add_argument("folder", metavar="FOLDER", type=Path)
            command.add_argument("--keep", type=_number, default=7, metavar="N", help="how many are kept (else 7)")
            command.add_argument("--every", type=float, default=0.0, metavar="HOURS", help="only if the last is as old")
        elif name == "audit":
            command.add_argument("--since", metavar="HEAD", type=_head, help="a head that was written down earlier")
    return made


#: The fewest digits of a head: with fewer, another leaf might begin with them by chance.
_ENOUGH: Final = 16


def _head(text: str) -> str:
    head = text.strip().lower()
    if re.fullmatch(f"[0-9a-f]{{{_ENOUGH},64}}", head) is None:
        raise argparse.ArgumentTypeError(f"a head has 64 digits, of which the first {_ENOUGH} will do")
    return head


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1 on is needed")
    return int(text)


async def run(url: str, asked: argparse.Namespace) -> int:
    """Open the bank at this address, run the command that was asked for, and return its exit code.

    Raise BankError or OSError if the bank cannot be opened or the command cannot be done.
    """
    command, _, upgrades = _COMMANDS[asked.command]
    file = file_of(address(url))
    if command is restore and not asked.file.is_file():  # else an empty bank would be made for nothing
        raise BadBackup(f"There is no {asked.file}.")
    if command is restored and file is not None and not file.exists():
        raise BankUnavailable(f"There is no {file}.")
    with _kept_if_filled(file if command is restore else None) as kept:
        fresh = command in (restore, new)
        async with Bank.open(url, HouseSettings(), SystemClock(), upgrade=upgrades, fresh=fresh) as bank:
            kept.code = await command(bank, asked)
    return kept.code


@dataclass
class _ExitCode:
    """The exit code of the command. It stays 1 if the command raises an exception."""

    code: int = 1


@contextmanager
def _kept_if_filled(file: Path | None) -> Iterator[_ExitCode]:
    """Yield a place for the exit code. Unless the code is 0 at the end, remove the bank's file if that is new.

    The note beside the file is removed too, if the note is new. So a backup that cannot be restored leaves no empty
    bank that somebody might open. With None, nothing is removed.
    """
    made = file is not None and not file.exists()
    marked = file is not None and mark_of(file).exists()
    ended = _ExitCode()
    try:
        yield ended
    finally:
        if made and file is not None and ended.code != 0:
            remove(file)
            if not marked:
                mark_of(file).unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None, prog: str = "python -m data") -> int:
    """Run the command line, print to stderr why a command cannot be done, and return the exit code."""
    asked = parser(prog).parse_args(arguments)
    try:
        return asyncio.run(run(asked.url or _configured(), asked))
    except (BankError, OSError) as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        print("\nInterrupted: nothing is said of what was not looked at.", file=sys.stderr)
    return 2


def _configured() -> str:
    """Return the bot's DATABASE_URL: the environment comes before `.env`, and an empty value means the default.

    Raise BankUnavailable if `.env` is not text.
    """
    given = os.environ.get("DATABASE_URL")
    if given is None:
        try:
            given = dotenv_values(env_file(), interpolate=False).get("DATABASE_URL")
        except UnicodeDecodeError:
            raise BankUnavailable(".env cannot be read: it is not UTF-8 text.") from None
    return (given or "").strip() or DEFAULT_URL


if __name__ == "__main__":
    sys.exit(main())
