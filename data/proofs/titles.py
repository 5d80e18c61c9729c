"""Proves the titles: the title of an elimination table belongs to the member who has won that table.

The tournament of any other title must exist; `data.proofs.tournaments` proves who has won that tournament.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import tables, titles, tournaments
from data.drivers.statement import Row
from data.proofs.names import first_number, kind_of
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, KeyRange, Slice, Walk, between
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.rebuilt import winner_of

_number, _kind = first_number(titles.c.source), kind_of(titles.c.source)
#: Titles with their table or tournament. The proof of tournaments says who has won one.
_FOUND: Final = (
    sa.select(titles, tables.c.guild.label("played_in"), tables.c.doc, tournaments.c.id.label("tournament"))
    .outerjoin(tables, sa.and_(tables.c.id == _number, _kind == "table"))
    .outerjoin(tournaments, sa.and_(tournaments.c.id == _number, _kind.in_([TOURNAMENT, SAME_CARDS])))
    .where(between(titles.c.source))
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    return Slice(0, [fault for row in found for fault in _title(row)])


def _title(row: Row) -> Iterator[Fault]:
    if row.tournament is None and _winner(row) != (row.guild, row.member):
        yield Fault(Wrong.TITLES, row.source, row.guild, f"won by {_winner(row)}", f"of member {row.member}")


def _winner(row: Row) -> tuple[int, int] | None:
    """Return the guild and the winner (a member's number) of a title's elimination table; None if it is unreadable."""
    try:
        return row.played_in, int(winner_of(row.doc))
    except UNREADABLE:
        return None


TITLES: Final = Walk("titles", _look, (titles.c.source,), ("",), 100)
