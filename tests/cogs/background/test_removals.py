"""A server that removed the bot is forgotten ninety days later, and has lost nothing if it comes back before."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from cogs.answers.preferences import preferences, set_preferences
from cogs.background.removals import DAY, Removals
from data import MemberSettings
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table

from ..conftest import Casino, asked
from ..tournament.test_tournament import signed_up, started


@pytest.fixture
def removals(casino: Casino) -> Removals:
    return Removals(casino.bot, 90)


async def people(casino: Casino) -> list[int]:
    return list(await casino.bot.bank.privacy.people_after(casino.guild.id, 0, 100))


def remove(casino: Casino) -> discord.Guild:
    """The server removes the bot: Discord does not list it any more."""
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    casino.bot._connection._remove_guild(server)
    return server


async def days_pass(casino: Casino, days: float) -> None:
    """Date the removal back, because all timers of ninety days would take as long to run."""
    mark = f"gone/{casino.guild.id}"
    if since := await casino.bot.bank.notes.number(mark):
        await casino.bot.bank.notes.keep_numbers({mark: since - days * DAY})


async def test_a_server_is_forgotten_ninety_days_after_it_removed_the_bot(casino: Casino, removals: Removals) -> None:
    await signed_up(casino, 2, day=f"{casino.env.now() + timedelta(days=120):%Y-%m-%d}", every="daily")
    await casino.until(asked)
    await set_preferences(casino.bot.bank, casino.guild.id, casino.alice.id, MemberSettings(language="fr"))
    assert len(await casino.bot.director.views(casino.guild.id)) == 1
    remove(casino)
    await removals.do()
    await days_pass(casino, 89.9)
    await removals.do()
    assert casino.alice.id in await people(casino), "there is still time to come back"
    table = casino.table
    await days_pass(casino, 0.2)
    await removals.do()
    assert table.state.phase is TablePhase.CLOSED
    assert await casino.bot.director.views(casino.guild.id) == [], "the series is over too"
    assert await people(casino) == []
    assert await preferences(casino.bot.bank, casino.guild.id, casino.alice.id) == MemberSettings()


async def test_a_server_that_comes_back_in_time_has_lost_nothing_and_the_days_begin_again(
    casino: Casino, removals: Removals
) -> None:
    await casino.sealed_table()
    before = await casino.balance(casino.alice)
    server = remove(casino)
    await removals.do()
    await days_pass(casino, 60)
    casino.bot._connection._add_guild(server)
    await removals.do()
    assert await casino.bot.bank.notes.number(f"gone/{server.id}") == 0
    casino.bot._connection._remove_guild(server)
    await removals.do()
    await days_pass(casino, 60)
    await removals.do()
    assert casino.alice.id in await people(casino)
    assert await casino.balance(casino.alice) == before


async def test_a_clock_that_jumps_ahead_forgets_nobody_at_once(casino: Casino, removals: Removals) -> None:
    await casino.sealed_table()
    remove(casino)
    await removals.do()
    casino.env.backend.clock.advance(200 * DAY)
    for _ in range(89):
        await removals.do()
    assert casino.alice.id in await people(casino), "each hourly look counts one day at most"
    await removals.do()
    assert await people(casino) == []


async def test_a_server_that_goes_while_the_clock_is_caught_up_has_all_its_days(
    casino: Casino, removals: Removals
) -> None:
    """A bot that was off for long counts the time since then by a day each hour."""
    await casino.sealed_table()
    await removals.do()
    casino.env.backend.clock.advance(100 * DAY)
    remove(casino)
    for _ in range(150):
        await removals.do()
    assert casino.alice.id in await people(casino)
    casino.env.backend.clock.advance(91 * DAY)
    for _ in range(91):
        await removals.do()
    assert await people(casino) == []


async def test_an_outage_is_no_removal(casino: Casino, removals: Removals) -> None:
    """Discord lists a server that it cannot reach at the moment."""
    await casino.sealed_table()
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    server.unavailable = True
    await removals.do()
    await days_pass(casino, 91)
    await removals.do()
    assert casino.alice.id in await people(casino)


async def test_a_process_that_knows_no_servers_yet_forgets_none(
    casino: Casino, removals: Removals, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.sealed_table()
    remove(casino)
    monkeypatch.setattr(casino.bot, "is_ready", lambda: False)
    await removals.do()
    assert await casino.bot.bank.notes.numbers("gone/") == {}


async def test_many_people_are_forgotten_page_by_page(
    casino: Casino, removals: Removals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.background.removals._PAGE", 2)
    for number in range(5):
        await casino.bot.bank.members.sign_in(casino.guild.id, 9_000_000_000 + number)
    remove(casino)
    await removals.do()
    await days_pass(casino, 91)
    await removals.do()
    assert await people(casino) == []


async def test_a_tournament_that_cannot_be_cancelled_keeps_only_its_own_people_for_another_hour(
    casino: Casino, removals: Removals, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moved_on(*_: object, **__: object) -> None:
        raise Refused(Reason.OLD_BUTTON)

    await signed_up(casino, 2, day=f"{casino.env.now() + timedelta(days=120):%Y-%m-%d}", buy_in=100)
    await casino.balance(casino.person("carol"))
    remove(casino)
    await removals.do()
    await days_pass(casino, 91)
    with monkeypatch.context() as patched:
        patched.setattr(casino.bot.director, "cancel", moved_on)
        await removals.do()
    assert await people(casino) == sorted((casino.alice.id, casino.bob.id))
    await removals.do()
    await casino.env.settle()
    await removals.do()
    assert await people(casino) == []


async def test_a_server_whose_table_cannot_be_closed_keeps_no_later_one_from_being_forgotten(
    casino: Casino, removals: Removals, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def unheard(*_: object) -> None:
        raise Refused(Reason.BANK_UNAVAILABLE)

    later = casino.guild.id + 1
    await casino.until(asked)
    await casino.bot.bank.members.sign_in(later, casino.bob.id)
    remove(casino)
    long_ago = casino.bot.clock.now() - 91 * DAY
    await casino.bot.bank.notes.keep_numbers({f"gone/{guild}": long_ago for guild in (casino.guild.id, later)})
    with monkeypatch.context() as trouble:
        trouble.setattr(Table, "close", unheard)
        await removals.do()
    assert await casino.bot.bank.privacy.people_after(later, 0, 100) == []
    assert casino.alice.id in await people(casino)
    assert f"server {casino.guild.id} is left for the next hour" in caplog.text
    caplog.clear()
    await removals.do()
    assert await people(casino) == []


async def test_another_process_forgets_the_servers_of_its_own_shards(casino: Casino, removals: Removals) -> None:
    await casino.sealed_table()
    remove(casino)
    casino.bot.shard_count, casino.bot.shard_ids = 2, [1 - (casino.guild.id >> 22) % 2]
    await removals.do()
    assert await casino.bot.bank.notes.numbers("gone/") == {}
    casino.bot.shard_ids = [0, 1]
    await removals.do()
    assert list(await casino.bot.bank.notes.numbers("gone/")) == [f"gone/{casino.guild.id}"]


async def test_a_tournament_that_is_played_is_cancelled_before_its_people_are_forgotten(
    casino: Casino, removals: Removals
) -> None:
    """Its table closes on its own after that. Whoever still sits there then is forgotten by the next look."""
    await started(casino, 2)
    remove(casino)
    await removals.do()
    await days_pass(casino, 91)
    await removals.do()
    assert await casino.bot.director.views(casino.guild.id) == []
    await casino.env.settle()
    await removals.do()
    assert await people(casino) == []
