"""/settings"""

from __future__ import annotations

import asyncio

import pytest
import simcord

from cogs.answers import preferences
from data import Appearance, MemberSettings, Suits

from . import raw
from .conftest import Casino, keys, text_of


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


async def kept(casino: Casino) -> MemberSettings:
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    return await casino.bot.bank.members.settings(member.id)


def chosen(page: simcord.ResponseMessage, menu: str) -> list[str]:
    """Return what stands in a menu as chosen."""
    (found,) = [part for part in raw.components(page) if part.get("custom_id") == f"settings:{menu}"]
    return [option["label"] for option in found["options"] if option.get("default")]


@pytest.mark.parametrize(
    ("menu", "value", "label", "otherwise", "setting"),
    [
        ("language", "de", "Deutsch", "Language: same as Discord", None),
        ("suits", "four", "Suits in four colours", "Suits: server default", Suits.FOUR),
        ("shown", "text", "Text-only tables", "Tables: server default", Appearance.TEXT),
    ],
)
async def test_a_look_is_chosen_and_given_back_to_the_default(
    casino: Casino, menu: str, value: str, label: str, otherwise: str, setting: object
) -> None:
    page = await casino.ask("settings")
    assert (chosen(page, menu), page.ephemeral) == ([otherwise], True)
    await casino.alice.select(page, [value], custom_id=f"settings:{menu}")
    assert chosen(page, menu) == [label]
    assert getattr(await kept(casino), menu) == (setting or value)
    await raw.choose(casino.alice, page, f"settings:{menu}", 3, ["made up"])  # type: ignore[arg-type]
    assert chosen(page, menu) == [otherwise]
    assert getattr(await kept(casino), menu) is None


@pytest.mark.parametrize(
    ("off", "on", "says", "setting"),
    [
        (
            *("No warnings", "Warn me of costly plays"),
            "**Warnings**: on. You're asked before a play that costs more than 5% of your bet.",
            "warnings",
        ),
        (
            *("No pings", "Ping me when it's my turn"),
            "**Pings**: on. You're pinged when others wait for you and half of your time is gone.",
            "calls",
        ),
    ],
)
async def test_a_switch_says_what_is_on_and_offers_the_other(
    casino: Casino, off: str, on: str, says: str, setting: str
) -> None:
    page = await casino.ask("settings")
    for label, is_on in ((on, True), (off, False)):
        assert label in keys(page)
        await casino.alice.click(page, label=label)
        assert getattr(await kept(casino), setting) is is_on
        assert (says in text_of(page), off in keys(page), on in keys(page)) == (is_on, is_on, not is_on)


async def test_a_phrase_is_shown_without_its_markup(casino: Casino) -> None:
    await casino.ask("seed", phrase="x" * 50 + " *red*")
    assert f"**Your phrase** in the shuffle: {'x' * 50} \\*red\\*\n" in text_of(await casino.ask("settings"))
