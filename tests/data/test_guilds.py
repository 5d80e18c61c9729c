"""Settings of guilds and members, and guilds' own rules."""

from __future__ import annotations

import dataclasses

import pytest

from data import Appearance, Bank, Currency, GuildSettings, MemberSettings, NoSuchMember, RuleSet, Suits
from data.base.schema import guilds
from data.drivers.batch import Batch
from data.drivers.statement import insert_or_replace
from engine.tables.house import HouseSettings
from engine.tables.ports import OutcomeUnknown
from tests.data.conftest import Join
from tests.data.dealer import GUILD, LENIENT, HandClock


async def test_a_guild_that_set_nothing_has_the_defaults(bank: Bank) -> None:
    assert await bank.guilds.settings(GUILD) == GuildSettings(LENIENT)
    assert await bank.guilds.house(GUILD) == LENIENT


async def test_what_a_guild_sets_stays_set(bank: Bank, url: str, clock: HandClock) -> None:
    house = HouseSettings(turn_seconds=30, largest_stake=500)
    wanted = GuildSettings(house, "fr", (1, 2**60), "Europe/Paris", account_days=7, server_days=2)
    wanted = dataclasses.replace(
        wanted, suits=Suits.FOUR, shown=Appearance.TEXT, currency=Currency("shell", "shells", "🐚")
    )
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(idle_seconds=60)))
    await bank.guilds.keep_settings(GUILD, wanted)
    assert await bank.guilds.settings(GUILD) == wanted
    async with Bank.open(url, HouseSettings(), clock) as restarted:
        assert await restarted.guilds.settings(GUILD) == wanted
        assert await restarted.guilds.settings(GUILD * 2) == GuildSettings(HouseSettings())


async def test_settings_that_may_be_stored_are_read_again(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await bank.guilds.settings(GUILD)).language is None
    write = bank._store.write.run

    async def lost(batch: Batch) -> None:
        await write(batch)
        raise OutcomeUnknown

    monkeypatch.setattr(bank._store.write, "run", lost)
    with pytest.raises(OutcomeUnknown):
        await bank.guilds.keep_settings(GUILD, GuildSettings(language="fr"))
    assert (await bank.guilds.settings(GUILD)).language == "fr"


async def test_new_defaults_reach_guilds_that_set_something_else(bank: Bank, url: str, clock: HandClock) -> None:
    await bank.guilds.keep_settings(GUILD, GuildSettings(HouseSettings(turn_seconds=30)))
    async with Bank.open(url, HouseSettings(starting_chips=77, turn_seconds=5), clock) as restarted:
        assert await restarted.guilds.house(GUILD) == HouseSettings(starting_chips=77, turn_seconds=30)


async def test_a_setting_of_another_release_is_passed_over(bank: Bank, url: str, clock: HandClock) -> None:
    row = bank.guilds._written(GuildSettings())
    newer = {"id": GUILD, **row, "house": '{"moon_phase":3,"turn_seconds":9}'}
    await bank._store.change(insert_or_replace(guilds), newer)
    assert await bank.guilds.house(GUILD) == dataclasses.replace(LENIENT, turn_seconds=9)


async def test_rule_sets_are_kept_by_value_and_by_name(bank: Bank) -> None:
    first = RuleSet("blackjack", "ours", {"decks": 2})
    other = RuleSet("war", "ours", {"decks": 6})
    better = RuleSet("blackjack", "ours", {"decks": 8, "looks": True})
    for rules in (first, other, better):
        await bank.guilds.keep_rule_set(GUILD, rules)
    assert set(map(repr, await bank.guilds.rule_sets(GUILD))) == {repr(better), repr(other)}
    assert await bank.guilds.rule_sets(GUILD * 2) == ()
    await bank.guilds.keep_rule_set(GUILD, RuleSet("war", "mine", {}))
    await bank.guilds.keep_rule_set(GUILD, RuleSet("baccarat", "yours", {}))
    assert [each.name for each in await bank.guilds.rule_sets(GUILD)] == ["mine", "ours", "ours", "yours"]
    for game, name in (("war", "mine"), ("baccarat", "yours")):
        await bank.guilds.drop_rule_set(GUILD, game, name)
    await bank.guilds.drop_rule_set(GUILD, "blackjack", "ours")
    await bank.guilds.drop_rule_set(GUILD, "blackjack", "never was")
    assert await bank.guilds.rule_sets(GUILD) == (other,)


async def test_members_settings(bank: Bank, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    assert await bank.members.settings(alice.id) == MemberSettings(None, warnings=False, phrase="")
    wanted = MemberSettings("fr", warnings=True, phrase="été ♥", calls=True, suits=Suits.TWO, shown=Appearance.TEXT)
    await bank.members.keep_settings(alice.id, wanted)
    assert await bank.members.settings(alice.id) == wanted
    assert await bank.members.settings(bob.id) == MemberSettings()


async def test_nobody_has_no_settings(bank: Bank) -> None:
    with pytest.raises(NoSuchMember):
        await bank.members.settings(404)
    with pytest.raises(NoSuchMember):
        await bank.members.keep_settings(404, MemberSettings())
    assert await bank.members.in_play(404) == 0
