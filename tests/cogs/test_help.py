"""/help"""

from __future__ import annotations

import re

import discord
import pytest
import simcord

from cogs.table.keys import SHARED
from cogs.table.presentation import presentation
from cogs.words import LANGUAGES, _, speaking
from engine.games.registry import GAMES

from .conftest import Casino, text_of


async def test_help_names_every_command_there_is_and_no_other(casino: Casino) -> None:
    manager = await _manager(casino)
    text = text_of(await casino.ask("help", manager))
    kind = discord.AppCommandType.chat_input
    there = {command.name for command in casino.bot.tree.get_commands(type=kind)} - {"help"}
    assert {found.split()[0] for found in re.findall(r"</([\w -]+):\d+>", text)} == there


async def test_a_command_can_be_clicked_by_its_id(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    ids = {command.name: command.id for command in await casino.bot.tree.fetch_commands()}
    assert f"</blackjack:{ids['blackjack']}>" in text
    assert f"</tournament list:{ids['tournament']}>" in text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_word_that_is_printed_on_a_key_is_explained(casino: Casino, language: str) -> None:
    await casino.alice.select(await casino.ask("settings"), [language], custom_id="settings:language")
    text = text_of(await casino.ask("help"))
    caps = [*SHARED, *(cap for name in (*GAMES, "elimination") for cap in presentation(name).caps)]
    with speaking(language):
        assert {_(cap.label) for cap in caps if f"**{_(cap.label)}**" not in text} == set()


async def test_what_only_managers_may_do_is_told_to_managers(casino: Casino) -> None:
    told = text_of(await casino.ask("help"))
    assert "</casino" not in told
    assert "</tournament schedule" not in told
    assert "</casino settings" in text_of(await casino.ask("help", await _manager(casino)))


async def _manager(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("mona"), roles=[role])


async def test_r10_5_help_says_that_there_is_no_real_money(casino: Casino) -> None:
    assert "no real money, anywhere" in text_of(await casino.ask("help"))
