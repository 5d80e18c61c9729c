"""Which table is where."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from engine import fairness
from engine.elimination.draft import EliminationDraft
from engine.elimination.opening import GAME, EliminationOrder, new_elimination, seated
from engine.games import registry as games
from engine.games.computer import fresh_names
from engine.games.contract import AnyGame, Rules
from engine.tables.cash import CashDraft
from engine.tables.draft import Given, Position
from engine.tables.house import HouseSettings
from engine.tables.journal import position_of
from engine.tables.ports import Member, Seal, StoredTable, Surroundings
from engine.tables.refused import Reason, Refused, refusing
from engine.tables.state import Money, TableState
from engine.tables.table import Table

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody asks for who opens a table."""

    press: int  # the interaction's id; it becomes the table's id
    guild: int
    channel: int
    game: str
    rules_name: str
    member: Member
    rules: Rules | None = None  # by value, of a guild's own rule set; None: a built-in one
    solo: bool = False
    computers: int = 0
    level: str = "intermediate"


#: (channel, game, member's user id where everyone has a table of their own, or the table's where it has its own place)
_Key = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a table is and who opened it: what caps count."""

    guild: int
    channel: int
    opener: int  # Discord id; 0: a tournament


class Registry:
    """A channel has at most one table of each game (war: one per member)."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._tables: dict[int, Table] = {}
        self._by_key: dict[_Key, Table] = {}
        self._coming: list[_Where] = []  # of the tables that are being opened
        self._opening: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()  # each while it is held

    def table_in(self, channel: int, game: str, user: int | None = None) -> Table | None:
        """The table of this game in the channel, or the user's own where everyone has one."""
        return self._by_key.get(_key(channel, games.game(game), user or 0))

    def get(self, table: int) -> Table | None:
        """The open table with this id."""
        return self._tables.get(table)

    def tables(self) -> tuple[Table, ...]:
        """All that are open in this process."""
        return tuple(self._tables.values())

    async def open(self, order: Order) -> Table:
        """A new table, its opener seated, the first round's seed sealed; nobody has staked yet.
        Refused(TABLE_BUSY) if there is one, or for whatever else there is no room."""
        game = games.game(order.game)
        key = _key(order.channel, game, order.member.user)
        async with self._opening.setdefault(key, asyncio.Lock()):
            if key in self._by_key:
                raise Refused(Reason.TABLE_BUSY)
            with self._room_for(_Where(order.guild, order.channel, order.member.user)):
                table = await self._open(order, game)
                self._keep(table)
        return table

    async def open_elimination(self, order: EliminationOrder) -> Table:
        """An elimination table. It has a place of its own: a channel may hold several, beside a cash table."""
        with self._room_for(_Where(order.guild, order.channel, order.opener)):
            table = await self._open_elimination(order)
            self._keep(table)
        return table

    async def _open_elimination(self, order: EliminationOrder) -> Table:
        game = games.game(GAME)
        rules = self._rules(game, order.rules, order.rules_name)
        begun = new_elimination(order, self._around.seeds())
        state = seated(order, _new_state(order, game, rules), begun)
        house = await self._house(order.guild)
        position = Position(state, self._first_seal(), elimination=begun)
        draft = EliminationDraft(position, self._given(game, rules, house))
        return await Table.opened(draft, game, rules, self._around, self._forget, f"press/{order.press}/open")

    def elimination_of(self, channel: int, user: int) -> Table | None:
        """The elimination table in the channel where this person plays."""
        here = (table for table in self._tables.values() if table.state.channel == channel and table.state.elimination)
        return next((table for table in here if table.state.chair_of(user) is not None), None)

    async def recover(self, shards: Collection[int] | None = None, shard_count: int = 1) -> int:
        """After a start: take up every open table of these shards (None: of all) where it stood.
        One that cannot be read does not stop the others."""
        stored = await self._around.bank.open_tables(shards=shards, shard_count=shard_count)
        for table in stored:
            try:
                await self.take_up(table)
            except Exception:
                log.exception("table %s could not be taken up again", table.row.id)
        return len(self._tables)

    async def take_up(self, stored: StoredTable) -> Table:
        """An open table of the journal goes on where it stood; one that is kept already just goes on."""
        kept = self._tables.get(stored.row.id)
        if kept is not None:
            return kept
        position = position_of(stored, self._around.shoe)
        game = games.game(position.state.game)
        rules = game.rules_from_json(position.state.rules)
        table = Table(position, game, rules, self._around, self._forget)
        self._keep(table)
        await table.resume()
        return table

    async def shutdown(self) -> None:
        """Let go of all timers. Tables stay open in the journal."""
        for table in self._tables.values():
            table.rest()

    # -- private ---------------------------------------------------------------------------------------------------

    async def _open(self, order: Order, game: AnyGame) -> Table:
        rules = self._rules(game, order.rules, order.rules_name)
        state = replace(
            _new_state(order, game, rules),
            solo=order.solo or game.own_table,
            level=order.level,
            money=Money.STACK if rules.seating.stack else Money.WALLET,
        )
        house = await self._house(order.guild)
        draft = CashDraft(Position(state, self._first_seal()), self._given(game, rules, house))
        draft.sit(order.member)
        for name in fresh_names(order.computers, set()):
            draft.sit_computer(name, order.level)
        return await Table.opened(draft, game, rules, self._around, self._forget, f"press/{order.press}/open")

    @contextmanager
    def _room_for(self, where: _Where) -> Iterator[None]:
        """Refused where too many tables are open. Between the count and the reservation nobody else has a turn."""
        self._refuse_one_too_many(where)
        self._coming.append(where)
        try:
            yield
        finally:
            self._coming.remove(where)

    def _refuse_one_too_many(self, where: _Where) -> None:
        caps, here = self._around.caps, [*map(_where, self._tables.values()), *self._coming]
        people = [other for other in here if other.opener] if where.opener else []
        counts = (
            (Reason.TABLES_OF_PROCESS, len(here), caps.process),
            (Reason.TABLES_OF_MEMBER, sum(other.opener == where.opener for other in people), caps.member),
            (Reason.TABLES_OF_CHANNEL, sum(other.channel == where.channel for other in people), caps.channel),
            (Reason.TABLES_OF_GUILD, sum(other.guild == where.guild for other in people), caps.guild),
        )
        for reason, count, most in counts:
            if count >= most:
                raise Refused(reason, most=str(most))

    def _rules(self, game: AnyGame, own: Rules | None, name: str) -> Rules:
        rules: Rules | None = own if own is not None else game.rule_sets.get(name)
        if rules is None:
            raise Refused(Reason.UNKNOWN_RULES, name=name)
        return rules

    def _first_seal(self) -> Seal:
        seed = self._around.seeds()
        return Seal(1, seed, fairness.commitment(seed))

    def _given(self, game: AnyGame, rules: Rules, house: HouseSettings) -> Given:
        around = self._around
        return Given(game, rules, house, around.clock.now(), around.seeds(), around.shoe)

    async def _house(self, guild: int) -> HouseSettings:
        with refusing():
            return await self._around.house(guild)

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._by_key[_key_of(table)] = table

    def _forget(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        if self._by_key.get(_key_of(table)) is table:
            del self._by_key[_key_of(table)]


def _key(channel: int, game: AnyGame, user: int) -> _Key:
    return channel, game.name, user if game.own_table else 0


def _key_of(table: Table) -> _Key:
    state = table.state
    if state.elimination is not None:
        return 0, "elimination", state.id  # wherever it is moved to
    return _key(state.channel, games.game(state.game), state.opener)


def _where(table: Table) -> _Where:
    return _Where(table.state.guild, table.state.channel, table.state.opener)


def _new_state(asked: Order | EliminationOrder, game: AnyGame, rules: Rules) -> TableState:
    return TableState(
        id=asked.press,
        guild=asked.guild,
        channel=asked.channel,
        game=game.name,
        rules_name=asked.rules_name,
        rules=rules.as_json(),
        opener=asked.opener if isinstance(asked, EliminationOrder) else asked.member.user,
    )
