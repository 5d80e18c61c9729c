"""The buttons of a tournament's messages, which know only their tournament."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar, Self

import discord

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.serving import Press, Reply
from engine.stored_words import TOURNAMENT

#: A handler of presses: it gets the interaction, its reply, the tournament, and the button's word.
Taker = Callable[[Interaction, Reply, int, str], Awaitable[None]]

_takers: list[Taker] = []


def taken_by(taker: Taker) -> None:
    """Set the handler of all presses."""
    _takers[:] = [taker]


class EntryButton(Press, template=rf"{TOURNAMENT}:(?P<tournament>\d{{1,20}}):(?P<word>join|leave)"):
    """The button to join or leave a tournament."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    tournament: int
    word: str

    @classmethod
    def of(cls, tournament: int, word: str, label: str) -> Self:
        style = discord.ButtonStyle.success if word == "join" else discord.ButtonStyle.secondary
        return cls.button(label, style=style, tournament=tournament, word=word)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _takers[0](interaction, reply, self.tournament, self.word)
