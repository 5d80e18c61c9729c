"""Writes each step of a tournament with its chips in one transaction, and reads tournaments back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.base.errors import BadChange
from data.base.schema import OPEN_TOURNAMENT, entries, tournaments
from data.base.values import Job
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param, params
from data.jobs import jobs
from data.journal.tables import no_stop, once
from data.ledger import door, ledger
from data.people.breaks import expect_awake
from data.people.members import still_known
from data.people.titles import award
from data.seasons import places
from data.sets.fields import close_for_all, expect_begun, open_for_all
from engine.stored_words import TOURNAMENT
from engine.tables.ports import StaleTable
from engine.tables.values import Kind
from engine.tournament.ports import TournamentChange, TournamentRow
from engine.tournament.tournament import TournamentPhase

#: The version that a tournament is first stored with.
FIRST: Final = 1
#: The phases in which nobody plays any more.
_ENDED: Final = frozenset({TournamentPhase.OVER.value, TournamentPhase.CANCELLED.value})

_entry = sa.and_(entries.c.tournament == param("tournament"), entries.c.member == param("member"))
_NEW: Final = insert_once(tournaments)
_MOVE: Final = Statement(
    sa.update(tournaments)
    .values(**params("channel", "phase", "open", "starts", "doc", "version"))
    .where(
        tournaments.c.id == param("id"),
        tournaments.c.version == param("was", sa.Integer()),
        tournaments.c.guild == param("guild"),
    )
)
_ENTER: Final = insert_once(entries, but=("person",))
_WITHDRAW: Final = Statement(sa.delete(entries).where(_entry))
_ONE: Final = sa.select(tournaments).where(tournaments.c.id == sa.bindparam("tournament"))
_ALL: Final = sa.select(tournaments).where(OPEN_TOURNAMENT).order_by(tournaments.c.starts, tournaments.c.id)


class Tournaments(Part):
    """The stored tournaments of all servers, each changed by one step at a time."""

    async def commit(self, change: TournamentChange) -> None:
        """Write one step of a tournament with its entrants, chips, jobs, deals, titles and points, or nothing.

        Raises StaleTable if another step came first, or somebody began the deals after the tries were compared;
        AlreadyDone if this step was written before; MemberGone or OnBreak for an entrant; and for a buy-in also
        StakesStopped, CannotPay, OverLimit, ResetAhead or Resetting.
        """
        batch, now = self._store.batch(), self._clock.now()
        if any(move.source.kind is Kind.MEMBER for move in change.transfers):
            no_stop(batch, self._store)
        once(batch, change.cause, now, change.row)
        self._keep(batch, change.row, now)
        if change.urgent:
            jobs.hasten(batch, f"{TOURNAMENT}/{change.row.id}", now)
        if change.successor is not None:
            self._keep(batch, change.successor, now, causes_from=change.successor.version)
        still_known(batch, (entry.member for entry in change.entered))
        expect_awake(batch, (entry.member for entry in change.entered), now, for_chips=False)
        self._enter(batch, change)
        ledger.move(batch, change.transfers, now)
        self._deal(batch, change, now)
        for title in change.titles:
            award(batch, change.row.guild, title)
        places.award(batch, change.row.guild, f"{TOURNAMENT}/{change.row.id}", change.podium, now)
        await door.write(self._store, batch, now)

    async def stored(self, tournament: int) -> TournamentRow | None:
        """Return a tournament by its number, or None."""
        row = await self._store.row(_ONE, {"tournament": tournament})
        return None if row is None else tournament_row(row)

    async def still_open(self, guild: int | None = None) -> Sequence[TournamentRow]:
        """Return the tournaments, of one guild or of all, whose end is not announced yet, the earliest start first."""
        found = await self._store.rows(_ALL if guild is None else _ALL.where(tournaments.c.guild == guild))
        return [tournament_row(row) for row in found]

    # -- private ---------------------------------------------------------------------------------------------------

    def _keep(self, batch: Batch, row: TournamentRow, now: float, *, causes_from: int = 0) -> None:
        """Add to a batch the new state of a tournament, and for a new one the job that looks after it.

        The batch raises StaleTable if the stored version is not the one before. `causes_from` matters only for a new
        tournament: its versions up to this number have no causes. A tournament that follows another in a series begins
        without one, because the step that stores it has its cause at the other tournament.
        """
        names = ("id", "guild", "channel", "organiser", "phase", "starts", "doc", "version")
        values = {name: getattr(row, name) for name in names}
        values |= {"open": int(row.open), "was": row.version - 1, "causes_from": causes_from}
        is_new = row.version == FIRST
        stale = StaleTable(f"tournament {row.id} is not at version {row.version - 1}")
        batch.must(_NEW if is_new else _MOVE, values, stale)
        if is_new:
            jobs.post(batch, Job(f"{TOURNAMENT}/{row.id}", TOURNAMENT, {TOURNAMENT: row.id}, now, row.guild))

    def _deal(self, batch: Batch, change: TournamentChange, now: float) -> None:
        """Add to a batch what a step means for the deals of a tournament with the same cards for all.

        The deals begin, or they close because the tournament is over or cancelled. The batch raises StaleTable if
        somebody has begun them since their scores were read.
        """
        if change.deals is not None:
            open_for_all(batch, change.row, change.deals, now)
        if change.begun is not None:
            expect_begun(batch, change.row.id, change.begun)
        if change.row.phase in _ENDED:
            close_for_all(batch, change.row.id, now)

    def _enter(self, batch: Batch, change: TournamentChange) -> None:
        fault = BadChange(f"the entrants of tournament {change.row.id} are others")
        for entry in change.entered:
            values = {"tournament": change.row.id, "member": entry.member, "buy_in": entry.buy_in}
            batch.must(_ENTER, values, fault)
        for member in change.withdrawn:
            batch.must(_WITHDRAW, {"tournament": change.row.id, "member": member}, fault)


def tournament_row(row: Row) -> TournamentRow:
    """Return a row of the database as the engine's `TournamentRow`."""
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
