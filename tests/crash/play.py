"""One life of a casino under load: every game, real rounds, real money, until somebody pulls the plug."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import time
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from data import Bank
from data.base.schema import pots
from engine.games import registry as games
from engine.games.computer import fresh_names
from engine.games.contract import CHIP
from engine.stored_words import TOURNAMENT
from engine.tables.house import HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.orders import EliminationOrder, Order, Player
from engine.tables.ports import AlreadyDone, BankError, BankUnavailable, OutcomeUnknown, Surroundings, Watchers
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import Member
from engine.tournament.books import TournamentBooks
from engine.tournament.director import Director
from engine.tournament.order import TournamentOrder
from engine.tournament.run import TournamentSurroundings
from engine.tournament.state import Every
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView
from tests.posted import Posted

GUILD: Final = 5 << 22
#: Where what is played: each game, a table that starts full, elimination, and tournaments.
GAMES: Final = dict(
    enumerate(
        (
            *((name, list(game.rule_sets)[-1]) for name, game in games.GAMES.items()),
            *(
                ("blackjack", "vegas"),
                ("blackjack", "four-seat"),
                ("elimination", "original"),
                (TOURNAMENT, "original"),
            ),
        ),
        start=71,
    )
)
#: Two people in each channel.
USERS: Final = {user: 71 + user % len(GAMES) for user in range(1, 2 * len(GAMES) + 1)}
HOUSE: Final = HouseSettings(think_seconds=0, gift_hands=0)

#: A tournament of two people takes a second.
PATIENCE: Final = 15.0

READY: Final = "ready"
CLEAN: Final = "clean"
FAULT: Final = "fault"
DONE: Final = "done"
REFUSED: Final = "refused"


class Clock:
    def now(self) -> float:
        return time.time()


class Nobody:
    def changed(self, table: Table) -> None: ...


class Days:
    """No tournament is of a series."""

    def following(self, *_: Any) -> None:
        return None


class Crier:
    """Channels that take everything. A message is one more id."""

    def __init__(self) -> None:
        self._ids = itertools.count(time.time_ns())

    async def sign_up(self, view: TournamentView) -> int:
        return view.state.message or next(self._ids)

    async def entrants(self, view: TournamentView) -> int:
        return next(self._ids)

    async def event(self, view: TournamentView) -> int | None:
        return None

    async def remind(self, view: TournamentView) -> None: ...

    async def moved(self, view: TournamentView) -> None: ...

    async def channel_of(self, view: TournamentView, number: int) -> int:
        return next(self._ids)

    async def put_up(self, table: Table) -> None:
        await table.posted(next(self._ids))

    async def standings(self, view: TournamentView) -> int:
        return view.state.standings or next(self._ids)

    async def farewell(self, view: TournamentView) -> None: ...


@dataclass
class Wire:
    """Says one line at a time to whoever listens at the other end; what is said is out, whatever happens next."""

    end: int

    def say(self, word: str, *more: str) -> None:
        os.write(self.end, (" ".join((word, *more)).replace("\n", " ") + "\n").encode())


async def live(kind: type[Bank], url: str, life: int, wire: Wire, *, last: bool) -> None:
    """Open, take up what the last life left and play on. The last life only plays out."""
    async with kind.open(url, HOUSE, Clock()) as bank:
        wire.say(CLEAN)
        watchers, poster, clock = Watchers(Nobody()), Posted(), Clock()
        tables = OpenTables(Surroundings(bank, clock, lambda: os.urandom(32), watchers, bank.guilds.house, poster))
        around = TournamentSurroundings(bank, TournamentBooks(bank, clock), tables, Crier(), Days(), clock)
        director = Director(around, "the casino", lambda guild: guild == GUILD)
        watchers.between_hands.append(director)
        await tables.recover()
        director.wake()
        play = Play(bank, tables, director, wire, life)
        if last:
            await play.out()
            wire.say(*[FAULT, left] if (left := await _leftovers(bank)) else [DONE])
        else:
            wire.say(READY)
            await play.on()


async def _leftovers(bank: Bank) -> str:
    """When everything was played out: what the bank itself finds, and chips that lie anywhere."""
    report = await bank.auditor.audit()
    held = await bank._store.rows(sa.select(pots.c.name).where(pots.c.balance != 0))
    return "; ".join([*map(str, report.faults), *(f"{row.name} still holds chips" for row in held)])


# -- playing -----------------------------------------------------------------------------------------------------------


class Play:
    def __init__(self, bank: Bank, tables: OpenTables, director: Director, wire: Wire, life: int) -> None:
        self._bank = bank
        self._tables = tables
        self._director = director
        self._wire = wire
        self._presses: Iterator[int] = iter(range(life * 1_000_000, (life + 1) * 1_000_000))
        self._chance = random.Random(life)
        self._closing = False

    async def on(self) -> None:
        await asyncio.gather(*(self._player(user) for user in USERS))

    async def out(self) -> None:
        """Play one tournament to its end, cancel what goes on, finish every hand and close every table."""
        await self._play_a_tournament()
        for view in await self._director.views(GUILD):
            with contextlib.suppress(Refused):
                await self._director.cancel(view.state.id, self._press(), series=False)
        while await self._bank.tournaments.still_open(GUILD):  # noqa: ASYNC110 - it is the bank that knows
            await asyncio.sleep(0.01)
        for table in self._tables.tables():
            await table.close(self._press())
        await self._director.shutdown()

    # -- private ---------------------------------------------------------------------------------------------------

    async def _play_a_tournament(self) -> None:
        players = [asyncio.create_task(self._player(user)) for user in USERS if GAMES[USERS[user]][0] == TOURNAMENT]
        begun, give_up = False, time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            playing = any(view.phase is TournamentPhase.PLAYING for view in await self._director.views(GUILD))
            if begun and not playing:
                break
            begun = begun or playing
            await asyncio.sleep(0.01)
        self._closing = True  # everybody still hears what became of their press
        await asyncio.gather(*players)

    def _press(self) -> int:
        return next(self._presses)

    async def _player(self, user: int) -> None:
        me = await self._bank.members.sign_in(GUILD, user)
        while not self._closing:
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                await self._something(await self._bank.members.sign_in(GUILD, user) if me.balance else me)
            await asyncio.sleep(0)

    async def _something(self, me: Member) -> None:
        """One press; whoever listens hears what came of it, if it is certain."""
        press = self._press()
        deed, work = await self._chosen(me, press)
        name = f"press/{press}/{deed}"
        try:
            await work
        except Refused as refused:
            # where the bank is not to be reached a table cannot read back what it was not told
            if refused.reason not in (Reason.BANK_UNAVAILABLE, Reason.ALREADY_DONE):
                self._wire.say(REFUSED, name)
        except (BankUnavailable, AlreadyDone, OutcomeUnknown):
            return
        except BankError:
            self._wire.say(REFUSED, name)
        else:
            self._wire.say(name)

    async def _chosen(self, me: Member, press: int) -> tuple[str, Awaitable[Any]]:
        if me.balance < 200 * CHIP or self._chance.random() < 0.05:
            return self._money(me, press)
        channel = USERS[me.user]
        game, rules = GAMES[channel]
        at_play = [
            table for table in self._tables.tables() if table.state.elimination and table.state.chair_of(me.user)
        ]
        if at_play:
            return self._at(at_play[0], me, press)
        if game == TOURNAMENT:
            return await self._tournament(me, press)
        if game == "elimination":
            others = [Player(computer=name, level="amateur") for name in fresh_names(3, set())]
            order = EliminationOrder(press, GUILD, channel, rules, 20 * CHIP, (Player(me), *others), opener=me.user)
            return "open", self._tables.open_elimination(order)
        table = self._tables.table_in(channel, game, me.user if games.game(game).own_table else None)
        if table is None:
            computers = 1 if games.game(game).computers else 0
            return "open", self._tables.open(Order(press, GUILD, channel, game, rules, me, computers=computers))
        return self._at(table, me, press)

    def _at(self, table: Table, me: Member, press: int) -> tuple[str, Awaitable[Any]]:
        now, number = table.snapshot(), table.state.sealed
        mine = now.sitter_of(me.user)
        if mine is None:
            return "join", table.join(me, press)
        if self._chance.random() < 0.02:
            return "leave", table.leave(me.user, press)
        if now.phase is TablePhase.PLAYING and mine.seat is not None and now.legal[mine.seat]:
            action = self._chance.choice(now.legal[mine.seat])
            return "act", table.act(me.user, action, now.round, now.turn, press)
        if games.game(now.game).opener_deals and self._chance.random() < 0.3:
            return "deal", table.deal(me.user, press, number)
        return "stake", table.stake(me.user, self._stakes(now), press, number=number)

    def _stakes(self, now: Snapshot) -> dict[str, int] | None:
        """Sometimes one that is refused."""
        if now.elimination is not None:
            return {"main": now.offers["smallest"]} if now.offers else None
        if now.rules.seating.fixed_stake:
            return None
        return {self._chance.choice(games.game(now.game).spots): self._chance.randint(0, 10) * CHIP}

    async def _tournament(self, me: Member, press: int) -> tuple[str, Awaitable[Any]]:
        for view in await self._director.views(GUILD):
            if view.phase is TournamentPhase.SIGN_UP:
                do = self._director.join if self._chance.random() < 0.8 else self._director.leave
                return TOURNAMENT, do(view.state.id, me, press)
            return self._money(me, press)
        rules = games.game("blackjack").rule_sets["original"].as_json()
        order = TournamentOrder(
            press, GUILD, USERS[me.user], me, "original", rules, 20 * CHIP, 10 * CHIP, "amateur",
            time.time() + 0.2, Every.ONCE, "UTC", "now",
        )  # fmt: skip
        return TOURNAMENT, self._director.schedule(order)

    def _money(self, me: Member, press: int) -> tuple[str, Awaitable[Any]]:
        if me.balance < 200 * CHIP or self._chance.random() < 0.5:
            return "grant", self._bank.chips.grant(me.id, 500 * CHIP, actor=me.id, reason="load", press=press)
        return "gift", self._gift(me, press)

    async def _gift(self, me: Member, press: int) -> None:
        """Sometimes of more than there is."""
        other = self._chance.choice([user for user in USERS if user != me.user])
        receiver = await self._bank.members.sign_in(GUILD, other)
        await self._bank.chips.give(me.id, receiver.id, self._chance.choice((1, 1, 100_000)) * CHIP, press)
