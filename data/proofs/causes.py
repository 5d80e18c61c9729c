"""Proves the causes: each change of a table or tournament has the one that brought it about, unless it is long past."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN, causes, tables, tournaments
from data.base.schema import OPEN as OPEN_TOURNAMENT
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, between


def _through(table: sa.Table) -> Walk:
    """Through all tables, or all tournaments. A version is a change, and so a cause."""
    known = (
        sa.select(sa.func.count(sa.distinct(causes.c.version)))
        .where(causes.c.of == table.c.id, causes.c.version > table.c.causes_from, causes.c.version <= table.c.version)
        .scalar_subquery()
    )
    here = between(table.c.id)
    owed: sa.ColumnElement[Any] = table.c.version - table.c.causes_from
    counted = sa.select(table.c.id, table.c.guild, owed.label("owed"), known.label("known")).where(here).subquery()
    lacking = sa.select(counted).where(counted.c.owed != counted.c.known)

    async def look(connection: AsyncConnection, stretch: Stretch) -> Slice:
        found = (await connection.execute(lacking, stretch.values)).all()
        faults = [Fault(Wrong.CAUSE, f"{table.name}/{row.id}", row.guild, row.owed, row.known) for row in found]
        return Slice(0, faults)

    return Walk("causes", look, (table.c.id,), (0,), 1_000)


CAUSES: Final = (_through(tables), _through(tournaments))
#: Of those that are open.
OPEN_CAUSES: Final = (replace(CAUSES[0], which=OPEN), replace(CAUSES[1], which=OPEN_TOURNAMENT))
