"""/help"""

from __future__ import annotations

import re

from .conftest import Casino, text_of


async def test_help_names_every_command_there_is_and_no_other(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    there = {command.name for command in casino.bot.tree.get_commands()} - {"help"}
    assert set(re.findall(r"^`/([\w-]+)`", text, re.MULTILINE)) == there


async def test_r10_5_help_says_that_there_is_no_real_money(casino: Casino) -> None:
    assert "no real money, anywhere" in text_of(await casino.ask("help"))
