"""Operators may have to show a policy and a place for support, and to restrict games to adults."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from cogs.startup.command_list import restrict_to_adults
from engine.games.registry import GAMES
from settings import Settings

from . import raw
from .conftest import Casino, text_of

POLICY, SUPPORT = "https://example.org/privacy", "https://example.org/support"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, policy_url=POLICY, support_url=SUPPORT)


@pytest.mark.parametrize("command", ["help", "privacy"])
async def test_the_operators_links_are_shown(casino: Casino, command: str) -> None:
    urls = [part["url"] for part in raw.components(await casino.ask(command)) if part.get("url")]
    assert urls == [POLICY, SUPPORT]


async def test_a_link_that_is_not_set_has_no_button(casino: Casino) -> None:
    casino.bot.support_url = None
    labels = [part.get("label") for part in raw.components(await casino.ask("privacy"))]
    assert "Privacy policy" in labels
    assert "Support" not in labels


async def test_an_error_number_comes_with_the_way_to_report_it(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(casino.bot.bank.chips, "daily_due", broken)
    text = text_of(await casino.ask("balance"))
    assert "(error `" in text
    assert f"report that number [here]({SUPPORT})" in text
    caplog.clear()


async def test_games_are_for_adults_where_the_operator_says_so(casino: Casino) -> None:
    """simcord takes no such commands, so what would be registered is looked at here."""
    restrict_to_adults(casino.bot.tree)
    restricted = {
        command.name for command in casino.bot.tree.get_commands() if command.to_dict(casino.bot.tree)["nsfw"]
    }
    assert restricted == {*GAMES, "elimination", "tournament", "duel", "Duel"}


@pytest.mark.parametrize("in_thread", [False, True])
async def test_no_button_opens_a_game_in_a_channel_for_all_ages(casino: Casino, in_thread: bool) -> None:  # noqa: FBT001
    channel = casino.bot.get_channel(casino.channel.id)
    assert isinstance(channel, discord.TextChannel)
    if in_thread:
        casino.env.backend.create_thread(casino.channel.id, "aside", casino.alice.id, type=11, broadcast=True)
        (casino.channel,) = casino.channel.threads  # type: ignore[assignment]
    casino.bot.settings = replace(casino.bot.settings, age_restricted=True)
    rules = await casino.ask("rules")
    for refused in (
        (await casino.alice.click(rules, label="kitchen")).response,
        await casino.ask("elimination"),
        await casino.ask("duel", member=casino.bob),
    ):
        assert refused is not None
        assert text_of(refused) == "Games are only in channels that are marked as age-restricted."
    assert casino.bot.registry.tables() == ()
    channel.nsfw = True  # as Discord tells it
    await casino.alice.click(rules, label="kitchen")
    assert casino.snapshot.rules_name == "kitchen"
