"""/train: practice at blackjack, without chips and seen by nobody else."""

from __future__ import annotations

from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.options import OneOf, Suggested
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.care.away import refuse_away
from cogs.table import rule_sets
from cogs.train import keys
from cogs.train.standing import GAME
from cogs.train.texts import DRILLS, Practice

WhatOption: TypeAlias = app_commands.Transform[Practice, OneOf(Practice, lambda what: DRILLS[what][0])]
#: The name of a rule set.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME))]


class TrainCommand(commands.Cog):
    """The cog of `/train`, which opens and continues trainings."""

    @app_commands.command(
        description="Practise: runs of right plays, your weak spots, the chart, counting",
        extras=shown_in(Section.SKILL),
    )
    @app_commands.describe(what="What to practise", rules="A rule set of blackjack")
    @anywhere
    async def train(
        self, interaction: Interaction, what: WhatOption | None = None, rules: RulesOption | None = None
    ) -> None:
        """Show what can be practised or, with `what`, begin that training or go on with it."""
        async with serving(interaction) as reply:
            name = rules or rule_sets.default(GAME)
            if what is None:
                await refuse_away(interaction)
                await rule_sets.find(interaction, GAME, name)
                trained = await interaction.client.bank.training.of(interaction.user.id)
                await reply.show(keys.home(name, list(trained)))
            else:
                await reply.show(await keys.begun(interaction, what, name))


async def setup(bot: Casino) -> None:
    take_up(bot, keys.BeginKey, keys.AnswerKey, keys.WhyKey, keys.StopKey, keys.NextCardsKey, keys.CountKey)
    await bot.add_cog(TrainCommand())
