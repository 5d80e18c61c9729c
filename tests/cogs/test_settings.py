"""/settings"""

from __future__ import annotations

import asyncio

import pytest

from cogs.answers import preferences
from data import MemberSettings

from .conftest import Casino, text_of


async def test_ones_language_outlives_a_restart(casino: Casino) -> None:
    answer = await casino.ask("settings")
    await casino.alice.select(answer, ["fr"], custom_id="settings:language")
    await casino.restart()
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.members.settings(member.id)).language == "fr"
    text = text_of(await casino.ask("balance"))
    assert "1\u202f000" in text


async def test_who_chooses_french_is_answered_in_french_and_nobody_else_is(casino: Casino) -> None:
    chosen = await casino.alice.select(await casino.ask("settings"), ["fr"], custom_id="settings:language")
    assert chosen.response is not None
    assert "Vos réglages" in text_of(chosen.response)
    assert "jetons" in text_of(await casino.ask("balance"))
    assert "chips" in text_of(await casino.ask("balance", casino.bob))


async def test_what_is_remembered_of_people_has_an_end_and_nothing_is_lost(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preferences, "MOST", 1)
    await casino.alice.select(await casino.ask("settings"), ["fr"], custom_id="settings:language")
    for _ in range(2):
        assert "1,000" in text_of(await casino.ask("balance", casino.bob))
        assert "1\u202f000" in text_of(await casino.ask("balance"))
    assert len(preferences._known[casino.bot.bank]) == 1


async def test_settings_that_are_being_read_while_their_owner_is_forgotten_are_not_kept(casino: Casino) -> None:
    bank, guild, alice = casino.bot.bank, casino.guild.id, casino.alice.id
    member = await bank.members.sign_in(guild, alice)
    read = asyncio.create_task(preferences.preferences(bank, guild, alice))
    await asyncio.sleep(0)  # the task has begun
    preferences.forget(bank, guild, alice)
    await read
    await bank.members.keep_settings(member.id, MemberSettings(phrase="three sevens"))
    assert (await preferences.preferences(bank, guild, alice)).phrase == "three sevens"
