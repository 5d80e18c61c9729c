"""Tournaments: one step and its chips in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.faults import BadChange
from data.jobs.jobs import posting
from data.journal.tables import no_stop, once, still_known
from data.ledger import ledger
from data.part import Part
from data.tournaments.titles import award
from data.tournaments.tournament_schema import OPEN, tournaments
from data.values import Job
from engine.stored_words import TOURNAMENT
from engine.tables.ports import AlreadyDone, StaleTable
from engine.tables.values import Kind
from engine.tournament.ports import TournamentChange, TournamentRow

FIRST: Final = 1

_ONE: Final = sa.select(tournaments).where(tournaments.c.id == sa.bindparam("tournament"))
_ALL: Final = sa.select(tournaments).where(OPEN).order_by(tournaments.c.starts, tournaments.c.id)


class Tournaments(Part):
    async def commit(self, change: TournamentChange) -> None:
        batch, now = Batch(), self._clock.now()
        if any(move.source.kind is Kind.MEMBER for move in change.transfers):
            no_stop(batch, self._store)
        once(batch, self._store.sql, change.cause, now, change.row)
        self._keep(batch, change.row, now)
        if change.urgent:
            batch.add(self._store.sql.jobs.hasten_job, {"p_key": f"{TOURNAMENT}/{change.row.id}", "p_at": now})
        if change.successor is not None:
            self._keep(batch, change.successor, now, causes_from=change.successor.version)
        still_known(batch, self._store.sql, (entry.member for entry in change.entered))
        self._enter(batch, change)
        ledger.move(batch, self._store.sql, change.transfers, now)
        if change.title is not None:
            award(batch, self._store.sql, change.row.guild, change.title)
        await self._store.write.run(batch)

    async def stored(self, tournament: int) -> TournamentRow | None:
        row = await self._store.row(_ONE, {"tournament": tournament})
        return None if row is None else tournament_row(row)

    async def still_open(self, guild: int | None = None) -> Sequence[TournamentRow]:
        """Return the tournaments that are not over or not yet announced to everybody, the next one first."""
        found = await self._store.rows(_ALL if guild is None else _ALL.where(tournaments.c.guild == guild))
        return [tournament_row(row) for row in found]

    # -- private ---------------------------------------------------------------------------------------------------

    def _keep(self, batch: Batch, row: TournamentRow, now: float, *, causes_from: int = 0) -> None:
        """Store the tournament. A new one brings the job that looks after it; a successor has no cause of its own."""
        names = ("id", "guild", "channel", "organiser", "phase", "starts", "doc", "version")
        values = {f"p_{name}": getattr(row, name) for name in names}
        values |= {"p_open": int(row.open), "p_was": row.version - 1, "p_causes_from": causes_from}
        stale = StaleTable(f"tournament {row.id} is not at version {row.version - 1}")
        new = row.version == FIRST
        batch.must(
            self._store.sql.tournaments.new_tournament if new else self._store.sql.tournaments.move_tournament,
            values,
            stale,
        )
        if new:
            job = Job(f"{TOURNAMENT}/{row.id}", TOURNAMENT, {TOURNAMENT: row.id}, now, row.guild)
            posting(batch, self._store.sql, job, AlreadyDone(job.key))

    def _enter(self, batch: Batch, change: TournamentChange) -> None:
        fault = BadChange(f"who is in tournament {change.row.id}")
        for entry in change.entered:
            values = {"p_tournament": change.row.id, "p_member": entry.member, "p_buy_in": entry.buy_in}
            batch.must(self._store.sql.tournaments.enter, values, fault)
        for member in change.withdrawn:
            batch.must(self._store.sql.tournaments.withdraw, {"p_tournament": change.row.id, "p_member": member}, fault)


def tournament_row(row: Row) -> TournamentRow:
    """Return the row as a tournament."""
    return TournamentRow(
        row.id,
        row.guild,
        row.channel,
        row.organiser,
        row.phase,
        open=bool(row.open),
        starts=row.starts,
        doc=row.doc,
        version=row.version,
    )
