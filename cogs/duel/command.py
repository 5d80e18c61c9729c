"""/duel: the same cards for two people, and the better decisions win."""

from __future__ import annotations

from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.here import member_of
from cogs.answers.options import OneOf, Suggested
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.care.away import refuse_away
from cogs.duel import keys
from cogs.duel.asking import GAME, refuse_no_opponent, wanted
from cogs.duel.picture import PictureKey, ShowDuelKey
from cogs.duel.texts import LEVELS
from cogs.table import rule_sets
from cogs.words import _, counted
from cogs.words.refusals import Sorry
from engine.games.computer import Level
from engine.sets.duels import FEWEST, MOST, USUAL

LevelOption: TypeAlias = app_commands.Transform[Level, OneOf(Level, lambda level: LEVELS[level])]
#: The name of a rule set.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME))]
HandsOption: TypeAlias = app_commands.Range[int, FEWEST, MOST]


class DuelCommand(commands.Cog):
    """The command /duel."""

    @app_commands.command(
        description="Challenge someone to play the same cards: the better decisions win",
        extras=shown_in(Section.PLAY),
    )
    @app_commands.describe(
        member="Who to challenge; leave it empty to see your open duels",
        stake="Chips each; leave it empty for fun",
        hands="How many hands; 10 if left empty",
        rules="A rule set of blackjack",
        level="Or a computer player, at once and for fun",
    )
    @app_commands.guild_only()
    async def duel(
        self,
        interaction: Interaction,
        member: Someone | None = None,
        stake: int = 0,
        hands: HandsOption = USUAL,
        rules: RulesOption | None = None,
        level: LevelOption | None = None,
    ) -> None:
        """Challenge somebody, begin a duel against a computer player, or show one's open duels."""
        async with serving(interaction) as reply:
            if member is None and level is None:
                await reply.show(await keys.open_ones(interaction))
                return
            if member is not None:
                if level is not None:
                    raise Sorry(_("Choose a member or a level, not both."))
                refuse_no_opponent(interaction, member)
            name = rules or rule_sets.default(GAME)
            found = await rule_sets.find(interaction, GAME, name)
            asked = wanted(name, found, member.id if member is not None else None, level, stake, hands)
            await keys.made(interaction, reply, asked)


@app_commands.guild_only()
async def duel_with(interaction: Interaction, member: Someone) -> None:
    """Show the form that asks for the stake of a duel with a member, after a right click on that member."""
    async with serving(interaction) as reply:
        await refuse_away(interaction)
        refuse_no_opponent(interaction, member)
        challenger = await member_of(interaction)
        form = keys.DuelForm(_("Challenge {name}", name=member.display_name), to=member.id)
        hint = _("Leave it empty for fun. You have {balance}.", balance=counted(challenger.balance))
        form.ask("chips", _("Chips each"), hint, required=False)
        await reply.ask(form)


async def setup(bot: Casino) -> None:
    take_up(bot, keys.AcceptKey, keys.RefuseKey, keys.SilenceKey, keys.DuelHandsKey, keys.DuelActKey, keys.DealsKey)
    take_up(bot, keys.AgainKey, keys.DuelForm, PictureKey, ShowDuelKey)
    take_up(bot, keys.DuelMotionMenu)
    bot.tree.add_command(app_commands.ContextMenu(name="Duel", callback=duel_with))
    await bot.add_cog(DuelCommand())
