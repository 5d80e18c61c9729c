"""/balance: how many chips somebody has."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import casino_of, member_of
from cogs.answers.panel import panel
from cogs.answers.press import Interaction
from cogs.answers.serving import serving
from cogs.words import _, chips, mention
from cogs.words.refusals import Sorry


class Balance(commands.Cog):
    @app_commands.command(description="Your chips, or somebody else's")
    @app_commands.describe(member="Whose; yours if you leave it out")
    @app_commands.guild_only()
    async def balance(self, interaction: discord.Interaction[Any], member: discord.Member | None = None) -> None:
        async with serving(interaction) as reply:
            if member is None or member.id == interaction.user.id:
                await reply.show(await _own_balance(interaction))
            else:
                await reply.show(await _balance_of(interaction, member))


async def _own_balance(interaction: Interaction) -> ui.LayoutView:
    member = await member_of(interaction)
    in_play = await casino_of(interaction).bank.in_play(member.id)
    staked = _("**{chips}** more are staked on open tables.", chips=chips(in_play)) if in_play else ""
    return panel(_("{chips} chips", chips=chips(member.balance)), staked)


async def _balance_of(interaction: Interaction, member: discord.Member) -> ui.LayoutView:
    assert interaction.guild_id is not None
    balance = await casino_of(interaction).bank.balance(interaction.guild_id, member.id)
    if balance is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(member.id)))
    return panel(_("{chips} chips", chips=chips(balance)), mention(member.id))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(Balance())
