"""The buttons of a tournament's messages: they know which tournament, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Self

import discord
from discord import ui

from cogs.answers.door import Stands
from cogs.answers.panel import button
from cogs.answers.press import Interaction, Press
from cogs.answers.serving import Reply
from engine.stored_words import TOURNAMENT

#: What takes up a press: the interaction, its reply, the tournament, the key's word.
Taker = Callable[[Interaction, Reply, int, str], Awaitable[None]]

_takers: list[Taker] = []


def taken_by(taker: Taker) -> None:
    _takers[:] = [taker]


class EntryButton(Press, template=rf"{TOURNAMENT}:(?P<tournament>\d{{1,20}}):(?P<word>join|leave)"):
    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    def __init__(self, item: ui.Item[Any], tournament: int, word: str) -> None:
        super().__init__(item)
        self.tournament = tournament
        self.word = word

    @classmethod
    def of(cls, tournament: int, word: str, label: str) -> Self:
        style = discord.ButtonStyle.success if word == "join" else discord.ButtonStyle.secondary
        return cls(button(label, f"{TOURNAMENT}:{tournament}:{word}", style=style), tournament, word)

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls(item, int(match["tournament"]), match["word"])

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _takers[0](interaction, reply, self.tournament, self.word)
