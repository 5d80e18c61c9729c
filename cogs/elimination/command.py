"""/elimination: a table of four players, of whom one wins."""

from __future__ import annotations

from typing import Final, TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.options import Suggested
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.elimination import PRESENTATION
from cogs.elimination.again import AgainButton
from cogs.elimination.opening import EliminationRequest, open_table, refuse_too_few_seats, refuse_where_it_cannot_be
from cogs.table import rule_sets
from cogs.table.opening import LevelOption
from cogs.words import _, play_chips
from cogs.words.refusals import Sorry
from engine.games.computer import DEFAULT_LEVEL
from engine.games.contract import CHIP
from engine.tables.orders import GAME

_RULES: Final = "original"  # R7.1
#: The largest budget in chips. Discord offers no larger one, but a modified client may send it.
MOST_BUDGET: Final = 1_000_000


#: The option with the name of a rule set, for which names are suggested.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME))]


class EliminationCommand(commands.Cog):
    """The command /elimination."""

    @app_commands.command(description=PRESENTATION.help, extras=shown_in(Section.PLAY))
    @app_commands.describe(
        budget="Play chips that everyone starts with; your own chips aren't touched",
        level="How well the computer players play",
        rules="The rule set of the cards",
    )
    @app_commands.guild_only()
    async def elimination(
        self,
        interaction: Interaction,
        budget: app_commands.Range[int, 1, MOST_BUDGET] = 1_000,
        level: LevelOption = DEFAULT_LEVEL,
        rules: RulesOption = _RULES,
    ) -> None:
        """Open an elimination table.

        Refuse a channel or an option that is not allowed, and a second table of the member in this channel.
        """
        async with serving(interaction, private=False) as reply:
            await refuse_where_it_cannot_be(interaction)
            if not 1 <= budget <= MOST_BUDGET:
                least, most = play_chips(CHIP), play_chips(MOST_BUDGET * CHIP)
                raise Sorry(_("A table's budget is from {least} to {most}.", least=least, most=most))
            found = await rule_sets.find(interaction, GAME, rules)
            refuse_too_few_seats(rules, found)
            await open_table(interaction, reply, EliminationRequest(budget * CHIP, level, rules, found))


async def setup(bot: Casino) -> None:
    take_up(bot, AgainButton)
    await bot.add_cog(EliminationCommand())
