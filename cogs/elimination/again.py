"""The button *Play again*, which opens a new elimination table like one that is over."""

from __future__ import annotations

from typing import ClassVar, Self

import discord

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.here import here
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.elimination.opening import EliminationRequest, open_table, refuse_where_it_cannot_be
from cogs.words import _
from engine.elimination.elimination import Elimination
from engine.games import registry as games
from engine.games.computer import DEFAULT_LEVEL, Level
from engine.tables.orders import GAME
from engine.tables.state import TableState


class AgainButton(Press, template=r"again:(?P<table>\d{1,20})"):
    """The button that opens a new table with the budget, level and rules of an old one (`table`)."""

    stands: ClassVar[Stands] = Stands.OPENLY
    private: ClassVar[bool] = False

    table: int

    @classmethod
    def of(cls, table: int) -> Self:
        return cls.button(_("Play again"), style=discord.ButtonStyle.success, table=table)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await refuse_where_it_cannot_be(interaction)
        stored = await interaction.client.bank.tables.stored(self.table)
        state = TableState.from_json(stored.row.doc) if stored is not None else None
        if state is None or state.elimination is None or state.guild != here(interaction).guild:
            raise misplaced()
        await open_table(interaction, reply, _like(state))


def _like(state: TableState) -> EliminationRequest:
    assert state.elimination is not None
    played = Elimination.replay(state.elimination)
    levels = [entrant.level for entrant in played.entrants if entrant.level is not None]
    rules = games.game(GAME).rules_from_json(state.rules)
    return EliminationRequest(played.terms.budget, Level(next(iter(levels), DEFAULT_LEVEL)), state.rules_name, rules)
