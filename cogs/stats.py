"""/stats: a member's skill and luck."""

from __future__ import annotations

import asyncio
from functools import partial
from io import BytesIO
from typing import Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.here import here
from cogs.answers.panel import Rows, panel
from cogs.answers.press import take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach import stats_text
from cogs.coach.asking import coach_of
from cogs.coach.milestones import MilestonesKey, ShowKey
from cogs.coach.trying import AnswerButton, TryButton
from cogs.pictures.coach import render_plot
from cogs.table import rule_sets
from cogs.train.keys import BeginKey
from cogs.words import _, mention
from cogs.words.refusals import Sorry
from data import Skill
from engine.coach.grading import VALUATION
from engine.tables.values import Member
from engine.training.drill import DrillKind

_PICTURE: Final = "stats.png"
#: The most points of the plot, and the most mistakes that are listed.
_POINTS: Final = 120
_MISTAKES: Final = 5


class StatsCommand(commands.Cog):
    """The command /stats."""

    @app_commands.command(description="How well you play, and how lucky you are", extras=shown_in(Section.SKILL))
    @app_commands.describe(member="Player; you, if left out")
    @app_commands.guild_only()
    async def stats(self, interaction: Interaction, member: Someone | None = None) -> None:
        """Show the skill and luck of a member who has played on this server, by default of the one who asks."""
        async with serving(interaction) as reply:
            coach_of(interaction.client)
            await _show(interaction, reply, member or interaction.user)


async def _show(interaction: Interaction, reply: Reply, who: discord.abc.User) -> None:
    casino = interaction.client
    member = await casino.bank.members.known(here(interaction).guild, who.id)
    if member is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(who.id)))
    if casino.grader is not None:
        await casino.grader.grade_of(member.id)
    skill = await casino.bank.grades.skill(member.id, valuation=VALUATION)
    if skill.hands:
        plot = [await _plot(interaction, member.id, skill)] if skill.known else []
        await reply.show(await _page(interaction, member, skill), plot)
    else:
        nothing = _("Nothing is graded yet. `/blackjack` deals a hand.")
        rows = await _keys(interaction, member)
        await reply.show(panel(_("Skill and luck"), nothing, small=stats_text.waiting(skill), rows=rows))


async def _page(interaction: Interaction, member: Member, skill: Skill) -> ui.LayoutView:
    """Return the page of statistics. Only the player sees mistakes and keys; others see the player's name."""
    told = mention(member.user)
    if member.user == interaction.user.id:
        told = stats_text.mistakes(await interaction.client.bank.mistakes.costliest(member.id, _MISTAKES))
    return panel(
        _("Skill and luck"),
        stats_text.lines(skill),
        told,
        small=[
            *stats_text.waiting(skill),
            _("Hands for play chips don't count. “Expected” already includes the house edge."),
        ],
        rows=await _keys(interaction, member),
        picture=(_PICTURE, stats_text.plot_alt(skill)) if skill.known else None,
    )


async def _keys(interaction: Interaction, member: Member) -> Rows:
    """Return the keys to train and to the milestones, which only the player sees."""
    if member.user != interaction.user.id:
        return []
    _missed, due = await interaction.client.bank.mistakes.to_try(member.id, interaction.client.clock.now())
    train = BeginKey.of(_("Train weak spots"), DrillKind.SPOTS, rule_sets.default("blackjack"))
    return [[TryButton.button(_("Try again"), enabled=due > 0), train, MilestonesKey.button(_("Milestones"))]]


async def _plot(interaction: Interaction, member: int, skill: Skill) -> discord.File:
    points = await interaction.client.bank.grades.plot(member, _POINTS)
    image = await asyncio.to_thread(partial(render_plot, stats_text.plot(points, skill.known)))
    return discord.File(BytesIO(image), _PICTURE, description=stats_text.plot_alt(skill))


async def setup(bot: Casino) -> None:
    take_up(bot, TryButton, AnswerButton, MilestonesKey, ShowKey)
    await bot.add_cog(StatsCommand())
