"""/balance: a member's chips."""

from __future__ import annotations

from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.here import here, member_of
from cogs.answers.panel import panel
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.words import _, counted, mention, ngettext, ordinal, when
from cogs.words.refusals import Sorry
from data import Ladder
from engine.tables.values import Member


class BalanceCommand(commands.Cog):
    """The command /balance."""

    @app_commands.command(description="Your chips, or somebody else's", extras=shown_in(Section.CHIPS))
    @app_commands.describe(member="Player; you, if left out")
    @app_commands.guild_only()
    async def balance(self, interaction: Interaction, member: Someone | None = None) -> None:
        """Show a member's chips, by default one's own.

        Only one's own page also has the chips in play, the rank, and when the next daily chips are due.
        """
        async with serving(interaction) as reply:
            if member is None or member.id == interaction.user.id:
                await reply.show(await _own_balance(interaction))
            else:
                await reply.show(await _balance_of(interaction, member))


async def _own_balance(interaction: Interaction) -> ui.LayoutView:
    """Return the page with the member's chips, what they have in play, their rank, and when they can get more."""
    member, casino = await member_of(interaction), interaction.client
    in_play = await casino.bank.members.in_play(member.id)
    staked = _("In play: **{chips}**", chips=counted(in_play)) if in_play else ""
    small = [line for line in (await _rank(interaction), await _daily(interaction, member)) if line]
    return panel(counted(member.balance), staked, small=small)


async def _rank(interaction: Interaction) -> str:
    bank = interaction.client.bank
    board = await bank.ladders.leaderboard(here(interaction).guild, Ladder.CHIPS, size=1, user=interaction.user.id)
    if board.own is None:
        return ""
    people = ngettext("{count} player", "{count} players", board.people)
    return _("Ranked {place} of {people} by chips", place=ordinal(board.own.place), people=people)


async def _daily(interaction: Interaction, member: Member) -> str:
    due = await interaction.client.bank.chips.daily_due(member.id)
    if due <= interaction.client.clock.now():
        return _("Today's free chips: `/daily`")
    return _("Next daily chips {when}", when=when(due))


async def _balance_of(interaction: Interaction, member: Someone) -> ui.LayoutView:
    balance = await interaction.client.bank.members.balance(here(interaction).guild, member.id)
    if balance is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(member.id)))
    return panel(counted(balance), mention(member.id))


@app_commands.guild_only()
async def balance_of(interaction: Interaction, member: Someone) -> None:
    """Show what `/balance` shows of a member. This command is in the menu of a right click on the member."""
    async with serving(interaction) as reply:
        own = member.id == interaction.user.id
        await reply.show(await (_own_balance(interaction) if own else _balance_of(interaction, member)))


async def setup(bot: Casino) -> None:
    bot.tree.add_command(app_commands.ContextMenu(name="Balance", callback=balance_of))
    await bot.add_cog(BalanceCommand())
