"""This release as one process on a bank that an earlier one left behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable

from data import Bank
from engine.tables.open_tables import OpenTables
from engine.tables.ports import Surroundings, Watchers
from engine.tables.refused import Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from engine.tournament.books import TournamentBooks
from engine.tournament.director import Director
from engine.tournament.run import TournamentSurroundings
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView
from tests.data.dealer import HandClock, press
from tests.engine.tables.conftest import CountedSeeds
from tests.engine.tables.theatre import Crier, Days
from tests.posted import Posted
from tests.releases import Release


def asked(now: Snapshot) -> list[int]:
    """The seats that may answer something now."""
    return [seat for seat, words in enumerate(now.legal) if words] if now.phase is TablePhase.PLAYING else []


class House:
    """This release on the old bank, as one process."""

    def __init__(self, release: Release, bank: Bank, clock: HandClock) -> None:
        self.release, self.bank, self.clock = release, bank, clock
        self._start()

    def _start(self) -> None:
        watchers, seeds = Watchers(self), CountedSeeds()
        self.crier = Crier()
        self.poster = Posted()
        house = self.bank.guilds.house
        self.registry = OpenTables(Surroundings(self.bank, self.clock, seeds, watchers, house, self.poster))
        books = TournamentBooks(self.bank, self.clock)
        shared = TournamentSurroundings(self.bank, books, self.registry, self.crier, Days(), self.clock)
        self.director = Director(shared, self.release.was["process"], lambda guild: True)
        watchers.between_hands.append(self.director)

    def changed(self, table: Table) -> None:
        """Nobody looks on."""

    async def restart(self) -> None:
        await self.rest()
        self._start()
        await self.registry.recover()
        self.director.wake()

    async def rest(self) -> None:
        await self.director.shutdown()
        await self.registry.shutdown()
        ringing = [task for task in asyncio.all_tasks() if task.get_name().startswith(("tournament", "table"))]
        await asyncio.gather(*ringing, return_exceptions=True)

    # -- looking -------------------------------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        found = self.registry.get(self.release.left_open[name]["id"])
        assert found is not None, f"the table {name} was not taken up"
        return found

    async def tournament(self, name: str) -> TournamentView:
        return await self.director.view(self.release.tournaments[name]["id"])

    async def balance(self, guild: int, user: int) -> int:
        found = await self.bank.members.balance(guild, user)
        assert found is not None
        return found

    async def wallets(self, users: Iterable[int]) -> dict[int, int]:
        """Return the wallets of the guild where the tournaments are."""
        return {user: await self.balance(self.release.club, user) for user in users}

    async def history(self, member: int) -> tuple[int, int]:
        """How many rounds, and what came of those for real chips."""
        page = await self.bank.records.history(member, size=1_000)
        return len(page.rounds), sum(played.net for played in page.rounds if played.real)

    async def until(self, done: Callable[[], Awaitable[bool]]) -> None:
        async with asyncio.timeout(60):
            while True:
                if await done():
                    return
                await asyncio.sleep(0.002)

    # -- playing -------------------------------------------------------------------------------------------------------

    async def stake_at(self, name: str) -> Table:
        """Everybody at that table stakes five chips, and the round begins."""
        table = self.table(name)
        for user in self.release.left_open[name]["users"]:
            await table.stake(user, {"main": 500}, press(), number=table.state.sealed)
        return table

    async def play(self, table: Table) -> Snapshot:
        """The round to its end: nobody takes another card."""
        async with asyncio.timeout(60):
            while (now := table.snapshot()).phase is TablePhase.PLAYING:
                await self._answer(table, now)
                await asyncio.sleep(0)
        return table.snapshot()

    async def play_elimination(self, table: Table) -> None:
        async def over() -> bool:
            await self._play_eliminations()
            return table.snapshot().phase is TablePhase.CLOSED

        await self.until(over)

    async def play_tournament(self, name: str) -> TournamentView:
        """Play a tournament to its end, at which the whole pool is paid out."""

        async def over() -> bool:
            await self._play_eliminations()
            return (await self.tournament(name)).state.told

        self.director.wake()
        await self.until(over)
        end = await self.tournament(name)
        assert end.phase is TournamentPhase.OVER
        assert sum(end.prizes.values()) == self.release.tournaments[name]["pool"]
        return end

    async def _play_eliminations(self) -> None:
        for table in self.registry.tables():
            now = table.snapshot()
            if now.elimination is None:
                continue
            with contextlib.suppress(Refused):  # its clock or its computer players were quicker
                asked = now.elimination.asked if now.phase is TablePhase.BETTING else None
                user = now.players[asked].user if asked is not None else None
                if user is not None:
                    await table.stake(user, {"main": now.offers["smallest"]}, press())
                else:
                    await self._answer(table, now)

    async def _answer(self, table: Table, now: Snapshot) -> None:
        for seat in asked(now):
            sitter = now.sitter_at(seat)
            if sitter is not None and sitter.user is not None:
                quiet = next(word for word in ("stand", "decline", "surrender") if word in now.legal[seat])
                await table.act(sitter.user, quiet, now.round, now.turn, press())
                return

    async def empty(self, table: Table) -> None:
        for chair in table.state.people:
            with contextlib.suppress(Refused):
                await table.leave(chair.user, press())
