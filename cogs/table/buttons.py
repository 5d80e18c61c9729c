"""A table's buttons. Each carries its table, its round, its turn and its word, and nothing is kept anywhere else."""

from __future__ import annotations

from typing import Any, ClassVar, Self

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

    table: int
    number: int
    turn: int
    word: str

    @classmethod
    def of(cls, table: int, key: Key) -> Self:
        made_for: dict[str, Any] = {"table": table, "number": key.number, "turn": key.turn, "word": key.cap.word}
        label = _("{label} {amount}", label=_(key.cap.label), amount=key.amount) if key.amount else _(key.cap.label)
        return cls.button(label[:80], style=key.cap.style, enabled=key.enabled, **made_for)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await play.press(interaction, reply, self.table, Pressed(self.word, self.number, self.turn))
