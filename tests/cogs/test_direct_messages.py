"""Where commands are offered, and what works in a direct message or for people who installed the app themselves."""

from __future__ import annotations

from typing import Any

import pytest
import simcord

from cogs.answers.anywhere import is_anywhere
from cogs.answers.door import Stands

from . import raw
from .conftest import Casino, keys, text_of

#: The commands that need no server.
ANYWHERE = {"help", "privacy", "rules", "settings", "strategy", "today", "train"}

#: The buttons and menus of what is a person's own.
PERSONAL = {
    *("CareKey", "AboutKey", "HearKey", "BreakKey", "WhatKey", "LengthKey", "BeginBreakKey", "AskKey", "LimitsKey"),
    *("HiddenKey", "ChallengesMenu"),
    "ShareKey",
    "RulesKey",
    "PlayKey",
    "PastMenu",
    "PastKey",
    "HandsKey",
    "BackKey",
    "ActKey",
    "AnswerKey",
    "BeginKey",
    "CompareKey",
    "CountKey",
    "DayMotionKey",
    "DayProofKey",
    "HelpKey",
    "NextCardsKey",
    "PrivacyButton",
    "ReplayKey",
    "RulesMenu",
    "StopKey",
    "StrategyMenu",
    "TextButton",
    "TrainKey",
    "WhyKey",
}

#: An answer of each of them, by a part of it.
TOLD = [
    ("help", "This works here"),
    ("rules", "vegas"),
    ("strategy", "Best play"),
    ("privacy", "What is stored about you"),
    ("settings", "Your settings"),
    ("train", "Training"),
    ("today", "Today's five open here for the first time"),
]


def said(result: simcord.InteractionResult) -> str:
    assert result.response is not None
    return text_of(result.response)


async def test_every_command_says_where_it_is_offered_and_for_whom_it_is_installed(casino: Casino) -> None:
    """Discord would offer what says nothing in direct messages, and to people who install the bot for themselves."""
    for command in casino.bot.tree.get_commands():
        body: dict[str, Any] = command.to_dict(casino.bot.tree)
        assert body["contexts"] == ([0, 1, 2] if command.name in ANYWHERE else [0]), command.name
        assert body["integration_types"] == ([0, 1] if command.name in ANYWHERE else [0]), command.name


async def test_only_these_keys_stand_where_there_is_no_server(casino: Casino) -> None:
    """Only keys about a person's own things are allowed there: all others need a server."""
    found = {kind.__name__ for kind in casino.bot.presses if kind.stands is Stands.PERSONALLY}
    assert found == PERSONAL


@pytest.mark.parametrize(("command", "told"), TOLD)
async def test_what_needs_no_server_works_in_a_direct_message(casino: Casino, command: str, told: str) -> None:
    assert told in said(await casino.env.create_user("carol").slash(command))


@pytest.mark.parametrize(("command", "told"), TOLD)
async def test_people_who_installed_the_app_use_it_on_any_server_as_in_a_direct_message(
    casino: Casino, command: str, told: str
) -> None:
    """A server that has not installed it has no accounts, rule sets or settings, even of its managers."""
    with raw.installed_for(casino.alice.id):
        result = await raw.command(casino.alice, casino.channel, command)
    assert told in said(result)
    assert result.ephemeral
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.alice.id) is None
    assert not casino.channel.history(), "nothing is posted where only a person has the app"


async def test_on_such_a_server_everything_else_says_that_the_app_is_missing(casino: Casino) -> None:
    with raw.installed_for(casino.alice.id):
        for name in ("blackjack", "daily", "tournament list", "casino settings"):
            assert "I am not on this server" in said(await raw.command(casino.alice, casino.channel, name))
        (answer,) = await raw.press(casino.alice, casino.channel, "t:1:1:0:deal")
    assert "I am not on this server" in said(answer)
    assert not casino.bot.registry.tables()


async def test_a_server_that_has_the_app_stays_one_for_people_who_have_it_too(casino: Casino) -> None:
    with raw.installed_for(casino.alice.id, server=casino.guild.id):
        await raw.command(casino.alice, casino.channel, "daily")
    assert await casino.balance(casino.alice) == 1_200


async def test_keys_of_such_answers_work_there_too(casino: Casino) -> None:
    carol = casino.env.create_user("carol")
    answer = (await carol.slash("help")).response
    await carol.click(answer, label="Trust")
    assert "/privacy" in text_of(answer)


async def test_help_names_only_what_works_there(casino: Casino) -> None:
    text = said(await casino.env.create_user("carol").slash("help"))
    named = {command.name for command in casino.bot.tree.get_commands() if f"/{command.name}" in text.split("\n", 2)[2]}
    assert named == {command.name for command in casino.bot.tree.get_commands() if is_anywhere(command)} - {"help"}


async def test_the_rules_offer_no_table_where_there_can_be_none(casino: Casino) -> None:
    carol = casino.env.create_user("carol")
    answer = (await carol.slash("rules")).response
    assert answer is not None
    assert keys(answer) == []
    assert "Tables are on servers" in text_of(answer)
    assert "A button opens a table" not in text_of(answer)
    await carol.select(answer, ["blackjack kitchen"])
    assert keys(answer) == ["Compare all"]


async def test_nothing_shows_the_apps_own_emoji_where_they_may_not_be_seen(casino: Casino) -> None:
    for name, _ in TOLD:
        answer = (await casino.env.create_user(f"carol-{name}").slash(name)).response
        assert answer is not None
        assert "<:" not in str(answer.components)
