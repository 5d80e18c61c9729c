"""Brings a database from any earlier schema to the current one, completely or not at all.

Alembic is imported only when there is something to do, so a normal start does not pay for it.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.errors import EmptyDatabase, NewerSchema
from data.base.schema import HEAD, metadata
from data.drivers import backup
from data.drivers.alive import is_alone
from data.drivers.file import expect_bank
from data.drivers.store import Store, told
from engine.tables.ports import BankUnavailable

_FOLDER: Final = Path(__file__).parent
_ONE_AT_A_TIME: Final = 0x63726F7570696572  # PostgreSQL's advisory lock, for two processes that start together
#: Seconds for which a process waits for another one that brings the same file up to date.
_PATIENCE: Final = 60
_VERSION: Final = "SELECT version_num FROM alembic_version"


async def migrate(
    store: Store, file: Path | None, stamp: str, *, upgrade: bool = True, fresh: bool = False
) -> str | None:
    """Apply the missing migrations and return the revision that was found (None: an empty database).

    A `file` of SQLite that is not empty is copied before; `stamp` is the time in the copy's name. Raises NewerSchema
    for a revision of a later release. If `upgrade` is false, raises EmptyDatabase if there is no bank yet, and
    BankUnavailable if migrations are missing. Raises BankUnavailable too if other processes have the PostgreSQL
    database open, or if the file of an earlier bank is missing and no new one is wanted (`fresh`).
    """
    with told(is_file=store.is_file):
        async with store.engine.connect() as connection:
            found = await connection.run_sync(_revision)
            if found == HEAD:
                return found
    if file is not None and not fresh:
        expect_bank(file, found=found is not None)
    known = await asyncio.to_thread(revisions)
    if found is not None and found not in known:
        raise NewerSchema(found)
    if not upgrade:
        if found is None:
            raise EmptyDatabase
        raise BankUnavailable(f"The database has schema {found}: run python -m data migrate first.")
    if found is not None and file is not None:
        await backup.copy(file, file.with_name(f"{file.stem}.schema-{found}.{stamp}{file.suffix}"))
    with told(is_file=store.is_file):
        async with store.patient.connect() as connection:
            await _upgrade(connection, found, is_file=store.is_file)
    return found


async def expect_todays(store: Store) -> None:
    """Raise NewerSchema if the schema is no longer that of this release: another process may have changed it since."""
    with told(is_file=store.is_file):
        async with store.engine.connect() as connection:
            found = (await connection.exec_driver_sql(_VERSION)).scalar()
    if found != HEAD:
        raise NewerSchema(str(found))


async def back_to(connection: AsyncConnection, revision: str) -> None:
    """Turn an empty bank of the current schema into one of an earlier schema, in the caller's transaction.

    Drops all tables. Raises BankUnavailable if other processes have the PostgreSQL database open.
    """
    if connection.dialect.name == "postgresql" and not await is_alone(connection):
        raise BankUnavailable("Other processes have the database open. Stop them all, then restore this older backup.")
    await connection.run_sync(metadata.drop_all)
    await connection.exec_driver_sql("DROP TABLE alembic_version")
    await connection.run_sync(_run_alembic, revision)


async def forward(connection: AsyncConnection) -> None:
    """Apply all missing migrations, in the caller's transaction."""
    await connection.run_sync(_run_alembic)


@cache
def revisions() -> frozenset[str]:
    """Return the numbers of all schemas that this release knows."""
    from alembic.script import ScriptDirectory

    return frozenset(script.revision for script in ScriptDirectory(str(_FOLDER)).walk_revisions())


async def _upgrade(connection: AsyncConnection, found: str | None, *, is_file: bool) -> None:
    """Apply the missing migrations in one transaction, so that no bank is ever between two schemas.

    On PostgreSQL, do nothing if another process has just applied them. If other processes have the database open there,
    raise BankUnavailable, whose text names the schema `found`.
    """
    if is_file:
        await connection.exec_driver_sql(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ONE_AT_A_TIME})
        if await connection.run_sync(_revision) == HEAD:
            return  # a process that started at the same time has done it
        if not await is_alone(connection):
            raise BankUnavailable(
                f"The database has schema {found} and other processes have it open; this release needs {HEAD}. Stop "
                "them all, then start this release."
            )
    await connection.run_sync(_run_alembic)
    await connection.commit()


def _run_alembic(connection: Connection, revision: str = "head") -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    command.upgrade(config, revision)


def _revision(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.exec_driver_sql(_VERSION).scalar()
    return found
