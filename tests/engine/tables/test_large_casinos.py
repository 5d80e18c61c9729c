"""After a start a large casino's tables are taken up as they are touched, and the others behind the open doors."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Collection, Mapping, Sequence

import pytest

from engine.games.contract import CHIP, Cents
from engine.tables import open_tables
from engine.tables.orders import Order
from engine.tables.ports import BankUnavailable
from engine.tables.refused import Reason, Refused
from engine.tables.table import Table
from engine.tables.values import StoredTable
from tests.data.by_hand import by_hand

from .conftest import Casino

GUILDS = range(100, 112)


@pytest.fixture(autouse=True)
def three_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "AT_ONCE", 3)


async def dealt(casino: Casino, guild: int) -> Table:
    """A table in mid-hand, of somebody who plays in no other guild."""
    casino.cards.lay("9 5 / 6 ?")
    member = await casino.bank.members.sign_in(guild, guild)
    table = await casino.registry.open(Order(casino.press(), guild, guild * 10, "blackjack", "vegas", member))
    await table.stake(guild, {"main": 10 * CHIP}, casino.press(), message=guild)
    return table


@pytest.fixture
async def ids(casino: Casino) -> list[int]:
    """A table in each of the guilds, and the process has ended."""
    return [(await dealt(casino, guild)).id for guild in GUILDS]


async def test_the_house_opens_before_all_tables_are_there(casino: Casino, ids: list[int]) -> None:
    await casino.restart()
    assert len(casino.registry.tables()) == 3
    await casino.registry.recovered()
    assert sorted(table.id for table in casino.registry.tables()) == sorted(ids)


async def test_a_guild_that_is_touched_does_not_wait_for_the_others(casino: Casino, ids: list[int]) -> None:
    await casino.restart()
    last = ids[-1]
    assert casino.registry.get(last) is None
    await casino.registry.present(GUILDS[-1])
    table = casino.registry.get(last)
    assert table is not None
    assert len(casino.registry.tables()) < len(ids)
    assert (await casino.act(table, "hit", GUILDS[-1])).view.seats[0].hands[0].cards[2:], "it is played on"
    await casino.registry.recovered()
    assert casino.registry.get(last) is table


async def test_two_presses_at_once_find_the_same_table(casino: Casino, ids: list[int]) -> None:
    await casino.restart()
    await asyncio.gather(*(casino.registry.present(GUILDS[-1]) for _ in range(5)))
    found = {casino.registry.get(ids[-1])}
    await casino.registry.recovered()
    assert found == {casino.registry.get(ids[-1])}


async def test_what_people_have_is_asked_once_for_all_tables_that_come_together(
    casino: Casino, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, balances = list[int](), casino.bank.members.balances

    async def counted(members: Sequence[int]) -> Mapping[int, Cents]:
        asked.append(len(members))
        return await balances(members)

    monkeypatch.setattr(casino.bank.members, "balances", counted)
    await casino.restart()
    await casino.registry.recovered()
    assert asked == [3, len(GUILDS) - 3]
    for table in casino.registry.tables():
        sitter = table.snapshot().sitter_at(0)
        assert sitter is not None
        assert sitter.balance == 990 * CHIP


async def test_a_channel_whose_table_is_still_to_come_gets_no_second_one(casino: Casino, ids: list[int]) -> None:
    await casino.restart()
    guild = GUILDS[-1]
    member = await casino.bank.members.sign_in(guild, guild)
    with pytest.raises(Refused) as refused:
        await casino.registry.open(Order(casino.press(), guild, guild * 10, "blackjack", "vegas", member))
    assert refused.value.reason is Reason.TABLE_BUSY


async def test_a_bank_that_is_away_is_said_and_the_tables_come_when_it_is_back(
    casino: Casino, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, away = casino.bank.tables.still_open, True

    async def still_open(*, guilds: Collection[int]) -> Sequence[StoredTable]:
        if away and not set(guilds) <= set(GUILDS[:3]):
            raise BankUnavailable("gone")
        return await read(guilds=guilds)

    monkeypatch.setattr(casino.bank.tables, "still_open", still_open)
    monkeypatch.setattr(open_tables, "RETRY_SECONDS", 0.01)
    await casino.restart()
    with pytest.raises(Refused) as refused:
        await casino.registry.present(GUILDS[-1])
    assert refused.value.reason is Reason.BANK_UNAVAILABLE
    away = False
    await casino.registry.recovered()
    assert len(casino.registry.tables()) == len(ids)


async def test_a_table_that_cannot_be_read_keeps_no_other_away(casino: Casino, ids: list[int]) -> None:
    await by_hand(casino.bank, f"UPDATE tables SET doc = '?' || doc WHERE id = {ids[0]}")
    await casino.restart()
    await casino.registry.recovered()
    assert sorted(table.id for table in casino.registry.tables()) == sorted(ids[1:])
    await by_hand(casino.bank, f"UPDATE tables SET doc = substr(doc, 2) WHERE id = {ids[0]}")


async def test_turns_run_out_at_tables_that_nobody_touches(casino: Casino, ids: list[int]) -> None:
    await casino.restart()
    await casino.registry.recovered()
    table = casino.registry.get(ids[-1])
    assert table is not None
    assert table.state.deadline is not None
    assert table.state.deadline >= casino.clock.now() + 60


async def test_a_table_that_has_closed_is_gone_without_being_swept(casino: Casino, ids: list[int]) -> None:
    """Of a large casino Python does not look through everything again and again (`cogs/operations/sweeping.py`)."""
    gc.collect()
    gc.disable()
    try:
        table = casino.registry.get(ids[0])
        assert table is not None
        member, gone = GUILDS[0], weakref.ref(table)
        await casino.act(table, "stand", member)
        await table.leave(member, casino.press())
        assert casino.registry.get(ids[0]) is None
        del table
        assert gone() is None
    finally:
        gc.enable()
