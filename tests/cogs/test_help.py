"""/help"""

from __future__ import annotations

import re

from .conftest import Casino, text_of


async def test_help_names_every_command_there_is_and_no_other(casino: Casino) -> None:
    text = text_of(await casino.ask("help"))
    there = {command.name for command in casino.bot.tree.get_commands()} - {"help"}
    assert set(re.findall(r"^`/(\w+)`", text, re.MULTILINE)) == there
