"""The part of the bank for copies of all of it: backups, exports, restoring."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TextIO

from data.base.errors import BadBackup
from data.copies import dump, restored
from data.drivers.alive import is_alone
from data.drivers.part import Part
from data.people.fingerprints import KEY_ROW, expect_same_house
from data.proofs.report import Report
from engine.tables.ports import BankUnavailable


class _Unsound(Exception):
    """Raised to undo a restored bank that does not pass the audit."""

    def __init__(self, report: Report) -> None:
        super().__init__("unsound")
        self.report = report


class Copies(Part):
    """Backups and exports of the whole bank, and restoring a backup."""

    async def dump(self, file: TextIO) -> int:
        """Write a backup of the bank as it is now, and return the number of rows.

        Raises BadBackup if the file cannot be written.
        """
        async with self._store.reading(patient=True) as connection:
            return await _write(file, dump.dump(connection, self._clock.now())) - 1

    async def export(self, file: TextIO) -> int:
        """Write all that is no secret as lines of JSON, and return the number of rows.

        Raises BadBackup if the file cannot be written.
        """
        async with self._store.reading(patient=True) as connection:
            return await _write(file, dump.export(connection))

    async def expect_empty(self) -> None:
        """Raise BadBackup if anything is in the bank."""
        async with self._store.reading() as connection:
            await dump.expect_empty(connection)

    async def restore(self, lines: Iterable[str], replaced: bytes | None = None) -> Report:
        """Fill this empty bank from a backup of SQLite or PostgreSQL, and return the report of its audit.

        If the audit finds faults, the bank stays empty. Otherwise all promises in the bank are ended, and its open
        hands are marked to be called off, as `restored` does. Raises BadBackup if the bank is not empty, or if the
        backup is damaged, of a newer release or of another house. Raises BankUnavailable for a backup of an earlier
        schema while other processes have a PostgreSQL bank open.

        `replaced` is the key of the fingerprints of the bank that this one replaces, if it is known. A backup with
        another key is of another house.
        """
        rows = dump.intact(lines)
        header = dump.header_of(next(rows, ""))
        try:
            async with self._schema_may_change(), self._store.rewriting() as connection:
                report = await dump.restore(connection, header, rows, self._clock.now())
                if not report.clean:
                    raise _Unsound(report)
                expect_same_house((await connection.execute(KEY_ROW)).scalar(), replaced)
                await restored.mark(connection, self._clock.now())
        except _Unsound as unsound:
            return unsound.report
        return report

    async def restored(self) -> int:
        """End all promises of a bank whose files were put back by hand, and mark its open hands to be called off.

        Return how many tables and tournaments are open. Raises BankUnavailable if a process has a PostgreSQL bank open.
        """
        async with self._schema_may_change(), self._store.rewriting() as connection:
            if not self._store.is_file and not await is_alone(connection):
                raise BankUnavailable("A process has this bank open. Stop all of them first.")
            return await restored.mark(connection, self._clock.now())

    @asynccontextmanager
    async def _schema_may_change(self) -> AsyncIterator[None]:
        """Let the block change the schema: on PostgreSQL, give up this process's lock on it until the block ends."""
        if self._store.is_file:
            yield
            return
        await self._store.alive.leave()
        try:
            yield
        finally:
            await self._store.alive.enter()


async def _write(file: TextIO, lines: AsyncIterator[str]) -> int:
    """Write the lines and return their number. Raises BadBackup if they cannot be written, as on a full disk."""
    written = 0
    async for line in lines:
        try:
            file.write(line)
        except OSError as error:  # the store would take it for an error of the database
            raise BadBackup(f"The copy cannot be written: {error.strerror}.") from error
        written += 1
    return written
