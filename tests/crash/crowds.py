"""The same cards for all under load: people plan tournaments, sign up, play and compare them, until the kill."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from data import Bank, FieldClosed, NotInField, OutdatedTry
from data.sets.fields import Fields
from engine.fairness.chain import tip_of
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP, IllegalAction
from engine.sets.duels import RUNS_FOR
from engine.sets.tries import NEXT
from engine.stored_words import TOURNAMENT
from engine.tables.places import tournament_place
from engine.tables.ports import AlreadyDone, Clock
from engine.tables.values import Chain, Member
from engine.tournament.books import TournamentBooks
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.state import TournamentState, WhyCancelled
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from tests.data.crowd import ROOT, Crowd
from tests.data.pairs import HANDS

#: A server of its own, whose tournaments no director looks after.
GUILD: Final = 7 << 22
#: People who play the same cards there, and the fewest who do before the sign-up closes.
PEOPLE: Final = tuple(range(701, 706))
_FEWEST: Final = 3
_CHANNEL: Final = 97
_BUY_IN: Final = 15 * CHIP
#: Presses that somebody makes in one go.
_PRESSES: Final = 4

#: Waits for a step and reports its outcome under a name.
Told = Callable[[str, Awaitable[Any]], Awaitable[None]]

# All tournaments have the same deals. They are worked out before the first life, because killed processes inherit them.
Crowd.deals()


class Late(Fields):
    """The same cards whose time is over."""

    async def _is_past(self, opened: float) -> bool:
        return True


class Crowding:
    """The tournaments with the same cards of one life."""

    def __init__(self, bank: Bank, clock: Clock, chance: random.Random, told: Told) -> None:
        self._bank, self._clock, self._chance, self._told = bank, clock, chance, told
        self._books = TournamentBooks(bank, clock)
        right = bank.fields
        self._late = Late(right._store, right._clock, right._tries, right._outages)

    async def something(self, me: Member, press: int) -> None:
        """Plan a tournament, or take a step of one that is not over."""
        found = await self._books.open_ones(GUILD)
        if not found:
            await self._plan(me, press)
            return
        position = self._chance.choice(found)
        steps = {
            TournamentPhase.SIGN_UP: self._sign_up,
            TournamentPhase.CLOSED: self._deal,
            TournamentPhase.PLAYING: self._play,
        }
        await steps.get(position.tournament.phase, self._announce)(position, me, press)

    async def out(self) -> None:
        """Cancel or compare every tournament."""
        for position in await self._books.open_ones(GUILD):
            if position.tournament.phase is TournamentPhase.PLAYING:
                await self._compare(position.state.id, "out")
            elif position.tournament.phase in (TournamentPhase.SIGN_UP, TournamentPhase.CLOSED):
                await self._change(position.state.id, "out", lambda draft: draft.cancel(WhyCancelled.MANAGER))
            await self._announce(position)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _change(self, tournament: int, cause: str, alter: Callable[[TournamentDraft], None]) -> None:
        cause = f"{TOURNAMENT}/{tournament}/{cause}"
        await self._told(cause, self._books.change(tournament, cause, alter))

    async def _plan(self, me: Member, press: int) -> None:
        """Post the promise, and open the sign-up."""
        tip, place = tip_of(ROOT), tournament_place(press)
        await self._bank.chains.begin(Chain(press, place, GUILD, _CHANNEL, ROOT, tip))
        await self._bank.chains.promised(press, press)
        tournament = Tournament(TournamentTerms(1_000 * CHIP, _BUY_IN, hands=HANDS))
        state = TournamentState(
            press, GUILD, _CHANNEL, me.id, "vegas", VEGAS.as_json(), self._clock.now(), tournament.record()
        )
        cause = f"press/{press}/{TOURNAMENT}"
        await self._told(cause, self._books.begin(replace(state, tip=tip, promise=press), cause))

    async def _sign_up(self, position: TournamentPosition, me: Member, press: int) -> None:
        """Sign up, sign off, or close the sign-up."""
        tournament, cause = position.state.id, f"press/{press}/{TOURNAMENT}"
        drawn = self._chance.random()
        if drawn < 0.5:
            await self._told(cause, self._books.change(tournament, cause, lambda draft: draft.join(me, press)))
        elif drawn < 0.6:
            await self._told(cause, self._books.change(tournament, cause, lambda draft: draft.leave(me, cause)))
        elif len(position.tournament.people) >= _FEWEST:
            await self._change(tournament, f"{press}/close", TournamentDraft.close_sign_up)

    async def _deal(self, position: TournamentPosition, me: Member, press: int) -> None:
        """Deal, or seldom cancel everything."""
        if self._chance.random() < 0.1:
            await self._change(position.state.id, f"{press}/cancel", lambda draft: draft.cancel(WhyCancelled.MANAGER))
            return
        ends = self._clock.now() + RUNS_FOR
        await self._change(position.state.id, f"{press}/deal", lambda draft: draft.deal(Crowd.deals(), ends))

    async def _play(self, position: TournamentPosition, me: Member, press: int) -> None:
        """Play on, or compare: with everybody done, or because the time is over."""
        tournament = position.state.id
        over = (await self._bank.fields.standing(tournament)).over
        if over or self._chance.random() < 0.2:
            with contextlib.suppress(IllegalAction):  # somebody began at the same moment, which no clock allows
                await self._compare(tournament, f"{press}/played")
            return
        try:
            for _ in range(_PRESSES):
                await self._press(tournament, me.user)
        except (FieldClosed, NotInField):
            return

    async def _press(self, tournament: int, user: int) -> None:
        field = await self._bank.fields.known(tournament)
        stored = await self._bank.fields.begin(field, user)
        found = stored.on(field.deals)
        if not found.over:
            after = found.pressed(NEXT if found.round.over else self._chance.choice(found.legal), field.deals.shoes)
            name = f"same/{tournament}/{user}/{after.steps}"
            await self._told(name, _once(self._bank.tries.press(stored, after)))

    async def _compare(self, tournament: int, cause: str) -> None:
        """Let everything unplayed stand, and pay the prizes."""
        scores = await self._late.scores(tournament)
        await self._change(tournament, cause, lambda draft: draft.played(scores))

    async def _announce(self, position: TournamentPosition, *_: Any) -> None:
        """End the promise of a tournament that is over, and leave nothing to do."""
        chain = await self._bank.chains.in_use(tournament_place(position.state.id))
        if chain is not None:
            await self._bank.chains.end(chain.id, "the tournament is over")
        await self._change(position.state.id, "announced", TournamentDraft.end_announced)


async def _once(work: Awaitable[Any]) -> None:
    """Report a press after another one as done already."""
    try:
        await work
    except OutdatedTry as outdated:
        raise AlreadyDone(str(outdated)) from outdated
