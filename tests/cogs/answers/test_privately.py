"""A question is answered to its asker only: a channel need not know what its members have, did, set or wonder."""

from __future__ import annotations

import discord

from engine.games.registry import GAMES

from ..conftest import Casino, played

#: Commands that are meant for the whole channel.
OPEN = {*GAMES, "elimination", "leaderboard"}


async def test_every_question_is_answered_to_the_one_who_asks(casino: Casino) -> None:
    await played(casino)
    asked = []
    for command in casino.bot.tree.get_commands(type=discord.AppCommandType.chat_input):
        if isinstance(command, discord.app_commands.Command) and not any(each.required for each in command.parameters):
            asked.append(command.name)
            assert (await casino.ask(command.name)).ephemeral is (command.name not in OPEN), command.name
    assert len(asked) > 12
