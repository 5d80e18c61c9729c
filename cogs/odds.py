"""/odds: the value of each action of a hand, as the Odds button shows it."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import Here, here
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach.odds_text import tell
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.tables.table import Table


class OddsCommand(commands.Cog):
    """The command /odds."""

    @app_commands.command(
        description="What each action of your hand is worth, for your eyes only", extras=shown_in(Section.SKILL)
    )
    @app_commands.guild_only()
    async def odds(self, interaction: Interaction) -> None:
        """Show the player privately the value of each action of their hand."""
        async with serving(interaction) as reply:
            await tell(interaction, reply, await _table(interaction.client, here(interaction)))


async def _table(casino: Casino, at: Here) -> Table:
    """Return the channel's blackjack table at which the player has to act.

    If there is none, return a table where they sit (an elimination table first), otherwise their own table, otherwise
    the one that everybody shares. Raise Sorry if the channel has none of these.
    """
    await casino.registry.present(at.guild)
    seated = [table for table in casino.registry.tables_of(at.guild, at.user) if _is_here(table, at)]
    seated.sort(key=lambda table: table.state.elimination is None)
    own, shared = (casino.registry.table_in(at.channel, "blackjack", whose) for whose in (at.user, None))
    found = [table for table in (*seated, own, shared) if table is not None]
    for table in found:
        sitter = table.snapshot().sitter_of(at.user)
        legal = table.snapshot().legal
        if sitter is not None and sitter.seat is not None and legal and legal[sitter.seat]:
            return table
    if not found:
        raise Sorry(_("There's no blackjack table here. Ask for odds when it's your turn at one."))
    return found[0]


def _is_here(table: Table, at: Here) -> bool:
    return (table.state.channel, table.state.game) == (at.channel, "blackjack")


async def setup(bot: Casino) -> None:
    await bot.add_cog(OddsCommand())
