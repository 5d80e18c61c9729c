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
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from data import Bank, Length, LimitKind, Rest
from data.base.schema import pots
from engine.games import registry as games
from engine.games.blackjack.rules import FROM_FAR_END, BlackjackRules
from engine.games.computer import fresh_names
from engine.games.contract import CHIP
from engine.stored_words import TOURNAMENT
from engine.tables.house import HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.orders import Contender, EliminationOrder, Order
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
from tests.crash import crowds, days, resets, shopping
from tests.crash.duels import DUELLISTS, Duelling
from tests.posted import Posted

GUILD: Final = 5 << 22
#: Rules of a server's own, where the dealer's cards come from the far end of the shoe.
_FAR: Final = "far"
_FAR_RULES: Final = BlackjackRules(dealer_cards=FROM_FAR_END)
#: The game and rule set of each channel: every game, a table that starts full, elimination, and tournaments.
GAMES: Final = dict(
    enumerate(
        (
            *((name, list(game.rule_sets)[-1]) for name, game in games.GAMES.items()),
            *(
                ("blackjack", "vegas"),
                ("blackjack", _FAR),
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
#: The channel where each person has a table of their own.
WAR: Final = next(channel for channel, (game, _) in GAMES.items() if game == "war")
#: People who also take breaks and set limits, each at a table of their own; others come after this many lives.
CAREFUL: Final = 6
LIVES: Final = 40
#: People who buy roles. Others take their place after some lives, because soon they have every role.
SHOPPERS: Final = 2
BUY_FOR: Final = 10
#: Seconds between two presses of people who buy roles or play duels: most of a life is play.
_BROWSING: Final = 0.02
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
    """The wire that takes lines to the process at the other end.

    A written line has left, no matter what happens next.
    """

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
        play = Play(bank, tables, director, poster, wire, life)
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
    def __init__(
        self, bank: Bank, tables: OpenTables, director: Director, poster: Posted, wire: Wire, life: int
    ) -> None:
        self._bank = bank
        self._poster = poster
        self._tables = tables
        self._director = director
        self._wire = wire
        self._life = life
        self._presses: Iterator[int] = iter(range(life * 1_000_000, (life + 1) * 1_000_000))
        self._chance = random.Random(life)
        self._closing = False
        self._duelling = Duelling(bank, GUILD, self._chance, self._told)
        self._playing = days.Playing(bank, GUILD, life, self._chance, self._told)
        self._crowding = crowds.Crowding(bank, Clock(), self._chance, self._told)
        self._resetting = resets.Resetting(bank, Clock(), self._chance, self._told)

    async def on(self) -> None:
        careful = (1_000 + self._life // LIVES * CAREFUL + number for number in range(CAREFUL))
        shoppers = (2_000 + self._life // BUY_FOR * SHOPPERS + number for number in range(SHOPPERS))
        await shopping.open_shop(self._bank, GUILD)
        await days.open_days(self._bank)
        people = {
            "players": [partial(self._player, user) for user in USERS],
            "careful": [partial(self._careful, user) for user in careful],
            "shoppers": [partial(self._shopper, user) for user in shoppers],
            "duellists": [partial(self._duellist, user) for user in DUELLISTS],
            "fivers": [self._fiver] * days.FIVERS,
            "crowd": [partial(self._crowded, user) for user in crowds.PEOPLE],
            "equals": [self._admin, *(partial(self._equal, user) for user in resets.EQUALS)],
        }
        # a bank that is wrong about some of them is found sooner where only they are there
        who = getattr(self._bank, "only", None)
        await asyncio.gather(*(each() for name, some in people.items() if who in (None, name) for each in some))

    async def out(self) -> None:
        """Play one tournament, all duels and a reset to their end, cancel what goes on, close every table."""
        await self._duelling.out()
        await self._crowding.out()
        await self._play_a_tournament()
        for view in await self._director.views(GUILD):
            with contextlib.suppress(Refused):
                await self._director.cancel(view.state.id, self._press(), series=False)
        while await self._bank.tournaments.still_open(GUILD):  # noqa: ASYNC110 - it is the bank that knows
            await asyncio.sleep(0.01)
        for table in self._tables.tables():
            await table.close(self._press())
        await self._resetting.out()
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

    async def _duellist(self, user: int) -> None:
        while not self._closing:
            me = await self._bank.members.sign_in(GUILD, user)
            with contextlib.suppress(BankError, OutcomeUnknown):
                await self._duelling.something(me, self._press())
            await asyncio.sleep(_BROWSING)

    async def _fiver(self) -> None:
        """One person after the other, who plays Today's five."""
        while not self._closing:
            with contextlib.suppress(BankError, OutcomeUnknown):
                await self._playing.a_try()
            await asyncio.sleep(_BROWSING)

    async def _crowded(self, user: int) -> None:
        """Play the same cards as everybody else."""
        while not self._closing:
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                me, press = await self._bank.members.sign_in(crowds.GUILD, user), self._press()
                if me.balance < 50 * CHIP:
                    await self._bank.chips.grant(me.id, 500 * CHIP, actor=me.id, reason="load", press=press)
                else:
                    await self._crowding.something(me, press)
            await asyncio.sleep(_BROWSING)

    async def _equal(self, user: int) -> None:
        """Play where everybody's chips are reset."""
        while not self._closing:
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                await self._something(await self._bank.members.sign_in(resets.GUILD, user))
            await asyncio.sleep(_BROWSING)

    async def _admin(self) -> None:
        """Order resets and carry them out."""
        while not self._closing:
            with contextlib.suppress(BankError, OutcomeUnknown):
                await self._resetting.step(self._press())
            await asyncio.sleep(_BROWSING)

    async def _something(self, me: Member) -> None:
        """Press something, and write down its outcome if it is certain. Sometimes promises are deleted before."""
        if self._chance.random() < 0.01:
            self._poster.deleted |= set(self._poster.messages)
        press = self._press()
        deed, work = await self._chosen(me, press)
        await self._told(f"press/{press}/{deed}", work)

    async def _told(self, name: str, work: Awaitable[Any]) -> None:
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

    async def _shopper(self, user: int) -> None:
        """Somebody who buys roles, and sees them given and taken back."""
        while not self._closing:
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                me, press = await self._bank.members.sign_in(GUILD, user), self._press()
                if me.balance < 10 * CHIP:
                    await self._bank.chips.grant(me.id, 500 * CHIP, actor=me.id, reason="load", press=press)
                else:
                    await self._told(f"press/{press}/role", shopping.buy(self._bank, me, press, self._chance))
                await shopping.settle(self._bank, self._life, self._chance)
            await asyncio.sleep(_BROWSING)

    async def _careful(self, user: int) -> None:
        """Let somebody play, set limits, take breaks, and try to play on a break."""
        while not self._closing:
            me = await self._bank.members.sign_in(GUILD, user)
            with contextlib.suppress(Refused, BankError, OutcomeUnknown):
                await self._chance.choices((self._something, self._limit, self._rest), (20, 6, 1))[0](me)
            await asyncio.sleep(0)

    async def _rest(self, me: Member) -> None:
        until = await self._bank.breaks.begin(me.user, Rest.CHIPS, self._chance.choice(list(Length)))
        self._wire.say(f"break/{me.user}/{until}")

    async def _limit(self, me: Member) -> None:
        """Up and down, from nothing to more than anybody loses."""
        most = self._chance.choice((0, 0, 5, 1_000, None))
        limit = await self._bank.limits.set(me.user, LimitKind.LOSS_DAY, None if most is None else most * CHIP)
        self._wire.say(f"limit/{me.user}/{limit.most}/{limit.later}")

    async def _chosen(self, me: Member, press: int) -> tuple[str, Awaitable[Any]]:
        if me.balance < 200 * CHIP or self._chance.random() < 0.05:
            return self._money(me, press)
        channel = USERS.get(me.user, WAR)
        game, rules = GAMES[channel]
        channel += me.guild - GUILD  # as on Discord, no two servers have a channel of the same number
        at_play = [
            table for table in self._tables.tables() if table.state.elimination and table.state.chair_of(me.user)
        ]
        if at_play:
            return self._at(at_play[0], me, press)
        if game == TOURNAMENT:
            return await self._tournament(me, press)
        if game == "elimination":
            others = [Contender(computer=name, level="amateur") for name in fresh_names(3, set())]
            order = EliminationOrder(
                press, me.guild, channel, rules, 20 * CHIP, (Contender(me), *others), opener=me.user
            )
            return "open", self._tables.open_elimination(order)
        table = self._tables.table_in(channel, game, me.user if games.game(game).own_table else None)
        if table is None:
            computers, own = 1 if games.game(game).computers else 0, _FAR_RULES if rules == _FAR else None
            order = Order(press, me.guild, channel, game, rules, me, own, computers=computers)
            return "open", self._tables.open(order)
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
        receiver = await self._bank.members.sign_in(me.guild, other)
        await self._bank.chips.give(me.id, receiver.id, self._chance.choice((1, 1, 100_000)) * CHIP, press)
