"""A table's buttons. Each carries its table, its round, its turn and its word, and nothing is kept anywhere else."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from discord import ui

from cogs.answers.door import Stands
from cogs.answers.press import Interaction, Press
from cogs.answers.serving import Reply
from cogs.table import play
from cogs.table.page import Key, Pressed
from cogs.words import _


class TableButton(
    Press, template=r"t:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<turn>\d{1,12}):(?P<word>[a-z-]{1,20})"
):
    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    def __init__(self, item: ui.Item[Any], table: int, key: Pressed) -> None:
        super().__init__(item)
        self.table = table
        self.key = key

    @classmethod
    def of(cls, table: int, key: Key) -> Self:
        custom_id = f"t:{table}:{key.number}:{key.turn}:{key.cap.word}"
        label = _("{label} {amount}", label=_(key.cap.label), amount=key.amount) if key.amount else _(key.cap.label)
        button: ui.Button[Any] = ui.Button(
            label=label[:80], style=key.cap.style, custom_id=custom_id, disabled=not key.enabled
        )
        return cls(button, table, Pressed(key.cap.word, key.number, key.turn))

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        key = Pressed(match["word"], int(match["number"]), int(match["turn"]))
        return cls(item, int(match["table"]), key)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await play.press(interaction, reply, self.table, self.key)
