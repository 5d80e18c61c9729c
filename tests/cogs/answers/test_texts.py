"""Texts that people type are cleaned before anything is done with them: in commands, forms and menus."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from .. import raw
from ..conftest import Casino, text_of

NASTY = "\u202e se\0ven\ud800 \n red \u2066"


def said(result: simcord.InteractionResult) -> str:
    assert result.response is not None
    return text_of(result.response)


async def test_a_phrase_is_kept_without_what_nobody_sees(casino: Casino) -> None:
    answer = await raw.command(casino.alice, casino.channel, "seed", phrase=NASTY)
    assert "Yours is **seven red**" in said(answer)
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.members.settings(member.id)).phrase == "seven red"
    assert "at most 100 characters" in said(await raw.command(casino.alice, casino.channel, "seed", phrase="x" * 101))


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("verify", {"round": NASTY}, "There is no finished round **seven red** here."),
        ("rules", {"name": NASTY}, "There is no rule set called **seven red** here."),
        ("blackjack", {"rules": NASTY}, "There is no rule set called **seven red** here."),
        ("elimination", {"rules": NASTY}, "There is no rule set called **seven red** here."),
        ("tournament join", {"which": NASTY}, "There's no tournament here"),
    ],
)
async def test_what_is_looked_up_is_looked_up_clean(
    casino: Casino, command: str, options: dict[str, str], words: str
) -> None:
    assert words in said(await raw.command(casino.alice, casino.channel, command, **options))


@pytest.mark.parametrize("chips", [NASTY, "1\0 2", "", "\ud800", "9" * 5000, "٥" * 50, "1e5", "0x10", "\u200b"])
async def test_a_stake_that_is_no_number_is_answered_with_what_would_be(casino: Casino, chips: str) -> None:
    await casino.sealed_table()
    before = casino.snapshot
    form = f"stake:{before.table}:{before.round + 1}:main"
    answer = said(await raw.submit(casino.alice, casino.message, form, {"chips": chips}))
    assert "Something went wrong" not in answer
    assert "like 1,000" in answer
    assert casino.snapshot == before


@pytest.mark.parametrize("values", [[], [None], [NASTY], ["9" * 5000], ["x"] * 1000])
async def test_a_menu_with_made_up_choices_is_answered(casino: Casino, values: Any) -> None:
    for command in ("rules", "settings"):
        panel = await casino.ask(command)
        for menu in [part for part in raw.components(panel) if part["type"] == 3]:
            answer = await raw.choose(casino.alice, panel, menu["custom_id"], 3, values)
            assert answer.acknowledged
            if answer.response is not None:
                assert "Something went wrong" not in text_of(answer.response)


async def test_a_command_that_is_gone_or_has_changed_is_answered(casino: Casino) -> None:
    """Discord's clients keep the old list for a while, and anybody can send a choice that is not on it."""
    other = "One of the options is not what Discord said it was. Choose it again from the list that Discord offers."
    assert said(await raw.command(casino.alice, casino.channel, "leaderboard", by="nonsense")) == other
    assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas")
    for name in ("balance", "rules"):
        casino.bot.tree.remove_command(name)
    result = await raw.command(casino.alice, casino.channel, "balance")
    gone = "That command is gone. Restart Discord (Ctrl-R on a computer) to see the current commands."
    assert said(result) == gone
    assert result.ephemeral
    assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas") == []


async def test_of_a_menu_as_many_choices_count_as_one_can_have(casino: Casino) -> None:
    staff = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[staff])
    panel: Any = await casino.ask("casino settings", boss)
    await raw.choose(boss, panel, "office:channels", 8, [str(number) for number in range(1, 27)])
    assert (await casino.bot.bank.guilds.settings(casino.guild.id)).channels == tuple(range(1, 26))
