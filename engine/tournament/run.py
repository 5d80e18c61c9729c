"""Runs one tournament: takes its next steps from its stored state, and stores each step before it is shown.

`advance` may be called any number of times, wherever an earlier process was killed. It looks at what is true, does what
is due, and returns when to look again. The method for each phase does the same, and returns None for "at once".
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.elimination.elimination import Elimination
from engine.elimination.standings import EliminationView
from engine.elimination.terms import Entrant
from engine.fairness.chain import seed_of, table_root, tip_of
from engine.fairness.sets import same_name
from engine.games import registry as games
from engine.sets.duels import LINK, RUNS_FOR
from engine.sets.duels import terms_of as cards_by
from engine.stored_words import TOURNAMENT
from engine.tables.alarm import seek_pause
from engine.tables.house import CAPS, Caps
from engine.tables.open_tables import OpenTables
from engine.tables.orders import GAME, Contender, EliminationOrder
from engine.tables.places import place_in_tournament, tournament_place
from engine.tables.ports import ChannelClosed, Clock, NotPosted
from engine.tables.promises import NoPromise
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason
from engine.tables.state import TableState
from engine.tables.table import Table
from engine.tables.values import Chain, Member, StoredTable
from engine.tournament.books import TournamentBooks
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.ports import (
    Announcer,
    Calendar,
    ChannelGone,
    Dealer,
    FieldDeals,
    FieldStanding,
    TournamentBank,
    TournamentRow,
    nobody_deals,
)
from engine.tournament.state import (
    UNSTORED,
    Every,
    TournamentState,
    WhyCancelled,
    awaits_promise,
    successor_id,
    table_id,
    terms_of,
    uses_promise,
)
from engine.tournament.tournament import FEWEST, Tournament, TournamentPhase
from engine.tournament.view import Standing, TournamentView, view

log = logging.getLogger(__name__)

#: Seconds before the start at which the reminder is sent.
REMINDER: Final = 15 * 60.0
#: Seconds after its start time at which a tournament that could not start is cancelled.
LATEST: Final = 3600.0
#: The most seconds between looks at a tournament in play.
GLANCE: Final = 30.0
#: The most threads for the tables of one stage, because Discord opens them slowly. Further tables share them.
MOST_THREADS: Final = 10
#: The least seconds between two updates of the standings: usually, and when a table has ended.
STANDINGS: Final = 30.0
SOONER: Final = 10.0


@dataclass(frozen=True, slots=True)
class TournamentSurroundings:
    """The things that all tournaments of a casino share."""

    bank: TournamentBank
    books: TournamentBooks
    registry: OpenTables
    announcer: Announcer
    calendar: Calendar
    clock: Clock
    caps: Caps = CAPS
    dealer: Dealer = nobody_deals


@dataclass(slots=True)
class TournamentRun:
    """One tournament, with all that its process does for it."""

    id: int
    around: TournamentSurroundings
    #: The numbers of the tables of the current stage, by the tables' ids.
    tables: dict[int, int] = field(default_factory=dict)
    #: Whether the next one of the series has opened, so that it must be looked at; `Director` resets it.
    succeeded: bool = False
    _sought: int = 0  # failed attempts to post a promise or the list of entrants, or to work out the deals
    _unlisted: str = ""  # the tip of the promise whose list of entrants was surely not posted
    _shown: object = ()
    _shown_at: float = float("-inf")
    _urgent: bool = False

    async def advance(self) -> float | None:
        """Do what is due, and return when to look again (seconds since 1970), or None once everything is announced."""
        while True:
            position = await self._position()
            if position.state.told:
                return None
            before = position.state.version
            try:
                again = await _PHASES[position.tournament.phase](self, position)
            except ChannelGone:
                again = None
                await self._do("cancel", lambda draft: draft.cancel(WhyCancelled.CHANNEL_GONE))
            if (await self._position()).state.version == before:
                return again

    async def seen(self) -> TournamentView:
        """Return the view of the tournament as it is now."""
        return self._view(await self._position())

    async def announce(self) -> None:
        """Post or update the sign-up message; if it is new, store its id and update the calendar. Raise ChannelGone."""
        position = await self._position()
        message = await self.around.announcer.sign_up(self._view(position))
        if message != position.state.message:
            await self._do(f"posted/{message}", lambda draft: _set(draft, message=message))
            await self._note_event(f"posted/{message}")

    async def _note_event(self, when: str) -> None:
        """Update the event in the calendar. If it has a new id (0: no event), note that in the step `event/{when}`."""
        position = await self._position()
        event = await self.around.announcer.event(self._view(position)) or 0
        if event != position.state.event:
            await self._do(f"event/{when}", lambda draft: _set(draft, event=event))

    # -- its promise ---------------------------------------------------------------------------------------------------

    async def promise(self, *, look: bool = False) -> Chain | None:
        """Return the tournament's own chain, whose promise is posted, and note the promise if it is new.

        Return None if none could be posted (then nobody can sign up or be seated yet), and for a tournament that uses
        none (version 1). Raise ChannelGone if the bot may not post in the channel. `look` also checks that the message
        of an older promise still exists, and replaces it otherwise.
        """
        state = (await self._position()).state
        if not uses_promise(state):
            return None
        try:
            chain = await self.around.registry.promises.chain(
                tournament_place(self.id), state.guild, state.channel, state.language, look=look
            )
        except NoPromise as error:
            self._sought += 1
            if isinstance(error.__cause__, ChannelClosed):
                raise ChannelGone(str(error)) from error
            log.info("tournament %s: no promise yet: %s", self.id, error)
            return None
        if state.tip != chain.tip:
            await self._once(f"promised/{chain.tip}", lambda draft: draft.promised(chain))
            self._sought = 0
        return chain

    def _later(self) -> float:
        """Return when to try a failed step again (seconds since 1970). Each failure makes the pause longer."""
        return self.around.clock.now() + seek_pause(self._sought)

    # -- sign-up -------------------------------------------------------------------------------------------------------

    async def _sign_up(self, position: TournamentPosition) -> float | None:
        await self.promise()
        position = await self._position()
        state, now = position.state, self.around.clock.now()
        if awaits_promise(state) and now < state.starts:
            return min(self._later(), state.starts)
        if state.message is None:
            await self.announce()
            return None
        if state.moved_from is not None:
            await self._tell_of_the_move(position)
            return None
        if now >= state.starts:
            await self._start_or_cancel(position)
            return None
        if state.event is None:
            await self._note_event("sign-up")
            return None
        if not state.reminded and now >= state.starts - REMINDER:
            await self._do(f"remind/{state.starts:.0f}", TournamentDraft.remind)
            await self.around.announcer.remind(self._view(position))
            return None
        return state.starts if state.reminded else state.starts - REMINDER

    async def _tell_of_the_move(self, position: TournamentPosition) -> None:
        """Update sign-up message and calendar, and ping the entrants; if the start is near, this is their reminder."""
        which, near = f"moved/{position.state.version}", self.around.clock.now() >= position.state.starts - REMINDER
        await self.announce()
        await self._note_event(which)
        await self._do(which, lambda draft: draft.told_of_move(position.state.starts, reminded=near))
        await self.around.announcer.moved(self._view(position))

    async def _start_or_cancel(self, position: TournamentPosition) -> None:
        """Close the sign-up or cancel, store the next tournament of the series, and update message and calendar."""
        await self.announce()  # raises ChannelGone before anybody is seated where nobody can play
        successor, now = self.successor(position.state), self.around.clock.now()

        def alter(draft: TournamentDraft) -> None:
            """Close the sign-up, or cancel if it is too late or too few signed up. Refuse if the start was moved."""
            if draft.state.starts != position.state.starts:
                raise Refused(Reason.OLD_BUTTON)
            if now - draft.state.starts > LATEST:
                draft.cancel(WhyCancelled.MISSED)
            elif len(draft.tournament.people) < FEWEST:
                draft.cancel(WhyCancelled.TOO_FEW)
            elif draft.tournament.version == 1:
                draft.begin()
            else:
                draft.close_sign_up()
            if successor is not None:
                draft.succeed(successor)

        await self._do("start", alter)
        self.succeeded = successor is not None
        await self.announce()
        await self._note_event("start")

    def successor(self, state: TournamentState) -> TournamentRow | None:
        """Return the row of the next tournament of the series, which is yet to be stored, or None if there is none."""
        if state.every is Every.ONCE:
            return None
        following = self.around.calendar.following(state, max(state.starts, self.around.clock.now()))
        if following is None:
            return None
        wall, starts = following
        tournament = Tournament(terms_of(state))
        fresh = TournamentState(
            successor_id(state.id), state.guild, state.channel, state.organiser, state.rules_name, state.rules, starts,
            tournament.record(), state.every, state.zone, wall, odds=state.odds, language=state.language,
            version=UNSTORED + 1,
        )  # fmt: skip
        return fresh.row_of(tournament.phase)

    async def _begin(self, position: TournamentPosition) -> float | None:
        """Begin the play, or cancel when an hour late. Return None, or when to try again if play cannot begin."""
        if self.around.clock.now() - position.state.starts <= LATEST:
            return await (self._deal() if position.tournament.terms.hands else self._seat_everybody())
        await self._do("cancel", lambda draft: draft.cancel(WhyCancelled.MISSED))
        return None

    async def _seat_everybody(self) -> float | None:
        """Post the list of entrants, and seat everybody by lots from the id of that message and from the promise.

        If nobody knows whether a list was posted, its promise is given up: nobody may choose between two lists.
        Return when to try again, or None if everybody is seated.
        """
        chain, state = await self.promise(look=True), (await self._position()).state
        if chain is None:
            return self._later()
        if state.listing == chain.tip != self._unlisted:
            why = "nobody knows whether the list of entrants was posted"
            await self.around.registry.promises.give_up(chain, why)
            return self.around.clock.now()
        if state.listing != chain.tip:
            await self._do(f"listing/{chain.tip}", lambda draft: _set(draft, listing=chain.tip))
        self._unlisted = ""
        try:
            entrants = await self.around.announcer.entrants(self._view(await self._position()))
        except NotPosted as error:
            log.info("tournament %s: the entrants cannot be listed yet: %s", self.id, error)
            self._unlisted, self._sought = chain.tip, self._sought + 1
            return self._later()
        await self._do("seats", lambda draft: draft.begin_with(chain, entrants))
        await self.announce()
        return None

    # -- the same cards for all ----------------------------------------------------------------------------------------

    async def _deal(self) -> float | None:
        """Begin with deals from a chain that follows from the promise. Return when to try again, or None if begun."""
        chain, position = await self.promise(look=True), await self._position()
        if chain is None:
            return self._later()
        state, root = position.state, table_root(chain.root, 1, 0, 0)
        terms = cards_by(state.rules_name, games.game(GAME).rules_from_json(state.rules))
        name, hands = same_name(tip_of(root)), position.tournament.terms.hands
        prepared = await self.around.dealer(terms, seed_of(root, LINK), name, hands)
        if prepared is None:
            self._sought += 1
            return self._later()
        ends = self.around.clock.now() + RUNS_FOR
        await self._do("deal", lambda draft: draft.deal(FieldDeals(root, prepared), ends))
        await self.announce()
        return None

    async def _play_field(self, position: TournamentPosition) -> float | None:
        """Show who has begun the deals and who is done, and return when to look again.

        If all are done or time is up, take in the scores and pay out. If a restore voided the deals, cancel. Then
        return None.
        """
        fields = self.around.bank.fields
        standing = await fields.standing(self.id)
        if standing.void:
            await self._do("cancel", lambda draft: draft.cancel(WhyCancelled.RESTORED))
            return None
        if standing.over:
            scores = await fields.scores(self.id)
            await self._do("played", lambda draft: draft.played(scores))
            return None
        return await self._show(replace(self._view(position), field=standing), standing)

    # -- play ----------------------------------------------------------------------------------------------------------

    async def _play(self, position: TournamentPosition) -> float | None:
        if position.tournament.terms.hands:
            return await self._play_field(position)
        chain, position = await self.promise(), await self._position()  # after a restore there is another one
        if chain is None and uses_promise(position.state):
            return self._later()
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
        seen = self._view(position)
        return await self._show(seen, seen.lines)

    async def _look_at(self, position: TournamentPosition, number: int) -> None:
        """Do what table `number` needs: open it, post it, move it to another channel, or take in its result."""
        found = await self._find_table(position, number)
        if isinstance(found, StoredTable):
            await self._finish(position, number, TableState.from_json(found.row.doc))
            return
        table = found or await self._open(position, number)
        if table.state.stranded:
            await self._go_elsewhere(position, table)
        elif table.state.message is None:
            await self._put_up(position, table)

    async def _find_table(self, position: TournamentPosition, number: int) -> Table | StoredTable | None:
        """Return table `number` of this stage: a Table if open, a StoredTable if closed, None if never opened."""
        number_id = table_id(self.id, position.tournament.stage, number)
        table = await self.around.registry.reach(position.state.guild, number_id)
        if table is not None:
            return table
        stored = await self.around.bank.tables.stored(number_id)
        if stored is None or not stored.row.open:
            return stored
        return await self.around.registry.take_up(stored)  # it was opened, and the answer was lost

    async def _open(self, position: TournamentPosition, number: int) -> Table:
        channels = position.state.channels
        channel = channels.get(str(number))
        if channel is None:
            shared = channels.get(str(number % MOST_THREADS))
            channel = shared or await self.around.announcer.channel_of(self._view(position), number)
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
            chain_place=place_in_tournament(self.id, position.tournament.stage, number),
            odds=state.odds,
            language=state.language,
            away=frozenset(seat for seat, who in enumerate(seated) if who.key in state.absent),
        )

    async def _put_up(self, position: TournamentPosition, table: Table) -> None:
        """Post the table in its thread or, if that is gone, in the tournament's channel; else raise ChannelGone."""
        try:
            await self.around.announcer.put_up(table)
        except ChannelGone:
            await self._go_elsewhere(position, table)

    async def _go_elsewhere(self, position: TournamentPosition, table: Table) -> None:
        """Move a table to the tournament's channel and post it there. Raise ChannelGone if it is there already."""
        if table.state.channel == position.state.channel:
            raise ChannelGone(f"table {table.id} cannot be played in the channel")
        await table.move(position.state.channel)
        await self.around.announcer.put_up(table)

    async def _finish(self, position: TournamentPosition, number: int, closed: TableState) -> None:
        assert closed.elimination is not None
        elimination = Elimination.replay(closed.elimination)
        absent = [elimination.entrants[seat].key for seat in elimination.away if elimination.entrants[seat].person]
        cause = f"finished/{position.tournament.stage}/{number}"
        await self._do(cause, lambda draft: draft.finished(number, elimination.placings(), absent))
        self._urgent = True

    async def _show(self, seen: TournamentView, lines: tuple[Standing, ...] | FieldStanding) -> float:
        """Show the standings if they are due and their `lines` have changed. Return when to look again."""
        now = self.around.clock.now()
        due = self._shown_at + (SOONER if self._urgent else STANDINGS)
        if seen.state.standings is not None and (lines == self._shown or now < due):
            return due if self._urgent and now < due else now + GLANCE
        self._shown, self._shown_at, self._urgent = lines, now, False
        message = await self.around.announcer.standings(seen)
        if message != seen.state.standings:
            await self._do(f"standings/{message}", lambda draft: _set(draft, standings=message))
        return now + GLANCE

    # -- the end -------------------------------------------------------------------------------------------------------

    async def _end(self, position: TournamentPosition) -> float | None:
        if position.tournament.phase is TournamentPhase.CANCELLED:
            await self._clear_tables(position)
        await self._show_root()
        try:
            await self.around.announcer.farewell(self._view(await self._position()))
        except ChannelGone as gone:
            log.info("tournament %s: nobody can be told that it is over: %s", self.id, gone)
        await self._note_event("end")
        await self._do("told", TournamentDraft.end_announced)
        return None

    async def _show_root(self) -> None:
        """End the tournament's chain and publish its root. Raise StillSecret if a table uses a chain made from it."""
        place, bank = tournament_place(self.id), self.around.bank
        chain = await bank.chains.in_use(place)
        if chain is not None:
            await bank.chains.end(chain.id, "the tournament is over")
        ended = chain or await bank.chains.ended(place)
        if ended is not None:
            await self._once("root", lambda draft: _set(draft, root=ended.root.hex()))

    async def _clear_tables(self, position: TournamentPosition) -> None:
        """Close this stage's tables and end their unused chains. The root that is shown next gives away their seeds."""
        bank, stage = self.around.bank, position.tournament.stage
        for number in range(len(position.tournament.tables)):
            table = await self._find_table(position, number)
            if isinstance(table, Table):
                await table.close(table.id, CloseReason.CANCELLED)
            unused = await bank.chains.in_use(place_in_tournament(self.id, stage, number))
            if unused is not None:
                await bank.chains.end(unused.id, "its table was never opened")

    # -- small things --------------------------------------------------------------------------------------------------

    async def _position(self) -> TournamentPosition:
        return await self.around.books.position(self.id)

    async def _do(self, what: str, alter: Callable[[TournamentDraft], None]) -> None:
        """Take a step and store it. Refuse one that was taken before, which is known by its name `what`."""
        await self.around.books.change(self.id, f"{TOURNAMENT}/{self.id}/{what}", alter)

    async def _once(self, what: str, alter: Callable[[TournamentDraft], None]) -> None:
        """Take a step and store it. If it was taken before, do nothing."""
        try:
            await self._do(what, alter)
        except Refused as refused:
            if refused.reason is not Reason.ALREADY_DONE:
                raise

    def _view(self, position: TournamentPosition) -> TournamentView:
        eliminations: dict[int, EliminationView] = {}
        for number in position.tournament.running:
            table = self.around.registry.get(table_id(self.id, position.tournament.stage, number))
            if table is not None:
                eliminations[number] = table.snapshot().standings
        return view(position, eliminations)


_PHASES: Final = {
    TournamentPhase.SIGN_UP: TournamentRun._sign_up,
    TournamentPhase.CLOSED: TournamentRun._begin,
    TournamentPhase.PLAYING: TournamentRun._play,
    TournamentPhase.OVER: TournamentRun._end,
    TournamentPhase.CANCELLED: TournamentRun._end,
}


def _set(draft: TournamentDraft, **fields: Any) -> None:
    draft.state = replace(draft.state, **fields)


def _contender(state: TournamentState, who: Entrant) -> Contender:
    if not who.person:
        return Contender(computer=state.names[who.key], level=who.level, key=who.key)
    return Contender(Member(int(who.key), state.guild, state.users[who.key], 0))
