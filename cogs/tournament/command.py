"""/tournament: planning tournaments, joining them, and who has won most."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import managers_only
from cogs.answers.here import here
from cogs.answers.options import Choices, OneOf, Suggested
from cogs.answers.preferences import speak_to
from cogs.answers.press import take_up
from cogs.answers.sections import FOR_MANAGERS, Section, shown_in
from cogs.answers.serving import serving
from cogs.table import rule_sets
from cogs.table.opening import LevelOption, refuse_closed_channel, refuse_other_channels
from cogs.tournament import entries, hours, pages, playing, signing_up
from cogs.words import N_, _, exactly
from engine.games.computer import DEFAULT_LEVEL
from engine.tables.orders import GAME
from engine.tournament.state import Every
from engine.tournament.tournament import TournamentPhase

_RULES: Final = "original"  # R7.1


class TournamentMode(StrEnum):
    """The ways to play a tournament."""

    TABLES = "tables"  # elimination at tables, in stages
    SAME = "same"  # the same hands for everybody


#: The words for each way to play a tournament.
_CARDS: Final = {TournamentMode.TABLES: N_("elimination at tables"), TournamentMode.SAME: N_("the same for everybody")}
_DAYS: Final = (N_("today"), N_("tomorrow"))


async def _days(interaction: Interaction, typed: str) -> Choices:
    """Suggest the words for today and tomorrow, in the person's language, where they contain what was typed."""
    await speak_to(interaction)
    fitting = [_(day) for day in _DAYS if typed.casefold() in _(day).casefold()]
    return [app_commands.Choice(name=day, value=day) for day in fitting]


DayOption: TypeAlias = app_commands.Transform[str, Suggested(_days)]
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME))]
TournamentOption: TypeAlias = app_commands.Transform[str, Suggested(entries.suggested)]


@app_commands.guild_only()
class TournamentCommand(
    commands.GroupCog,
    name="tournament",
    description="Elimination tournaments of this server",
    group_extras=shown_in(Section.PLAY),
):
    """The cog of `/tournament`. It also informs the director of shards that are ready, and of deleted channels."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino
        super().__init__()

    @app_commands.command(
        description="Plan a tournament in this channel, once or as a series (Manage Server)", extras=FOR_MANAGERS
    )
    @app_commands.describe(
        time="When it starts, server time: 20:30",
        day="Such as 2026-12-24 or tomorrow; if left out, the next time that hour comes",
        every="Once, every day, or every week",
        buy_in="Chips that each player pays into the pool; 0 makes it free",
        budget="Play chips that everyone has at each table",
        rules="The rule set of the cards",
        level="How well the computer players in empty seats play",
        odds="Whether players can ask for the odds of their hands",
        cards="Elimination at tables, or the same 20 hands for everybody within a day",
    )
    async def schedule(
        self,
        interaction: Interaction,
        time: str,
        day: DayOption = "",
        every: app_commands.Transform[Every, OneOf(Every)] = Every.ONCE,
        buy_in: app_commands.Range[int, 0, entries.MOST_BUY_IN] = 0,
        budget: app_commands.Range[int, 1, entries.MOST_BUDGET] = 1_000,
        rules: RulesOption | None = None,
        level: LevelOption = DEFAULT_LEVEL,
        odds: bool = False,  # noqa: FBT001, FBT002
        cards: app_commands.Transform[
            TournamentMode, OneOf(TournamentMode, lambda cards: _CARDS[cards])
        ] = TournamentMode.TABLES,
    ) -> None:
        """Show a manager the plan of a new tournament, with a button that confirms it."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            refuse_closed_channel(interaction)
            await refuse_other_channels(self._casino, interaction)
            zone = (await self._casino.bank.guilds.settings(here(interaction).guild)).zone
            now = self._casino.clock.now()
            starts = hours.start(day, time, zone, now)
            same = cards is TournamentMode.SAME
            name = rules or (rule_sets.default(GAME) if same else _RULES)
            which = odds and not same, same
            plan = entries.TournamentPlan(int(starts), every, budget, buy_in, level, name, *which)
            await entries.check(interaction, plan)
            await reply.show(await entries.preview(interaction, plan, hours.why_tomorrow(day, starts, zone, now)))

    @app_commands.command(name="list", description="The tournaments of this server, planned and in play")
    async def listing(self, interaction: Interaction) -> None:
        """List this server's tournaments that are planned or in play."""
        async with serving(interaction) as reply:
            views = await self._casino.director.views(here(interaction).guild)
            await reply.show(pages.listed(views, manages=interaction.permissions.manage_guild))

    @app_commands.command(description="Sign up for a tournament")
    @app_commands.describe(which="Which one; the next one if left out")
    async def join(self, interaction: Interaction, which: TournamentOption | None = None) -> None:
        """Sign the member up for a tournament, and take the buy-in."""
        async with serving(interaction) as reply:
            tournament = await entries.chosen(interaction, which, [TournamentPhase.SIGN_UP])
            view = await signing_up.changed(interaction, tournament, "join")
            signing_up.announce(interaction, view)
            await reply.say(signing_up.entered(view))

    @app_commands.command(description="Take back your sign-up, and your buy-in")
    @app_commands.describe(which="Which one; the next one if left out")
    async def leave(self, interaction: Interaction, which: TournamentOption | None = None) -> None:
        """Take the member's sign-up back, and return the buy-in."""
        async with serving(interaction) as reply:
            tournament = await entries.chosen(interaction, which, [TournamentPhase.SIGN_UP], mine=True)
            view = await signing_up.changed(interaction, tournament, "leave")
            signing_up.announce(interaction, view)
            await reply.say(signing_up.withdrawn(view))

    @app_commands.command(
        description="Move a tournament to another hour; everyone in it is told (Manage Server)", extras=FOR_MANAGERS
    )
    @app_commands.describe(
        which="Which one",
        time="The new start, server time: 20:30",
        day="Such as 2026-12-24 or tomorrow; if left out, the same day",
        series="Also the ones after it; if left out, only this one",
    )
    async def move(
        self,
        interaction: Interaction,
        which: TournamentOption,
        time: str,
        day: DayOption = "",
        series: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Move a tournament, or with `series` also those after it, to another time."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            tournament = await entries.chosen(interaction, which, [TournamentPhase.SIGN_UP])
            before, after = await entries.moved(interaction, tournament, time, day, series=series)
            values = {"name": pages.day_and_hour(before.state), "exactly": exactly(after.state.starts)}
            await reply.say(_("The tournament of {name} is moved: it starts {exactly}.", **values))

    @app_commands.command(
        description="Call a tournament off; every buy-in comes back (Manage Server)", extras=FOR_MANAGERS
    )
    @app_commands.describe(which="Which one", series="Also the ones after it, which is the default; or only this one")
    async def cancel(self, interaction: Interaction, which: TournamentOption, series: bool = True) -> None:  # noqa: FBT001, FBT002
        """Cancel a tournament, or with `series` also those after it, and pay back every buy-in."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            phases = [TournamentPhase.SIGN_UP, TournamentPhase.CLOSED, TournamentPhase.PLAYING]
            tournament = await entries.chosen(interaction, which, phases)
            view = await self._casino.director.cancel(tournament, interaction.id, series=series)
            text = N_("The tournament of {name} is cancelled.")
            if view.buy_in:
                text = N_("The tournament of {name} is cancelled; every buy-in is back.")
            await reply.say(_(text, name=pages.day_and_hour(view.state)))

    @app_commands.command(description="Who has won the most tournaments and elimination tables")
    async def standings(self, interaction: Interaction) -> None:
        """Show the members with titles, ordered by tournaments with tables, then by elimination tables."""
        async with serving(interaction) as reply:
            await reply.show(pages.champions(await self._casino.bank.titles.champions(here(interaction).guild)))

    # -- what happens on the server ------------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Wake the director, because messages can be posted on the servers of this shard from now on."""
        self._casino.director.wake()

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._casino.director.channel_gone(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._casino.director.channel_gone(payload.guild_id, payload.thread_id)


async def setup(bot: Casino) -> None:
    take_up(bot, signing_up.EntryButton, entries.ConfirmKey)
    take_up(bot, playing.PlayFieldKey, playing.ActFieldKey, playing.FieldDealsKey, playing.FieldPlacesKey)
    await bot.add_cog(TournamentCommand(bot))
