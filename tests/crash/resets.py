"""Resets to equal chips under load: a server whose people play on while its admin resets them, until it is killed."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Final

from data import Bank, Reset, ResetMoved
from data.ledger import resets
from data.ledger.resets import NOTICE, Resets
from engine.games.contract import CHIP
from engine.tables.ports import AlreadyDone, Clock

#: A server of its own, because nobody stakes anything new while a reset goes on.
GUILD: Final = 6 << 22
#: People who play there, and their admin.
EQUALS: Final = tuple(range(601, 605))
_ADMIN: Final = 600
_CHANNEL: Final = 98
_HOUR: Final = 3_600.0
#: Members of a slice, so that a process also dies between two of them.
_SLICE: Final = 5

#: Waits for a step and reports its outcome under a name.
Told = Callable[[str, Awaitable[Any]], Awaitable[None]]


class Resetting:
    """The resets of one life. An order is a week old when it is given, because no life lasts so long."""

    def __init__(self, bank: Bank, clock: Clock, chance: random.Random, told: Told) -> None:
        self._bank, self._chance, self._told = bank, chance, told
        a_week_ago: Any = SimpleNamespace(now=lambda: clock.now() - NOTICE - _HOUR)
        self._early = Resets(bank._store, a_week_ago)
        vars(resets)["_NEXT"] = resets._NEXT.limit(_SLICE)
        self._after = 0

    async def step(self, press: int) -> None:
        """Order a reset, perhaps a second one, withdraw it, or go on with it."""
        coming, drawn = await self._bank.resets.coming(GUILD), self._chance.random()
        if coming is None or drawn < 0.1:
            await self._order(press)
        elif drawn < 0.2:
            await self._withdraw(coming)
        else:
            await self._go_on(coming)

    async def out(self) -> None:
        """Bring the reset that waits to its end."""
        while (coming := await self._bank.resets.coming(GUILD)) is not None:
            await self._go_on(coming)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _order(self, press: int) -> None:
        admin = await self._bank.members.sign_in(GUILD, _ADMIN)
        amount = self._chance.choice((100, 500, 2_000)) * CHIP
        await self._told(f"reset/{press}", self._early.order(press, admin, _CHANNEL, amount, 0.0))

    async def _withdraw(self, reset: Reset) -> None:
        """Withdraw a reset, which is refused once it has begun."""
        await self._told(f"reset/{reset.id}/withdrawn", self._bank.resets.withdraw(reset.id, GUILD))

    async def _go_on(self, reset: Reset) -> None:
        """Take the next step of a reset: its announcement, its beginning, a slice of members, or its end."""
        if not reset.announced:
            await self._early.announced(reset.id, None)
        elif not reset.began:
            self._after = 0
            await self._told(f"reset/{reset.id}/began", _once(self._bank.resets.begin(reset)))
        elif await self._all_reset(reset):
            await self._told(f"reset/{reset.id}/over", _once(self._bank.resets.end(reset.id)))

    async def _all_reset(self, reset: Reset) -> bool:
        """Reset one slice of members, and return whether it was the first and nobody was left in it."""
        first = self._after == 0
        after, left = await self._bank.resets.slice(reset, self._after)
        self._after = after or 0
        return first and after is None and not left


async def _once(work: Awaitable[Any]) -> None:
    """Report a step that an earlier life has taken as done already."""
    try:
        await work
    except ResetMoved as moved:
        raise AlreadyDone(str(moved)) from moved
