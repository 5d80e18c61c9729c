"""One tournament being run: from whatever is recorded, the next steps; each is recorded before it is shown.

`advance` may be called at any time and as often as one likes. It looks at what is true, does what is due, and says when
to look again. So it does not matter where an earlier process was killed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.games import registry as games
from engine.games.tournament.cup import FEWEST, Cup, CupPhase
from engine.games.tournament.standings import EliminationView
from engine.games.tournament.table import Elimination
from engine.games.tournament.terms import Contestant
from engine.live.contest import GAME, Contender, Contest
from engine.live.cup_books import CupBooks
from engine.live.cup_draft import CupDraft, CupPosition
from engine.live.cup_ports import Calendar, CupBank, CupRow, Herald, PlaceGone
from engine.live.cup_state import UNSTORED, CupState, Every, WhyCancelled, successor_id, table_id, terms_of
from engine.live.cup_view import CupLine, CupView, view
from engine.live.ports import Clock, Member, Seeds
from engine.live.registry import Registry
from engine.live.snapshot import CloseReason
from engine.live.state import TableState
from engine.live.table import Table

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
class CupHouse:
    """What all tournaments of a casino share."""

    bank: CupBank
    books: CupBooks
    registry: Registry
    herald: Herald
    calendar: Calendar
    clock: Clock
    seeds: Seeds


@dataclass(slots=True)
class CupRun:
    id: int
    house: CupHouse
    #: The tables of the stage that is played, by id.
    tables: dict[int, int] = field(default_factory=dict)
    #: Set when the next one of the series has opened: somebody must announce it.
    succeeded: bool = False
    _shown: tuple[CupLine, ...] = ()
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
                again = await _PHASES[position.cup.phase](self, position)
            except PlaceGone:
                again = None
                await self._without_place()
            if (await self._position()).state.version == before:
                return again

    async def seen(self) -> CupView:
        return self._view(await self._position())

    async def announce(self) -> None:
        position = await self._position()
        message = await self.house.herald.sign_up(self._view(position))
        if message != position.state.message:
            await self._do(f"posted/{message}", lambda draft: _set(draft, message=message))

    # -- sign-up -------------------------------------------------------------------------------------------------------

    async def _sign_up(self, position: CupPosition) -> float | None:
        state, now = position.state, self.house.clock.now()
        if state.message is None:
            await self.announce()
            return None
        if now >= state.starts:
            await self._start_or_cancel(position)
            return None
        if not state.reminded and now >= state.starts - REMINDER:
            await self._do("remind", CupDraft.remind)
            await self.house.herald.remind(self._view(position))
            return None
        return state.starts if state.reminded else state.starts - REMINDER

    async def _start_or_cancel(self, position: CupPosition) -> None:
        state, late = position.state, self.house.clock.now() - position.state.starts
        await self.announce()  # raises PlaceGone before anybody is seated where nobody can play
        successor = self.successor(state)
        why = WhyCancelled.MISSED if late > LATEST else None
        if why is None and len(position.cup.people) < FEWEST:
            why = WhyCancelled.TOO_FEW

        def alter(draft: CupDraft) -> None:
            draft.cancel(why) if why is not None else draft.start()
            if successor is not None:
                draft.succeed(successor)

        await self._do("start", alter)
        self.succeeded = successor is not None
        await self.announce()

    def successor(self, state: CupState) -> CupRow | None:
        if state.every is Every.ONCE:
            return None
        following = self.house.calendar.following(state, max(state.starts, self.house.clock.now()))
        if following is None:
            return None
        wall, starts = following
        cup = Cup(terms_of(state), self.house.seeds())
        fresh = CupState(
            successor_id(state.id), state.guild, state.channel, state.organiser, state.rules_name, state.rules, starts,
            cup.record(), state.every, state.zone, wall, version=UNSTORED + 1,
        )  # fmt: skip
        return fresh.row_of(cup.phase)

    # -- play ----------------------------------------------------------------------------------------------------------

    async def _play(self, position: CupPosition) -> float | None:
        cup = position.cup
        self.tables = {table_id(self.id, cup.stage, number): number for number in range(len(cup.tables))}
        for number in cup.running:
            await self._look_at(position, number)
            position = await self._position()
            if position.cup.phase is not CupPhase.PLAYING or position.cup.stage != cup.stage:
                self._urgent = True
                return None
        return await self._show_standings(position)

    async def _look_at(self, position: CupPosition, number: int) -> None:
        """Open the table, or take notice that it is over."""
        number_id = table_id(self.id, position.cup.stage, number)
        table = self.house.registry.get(number_id)
        if table is None:
            stored = await self.house.bank.stored_table(number_id)
            if stored is None:
                table = await self._open(position, number)
            elif not stored.row.open:
                await self._finish(position, number, TableState.from_json(stored.row.doc))
                return
            else:  # it was opened, and the answer was lost
                table = await self.house.registry.take_up(stored)
        if table.state.message is None:
            await self._put_up(position, table)

    async def _open(self, position: CupPosition, number: int) -> Table:
        channel = position.state.places.get(str(number))
        if channel is None:
            channel = await self.house.herald.place(self._view(position), number)
            await self._do(f"placed/{position.cup.stage}/{number}", lambda draft: draft.placed(number, channel))
        return await self.house.registry.open_contest(self._contest(position, number, channel))

    def _contest(self, position: CupPosition, number: int, channel: int) -> Contest:
        state, seated = position.state, position.cup.tables[number]
        return Contest(
            press=table_id(self.id, position.cup.stage, number),
            guild=state.guild,
            channel=channel,
            rules_name=state.rules_name,
            rules=games.game(GAME).rules_from_json(state.rules),
            budget=position.cup.terms.budget,
            contenders=tuple(_contender(state, who) for who in seated),
            lone=False,
            away=frozenset(seat for seat, who in enumerate(seated) if who.key in state.absent),
        )

    async def _put_up(self, position: CupPosition, table: Table) -> None:
        """In its thread; in the tournament's channel if that is gone."""
        try:
            await self.house.herald.put_up(table)
        except PlaceGone:
            if table.state.channel == position.state.channel:
                raise
            await table.move(position.state.channel)
            await self.house.herald.put_up(table)

    async def _finish(self, position: CupPosition, number: int, closed: TableState) -> None:
        assert closed.contest is not None
        contest = Elimination.replay(closed.contest)
        absent = [contest.contestants[seat].key for seat in contest.away if contest.contestants[seat].person]
        cause = f"finished/{position.cup.stage}/{number}"
        await self._do(cause, lambda draft: draft.finished(number, contest.placings(), absent))
        self._urgent = True

    async def _show_standings(self, position: CupPosition) -> float:
        """When to look at the tournament again."""
        seen, now = self._view(position), self.house.clock.now()
        due = self._shown_at + (SOONER if self._urgent else STANDINGS)
        if position.state.standings is not None and (seen.lines == self._shown or now < due):
            return due if self._urgent and now < due else now + GLANCE
        self._shown, self._shown_at, self._urgent = seen.lines, now, False
        message = await self.house.herald.standings(seen)
        if message != position.state.standings:
            await self._do(f"standings/{message}", lambda draft: _set(draft, standings=message))
        return now + GLANCE

    # -- the end -------------------------------------------------------------------------------------------------------

    async def _end(self, position: CupPosition) -> float | None:
        if position.cup.phase is CupPhase.CANCELLED:
            await self._clear_tables(position)
        try:
            await self.house.herald.farewell(self._view(position))
        except PlaceGone as gone:
            log.info("tournament %s: nobody can be told that it is over: %s", self.id, gone)
        await self._do("told", CupDraft.told)
        return None

    async def _clear_tables(self, position: CupPosition) -> None:
        for number in range(len(position.cup.tables)):
            table = self.house.registry.get(table_id(self.id, position.cup.stage, number))
            if table is not None:
                await table.close(table.id, CloseReason.CANCELLED)

    async def _without_place(self) -> None:
        await self._do("cancel", lambda draft: draft.cancel(WhyCancelled.PLACE_GONE))

    # -- small things --------------------------------------------------------------------------------------------------

    async def _position(self) -> CupPosition:
        return await self.house.books.position(self.id)

    async def _do(self, what: str, alter: Callable[[CupDraft], Any]) -> None:
        """Each step of a tournament has a name of its own, so nobody takes it twice."""
        await self.house.books.change(self.id, f"cup/{self.id}/{what}", alter)

    def _view(self, position: CupPosition) -> CupView:
        contests: dict[int, EliminationView] = {}
        for number in position.cup.running:
            table = self.house.registry.get(table_id(self.id, position.cup.stage, number))
            if table is not None:
                contests[number] = table.snapshot().contest
        return view(position, contests)


_PHASES: Final = {
    CupPhase.SIGN_UP: CupRun._sign_up,
    CupPhase.PLAYING: CupRun._play,
    CupPhase.OVER: CupRun._end,
    CupPhase.CANCELLED: CupRun._end,
}


def _set(draft: CupDraft, **fields: Any) -> None:
    draft.state = replace(draft.state, **fields)


def _contender(state: CupState, who: Contestant) -> Contender:
    if not who.person:
        return Contender(computer=state.names[who.key], level=who.level, key=who.key)
    return Contender(Member(int(who.key), state.guild, state.users[who.key], 0))
