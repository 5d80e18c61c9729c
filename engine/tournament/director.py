"""Runs the tournaments of this process: finds those that are due, claims them, and keeps the claims of those in play.

Every tournament has a job in the bank. The process that claimed it runs the tournament and renews the claim. If that
process dies, the claim runs out and another process continues from what is recorded. What members and managers may not
do raises Refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.stored_words import TOURNAMENT
from engine.tables.alarm import Alarm
from engine.tables.ports import BankError, BankUnavailable, OutcomeUnknown, StillSecret
from engine.tables.refused import Reason, Refused, refuse_from, refusing
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from engine.tables.values import Member
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.order import TournamentOrder, opening
from engine.tournament.ports import ChannelGone, DueJob
from engine.tournament.run import TournamentRun, TournamentSurroundings
from engine.tournament.state import WhyCancelled, awaits_promise, successor_id
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

log = logging.getLogger(__name__)

#: Seconds that a claim lasts if it is not renewed.
LEASE: Final = 90.0
#: Seconds until a failed attempt is repeated.
RETRY: Final = 15.0
#: The most seconds between two looks for tournaments that this process could claim.
PATROL: Final = 3600.0

_ALIVE: Final = (TournamentPhase.SIGN_UP, TournamentPhase.CLOSED, TournamentPhase.PLAYING)


@dataclass(slots=True)
class _Held:
    """A tournament that this process has claimed."""

    key: str
    run: TournamentRun
    alarm: Alarm
    since: float
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    nudged: bool = False  # whether it has to be looked at, even if it is being looked at now


class Director:
    """The part of one process that runs tournaments.

    `name` stands for the process in its claims. A process that runs alone has the same name after a restart. `mine`
    tells whether this process serves a guild.
    """

    def __init__(self, around: TournamentSurroundings, name: str, mine: Callable[[int], bool]) -> None:
        self._around = around
        self._name = name
        self._mine = mine
        self._held: dict[int, _Held] = {}
        self._patrol = Alarm("tournaments")
        self._resting = False
        self._wakes = 0
        self._taking = asyncio.Lock()

    # -- what members and managers do ----------------------------------------------------------------------------------

    async def schedule(self, order: TournamentOrder) -> TournamentView:
        """Store a new tournament, whose sign-up is then open. Refuse it if the guild has too many."""
        running = await self.views(order.guild)
        refuse_from(self._around.caps.tournaments, Reason.TOURNAMENTS_OF_GUILD, len(running))
        state = opening(order, self._around.clock.now())
        with self._seen_to(state.id):
            await self._around.books.begin(state, f"press/{order.press}/{TOURNAMENT}")
        self.wake()
        return await self.view(order.press)

    async def join(self, tournament: int, member: Member, press: int) -> TournamentView:
        """Sign a person up and take the buy-in. Refuse if the tournament is full.

        If the tournament's promise could not be posted before, try again first: without it nobody can sign up.
        """
        if awaits_promise((await self._around.books.position(tournament)).state):
            with contextlib.suppress(ChannelGone):
                await self._run(tournament).promise()

        def alter(draft: TournamentDraft) -> None:
            others = len(draft.tournament.people)
            draft.join(member, press)
            refuse_from(self._around.caps.entrants, Reason.ENTRANTS_OF_TOURNAMENT, others)

        await self._around.books.change(tournament, f"press/{press}/{TOURNAMENT}", alter)
        return await self.view(tournament)

    async def leave(self, tournament: int, member: Member, press: int) -> TournamentView:
        """Sign a person off. The buy-in comes back."""
        await self._around.books.change(
            tournament, f"press/{press}/{TOURNAMENT}", lambda draft: draft.leave(member, f"press/{press}")
        )
        return await self.view(tournament)

    async def release(self, tournament: int, member: Member) -> None:
        """Sign off somebody because of a break or a reset, give the buy-in back, and update the sign-up message.

        Raise ChannelGone, after the member is signed off, if that message cannot be posted.
        """
        version = (await self._around.books.position(tournament)).state.version
        cause = f"{TOURNAMENT}/{tournament}/{version}"
        await self._around.books.change(tournament, f"{cause}/left", lambda draft: draft.leave(member, cause))
        await self.announce(tournament)

    async def move(
        self, tournament: int, press: int, starts: float, wall: str, zone: str, *, series: bool
    ) -> TournamentView:
        """Move a tournament, or its whole series (`series`), to another time. Its entrants are then pinged.

        `starts` is in seconds since 1970, `wall` the same moment as local time in `zone`.
        """
        with self._seen_to(tournament):
            await self._around.books.change(
                tournament, f"press/{press}/{TOURNAMENT}", lambda draft: draft.move(starts, wall, zone, series=series)
            )
            await self._hold(tournament)
        return await self.view(tournament)

    async def cancel(self, tournament: int, press: int, *, series: bool) -> TournamentView:
        """Cancel a tournament, or its whole series (`series`).

        If only this one is cancelled before it has begun, the next one of the series opens at once. If it has begun,
        later ones are stored already, and are cancelled only with the series.
        """
        books = self._around.books
        successor = None if series else self._run(tournament).successor((await books.position(tournament)).state)
        began = False

        def alter(draft: TournamentDraft) -> None:
            nonlocal began
            began = draft.tournament.phase is not TournamentPhase.SIGN_UP
            draft.cancel(WhyCancelled.MANAGER)
            if not began and successor is not None:
                draft.succeed(successor)

        with self._seen_to(tournament):
            await books.change(tournament, f"press/{press}/{TOURNAMENT}", alter)
            await self._hold(tournament)
        if series and began:
            await self._cancel_later_ones(tournament, press)
        return await self.view(tournament)

    async def _cancel_later_ones(self, tournament: int, press: int) -> None:
        """Cancel all later tournaments of the series that are stored. Those that are over or cancelled are skipped."""
        books = self._around.books
        try:
            while True:
                tournament = successor_id(tournament)
                if (await books.position(tournament)).tournament.phase in _ALIVE:
                    cause = f"press/{press}/{TOURNAMENT}/{tournament}"
                    await books.change(tournament, cause, lambda draft: draft.cancel(WhyCancelled.MANAGER))
                    await self._hold(tournament)
        except Refused as refused:
            if refused.reason is not Reason.NO_SUCH_TOURNAMENT:  # that is how the series ends
                raise

    async def view(self, tournament: int) -> TournamentView:
        """Return the view of a tournament."""
        return await self._run(tournament).seen()

    async def announce(self, tournament: int) -> None:
        """Bring the sign-up message up to date, or post it again if it is gone.

        Raise ChannelGone if the channel is deleted or closed to the bot.
        """
        await self._run(tournament).announce()

    def look(self, tournament: int) -> None:
        """Let a tournament do at once what is due, because somebody has begun or finished its deals.

        Do nothing if another process runs it.
        """
        held = self._held.get(tournament)
        if held is not None:
            self._soon(held)

    async def views(self, guild: int) -> Sequence[TournamentView]:
        """Return the views of a guild's tournaments that are neither over nor cancelled."""
        found = await self._around.books.open_ones(guild)
        return [await self.view(position.state.id) for position in found if position.tournament.phase in _ALIVE]

    # -- what happens --------------------------------------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Let the tournament of this table do what is due, if the table is closed or has to move (`stranded`).

        Do nothing if the table belongs to no tournament that this process runs.
        """
        over = table.state.phase is TablePhase.CLOSED or table.state.stranded
        if over and table.state.elimination is not None:
            for held in self._held.values():
                if table.id in held.run.tables:
                    self._soon(held)

    async def channel_gone(self, guild: int, channel: int) -> None:
        """Cancel the tournaments of a deleted channel.

        Move the tables in a deleted thread to the channel of their tournament, if this process runs the tournament.
        A failure at one tournament is only logged.
        """
        for position in await self._around.books.open_ones(guild):
            try:
                await self._leave_channel(position, channel)
            except Exception:  # the other tournaments have to go on
                log.exception("tournament %s: channel %s is gone", position.state.id, channel)

    async def _leave_channel(self, position: TournamentPosition, channel: int) -> None:
        state = position.state
        if state.channel == channel and position.tournament.phase in _ALIVE:
            cause = f"{TOURNAMENT}/{state.id}/cancel"
            with self._seen_to(state.id):
                await self._around.books.change(state.id, cause, lambda draft: draft.cancel(WhyCancelled.CHANNEL_GONE))
                await self._hold(state.id)
        elif channel in state.channels.values():
            await self._move(state.id, channel, state.channel)

    async def _move(self, tournament: int, old: int, new: int) -> None:
        held = self._held.get(tournament)
        for number_id in held.run.tables if held is not None else ():
            table = self._around.registry.get(number_id)
            if table is not None and table.state.channel == old:
                await table.move(new)
        await self._hold(tournament)

    def wake(self) -> None:
        """Look for tournaments that are due: at once, or as soon as the look that is under way has ended."""
        self._wakes += 1
        if not self._resting:
            self._patrol.set(0.0, self._look_round)

    async def shutdown(self) -> None:
        """Stop all timers, and release all claims so that other processes can continue at once."""
        self._resting = True
        self._patrol.silence()
        for held in list(self._held.values()):
            held.alarm.silence()
            await self._let_go(held, self._around.clock.now())

    # -- private: claims -----------------------------------------------------------------------------------------------

    async def _look_round(self) -> None:
        """Claim the tournaments that are due, and set the timer for the next look."""
        delay, wakes = RETRY, self._wakes
        try:
            jobs = [job for job in await self._around.bank.jobs.waiting(TOURNAMENT) if self._may_take(job)]
            for job in jobs:
                if job.due <= self._around.clock.now():
                    await self._take(job.key, int(job.payload[TOURNAMENT]))
            delay = self._until_next(jobs)
        except (BankError, OutcomeUnknown) as error:
            log.warning("the tournaments cannot be looked after: %s", error)
        except Exception:
            log.exception("the tournaments cannot be looked after, trying again")
        if not self._resting:
            self._patrol.set(delay if wakes == self._wakes else 0.0, self._look_round)

    def _may_take(self, job: DueJob) -> bool:
        return job.guild is not None and self._mine(job.guild) and job.payload[TOURNAMENT] not in self._held

    def _until_next(self, jobs: Sequence[DueJob]) -> float:
        """Return the seconds until the next look: until the next of these jobs is due, but not more than `PATROL`.

        A job that is due and that another process has claimed is looked at again when that claim may have run out.
        """
        now = self._around.clock.now()
        waits = [
            LEASE if job.due <= now else job.due - now for job in jobs if job.payload[TOURNAMENT] not in self._held
        ]
        return min([PATROL, *waits])

    # -- private: holding ----------------------------------------------------------------------------------------------

    def _soon(self, held: _Held) -> None:
        held.nudged = True
        self._later(held, 0.0)

    def _later(self, held: _Held, delay: float) -> None:
        if not self._resting:
            held.alarm.set(delay, lambda: self._drive(held))

    @contextlib.contextmanager
    def _seen_to(self, tournament: int) -> Iterator[None]:
        """Look at the tournament again if the block raises, because its change may have been stored nevertheless."""
        try:
            yield
        except BaseException:
            held = self._held.get(tournament)
            if held is not None:
                self._soon(held)
            self.wake()
            raise

    async def _hold(self, tournament: int) -> None:
        """Claim a tournament unless this process has it, and let `_drive` look at it now, even if it is not due.

        If another process has claimed it, do nothing.
        """
        await self._take(f"{TOURNAMENT}/{tournament}", tournament)

    async def _take(self, key: str, tournament: int) -> None:
        async with self._taking:  # two looks at once must not both take it
            if tournament not in self._held:
                now = self._around.clock.now()
                claimed = await self._around.bank.jobs.claim(key, self._name, seconds=LEASE)
                if not claimed and not await self._had(key):
                    return
                self._around.books.forget(tournament)  # another process may have had it
                run, alarm = TournamentRun(tournament, self._around), Alarm(f"tournament {tournament}")
                self._held[tournament] = _Held(key, run, alarm, now)
        self._soon(self._held[tournament])

    async def _had(self, key: str) -> bool:
        """Renew a claim that an earlier process of this name has left, and return whether there was one."""
        try:
            await self._around.bank.jobs.renew(key, self._name, seconds=LEASE)
        except BankError:
            return False
        return True

    async def _drive(self, held: _Held) -> None:
        """Renew the claim, let the tournament do what is due, and arrange the next look at it. A failure is logged."""
        async with held.busy:
            if self._held.get(held.run.id) is not held:
                return
            held.nudged = False
            try:
                if not await self._renewed(held):
                    return
                with self._renewing(held):
                    again = await held.run.advance()
            except (Refused, BankUnavailable, OutcomeUnknown, StillSecret) as error:
                # the chain of a table is still in use where the table began its next one while it was closed
                log.info("tournament %s: %s (%s), trying again", held.run.id, error, error.__cause__)
                again = self._around.clock.now() + RETRY
            except Exception:
                log.exception("tournament %s: trying again", held.run.id)
                again = self._around.clock.now() + RETRY
            await self._see_to(held, again)

    @contextlib.contextmanager
    def _renewing(self, held: _Held) -> Iterator[None]:
        """Renew the claim for as long as the block runs: hundreds of tables take longer to open than a claim lasts."""
        alarm = Alarm(f"claim on tournament {held.run.id}")

        async def renew() -> None:
            alarm.set(LEASE / 3, renew)
            with contextlib.suppress(Refused, OutcomeUnknown):  # the next time may do
                await self._renewed(held)

        alarm.set(LEASE / 3, renew)
        try:
            yield
        finally:
            alarm.silence()

    async def _renewed(self, held: _Held) -> bool:
        """Renew the claim and return whether this process still has it. If not, stop holding the tournament."""
        with refusing():
            try:
                await self._around.bank.jobs.renew(held.key, self._name, seconds=LEASE)
            except BankUnavailable:
                raise
            except BankError:
                log.warning("tournament %s is another process's now", held.run.id)
                self._held.pop(held.run.id, None)
                return False
        return True

    async def _see_to(self, held: _Held, again: float | None) -> None:
        """Set the time of the next look at a tournament to `again`; if that is None, finish its job.

        If the time is far off, release the claim until then. If somebody asked for a look during this one, the next
        look follows at once, unless the job is finished. If the next tournament of the series was stored, look for it.
        """
        now = self._around.clock.now()
        if held.run.succeeded:
            held.run.succeeded = False
            self.wake()
        if again is None:
            await self._finish(held)
        elif again - now > LEASE:
            await self._let_go(held, again)
        else:
            self._later(held, 0.0 if held.nudged else max(again - now, 0.0))

    async def _finish(self, held: _Held) -> None:
        async with self._taking:
            self._held.pop(held.run.id, None)
            self._around.books.forget(held.run.id)
            await self._tell_bank(self._around.bank.jobs.finish(held.key, self._name))
        self.wake()

    async def _let_go(self, held: _Held, due: float) -> None:
        """Stop holding a tournament and release its claim.

        Its job is due again at `due`, or at once if somebody, also in another process, asked for another look at it.
        """
        async with self._taking:
            self._held.pop(held.run.id, None)
            due = self._around.clock.now() if held.nudged else due
            await self._tell_bank(self._around.bank.jobs.release(held.key, self._name, due=due, since=held.since))
        self.wake()

    async def _tell_bank(self, telling: Awaitable[None]) -> None:
        """Tell the bank that a claim has ended. If that fails, the claim runs out by itself."""
        try:
            await telling
        except (BankError, OutcomeUnknown) as error:
            log.info("a claim on a tournament is left to run out: %s", error)

    def _run(self, tournament: int) -> TournamentRun:
        held = self._held.get(tournament)
        return held.run if held is not None else TournamentRun(tournament, self._around)
