"""The open tables of this process, and how they are opened and loaded from the journal."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Final
from weakref import WeakValueDictionary

from engine import fairness
from engine.fairness.record import rules_from
from engine.games import registry as games
from engine.games.computer import fresh_names
from engine.games.contract import AnyGame, Cents, Rules
from engine.tables.cash import CashDraft
from engine.tables.draft import Given
from engine.tables.elimination import EliminationDraft, new_elimination, seated
from engine.tables.house import KEPT_SECONDS, HouseSettings
from engine.tables.orders import GAME, EliminationOrder, Order
from engine.tables.places import chain_place, elimination_place, owner_of
from engine.tables.ports import BankError, ChannelClosed, OutcomeUnknown, Surroundings
from engine.tables.position import TablePosition
from engine.tables.promises import NoPromise, PromisedChains
from engine.tables.rebuilt import position_of
from engine.tables.refused import Reason, Refused, refuse_from, refusing
from engine.tables.sealing import Sealing
from engine.tables.state import Invitation, Money, TableState
from engine.tables.table import RETRY_SECONDS, Table
from engine.tables.values import Chain, Seal, StoredTable

log = logging.getLogger(__name__)


#: The number of guilds whose tables are loaded before the house opens, and in each batch after that.
AT_ONCE: Final = 50
TOGETHER: Final = 16


#: A channel, a game, and the Discord id of the table's owner (0: the channel's own table). The key of an elimination
#: table is 0, `elimination` and the table's id.
_TableKey = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class _Where:
    """The guild, channel and opener of a table. Each of the three may have only a limited number of tables."""

    guild: int
    channel: int
    opener: int  # Discord id; 0: a tournament


class OpenTables:
    """All open tables of this process: one of each game in a channel, people's own tables, and elimination tables.

    After a start, a guild's earlier tables are found only once they are loaded (`present`).
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self.promises = PromisedChains(surroundings.bank, surroundings.poster, surroundings.seeds, self._read_back)
        self._tables: dict[int, Table] = {}
        self._by_key: dict[_TableKey, Table] = {}
        self._by_guild: defaultdict[int, dict[int, Table]] = defaultdict(dict)
        self._openers: Counter[int] = Counter()  # the number of tables that each person has opened
        self._to_come: set[int] = set()  # guilds whose tables are still only in the journal
        self._taking_up: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # each while it is held
        self._recovering: asyncio.Task[None] | None = None
        self._coming: list[_Where] = []  # the places of the tables that are being opened
        self._opening: WeakValueDictionary[_TableKey, asyncio.Lock] = WeakValueDictionary()  # each while it is held

    def table_in(self, channel: int, game: str, user: int | None = None) -> Table | None:
        """Return the channel's table of this game, or None. With `user`, return that person's own table there."""
        return self._by_key.get((channel, game, user or 0))

    def get(self, table: int) -> Table | None:
        """Return the open table with this id, or None. Tables that are still only in the journal are not found."""
        return self._tables.get(table)

    async def reach(self, guild: int, table: int) -> Table | None:
        """Load the guild's tables if that has not happened, and return the open table with this id, or None.

        Raise Refused(BANK_UNAVAILABLE) if they cannot be read.
        """
        if guild in self._to_come:
            await self.present(guild)
        return self._tables.get(table)

    def tables(self) -> tuple[Table, ...]:
        """Return all tables that are open in this process."""
        return tuple(self._tables.values())

    def tables_of(self, guild: int, user: int) -> tuple[Table, ...]:
        """Return the open tables of a guild where this person has a chair."""
        here = self._by_guild.get(guild, {}).values()
        return tuple(table for table in here if table.state.chair_of(user) is not None)

    def inviting(self, guild: int, user: int) -> tuple[Table, ...]:
        """Return the open tables of a guild to which this person is invited."""
        invitations = [(table, table.state.invitation) for table in self._by_guild.get(guild, {}).values()]
        return tuple(table for table, invitation in invitations if invitation and user in invitation.people)

    async def open(self, order: Order) -> Table:
        """Open a table with its opener seated, and the first round sealed if a promise could be had. Nobody has staked.

        Raise Refused: TABLE_BUSY if the channel, or the opener there, has a table of this game already, or another
        reason if the rules are unknown, too many tables are open, the bot may not write there, or the opener may not
        sit down.
        """
        await self.present(order.guild)
        game = games.game(order.game)
        key = order.channel, order.game, order.opener if _is_own(order, game) else 0
        async with self._opening.setdefault(key, asyncio.Lock()):
            if key in self._by_key:
                raise Refused(Reason.TABLE_BUSY)
            with self._room_for(_Where(order.guild, order.channel, order.opener)):
                table = await self._open(order, game)
                self._keep(table)
        return table

    async def open_elimination(self, order: EliminationOrder) -> Table:
        """Open an elimination table. A channel may have several, and cash tables beside them.

        Raise Refused if the rules are unknown, too many tables are open, the bot may not write there, or a player may
        not enter.
        """
        await self.present(order.guild)
        with self._room_for(_Where(order.guild, order.channel, order.opener)):
            table = await self._open_elimination(order)
            self._keep(table)
        return table

    async def _open_elimination(self, order: EliminationOrder) -> Table:
        game = games.game(GAME)
        rules = self._rules(game, order.rules, order.rules_name)
        begun = new_elimination(order, self._around.seeds())
        state = seated(order, _new_state(order, game, rules), begun)
        state = replace(state, chain_place=order.chain_place or elimination_place(order.press))
        house, chains, seal = await self._house(order.guild), order.version > 1, None
        if not chains:
            seed = self._around.seeds()
            seal = Seal(1, seed, fairness.commitment(seed))
        position = TablePosition(state, Sealing(chains, next=seal), elimination=begun)
        draft = EliminationDraft(position, self._given(game, rules, house))
        draft.opened_by(order)
        chain = await self._chain(state) if chains else None
        if chain is not None:
            draft.go_on_from(chain)
        return await Table.opened(
            draft, game, rules, self._around, self.promises, self._forget, f"press/{order.press}/open"
        )

    def elimination_of(self, channel: int, user: int) -> Table | None:
        """Return an elimination table in this channel at which this person has a chair, or None."""
        here = (table for table in self._tables.values() if table.state.channel == channel and table.state.elimination)
        return next((table for table in here if table.state.chair_of(user) is not None), None)

    async def recover(self, shards: Collection[int] | None = None, shard_count: int = 1) -> int:
        """Load the open tables of these shards (None: of all) after a start, so that they go on where they stood.

        The tables of the first `AT_ONCE` guilds are loaded now, the others in the background. Return how many guilds
        are still to come.
        """
        guilds = await self._around.bank.tables.guilds_at_play(shards=shards, shard_count=shard_count)
        self._to_come.update(guilds)
        await self._take_up_guilds(guilds[:AT_ONCE])
        if self._to_come:
            self._recovering = asyncio.create_task(self._take_up_others(), name="taking up tables")
        return len(self._to_come)

    async def present(self, guild: int) -> None:
        """Load this guild's tables from the journal if that has not happened since the start.

        Raise Refused(BANK_UNAVAILABLE) if they cannot be read.
        """
        if guild in self._to_come:
            with refusing():
                await self._take_up_guilds([guild])

    async def recovered(self) -> None:
        """Wait until every table that was open before the start is loaded."""
        if self._recovering is not None:
            await self._recovering

    async def take_up(self, stored: StoredTable) -> Table:
        """Return an open table that the journal has, after loading it if necessary. It goes on where it stood.

        Raise Refused if the bank fails; the table may be loaded even so.
        """
        kept = self._tables.get(stored.row.id)
        if kept is not None:
            return kept
        table = self._rebuilt(stored)
        with refusing():
            balances = await self._around.bank.members.balances(table.state.members)
        return await self._go_on(table, balances)

    async def shutdown(self) -> None:
        """Stop all timers, and the loading of tables. Tables stay open in the journal."""
        if self._recovering is not None:
            self._recovering.cancel()
        for table in self._tables.values():
            table.rest()

    # -- private ---------------------------------------------------------------------------------------------------

    async def _take_up_guilds(self, guilds: Collection[int]) -> None:
        """Load the tables of these guilds, if not loaded yet: all at once, so that their changes are written together.

        A table that cannot be read does not stop the others.
        """
        async with AsyncExitStack() as stack:
            for guild in sorted(guilds):
                await stack.enter_async_context(self._taking_up.setdefault(guild, asyncio.Lock()))
            here = self._to_come.intersection(guilds)
            if here:
                await self._take_up_all(await self._around.bank.tables.still_open(guilds=here))
                self._to_come -= here

    async def _take_up_all(self, stored: Sequence[StoredTable]) -> None:
        """Load tables that are not open yet. Settings of servers and balances are read only once for all of them.

        A table that cannot be read is logged and left out.
        """
        rebuilt = (self._rebuilt_safely(each) for each in stored if each.row.id not in self._tables)
        tables = [table for table in rebuilt if table is not None]
        await asyncio.gather(*map(self._around.house, {table.state.guild for table in tables}))
        members = {member for table in tables for member in table.state.members}
        balances = await self._around.bank.members.balances(sorted(members))
        await asyncio.gather(*(self._go_on_safely(table, balances) for table in tables))

    def _rebuilt(self, stored: StoredTable) -> Table:
        position = position_of(stored, self._around.shoe)
        game, rules = games.game(position.state.game), rules_from(position.state.game, position.state.rules)
        return Table(position, game, rules, self._around, self.promises, self._forget)

    def _rebuilt_safely(self, stored: StoredTable) -> Table | None:
        try:
            return self._rebuilt(stored)
        except Exception:
            log.exception("table %s could not be taken up again", stored.row.id)
            return None

    async def _go_on(self, table: Table, balances: Mapping[int, Cents]) -> Table:
        """Keep a loaded table, let it go on, and return it. If a table of this id is kept already, return that instead.

        `balances` are the wallets of at least this table's members.
        """
        kept = self._tables.get(table.id)
        if kept is not None:
            return kept
        self._keep(table)
        await table.resume(balances)
        return table

    async def _go_on_safely(self, table: Table, balances: Mapping[int, Cents]) -> None:
        try:
            await self._go_on(table, balances)
        except Exception:
            log.exception("table %s could not go on yet", table.id)

    async def _take_up_others(self) -> None:
        """Load the tables of the guilds in `_to_come`, a few guilds at a time, so that presses need not wait for all.

        If the bank fails, wait and try again.
        """
        while self._to_come:
            few = list(islice(self._to_come, TOGETHER))
            try:
                await self._take_up_guilds(few)
            except (BankError, OutcomeUnknown) as error:
                log.warning("tables of %d servers are not taken up yet: %s", len(self._to_come), error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _open(self, order: Order, game: AnyGame) -> Table:
        rules = self._rules(game, order.rules, order.rules_name)
        state = replace(
            _new_state(order, game, rules),
            solo=order.solo or game.own_table,
            level=order.level,
            money=Money.STACK if rules.seating.stack else Money.WALLET,
            chain_place=chain_place(order.channel, game.name, rules, order.member.id if _is_own(order, game) else None),
        )
        if order.freed_for is not None:
            until = self._around.clock.now() + KEPT_SECONDS
            state = replace(state, invitation=Invitation(order.freed_for, until))
        house = await self._house(order.guild)
        chain = await self._chain(state)
        sealing = Sealing().go_on_from(chain, state.sealed) if chain is not None else Sealing()
        draft = CashDraft(TablePosition(state, sealing), self._given(game, rules, house))
        draft.sit(order.member)
        for name in fresh_names(order.computers, set()):
            draft.sit_computer(name, order.level)
        return await Table.opened(
            draft, game, rules, self._around, self.promises, self._forget, f"press/{order.press}/open"
        )

    @contextmanager
    def _room_for(self, where: _Where) -> Iterator[None]:
        """Refuse a new table where too many are open, or else count it as open already while the block runs."""
        self._refuse_one_too_many(where)
        self._coming.append(where)
        try:
            yield
        finally:
            self._coming.remove(where)

    def _refuse_one_too_many(self, where: _Where) -> None:
        """Refuse one table too many. For tables of tournaments, which must be played, only the process has a limit."""
        caps = self._around.caps
        refuse_from(caps.process, Reason.TABLES_OF_PROCESS, len(self._tables) + len(self._coming))
        if where.opener:
            coming = [other for other in self._coming if other.opener]
            mine = self._openers[where.opener] + sum(other.opener == where.opener for other in coming)
            refuse_from(caps.member, Reason.TABLES_OF_MEMBER, mine)
            here = [*map(_where, self._by_guild.get(where.guild, {}).values()), *coming]
            beside = sum(other.opener > 0 and other.channel == where.channel for other in here)
            refuse_from(caps.channel, Reason.TABLES_OF_CHANNEL, beside)
            around = sum(other.opener > 0 and other.guild == where.guild for other in here)
            refuse_from(caps.guild, Reason.TABLES_OF_GUILD, around)

    def _rules(self, game: AnyGame, own: Rules | None, name: str) -> Rules:
        rules: Rules | None = own if own is not None else game.rule_sets.get(name)
        if rules is None:
            raise Refused(Reason.UNKNOWN_RULES, name=name)
        return rules

    async def _chain(self, state: TableState) -> Chain | None:
        """Return the chain of a new table, or None if no promise can be posted now: then the table goes on trying.

        If the channel is gone or the bot may not write in it, raise Refused(CHANNEL_CLOSED). Only for a tournament's
        table return None in that case, because the table can move to another channel.
        """
        with refusing():
            try:
                return await self.promises.chain(
                    state.chain_place, state.guild, state.channel, state.language, look=True
                )
            except (NoPromise, OutcomeUnknown) as error:
                if state.opener and isinstance(error.__cause__, ChannelClosed):
                    raise Refused(Reason.CHANNEL_CLOSED) from error
                log.warning("no promise for %s yet: %s", state.chain_place, error)
                return None

    def _given(self, game: AnyGame, rules: Rules, house: HouseSettings) -> Given:
        around = self._around
        return Given(game, rules, house, around.clock.now(), around.seeds(), around.shoe)

    async def _house(self, guild: int) -> HouseSettings:
        with refusing():
            return await self._around.house(guild)

    def _read_back(self, promise: int) -> None:
        """Let tables read themselves from the journal if they use a chain of this promise, which was given up."""
        for table in self._tables.values():
            if table.promise == promise:
                table.read_back()

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._by_guild[table.state.guild][table.id] = table
        self._openers[table.state.opener] += 1
        self._by_key[_key_of(table)] = table

    def _forget(self, table: Table) -> None:
        if self._tables.pop(table.id, None) is None:
            return
        guild, opener = table.state.guild, table.state.opener
        del self._by_guild[guild][table.id]
        if not self._by_guild[guild]:
            del self._by_guild[guild]
        self._openers[opener] -= 1
        if not self._openers[opener]:
            del self._openers[opener]
        if self._by_key.get(_key_of(table)) is table:
            del self._by_key[_key_of(table)]


def _is_own(order: Order, game: AnyGame) -> bool:
    """Return whether the table is the opener's own. Then the channel can have another table of this game."""
    return order.solo or game.own_table or order.freed_for is not None


def _key_of(table: Table) -> _TableKey:
    state = table.state
    if state.elimination is not None:
        return 0, "elimination", state.id  # wherever it is moved to
    own = games.game(state.game).own_table or owner_of(state.chain_place) is not None
    return state.channel, state.game, state.opener if own else 0


def _where(table: Table) -> _Where:
    return _Where(table.state.guild, table.state.channel, table.state.opener)


@lru_cache(maxsize=256)
def _written(rules: Rules) -> Mapping[str, Any]:
    """Return the rules as JSON writes them: one shared value for equal rules, because very many tables may be open."""
    return rules.as_json()


def _new_state(asked: Order | EliminationOrder, game: AnyGame, rules: Rules) -> TableState:
    return TableState(
        id=asked.press,
        guild=asked.guild,
        channel=asked.channel,
        game=game.name,
        rules_name=asked.rules_name,
        rules=_written(rules),
        opener=asked.opener,
        language=asked.language,
    )
