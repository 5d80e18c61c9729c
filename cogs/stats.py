"""/stats: a member's skill and luck."""

from __future__ import annotations

import asyncio
from functools import partial
from io import BytesIO
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.panel import panel
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import Reply, serving, take_up
from cogs.coach import stats_text
from cogs.coach.asking import coach_of
from cogs.coach.trying import AnswerButton, TryButton
from cogs.pictures.coach import render_plot
from cogs.words import _, mention
from cogs.words.refusals import Sorry
from data import Skill
from engine.coach.grading import VALUATION
from engine.tables.values import Member

_PICTURE: Final = "stats.png"
#: The most points of the plot, and the most mistakes listed.
_POINTS: Final = 120
_MISTAKES: Final = 5


class Stats(commands.Cog):
    """The command /stats."""

    @app_commands.command(description="How well you play, and how lucky you are", extras=shown_in(Section.SKILL))
    @app_commands.describe(member="Player; you, if left out")
    @app_commands.guild_only()
    async def stats(self, interaction: Interaction, member: Someone | None = None) -> None:
        """Show a member's skill and luck."""
        async with serving(interaction) as reply:
            coach_of(interaction.client)
            await _show(interaction, reply, member or interaction.user)


async def _show(interaction: Interaction, reply: Reply, who: discord.abc.User) -> None:
    assert interaction.guild_id is not None
    casino = interaction.client
    if await casino.bank.members.balance(interaction.guild_id, who.id) is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(who.id)))
    member = await casino.bank.members.sign_in(interaction.guild_id, who.id)
    if casino.grader is not None:
        await casino.grader.grade_of(member.id)
    skill = await casino.bank.grades.skill(member.id, valuation=VALUATION)
    if skill.hands:
        plot = [await _plot(interaction, member.id, skill)] if skill.known else []
        await reply.show(await _page(interaction, member, skill), plot)
    else:
        nothing = _("Nothing is graded yet. `/blackjack` deals a hand.")
        await reply.show(panel(_("Skill and luck"), nothing, small=stats_text.waiting(skill)))


async def _page(interaction: Interaction, member: Member, skill: Skill) -> ui.LayoutView:
    """Return the statistics. Mistakes, and trying them again, are shown only to the player."""
    told, rows = mention(member.user), list[list[ui.Item[Any]]]()
    if member.user == interaction.user.id:
        casino = interaction.client
        told = stats_text.mistakes(await casino.bank.mistakes.costliest(member.id, _MISTAKES))
        _missed, due = await casino.bank.mistakes.to_try(member.id, casino.clock.now())
        rows = [[TryButton.button(_("Try again"), enabled=due > 0)]]
    return panel(
        _("Skill and luck"),
        stats_text.lines(skill),
        told,
        small=[
            *stats_text.waiting(skill),
            _("Hands for play chips don't count. “Expected” already includes the house edge."),
        ],
        rows=rows,
        picture=(_PICTURE, stats_text.plot_alt(skill)) if skill.known else None,
    )


async def _plot(interaction: Interaction, member: int, skill: Skill) -> discord.File:
    stretches = await interaction.client.bank.grades.stretches(member, _POINTS)
    image = await asyncio.to_thread(partial(render_plot, stats_text.plot(stretches, skill.known)))
    return discord.File(BytesIO(image), _PICTURE, description=stats_text.plot_alt(skill))


async def setup(bot: Casino) -> None:
    take_up(bot, TryButton, AnswerButton)
    await bot.add_cog(Stats())
