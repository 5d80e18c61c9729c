"""Commands that texts name are links to them."""

from __future__ import annotations

from dataclasses import replace

from discord import ui

from cogs.answers.clickable import CommandLinks
from cogs.answers.preferences import reader_of
from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import reading

from ..conftest import Casino, text_of
from ..line import Line


async def link(casino: Casino, name: str) -> str:
    """Return the link to a command, as Discord writes it."""
    ids = {command.name: command.id for command in await casino.bot.tree.fetch_commands()}
    return f"</{name}:{ids[name.partition(' ')[0]]}>"


async def test_a_panel_links_to_the_commands_that_it_names(casino: Casino) -> None:
    text = text_of(await casino.ask("privacy"))
    for name in ("settings", "seed", "train"):
        assert await link(casino, name) in text


async def test_a_tables_text_links_to_them(casino: Casino) -> None:
    """And to a group's command, which is named by two words."""
    await casino.sealed_table()
    page = replace(
        presented(casino.snapshot).page_of(casino.snapshot), groups=(("`/tournament list`",),), footer=("`/help`",)
    )
    with reading(await reader_of(casino.bot, casino.guild.id)):
        view = components.build(page, casino.snapshot)
    texts = "\n".join(part.content for part in view.walk_children() if isinstance(part, ui.TextDisplay))
    assert await link(casino, "tournament list") in texts
    assert await link(casino, "help") in texts


async def test_a_refusal_links_to_them(casino: Casino) -> None:
    assert await link(casino, "rules") in text_of(await casino.ask("blackjack", rules="no such rules"))


async def test_a_direct_message_links_only_to_what_works_there(casino: Casino) -> None:
    carol = casino.env.create_user("carol")
    text = text_of((await carol.slash("privacy")).response)  # type: ignore[arg-type]
    assert await link(casino, "settings") in text
    assert "`/seed`" in text


async def test_what_needs_an_option_stays_a_text_to_copy(casino: Casino) -> None:
    await casino.sealed_table()
    assert f"`/verify {casino.snapshot.seals.code}`" in casino.text


async def test_while_discord_does_not_say_what_it_calls_the_commands_they_are_named(casino: Casino, line: Line) -> None:
    casino.bot.command_links = CommandLinks()
    line.cut("GET", "/applications/*/commands")
    await casino.bot.command_links.learn(casino.bot.tree)
    assert "`/settings`" in text_of(await casino.ask("privacy"))
    await casino.bot.command_links.learn(casino.bot.tree)
    assert await link(casino, "settings") in text_of(await casino.ask("privacy"))
    since = len(casino.env.http_requests)
    await casino.bot.command_links.learn(casino.bot.tree)
    assert len(casino.env.http_requests) == since, "it is asked for once"
