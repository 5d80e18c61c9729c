"""Writes and reads the whole bank as lines of JSON: for backups, for moving to the other database, and for reading.

A backup begins with a header. Each other line is a row, table by table, in an order that a restore can follow.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.columns import KEPT
from data.base.errors import BadBackup
from data.base.schema import HEAD, metadata
from data.drivers.statement import Row, is_storable
from data.journal.leaves import ALL_HEADS
from data.migrations.migrate import back_to, forward, revisions
from data.proofs.audit import audit
from data.proofs.report import Report
from data.proofs.slices import LAST

FORMAT: Final = "croupier"
#: The most rows that are written together.
CHUNK: Final = 500
#: The beginning of PostgreSQL's codes for values that a column cannot hold, such as a number too large for it.
_BAD_DATA: Final = "22"


async def dump(connection: AsyncConnection, at: float) -> AsyncIterator[str]:
    """Yield the lines of a backup, made `at` this time: everything, with seeds of open rounds.

    The connection must see the bank as it is at one moment, whatever is written while the lines are read.
    """
    yield _line({"format": FORMAT, "schema": HEAD, "at": at, "heads": await _heads(connection)})
    for table in metadata.sorted_tables:
        async for row in _rows(connection, table):
            yield _line({"table": table.name, "row": row})


async def export(connection: AsyncConnection) -> AsyncIterator[str]:
    """Yield the lines of an export, without what `KEPT` (data.base.columns) keeps out of it, such as open seeds."""
    for table in metadata.sorted_tables:
        if KEPT[table.name].exported:
            async for row in _rows(connection, table, KEPT[table.name].shown):
                yield _line({"table": table.name, "row": {**row, **_secrets(table, row)}})


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a backup."""

    schema: str
    at: float
    heads: Mapping[str, str] | None  # the end of each guild's book; None in backups of releases without books


def header_of(line: str) -> Header:
    """Return the header of the backup that begins with this line.

    Raises BadBackup if there is none, or if the backup is of a newer release.
    """
    try:
        header = json.loads(line)
        found, schema, heads = header["format"], str(header["schema"]), header.get("heads")
        at = float(header.get("at", 0.0))
    except (ValueError, KeyError, TypeError):
        raise BadBackup("This is not a backup of the bank.") from None
    if found != FORMAT:
        raise BadBackup("This is not a backup of the bank.")
    if schema not in revisions():
        raise BadBackup(f"The backup has schema {schema}, this release has {HEAD}: restore it with a newer release.")
    return Header(schema, at, heads)


async def restore(connection: AsyncConnection, header: Header, rows: Iterator[str], at: float) -> Report:
    """Fill an empty bank in the caller's transaction and audit it. If the report is not clean, the caller must undo it.

    A backup of an earlier schema is read into tables of that schema, which are then migrated. Raises BadBackup if
    the bank is not empty or the backup is damaged. For an earlier schema, raises BankUnavailable if other processes
    have the PostgreSQL database open.
    """
    await expect_empty(connection)
    schema = header.schema
    if schema != HEAD:
        await back_to(connection, schema)
    shape = sa.MetaData()
    await connection.run_sync(shape.reflect)
    for table, chunk in _chunks(rows, shape):
        await _fill(connection, table, chunk)
    if schema != HEAD:
        await forward(connection)
    if header.heads is not None and await _heads(connection) != header.heads:
        raise BadBackup("The backup is damaged: its books do not end as its first line says.")
    await _set_counters(connection)
    return await audit(lambda: nullcontext(connection), at)


async def expect_empty(connection: AsyncConnection) -> None:
    """Raise BadBackup if anything is in the bank."""
    for table in metadata.sorted_tables:
        if (await connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1))).first():
            raise BadBackup(f"The bank is not empty: there are {table.name} in it.")


# -- private -----------------------------------------------------------------------------------------------------------


async def _heads(connection: AsyncConnection) -> Mapping[str, str]:
    return {str(row.guild): row.head for row in (await connection.execute(ALL_HEADS)).all()}


async def _fill(connection: AsyncConnection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, or raise BadBackup if they break a constraint of the table, such as two with one key."""
    try:
        await connection.execute(sa.insert(table), rows)
    except sa.exc.IntegrityError as error:
        raise BadBackup(f"The backup is damaged: {table.name}: {error.orig}.") from error
    except sa.exc.DBAPIError as error:
        if not str(getattr(error.orig, "sqlstate", "")).startswith(_BAD_DATA):
            raise
        raise BadBackup(f"The backup is damaged: {table.name}.") from None  # the full message contains values


def _secrets(table: sa.Table, row: Mapping[str, Any]) -> dict[str, None]:
    """Return the columns of a row that an export hides, with None for each: above all seeds that are still secret."""
    return {name: None for name, hidden in KEPT[table.name].secret.items() if hidden(row)}


async def _rows(connection: AsyncConnection, table: sa.Table, of: str = "") -> AsyncIterator[dict[str, Any]]:
    """Yield the rows of a table in the order of its key: all, or those that fit the SQL condition `of`."""
    query = sa.select(table).order_by(*table.primary_key.columns)
    async with connection.stream(query.where(sa.text(of)) if of else query) as found:
        async for row in found:
            yield _plain(row)


def _plain(row: Row) -> dict[str, Any]:
    """Return a row as JSON can hold it: bytes become an object with the name `base64`."""
    plain: dict[str, Any] = {}
    for name, value in row._mapping.items():
        plain[name] = {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
    return plain


def _unplain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a backup as values, without the NULs that SQLite once allowed and PostgreSQL never did.

    Raises ValueError for a number or a text that no column can hold.
    """

    def read(value: Any) -> Any:
        if isinstance(value, dict):
            return base64.b64decode(value["base64"])
        if isinstance(value, int) and abs(value) > LAST:
            raise ValueError("a number that no bank can keep")
        return value.replace("\0", "") if isinstance(value, str) else value

    values = {name: read(value) for name, value in row.items()}
    if not is_storable(values.values()):
        raise ValueError("a text that no bank can keep")
    return values


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def intact(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a backup, and raise BadBackup where the file cannot be read or breaks off."""
    try:
        yield from lines
    except (OSError, EOFError, UnicodeDecodeError, zlib.error):
        raise BadBackup("The backup is damaged, or is none.") from None


def _chunks(lines: Iterator[str], shape: sa.MetaData) -> Iterator[tuple[sa.Table, list[dict[str, Any]]]]:
    table, chunk = None, list[dict[str, Any]]()
    for name, row in map(_read, lines):
        if table is not None and (name != table.name or len(chunk) == CHUNK):
            yield table, chunk
            chunk = []
        table = _table(shape, name, row)
        chunk.append(row)
    if table is not None:
        yield table, chunk


def _table(shape: sa.MetaData, name: str, row: Mapping[str, Any]) -> sa.Table:
    """Return the table of a row. Raises BadBackup unless the row has a fitting value for each column, and no other."""
    if name not in shape.tables:
        raise BadBackup(f"The backup has {name}, which this bank does not.")
    if not row.keys() <= set(shape.tables[name].columns.keys()):
        raise BadBackup(f"The backup has more of {name} than this bank.")
    for column in shape.tables[name].columns:
        if column.name not in row or not _fits(column, row[column.name]):
            raise BadBackup(f"The backup is damaged: {name}.{column.name}.")
    return shape.tables[name]


def _fits(column: sa.Column[Any], value: Any) -> bool:
    return bool(column.nullable) if value is None else isinstance(value, column.type.python_type)


def _read(line: str) -> tuple[str, dict[str, Any]]:
    try:
        entry = json.loads(line)
        return str(entry["table"]), _unplain(entry["row"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadBackup("The backup is damaged.") from None


async def _set_counters(connection: AsyncConnection) -> None:
    """Move PostgreSQL's counters past the restored rows: rows that bring their own number do not move them."""
    if connection.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            highest = sa.select(sa.func.coalesce(sa.func.max(column), 0) + 1).scalar_subquery()
            sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
            await connection.execute(sa.select(sa.func.setval(sequence, highest, sa.false())))
