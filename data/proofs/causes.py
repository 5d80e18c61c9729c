"""Proves that each change of a table or tournament has a cause, unless the cause is old enough to be forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_TABLE, OPEN_TOURNAMENT, causes, tables, tournaments
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between


def _through(table: sa.Table) -> Walk:
    """Return the walk that looks for changes without a cause in `table`, which is `tables` or `tournaments`.

    Each version of a row after its `causes_from` must have a cause.
    """
    known = (
        sa.select(sa.func.count(sa.distinct(causes.c.version)))
        .where(causes.c.of == table.c.id, causes.c.version > table.c.causes_from, causes.c.version <= table.c.version)
        .scalar_subquery()
    )
    here = between(table.c.id)
    owed: sa.ColumnElement[Any] = table.c.version - table.c.causes_from
    counted = sa.select(table.c.id, table.c.guild, owed.label("owed"), known.label("known")).where(here).subquery()
    lacking = sa.select(counted).where(counted.c.owed != counted.c.known)

    async def look(connection: AsyncConnection, stretch: KeyRange) -> Slice:
        found = (await connection.execute(lacking, stretch.values)).all()
        faults = [Fault(Wrong.CAUSE, f"{table.name}/{row.id}", row.guild, row.owed, row.known) for row in found]
        return Slice(0, faults)

    return Walk("causes", look, (table.c.id,), (0,), 1_000)


CAUSES: Final = (_through(tables), _through(tournaments))
#: The walks through open tables and open tournaments.
OPEN_CAUSES: Final = (replace(CAUSES[0], which=OPEN_TABLE), replace(CAUSES[1], which=OPEN_TOURNAMENT))
