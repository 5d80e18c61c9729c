"""/help"""

from __future__ import annotations

import re

import discord
import pytest
import simcord

from cogs.answers.sections import Section, reading_order, section_of
from cogs.table.keys import SHARED
from cogs.table.presentation import presentation
from cogs.words import LANGUAGES, _, speaking
from engine.games.registry import GAMES

from .conftest import Casino, keys, text_of


async def test_help_names_every_command_there_is_and_no_other(casino: Casino) -> None:
    manager = await _manager(casino)
    text = text_of(await casino.ask("help", manager))
    kind = discord.AppCommandType.chat_input
    there = {command.name for command in casino.bot.tree.get_commands(type=kind)} - {"help"}
    assert {found.split()[0] for found in re.findall(r"</([\w -]+):\d+>", text)} == there


async def test_games_come_first_in_the_houses_order_and_other_commands_by_their_names(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    told = [text.index(f"</{name}:") for name in GAMES]
    assert told == sorted(told)
    there = casino.bot.tree.get_commands(type=discord.AppCommandType.chat_input)
    names = [command.name for command in sorted(there, key=reading_order) if section_of(command) is Section.PLAY]
    assert names == [*GAMES, *sorted(set(names) - set(GAMES))]


async def test_a_command_can_be_clicked_by_its_id(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    ids = {command.name: command.id for command in await casino.bot.tree.fetch_commands()}
    assert f"</blackjack:{ids['blackjack']}>" in text
    assert f"</tournament list:{ids['tournament']}>" in text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_word_that_is_printed_on_a_key_is_explained(casino: Casino, language: str) -> None:
    await casino.alice.select(await casino.ask("settings"), [language], custom_id="settings:language")
    text = await _pressed(casino, await casino.ask("help"), "buttons")
    caps = [*SHARED, *(cap for name in (*GAMES, "elimination") for cap in presentation(name).caps)]
    with speaking(language):
        assert {_(cap.label) for cap in caps if f"**{_(cap.label)}**" not in text} == set()


async def test_what_only_managers_may_do_is_told_to_managers(casino: Casino) -> None:
    told = text_of(await casino.ask("help"))
    assert "</casino" not in told
    all_told = text_of(await casino.ask("help", await _manager(casino)))
    assert "</casino settings" in all_told
    for command in casino.bot.tree.walk_commands():
        if command.description.endswith("(Manage Server)"):
            assert f"</{command.qualified_name}:" not in told
            assert f"</{command.qualified_name}:" in all_told


@pytest.mark.parametrize(
    ("page", "command", "what"),
    [
        ("play", "blackjack", "Sit down at this channel's blackjack table"),
        ("chips", "daily", "Today's free chips"),
        ("skill", "odds", "for your eyes only"),
        ("trust", "verify", "was dealt as"),
    ],
)
async def test_a_key_says_more_of_its_commands_in_place_of_the_first_page(
    casino: Casino, page: str, command: str, what: str
) -> None:
    asked = await casino.ask("help")
    assert what not in text_of(asked), "the first page is short"
    text = await _pressed(casino, asked, page)
    assert f"</{command}:" in text
    assert what in text


async def test_what_managers_read_is_for_managers_and_made_up_pages_lead_back(casino: Casino) -> None:
    assert "Manage" not in keys(await casino.ask("help"))
    text = await _pressed(casino, await casino.ask("help", await _manager(casino)), "manage", casino.person("mona"))
    assert "</casino settings" in text
    shown = await casino.ask("help", casino.person("mona"))
    casino.env.backend.get_guild(casino.guild.id).members[casino.person("mona").id].role_ids.clear()
    text = await _pressed(casino, shown, "manage", casino.person("mona"))
    assert text.startswith("### Croupier\nStart with "), "who manages no more"
    assert "</casino" not in text


async def test_the_first_page_fits_a_phone(casino: Casino) -> None:
    text = text_of(await casino.ask("help", await _manager(casino)))
    shown = re.sub(r"</([\w -]+):\d+>", r"/\1", text)
    assert sum(1 + len(line) // 40 for line in shown.splitlines()) <= 24


async def _pressed(
    casino: Casino, message: simcord.ResponseMessage, page: str, who: simcord.MemberActor | None = None
) -> str:
    await (who or casino.alice).click(message, custom_id=f"help:{page}")
    return text_of(message)


async def _manager(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    mona = casino.guild.add_member(casino.env.create_user("mona"), roles=[role])
    return casino.people.setdefault("mona", mona)


async def test_r10_5_help_says_that_there_is_no_real_money(casino: Casino) -> None:
    assert "no real money, anywhere" in text_of(await casino.ask("help"))
