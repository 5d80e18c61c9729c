"""/help /rules /settings /privacy"""

from __future__ import annotations

import json
import re

import pytest

from cogs.answers import preferences
from engine.games.registry import GAMES

from . import raw
from .conftest import Casino, asked, text_of

EVERY_SET = [(game.name, name) for game in GAMES.values() for name in game.rule_sets]


async def test_help_names_every_command_there_is_and_no_other(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    there = {command.name for command in casino.bot.tree.get_commands()} - {"help"}
    assert set(re.findall(r"^`/(\w+)`", text, re.MULTILINE)) == there


async def test_rules_tells_any_rule_set(casino: Casino) -> None:
    for game, name in EVERY_SET:
        text = text_of(await casino.ask("rules", name=f"{game} {name}"))
        assert f"{name} · {game}" in text
        assert "**Cards** · " in text


async def test_rules_without_a_name_begins_with_the_default_and_has_the_others_in_its_menu(casino: Casino) -> None:
    answer = await casino.ask("rules")
    assert "vegas · blackjack" in text_of(answer)
    await casino.alice.select(answer, ["blackjack kitchen"])
    assert "kitchen · blackjack" in text_of(answer)
    assert "exactly one of them falls" in text_of(answer)


async def test_rules_are_suggested_while_typing(casino: Casino) -> None:
    choices = await casino.alice.autocomplete(casino.channel, "rules", "name", "kit")
    assert [choice["value"] for choice in choices] == ["blackjack kitchen"]
    choices = await casino.alice.autocomplete(casino.channel, "blackjack", "rules", "o")
    assert {choice["value"] for choice in choices} >= {"original", "four-seat"}


async def test_rules_that_are_not_there_are_named(casino: Casino) -> None:
    assert "There is no rule set called" in text_of(await casino.ask("rules", name="@everyone"))


async def test_ones_language_outlives_a_restart(casino: Casino) -> None:
    answer = await casino.ask("settings")
    await casino.alice.select(answer, ["fr"])
    await casino.restart()
    member = await casino.bot.bank.member(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.member_settings(member.id)).language == "fr"
    text = text_of(await casino.ask("balance"))
    assert "1\u202f000" in text


async def test_what_is_remembered_of_people_has_an_end_and_nothing_is_lost(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preferences, "MOST", 1)
    await casino.alice.select(await casino.ask("settings"), ["fr"])
    for _ in range(2):
        assert "1,000" in text_of(await casino.ask("balance", casino.bob))
        assert "1\u202f000" in text_of(await casino.ask("balance"))
    assert len(preferences._known[casino.bot.bank]) == 1


async def test_one_gets_all_that_is_stored(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    answer = await casino.ask("privacy")
    result = await casino.alice.click(answer, label="Get mine")
    assert result.response is not None
    (file,) = result.response.attachments
    stored = json.loads(await file.read())
    assert stored["rounds"]


async def test_forgetting_asks_first_and_then_forgets(casino: Casino) -> None:
    await casino.ask("daily")
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    assert await casino.balance(casino.alice) == 1_200
    await casino.alice.click(answer, label="Forget me for good")
    assert "You are forgotten here" in text_of(answer)
    assert await casino.bot.bank.balance(casino.guild.id, casino.alice.id) is None


async def test_nobody_is_forgotten_in_mid_hand(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    result = await casino.alice.click(answer, label="Forget me for good")
    assert result.response is not None
    assert "open table" in result.response.content


async def test_every_menu_has_at_most_twenty_five_entries(casino: Casino) -> None:
    answer = await casino.ask("rules")
    (menu,) = (part for part in raw.components(answer) if part["type"] == 3)
    assert len(menu["options"]) <= 25
