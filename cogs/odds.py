"""/odds: the value of each action of a hand, as the Odds button shows it."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import here
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
            casino, at = interaction.client, here(interaction)
            await casino.registry.present(at.guild)
            await tell(interaction, reply, _table(casino, at.channel, at.user))


def _table(casino: Casino, channel: int, user: int) -> Table:
    """Return the blackjack table in the channel where the player has to act, or raise Sorry if there is no table.

    If they need not act, return their elimination table, else their own table, else the one that everybody shares.
    """
    own, shared = (casino.registry.table_in(channel, "blackjack", whose) for whose in (user, None))
    tables = (casino.registry.elimination_of(channel, user), own, shared)
    here = [table for table in tables if table is not None]
    for table in here:
        sitter = table.snapshot().sitter_of(user)
        legal = table.snapshot().legal
        if sitter is not None and sitter.seat is not None and legal and legal[sitter.seat]:
            return table
    if not here:
        raise Sorry(_("There's no blackjack table here. Ask for odds when it's your turn at one."))
    return here[0]


async def setup(bot: Casino) -> None:
    await bot.add_cog(OddsCommand())
