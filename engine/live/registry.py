"""Which table is where."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from engine import fairness
from engine.games import registry as games
from engine.games.computer import fresh_names
from engine.games.contract import Game
from engine.live.cash import CashDraft
from engine.live.draft import Circumstances, Position
from engine.live.journal import position_of
from engine.live.ports import BankUnavailable, Member, Seal, StoredTable
from engine.live.refused import Reason, Refused
from engine.live.state import Money, TableState
from engine.live.table import Surroundings, Table

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
    rules: Any = None  # by value, of a guild's own rule set; None: a built-in one
    solo: bool = False
    computers: int = 0
    level: str = "intermediate"


#: (channel, game, member's user id where everyone has a table of their own, else 0)
_Place = tuple[int, str, int]


class Registry:
    """A channel has at most one table of each game (war: one per member)."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._tables: dict[int, Table] = {}
        self._places: dict[_Place, Table] = {}
        self._opening: defaultdict[_Place, asyncio.Lock] = defaultdict(asyncio.Lock)

    def at(self, channel: int, game: str, user: int | None = None) -> Table | None:
        return self._places.get(_place(channel, games.game(game), user or 0))

    def get(self, table: int) -> Table | None:
        return self._tables.get(table)

    def tables(self) -> tuple[Table, ...]:
        return tuple(self._tables.values())

    async def open(self, order: Order) -> Table:
        """A new table, its opener seated, the first round's seed sealed; nobody has staked yet.
        Refused(TABLE_BUSY) if there is one."""
        game = games.game(order.game)
        place = _place(order.channel, game, order.member.user)
        async with self._opening[place]:
            if place in self._places:
                raise Refused(Reason.TABLE_BUSY)
            table = await self._open(order, game)
            self._keep(table)
        self._opening.pop(place, None)
        return table

    async def recover(self) -> int:
        """After a start: take up every open table where it stood. One that cannot be read does not stop the others."""
        stored = await self._around.bank.open_tables()
        for table in stored:
            try:
                await self._take_up(table)
            except Exception:
                log.exception("table %s could not be taken up again", table.row.id)
        return len(self._tables)

    async def shutdown(self) -> None:
        """Let go of all timers. Tables stay open in the journal."""
        for table in self._tables.values():
            table.rest()

    # -- private ---------------------------------------------------------------------------------------------------

    async def _open(self, order: Order, game: Game) -> Table:
        rules = order.rules if order.rules is not None else game.rule_sets.get(order.rules_name)
        if rules is None:
            raise Refused(Reason.UNKNOWN_RULES, name=order.rules_name)
        seed = self._around.seeds()
        position = Position(_new_state(order, rules), Seal(1, seed, fairness.commitment(seed)))
        try:
            house = await self._around.house(order.guild)
        except BankUnavailable:
            raise Refused(Reason.BANK_UNAVAILABLE) from None
        draft = CashDraft(position, Circumstances(game, rules, house, self._around.clock.now(), self._around.seeds()))
        draft.sit(order.member)
        for name in fresh_names(order.computers, set()):
            draft.sit_computer(name, order.level)
        return await Table.opened(draft, game, rules, self._around, self._forget, f"press/{order.press}/open")

    async def _take_up(self, stored: StoredTable) -> None:
        position = position_of(stored)
        game = games.game(position.state.game)
        rules = game.rules_from_json(position.state.rules)
        table = Table(position, game, rules, self._around, self._forget)
        self._keep(table)
        await table.resume()

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._places[_place_of(table)] = table

    def _forget(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        if self._places.get(_place_of(table)) is table:
            del self._places[_place_of(table)]


def _place(channel: int, game: Game, user: int) -> _Place:
    return channel, game.name, user if game.own_table else 0


def _place_of(table: Table) -> _Place:
    state = table.state
    return _place(state.channel, games.game(state.game), state.opener)


def _new_state(order: Order, rules: Any) -> TableState:
    return TableState(
        id=order.press,
        guild=order.guild,
        channel=order.channel,
        game=order.game,
        rules_name=order.rules_name,
        rules=rules.as_json(),
        opener=order.member.user,
        solo=order.solo or games.game(order.game).own_table,
        money=Money.STACK if getattr(rules, "stack", None) else Money.WALLET,
    )
