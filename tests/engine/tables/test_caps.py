"""How many tables may be open at once, of a member, in a channel, on a server, in the process; and tournaments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from engine.games.contract import CHIP
from engine.tables.house import Caps
from engine.tables.orders import Contender, EliminationOrder, Order
from engine.tables.refused import Reason, Refused
from engine.tables.table import Table

from .conftest import ALICE, BOB, GUILD, Casino
from .theatre import Theatre


async def war(casino: Casino, user: int, channel: int, guild: int = GUILD) -> Table:
    member = await casino.bank.members.sign_in(guild, user)
    return await casino.registry.open(Order(casino.press(), guild, channel, "war", "casino", member))


def capped(casino: Casino, **caps: int) -> None:
    casino.caps = Caps(**caps)
    casino.registry = casino._registry()


@pytest.mark.parametrize(
    ("caps", "tables", "one_too_many", "reason"),
    [
        ({"member": 2}, [(ALICE, 1, 7), (ALICE, 2, 8)], (ALICE, 3, 7), Reason.TABLES_OF_MEMBER),
        ({"channel": 2}, [(ALICE, 1, 7), (BOB, 1, 7)], (3, 1, 7), Reason.TABLES_OF_CHANNEL),
        ({"guild": 2}, [(ALICE, 1, 7), (BOB, 2, 7)], (3, 3, 7), Reason.TABLES_OF_GUILD),
        ({"process": 2}, [(ALICE, 1, 7), (BOB, 2, 8)], (3, 3, 9), Reason.TABLES_OF_PROCESS),
    ],
)
async def test_one_table_too_many_is_refused_until_one_closes(
    casino: Casino,
    caps: dict[str, int],
    tables: list[tuple[int, int, int]],
    one_too_many: tuple[int, int, int],
    reason: Reason,
) -> None:
    capped(casino, **caps)
    first, _ = [await war(casino, *where) for where in tables]
    with pytest.raises(Refused) as caught:
        await war(casino, *one_too_many)
    assert (caught.value.reason, caught.value.details) == (reason, {"most": "2"})
    await first.close(casino.press())
    await war(casino, *one_too_many)


@pytest.mark.parametrize(
    ("cap", "places"),
    [
        ("member", [(ALICE, channel) for channel in range(1, 9)]),
        ("channel", [(user, 1) for user in range(1, 9)]),
        ("guild", [(user, user) for user in range(1, 9)]),
        ("process", [(user, user) for user in range(1, 9)]),
    ],
)
async def test_openings_in_the_same_instant_count_each_other(
    casino: Casino, cap: str, places: list[tuple[int, int]]
) -> None:
    capped(casino, **{cap: 3})
    opened = await asyncio.gather(*(war(casino, *place) for place in places), return_exceptions=True)
    assert sum(isinstance(table, Table) for table in opened) == 3
    assert len(casino.registry.tables()) == 3


async def test_what_could_not_be_opened_takes_no_room(casino: Casino) -> None:
    capped(casino, member=1)
    member = await casino.member(ALICE)
    with pytest.raises(Refused):
        await casino.registry.open(Order(casino.press(), GUILD, 1, "war", "no such rules", member))
    await war(casino, ALICE, 1)


async def test_a_tournament_opens_its_tables_in_a_full_channel_and_takes_nobodys_place(casino: Casino) -> None:
    capped(casino, member=1, channel=1, guild=1)
    players = (Contender(await casino.member(ALICE)), *(Contender(computer=name, level="amateur") for name in "abc"))

    async def tournament() -> None:
        order = EliminationOrder(casino.press(), GUILD, 1, "original", 100 * CHIP, players, lone=False)
        await casino.registry.open_elimination(order)

    await tournament()
    await war(casino, ALICE, 1)
    await tournament()
    order = EliminationOrder(casino.press(), GUILD, 1, "original", 100 * CHIP, players, opener=ALICE)
    with pytest.raises(Refused) as caught:
        await casino.registry.open_elimination(order)
    assert caught.value.reason is Reason.TABLES_OF_MEMBER


@pytest.fixture
async def theatre(casino: Casino) -> AsyncIterator[Theatre]:
    casino.caps = Caps(tournaments=2, entrants=2)
    theatre = Theatre(casino)
    yield theatre
    await theatre.close()


async def test_one_tournament_too_many_is_refused_until_one_is_over(theatre: Theatre) -> None:
    first, _ = await theatre.schedule(), await theatre.schedule()
    with pytest.raises(Refused) as caught:
        await theatre.schedule()
    assert (caught.value.reason, caught.value.details) == (Reason.TOURNAMENTS_OF_GUILD, {"most": "2"})
    await theatre.director.cancel(first, theatre.casino.press(), series=True)
    await theatre.until(lambda: one_is_left(theatre))
    await theatre.schedule()


async def one_is_left(theatre: Theatre) -> bool:
    return len(await theatre.director.views(GUILD)) == 1


async def test_one_entrant_too_many_keeps_the_chips_and_gets_a_place_that_is_left(theatre: Theatre) -> None:
    tournament = await theatre.schedule(buy_in=100)
    await theatre.sign_up(tournament, 2)
    casino, third = theatre.casino, await theatre.casino.member(3)
    with pytest.raises(Refused) as caught:
        await theatre.director.join(tournament, third, casino.press())
    assert (caught.value.reason, caught.value.details) == (Reason.ENTRANTS_OF_TOURNAMENT, {"most": "2"})
    assert await theatre.balances(3) == [900, 900, 1_000]
    await theatre.director.leave(tournament, await casino.member(BOB), casino.press())
    await theatre.director.join(tournament, third, casino.press())
    assert await theatre.balances(3) == [900, 1_000, 900]


async def test_a_new_start_takes_up_all_tables_whatever_the_caps_are_now(casino: Casino) -> None:
    for channel in range(1, 4):
        await war(casino, ALICE, channel)
    casino.caps = Caps(member=1)
    await casino.restart()
    assert len(casino.registry.tables()) == 3
    with pytest.raises(Refused):
        await war(casino, ALICE, 4)


async def test_a_table_that_was_never_posted_is_found_again(casino: Casino) -> None:
    """Its first answer failed: the next command posts it, after a new start too."""
    table = await casino.open()
    assert table.snapshot().message is None
    await casino.restart()
    again = casino.registry.table_in(table.state.channel, "blackjack")
    assert again is not None
    assert again.id == table.id
    assert (await again.posted(77)).message == 77


def test_what_a_casino_holds_unless_it_is_told_otherwise() -> None:
    assert Caps() == Caps(member=10, channel=50, guild=500, process=20_000, tournaments=25, entrants=2_000)
