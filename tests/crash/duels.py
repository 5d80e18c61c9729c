"""Duels under load: people challenge each other, accept, play and end duels, until somebody pulls the plug."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any, Final

from data import Bank, Challenge, Length, Rest, StoredDuel
from data.sets.duels import Duels
from engine.games.contract import CHIP
from engine.sets.duels import DuelState
from engine.sets.tries import NEXT
from engine.tables.ports import AlreadyDone, BankError
from engine.tables.values import Member
from tests.data.fives import one_root
from tests.data.pairs import draft_of, prepared

#: People who only play duels, and their channel.
DUELLISTS: Final = tuple(range(501, 506))
_CHANNEL: Final = 99
#: The least number of people who are challenged once.
_NEW: Final = 10**9

#: Waits for a step and reports its outcome under the name of its transfer.
Told = Callable[[str, Awaitable[Any]], Awaitable[None]]

# All duels share one set. It is worked out before the first life, because the processes that are killed inherit it.
prepared(draft_of(one_root(32)))


class Late(Duels):
    """Duels whose time is over."""

    async def is_past(self, duel: StoredDuel) -> bool:
        return True


class Duelling:
    """The duels of one life."""

    def __init__(self, bank: Bank, guild: int, chance: random.Random, told: Told) -> None:
        self._bank, self._guild, self._chance, self._told = bank, guild, chance, told
        bank.challenges.chance = one_root
        right = bank.duels
        self._late = Late(right._store, right._clock, right._members, right._tries, right._outages)

    async def something(self, me: Member, press: int) -> None:
        """Make one step: a challenge, an answer to one, a press in a hand, or an end by time or by a break."""
        found, drawn = await self._bank.duels.open_of(me.user), self._chance.random()
        if drawn < 0.25:
            await self._unplayed(me, press)
        elif not found or drawn < 0.4:
            await self._challenge(me, press)
        elif drawn < 0.5:
            await self._late.end(self._chance.choice(found).id)
        else:
            duel = self._chance.choice(found)
            step = self._answer if duel.state is DuelState.CHALLENGED else self._play
            await step(duel, me)

    async def out(self) -> None:
        """Withdraw every challenge and play every duel to its end."""
        for user in DUELLISTS:
            for duel in await self._bank.duels.open_of(user):
                if duel.state is DuelState.CHALLENGED:
                    await self._bank.challenges.refuse(duel.id, duel.sides[0].member or 0)
                    continue
                while not (now := await self._bank.duels.known(duel.id)).sides[now.side_of(user) or 0].done:
                    await self._press(now, user)
                await self._late.end(duel.id)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _unplayed(self, me: Member, press: int) -> None:
        """Challenge somebody new, who perhaps accepts; a break or the time ends it before anybody plays."""
        new = _NEW + press
        await self._challenge(me, press, new)
        if self._chance.random() < 0.5:
            other = await self._bank.members.sign_in(self._guild, new)
            await self._answer(await self._bank.duels.known(press), other)
        if self._chance.random() < 0.5:
            await self._late.end(press)
            return
        await self._bank.breaks.begin(new, Rest.EVERYTHING, Length.DAY)
        await self._bank.duels.end(press)

    async def _challenge(self, me: Member, press: int, user: int | None = None) -> None:
        user = user or self._chance.choice([user for user in DUELLISTS if user != me.user])
        other, stake = await self._bank.members.sign_in(self._guild, user), self._chance.choice((5, 5, 20, 0))
        draft = self._bank.challenges.draft()
        asked = Challenge(press, self._guild, _CHANNEL, me, other, None, stake * CHIP)
        work = self._bank.challenges.make(asked, draft, prepared(draft))
        await (self._told(f"duel/{press}/stake/{me.id}", work) if stake else work)

    async def _answer(self, duel: StoredDuel, me: Member) -> None:
        if me.id == duel.sides[0].member or self._chance.random() < 0.2:
            work = self._once(self._bank.challenges.refuse(duel.id, me.id))
            key = f"duel/{duel.id}/back/{duel.sides[0].member}"
        else:
            for_fun = self._chance.random() < 0.2
            work = self._once(self._bank.challenges.accept(duel.id, me, for_fun=for_fun))
            key = f"duel/{duel.id}/" + (f"back/{duel.sides[0].member}" if for_fun else f"stake/{me.id}")
        await (self._told(key, work) if duel.offered else work)

    async def _once(self, work: Awaitable[Any]) -> None:
        """Report a step that was refused as done already: an earlier or later one of the same kind may stand."""
        try:
            await work
        except BankError as refused:
            raise AlreadyDone(str(refused)) from refused

    async def _play(self, duel: StoredDuel, me: Member) -> None:
        for _ in range(4):
            await self._press(duel, me.user)
        await self._bank.duels.end(duel.id)

    async def _press(self, duel: StoredDuel, user: int) -> None:
        deals = await self._bank.duels.deals(duel)
        stored = await self._bank.duels.begin(duel, user)
        found = stored.on(deals)
        if not found.over:
            action = NEXT if found.round.over else self._chance.choice(found.legal)
            await self._bank.tries.press(stored, found.pressed(action, deals.shoes))
