"""Grades finished rounds: new ones after half a minute, and bit by bit those that earlier processes left.

The coach works out the grades. No table waits for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Final

from cogs.operations.figures import GRADED
from data import Bank, Graded, Missed, Ungraded
from engine.coach import Coach, CoachGone, Urgency
from engine.coach.grading import VALUATION, HowWellWasItPlayed, Mistake, PlayedSeat, sitting
from engine.fairness.record import rules_of
from engine.fairness.replay import is_called_off, replay
from engine.games.contract import Cents, Seat
from engine.tables.ports import BankError, Clock, OutcomeUnknown, Shuffle
from engine.tables.rebuilt import record_of
from engine.tables.state import Money, TablePhase
from engine.tables.table import Table
from engine.tables.values import StoredRound

log = logging.getLogger(__name__)

#: Seconds after a new round until it is graded, with all rounds that have ended since.
PAUSE: Final = 30.0
#: The share of a core that grading the backlog may use.
SHARE: Final = 0.2
#: The number of backlog rounds that are loaded at once.
PAGE: Final = 50
#: The most rounds that are graded while a member waits for their statistics.
ASKED: Final = 500
#: The most seconds that the member waits.
PATIENCE: Final = 2.0
#: The most new rounds that are remembered. The others are found in the backlog after the next start.
MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class GradedShards:
    """The shards of the guilds whose rounds this process grades (None: all shards)."""

    mine: tuple[int, ...] | None = None
    count: int = 1  # the number of all shards

    @property
    def mark(self) -> str:
        """The name of the note that says up to when all rounds of these shards are graded by this `VALUATION`."""
        shards = () if self.mine is None else (self.count, ",".join(map(str, self.mine)))
        return "/".join(map(str, ("graded", f"v{VALUATION}", *shards)))


class Grader:
    """A watcher of tables that grades their finished rounds (`engine.tables.ports.Watcher`)."""

    def __init__(
        self, bank: Bank, coach: Coach, clock: Clock, shuffle: Shuffle, shards: GradedShards | None = None
    ) -> None:
        self._bank, self._coach, self._clock, self._shuffle = bank, coach, clock, shuffle
        self._shards = shards or GradedShards()
        self._fresh: OrderedDict[tuple[int, int], Ungraded] = OrderedDict()
        #: The latest round of each table that was remembered, so that none is graded twice.
        self._latest: OrderedDict[int, int] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: Table) -> None:
        """Remember the table's latest round for grading, once, if it is finished and was played with real chips."""
        state = table.state
        if not state.round or state.phase is TablePhase.PLAYING or state.money is Money.PLAY:
            return
        if self._latest.get(state.id) != state.round:
            self._latest[state.id] = state.round
            self._latest.move_to_end(state.id)
            self._fresh[state.id, state.round] = Ungraded(state.id, state.round, state.guild, self._clock.now())
            for remembered in (self._fresh, self._latest):
                while len(remembered) > MOST:
                    remembered.popitem(last=False)
            self._soon()

    @property
    def waiting(self) -> int:
        """The number of new rounds that are not graded yet."""
        return len(self._fresh)

    def start(self) -> None:
        """Begin to grade, in a task, the backlog that earlier processes left."""
        self._do(self._catch_up_to_the_end())

    async def rest(self) -> None:
        """Stop grading. The next process finds the rounds that are left."""
        if self._timer is not None:
            self._timer.cancel()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def grade_of(self, member: int) -> None:
        """Grade a member's ungraded rounds while the member waits, the newest first, for at most two seconds.

        If the coach does not answer, the rest is left ungraded.
        """
        with contextlib.suppress(TimeoutError, CoachGone):
            async with asyncio.timeout(PATIENCE):
                for round in await self._bank.grades.ungraded_of(member, ASKED, valuation=VALUATION):
                    await self._grade(round, Urgency.PERSON)

    # -- private: when -------------------------------------------------------------------------------------------------

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PAUSE, self._calm)

    def _calm(self) -> None:
        self._timer = None
        self._do(self._grade_fresh())

    def _do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._quietly(work), name="grader")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, work: Any) -> None:
        try:
            await work
        except (BankError, OutcomeUnknown, CoachGone) as fault:
            log.info("grading goes on later: %s", fault)
        except Exception:
            log.exception("grading stopped")

    async def _grade_fresh(self) -> None:
        """Grade the new rounds, the newest first. Stop at the first failure, and raise it.

        The next new round starts this again. If it was the bank or the coach that failed, the round that could not be
        graded then comes last.
        """
        while self._fresh:
            key, round = self._fresh.popitem()
            try:
                await self._grade(round, Urgency.LATER)
            except (BankError, OutcomeUnknown, CoachGone):
                self._fresh[key] = round
                self._fresh.move_to_end(key, last=False)
                raise

    async def _catch_up_to_the_end(self) -> None:
        """Grade the backlog. If the bank or the coach fails, go on with what is left after a pause."""
        while True:
            try:
                return await self._catch_up()
            except (BankError, OutcomeUnknown, CoachGone) as fault:
                log.info("grading of the backlog goes on later: %s", fault)
                await asyncio.sleep(PAUSE)

    async def _catch_up(self) -> None:
        """Grade the backlog, newest rounds first, with a share of a core. At the end, store when this run began.

        Rounds that ended before the stored time have a grade, or cannot have one: the next run leaves them out. There
        is no stored time for a new `VALUATION`, so all rounds are graded again.
        """
        began, loop = self._clock.now(), asyncio.get_running_loop()
        since, last = await self._bank.notes.number(self._shards.mark), None
        while page := await self._page(began, since, last):
            for round in page:
                start = loop.time()
                await self._grade(round, Urgency.LATER)
                await asyncio.sleep((loop.time() - start) * (1 / SHARE - 1))
            last = page[-1]
        await self._bank.notes.keep_numbers({self._shards.mark: began})

    async def _page(self, before: float, since: float, after: Ungraded | None) -> tuple[Ungraded, ...]:
        shards = self._shards
        return await self._bank.grades.ungraded(
            before, since, PAGE, shards.mine, shards.count, valuation=VALUATION, after=after
        )

    # -- private: one round --------------------------------------------------------------------------------------------

    async def _grade(self, round: Ungraded, urgency: Urgency) -> None:
        stored = await self._bank.grades.finished_round(round.table, round.number)
        if stored is None or stored.lines is None:
            return
        try:
            for seat, member in enumerate(stored.members):
                if member is not None:
                    await self._grade_seat(round.guild, stored, seat, member, urgency)
            GRADED.inc()
        except (ValueError, RuntimeError):  # the record cannot be dealt again, or the coach cannot say
            log.exception("round %s of table %s cannot be graded", round.number, round.table)

    async def _grade_seat(self, guild: int, stored: StoredRound, seat: Seat, member: int, urgency: Urgency) -> None:
        assert stored.lines is not None
        if is_called_off(stored.lines):
            await self._bank.grades.keep(_unknown(stored, member, 0))
            return
        purses = await self._bank.grades.purses(guild, stored, seat)
        sat = self._sitting(stored, seat, purses)
        grade = await self._coach.ask(HowWellWasItPlayed(sat), urgency)
        net = sum(line.net for line in stored.lines if line.seat == seat)
        here = replace(_unknown(stored, member, net), units=_units(sat, net))
        if grade is None:
            await self._bank.grades.keep(here)
            return
        parts = {name: getattr(grade, name) for name in _PARTS}
        kept = replace(here, **parts)
        await self._bank.grades.keep(kept, [_missed(here, stored, sat, mistake) for mistake in grade.mistakes])

    def _sitting(self, stored: StoredRound, seat: Seat, purses: tuple[Cents | None, ...]) -> PlayedSeat:
        record = record_of(stored)
        cards = self._shuffle(record.seed, record.mixed_in, rules_of(record).decks)
        dealt = replay(record, 0, cards)
        return sitting(record.game, dealt, record.steps, purses, seat, record.stakes[seat])


#: The fields of the coach's grade that are stored unchanged.
_PARTS: Final = ("expected", "given_away", "decisions", "right", "close", "close_right")
_MILLION: Final = 1_000_000


def _units(sat: PlayedSeat, net: Cents) -> int | None:
    """Return the net result of a hand of blackjack in millionths of its stake; None for other games."""
    return round(net * _MILLION / sum(sat.stakes.values())) if sat.game == "blackjack" else None


def _unknown(stored: StoredRound, member: int, net: Cents) -> Graded:
    """Return the grade of a round whose expected result is unknown."""
    return Graded(stored.table, stored.number, member, stored.finished_at, net, None, valuation=VALUATION)


def _missed(here: Graded, stored: StoredRound, sat: PlayedSeat, mistake: Mistake) -> Missed:
    """Return a mistake as it is stored: with everything that is needed to ask about the hand again."""
    doc = {
        "rules": record_of(stored).rules_name,
        "hand": list(mistake.choice.hand),
        "up": mistake.choice.up,
        "stake": mistake.choice.stake,
        "action": str(mistake.choice.action),
        "best": str(mistake.best),
        "worths": {str(action): worth for action, worth in mistake.worths.items()},
    }
    return Missed(here.table, here.number, mistake.choice.place, here.member, here.at, mistake.loss, doc, due=here.at)
