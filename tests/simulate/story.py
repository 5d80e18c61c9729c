"""A story: some events in a fresh house, and hours of quiet at the end. The same seed tells the same story."""

from __future__ import annotations

import asyncio
import gc
import random
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from data import Bank
from engine.sets.duels import RUNS_FOR
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Refused
from tests.data.scratch import scratch
from tests.ears import Ears
from tests.simulate.disk import Disk, in_line, through
from tests.simulate.duels import ended
from tests.simulate.events import EVENTS, Event, Scene
from tests.simulate.hours import HouseClock, Stuck, VirtualLoop
from tests.simulate.house import GUILDS, HOUSE, Process, minding, template
from tests.simulate.judge import LONGEST_DRAWING, Broken, Judge, is_an_error, listening
from tests.simulate.messages import Server
from tests.simulate.resets import finish
from tests.simulate.roles import LONGEST_ROLE

#: Events of a story: then a new house is opened, so that a failure has a beginning near by.
LENGTH: Final = 2_000
#: Seconds after which every idle table is closed, and every tournament played.
QUIET: Final = 6 * 3600.0
#: Seconds within which tournaments with the same cards are over once their time is.
LONGEST_CROWD: Final = 600.0
#: Shorter stories that are tried when one has failed.
TRIES: Final = 120
#: No press takes longer, whatever the disk does.
PATIENCE: Final = 120.0


@dataclass
class Score:
    """The counts of what happened."""

    events: int = 0
    rounds: int = 0
    told: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.events + other.events, self.rounds + other.rounds, self.told + other.told,
            self.kinds + other.kinds, self.injected + other.injected,
        )  # fmt: skip


@dataclass(frozen=True)
class Failure:
    """Which promise was broken, at which event, and what had happened."""

    seed: str
    at: int
    why: str
    lines: tuple[str, ...]
    when_quiet: bool = False


@dataclass
class Story:
    """`only`: these events, all others are left out. `bug`: something that is wrong on purpose. `quiet`: whether the
    hours after the last event are looked at, too."""

    seed: str
    length: int = LENGTH
    only: Collection[int] | None = None
    bug: Callable[[], AbstractContextManager[None]] = nullcontext
    quiet: bool = True
    lines: list[str] = field(default_factory=list)
    score: Score = field(default_factory=Score)
    ended: str = ""  # a digest of all that is in the bank at the end
    _houses: list[Process] = field(default_factory=list)
    _at: int = 0
    _is_quiet: bool = False
    _furthest: float = 0.0  # that the clock was ever ahead

    def tell(self) -> Failure | None:
        """Play it; None: every promise was kept."""
        folder = Path(tempfile.mkdtemp(prefix="story-", dir=scratch()))
        ears = Ears(is_an_error)
        loop = VirtualLoop()
        gc.disable()  # what it does, it does at moments of its own
        try:
            with in_line(), listening(ears), self.bug():
                minding(loop)
                failure = self._failure(folder, loop, ears)
                self._let_go(loop)
        finally:
            gc.enable()
            shutil.rmtree(folder, ignore_errors=True)
        return failure

    # -- private ---------------------------------------------------------------------------------------------------

    def _failure(self, folder: Path, loop: VirtualLoop, ears: Ears) -> Failure | None:
        try:
            loop.run_until_complete(self._play(folder, loop, ears))
        except (Broken, Stuck) as broken:
            return self._failed(str(broken))
        except Exception as error:  # a crash of a check is a finding too: tell the story
            where = traceback.extract_tb(error.__traceback__)[-1]
            return self._failed(f"an error that nobody expects: {error!r}, in {where.name}")
        return None

    def _failed(self, why: str) -> Failure:
        return Failure(self.seed, self._at, why, tuple(self.lines), self._is_quiet)

    def _let_go(self, loop: VirtualLoop) -> None:
        """Free everything now, and not while somebody else looks at warnings."""
        _let_go(loop)
        self._houses.clear()
        vars(self).pop("_judge", None)
        gc.collect()

    async def _play(self, folder: Path, loop: VirtualLoop, ears: Ears) -> None:
        file = folder / "bank.db"
        self._clock = HouseClock(loop)
        self._server = Server(self._clock.now, self.score.injected)
        shutil.copy(_template[0], file)
        self._houses += (
            Process(shard, file, self._clock, self._server, self.score.injected) for shard in range(len(GUILDS))
        )
        reader = await Bank.open(through(Disk(Counter()), file), HOUSE, self._clock)
        self._judge = Judge(file, reader, ears, self._server)
        for house in self._houses:
            house.tell(self.seed)
            await house.start()
        for number in range(self.length):
            if self.only is None or number in self.only:
                self._at = number
                await self._step(number)
        if self.quiet:
            await self._be_quiet()
        self.score.rounds, self.score.told = self._judge.rounds, len(self._judge.told)
        self.ended = self._judge.digest()
        self._judge.close()

    async def _step(self, number: int) -> None:
        chance = random.Random(f"{self.seed} {number}")
        house = chance.choice(self._houses)
        house.tell(f"{self.seed} {number}")
        self._server.chance = random.Random(f"{self.seed} {number} Discord")
        self.score.events += 1
        if (fate := chance.random()) < 0.006:
            await self._strike(house, fate, chance)
        else:
            await self._happen(house, chance, number)
        await asyncio.sleep(chance.choices((0.0, 0.05, 0.5, 3.0, 60.0, 400.0), (30, 30, 25, 12, 2, 0.5))[0])
        await self._judge.look(self._houses)

    async def _happen(self, house: Process, chance: random.Random, number: int) -> None:
        event: Event = chance.choices(list(EVENTS), list(EVENTS.values()))[0]
        scene = Scene(house, self._judge, chance, number + 1)
        self.score.kinds[event.__name__] += 1
        task = house.run(_guarded(event, scene))
        if chance.random() < 0.97:
            done, _ = await asyncio.wait([task], timeout=PATIENCE)
            if not done:
                raise Broken(f"{event.__name__}: nobody answered for {PATIENCE:.0f} seconds")
            task.result()
        else:
            await asyncio.sleep(chance.choice((0.0, 0.002, 0.01)))  # the rest of it runs beside what comes next
            task.add_done_callback(self._came_late)
        self.lines.append(f"{number:6}  {house.shard}  {event.__name__}{scene.told}")

    def _came_late(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._judge.ears.heard.append(str(error))

    async def _strike(self, house: Process, fate: float, chance: random.Random) -> None:
        """Kill a process or stop it, and sometimes set the clock in between."""
        word = "killed" if fate < 0.0045 else "stopped"
        if word == "killed":
            await house.kill()
        else:
            house.life.disk.coming.clear()
            await house.stop()
        self.score.injected[f"process: {word}"] += 1
        await asyncio.sleep(chance.choice((0.1, 2.0, 200.0)))
        if chance.random() < 0.3:
            hours = chance.choice((-6, -0.2, 0.2, 6))
            word += f", the clock jumped {hours} h"
            self.score.injected["clock: jumped"] += 1
            await self._set_clock(hours)
        await house.start()
        self._judge.forget_waits()
        self.lines.append(f"{self._at:6}  {house.shard}  {word}")

    async def _set_clock(self, hours: float) -> None:
        """Set the clock of the one machine, which starts everything on it again."""
        others = [other for other in self._houses if other.alive]
        for other in others:
            await other.kill()
        self._clock.ahead += hours * 3600
        self._furthest = max(self._furthest, self._clock.ahead)
        for other in others:
            await other.start()

    async def _be_quiet(self) -> None:
        """Nothing breaks any more, nobody presses any more."""
        self._is_quiet = True
        self._server.coming.clear()
        for house in self._houses:
            house.life.disk.coming.clear()
        for _ in range(2):
            await asyncio.sleep(LONGEST_DRAWING + 1)
            await self._judge.look(self._houses)
        # a clock that was set back makes a tournament wait for as long
        await asyncio.sleep(QUIET + self._furthest - self._clock.ahead)
        for _ in range(3):  # claims of the dead run out, roles are given, and their time is over
            for house in self._houses:
                await house.run(house.chores.do())
            await asyncio.sleep(LONGEST_ROLE)
        self._clock.ahead += 2 * RUNS_FOR
        await self._houses[0].run(ended(self._houses[0].bank))
        for house in self._houses:
            house.director.wake()
        await asyncio.sleep(LONGEST_CROWD)  # the same cards for all end, too
        for house in self._houses:
            await house.run(finish(house.bank, house.guild, self._clock))
        await self._judge.end()
        for house in self._houses:
            await house.stop()


async def _guarded(event: Event, scene: Scene) -> None:
    try:
        await event(scene)
    except (Broken, asyncio.CancelledError):
        raise
    except Exception as error:
        if not isinstance(error, Refused | BankUnavailable | OutcomeUnknown):  # those came before the press itself
            raise Broken(f"{event.__name__}: an error that nobody expects: {error!r}") from error


def _let_go(loop: VirtualLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    loop.set_exception_handler(lambda *_: None)
    for _ in range(20):
        loop.call_soon(loop.stop)
        loop.run_forever()
    loop.close()


_template: list[Path] = []


@contextmanager
def prepared() -> Iterator[None]:
    """An empty bank is made once; every story begins with a copy of it."""
    folder = Path(tempfile.mkdtemp(prefix="stories-", dir=scratch()))
    gc.freeze()  # what is there already need not be looked through after each story
    try:
        _template[:] = [template(folder)]
        yield
    finally:
        gc.unfreeze()
        shutil.rmtree(folder, ignore_errors=True)


# -- making it short -----------------------------------------------------------------------------------------------


def shrunk(failure: Failure, bug: Callable[[], AbstractContextManager[None]] = nullcontext) -> Failure:
    """The same failure from as few events as can be: whole stretches are left out, then smaller ones."""
    events, tries = tuple(range(failure.at + 1)), TRIES
    best, size = failure, max(1, len(events) // 2)
    while tries > 0:
        for start in range(0, len(events), size):
            shorter = (*events[:start], *events[start + size :])
            tries -= 1
            found = Story(failure.seed, failure.at + 1, frozenset(shorter), bug, failure.when_quiet).tell()
            if found is not None and _alike(found.why, failure.why):
                events, best = shorter, found
                break
            if tries <= 0:
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
    return best


def _alike(one: str, other: str) -> bool:
    """The same promise, whichever table it was."""
    return _letters(one) == _letters(other)


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalpha() or letter == " ")[:60]
