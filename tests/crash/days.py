"""Today's five under load: people begin the day, press on two devices at once and finish it, until it is killed."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from data import Bank, OutdatedTry
from data.base.sets import DayToPrepare, StoredSet, StoredTry
from engine.fairness.chain import seed_of
from engine.sets.calendar import day_at
from engine.sets.tries import NEXT
from engine.tables.ports import AlreadyDone
from tests.data import fives

#: People who play the day at once. Others take their place when they are done, because everybody has one try.
FIVERS: Final = 2
#: The number of the first of them, and how many new ones come after this many lives, which go on with the same tries.
_FIRST: Final = 10_000
_COME: Final = 1_000
_LIVES: Final = 10

#: Waits for a press and reports its outcome under the name of the try.
Told = Callable[[str, Awaitable[Any]], Awaitable[None]]

# The days are worked out before the first life, because the processes that are killed inherit them.
for _number in range(3):
    _day = day_at(time.time()) + _number
    fives.prepared(DayToPrepare(_day, 0, _number + 1, seed_of(fives.ROOT, _number + 1)))


async def open_days(bank: Bank) -> None:
    """Prepare the days, as the chore does, beginning with today."""
    bank.days.chance = fives.one_root
    await bank.days.begin_today()
    await fives.prepare(bank)


class Playing:
    """The tries of one life."""

    def __init__(self, bank: Bank, guild: int, life: int, chance: random.Random, told: Told) -> None:
        self._bank, self._guild, self._chance, self._told = bank, guild, chance, told
        self._people = itertools.count(_FIRST + life // _LIVES * _COME)

    async def a_try(self) -> None:
        """Let the next person play the day to its end, standing on the server's board from some moment on."""
        user, day = next(self._people), await self._bank.days.today()
        assert day is not None
        stored = await self._bank.tries.begin(day, user)
        stands_after = self._chance.randrange(8)
        while stored.finished_at is None:
            if stored.version == stands_after:
                await self._bank.tries.stand(day, stored.person, self._guild)
            stored = await self._press(day, stored, user)
        await self._bank.tries.stand(day, stored.person, self._guild)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _press(self, day: StoredSet, stored: StoredTry, user: int) -> StoredTry:
        """Press once, now and then on two devices at once, and return the try as it stands now."""
        found = stored.on(day)
        after = found.pressed(NEXT if found.round.over else self._chance.choice(found.legal), day.shoes)
        name = f"try/{user}/{after.steps}"
        devices = self._chance.choice((1, 1, 2))
        await asyncio.gather(
            *(self._told(name, _once(self._bank.tries.press(stored, after))) for _device in range(devices))
        )
        now = await self._bank.tries.find(day, stored.person)
        assert now is not None
        return now


async def _once(work: Awaitable[Any]) -> None:
    """Report a press after another one as done already: the other one was the same."""
    try:
        await work
    except OutdatedTry as outdated:
        raise AlreadyDone(str(outdated)) from outdated
