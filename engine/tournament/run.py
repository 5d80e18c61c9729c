"""One tournament being run: from whatever is recorded, the next steps; each is recorded before it is shown.

`advance` may be called at any time and as often as one likes. It looks at what is true, does what is due, and says when
to look again. So it does not matter where an earlier process was killed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.elimination.elimination import Elimination
from engine.elimination.opening import GAME, EliminationOrder, Player
from engine.elimination.standings import EliminationView
from engine.elimination.terms import Entrant
from engine.games import registry as games
from engine.stored_words import TOURNAMENT
from engine.tables.house import CAPS, Caps
from engine.tables.ports import Clock, Member, Seeds
from engine.tables.registry import Registry
from engine.tables.snapshot import CloseReason
from engine.tables.state import TableState
from engine.tables.table import Table
from engine.tournament.books import TournamentBooks
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.ports import Announcer, Calendar, ChannelGone, TournamentBank, TournamentRow
from engine.tournament.state import UNSTORED, Every, TournamentState, WhyCancelled, successor_id, table_id, terms_of
from engine.tournament.tournament import FEWEST, Tournament, TournamentPhase
from engine.tournament.view import Standing, TournamentView, view

log = logging.getLogger(__name__)

#: Before the start.
REMINDER: Final = 15 * 60.0
#: A start that was missed by more is not made up for.
LATEST: Final = 3600.0
#: While a tournament is played somebody looks at it this often, at least.
GLANCE: Final = 30.0
#: Standings are drawn anew no more often than this; sooner when a table ends.
STANDINGS: Final = 30.0
SOONER: Final = 10.0


@dataclass(frozen=True, slots=True)
class TournamentSurroundings:
    """What all tournaments of a casino share."""

    bank: TournamentBank
    books: TournamentBooks
    registry: Registry
    announcer: Announcer
    calendar: Calendar
    clock: Clock
    seeds: Seeds
    caps: Caps = CAPS


@dataclass(slots=True)
class TournamentRun:
    """One tournament in the hands of this process."""

    id: int
    around: TournamentSurroundings
    #: The tables of the stage that is played, by id.
    tables: dict[int, int] = field(default_factory=dict)
    #: Set when the next one of the series has opened: somebody must announce it.
    succeeded: bool = False
    _shown: tuple[Standing, ...] = ()
    _shown_at: float = float("-inf")
    _urgent: bool = False

    async def advance(self) -> float | None:
        """When to look again (seconds since 1970); None: the tournament is over and everybody was told."""
        while True:
            position = await self._position()
            if position.state.told:
                return None
            before = position.state.version
            try:
                again = await _PHASES[position.tournament.phase](self, position)
            except ChannelGone:
                again = None
                await self._without_channel()
            if (await self._position()).state.version == before:
                return again

    async def seen(self) -> TournamentView:
        """How it stands."""
        return self._view(await self._position())

    async def announce(self) -> None:
        """Post the sign-up message, or bring it up to date."""
        position = await self._position()
        message = await self.around.announcer.sign_up(self._view(position))
        if message != position.state.message:
            await self._do(f"posted/{message}", lambda draft: _set(draft, message=message))

    # -- sign-up -------------------------------------------------------------------------------------------------------

    async def _sign_up(self, position: TournamentPosition) -> float | None:
        state, now = position.state, self.around.clock.now()
        if state.message is None:
            await self.announce()
            return None
        if now >= state.starts:
            await self._start_or_cancel(position)
            return None
        if not state.reminded and now >= state.starts - REMINDER:
            await self._do("remind", TournamentDraft.remind)
            await self.around.announcer.remind(self._view(position))
            return None
        return state.starts if state.reminded else state.starts - REMINDER

    async def _start_or_cancel(self, position: TournamentPosition) -> None:
        state, late = position.state, self.around.clock.now() - position.state.starts
        await self.announce()  # raises ChannelGone before anybody is seated where nobody can play
        successor = self.successor(state)
        why = WhyCancelled.MISSED if late > LATEST else None
        if why is None and len(position.tournament.people) < FEWEST:
            why = WhyCancelled.TOO_FEW

        def alter(draft: TournamentDraft) -> None:
            draft.cancel(why) if why is not None else draft.start()
            if successor is not None:
                draft.succeed(successor)

        await self._do("start", alter)
        self.succeeded = successor is not None
        await self.announce()

    def successor(self, state: TournamentState) -> TournamentRow | None:
        """The next one of the series, if there is one."""
        if state.every is Every.ONCE:
            return None
        following = self.around.calendar.following(state, max(state.starts, self.around.clock.now()))
        if following is None:
            return None
        wall, starts = following
        tournament = Tournament(terms_of(state), self.around.seeds())
        fresh = TournamentState(
            successor_id(state.id), state.guild, state.channel, state.organiser, state.rules_name, state.rules, starts,
            tournament.record(), state.every, state.zone, wall, odds=state.odds, version=UNSTORED + 1,
        )  # fmt: skip
        return fresh.row_of(tournament.phase)

    # -- play ----------------------------------------------------------------------------------------------------------

    async def _play(self, position: TournamentPosition) -> float | None:
        tournament = position.tournament
        self.tables = {table_id(self.id, tournament.stage, number): number for number in range(len(tournament.tables))}
        for number in tournament.running:
            await self._look_at(position, number)
            position = await self._position()
            if (
                position.tournament.phase is not TournamentPhase.PLAYING
                or position.tournament.stage != tournament.stage
            ):
                self._urgent = True
                return None
        return await self._show_standings(position)

    async def _look_at(self, position: TournamentPosition, number: int) -> None:
        """Open the table, or take notice that it is over."""
        number_id = table_id(self.id, position.tournament.stage, number)
        table = self.around.registry.get(number_id)
        if table is None:
            stored = await self.around.bank.tables.stored(number_id)
            if stored is None:
                table = await self._open(position, number)
            elif not stored.row.open:
                await self._finish(position, number, TableState.from_json(stored.row.doc))
                return
            else:  # it was opened, and the answer was lost
                table = await self.around.registry.take_up(stored)
        if table.state.message is None:
            await self._put_up(position, table)

    async def _open(self, position: TournamentPosition, number: int) -> Table:
        channel = position.state.channels.get(str(number))
        if channel is None:
            channel = await self.around.announcer.channel_of(self._view(position), number)
            await self._do(f"placed/{position.tournament.stage}/{number}", lambda draft: draft.placed(number, channel))
        return await self.around.registry.open_elimination(self._elimination(position, number, channel))

    def _elimination(self, position: TournamentPosition, number: int, channel: int) -> EliminationOrder:
        state, seated = position.state, position.tournament.tables[number]
        return EliminationOrder(
            press=table_id(self.id, position.tournament.stage, number),
            guild=state.guild,
            channel=channel,
            rules_name=state.rules_name,
            rules=games.game(GAME).rules_from_json(state.rules),
            budget=position.tournament.terms.budget,
            players=tuple(_contender(state, who) for who in seated),
            lone=False,
            version=position.tournament.version,
            odds=state.odds,
            away=frozenset(seat for seat, who in enumerate(seated) if who.key in state.absent),
        )

    async def _put_up(self, position: TournamentPosition, table: Table) -> None:
        """In its thread; in the tournament's channel if that is gone."""
        try:
            await self.around.announcer.put_up(table)
        except ChannelGone:
            if table.state.channel == position.state.channel:
                raise
            await table.move(position.state.channel)
            await self.around.announcer.put_up(table)

    async def _finish(self, position: TournamentPosition, number: int, closed: TableState) -> None:
        assert closed.elimination is not None
        elimination = Elimination.replay(closed.elimination)
        absent = [elimination.entrants[seat].key for seat in elimination.away if elimination.entrants[seat].person]
        cause = f"finished/{position.tournament.stage}/{number}"
        await self._do(cause, lambda draft: draft.finished(number, elimination.placings(), absent))
        self._urgent = True

    async def _show_standings(self, position: TournamentPosition) -> float:
        """When to look at the tournament again."""
        seen, now = self._view(position), self.around.clock.now()
        due = self._shown_at + (SOONER if self._urgent else STANDINGS)
        if position.state.standings is not None and (seen.lines == self._shown or now < due):
            return due if self._urgent and now < due else now + GLANCE
        self._shown, self._shown_at, self._urgent = seen.lines, now, False
        message = await self.around.announcer.standings(seen)
        if message != position.state.standings:
            await self._do(f"standings/{message}", lambda draft: _set(draft, standings=message))
        return now + GLANCE

    # -- the end -------------------------------------------------------------------------------------------------------

    async def _end(self, position: TournamentPosition) -> float | None:
        if position.tournament.phase is TournamentPhase.CANCELLED:
            await self._clear_tables(position)
        try:
            await self.around.announcer.farewell(self._view(position))
        except ChannelGone as gone:
            log.info("tournament %s: nobody can be told that it is over: %s", self.id, gone)
        await self._do("told", TournamentDraft.told)
        return None

    async def _clear_tables(self, position: TournamentPosition) -> None:
        for number in range(len(position.tournament.tables)):
            table = self.around.registry.get(table_id(self.id, position.tournament.stage, number))
            if table is not None:
                await table.close(table.id, CloseReason.CANCELLED)

    async def _without_channel(self) -> None:
        await self._do("cancel", lambda draft: draft.cancel(WhyCancelled.CHANNEL_GONE))

    # -- small things --------------------------------------------------------------------------------------------------

    async def _position(self) -> TournamentPosition:
        return await self.around.books.position(self.id)

    async def _do(self, what: str, alter: Callable[[TournamentDraft], None]) -> None:
        """Each step of a tournament has a name of its own, so nobody takes it twice."""
        await self.around.books.change(self.id, f"{TOURNAMENT}/{self.id}/{what}", alter)

    def _view(self, position: TournamentPosition) -> TournamentView:
        eliminations: dict[int, EliminationView] = {}
        for number in position.tournament.running:
            table = self.around.registry.get(table_id(self.id, position.tournament.stage, number))
            if table is not None:
                eliminations[number] = table.snapshot().standings
        return view(position, eliminations)


_PHASES: Final = {
    TournamentPhase.SIGN_UP: TournamentRun._sign_up,
    TournamentPhase.PLAYING: TournamentRun._play,
    TournamentPhase.OVER: TournamentRun._end,
    TournamentPhase.CANCELLED: TournamentRun._end,
}


def _set(draft: TournamentDraft, **fields: Any) -> None:
    draft.state = replace(draft.state, **fields)


def _contender(state: TournamentState, who: Entrant) -> Player:
    if not who.person:
        return Player(computer=state.names[who.key], level=who.level, key=who.key)
    return Player(Member(int(who.key), state.guild, state.users[who.key], 0))
