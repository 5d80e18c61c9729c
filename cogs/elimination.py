"""/elimination"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.casino import Casino, casino_of
from cogs.errors import Reply, serving
from cogs.refusals import Sorry
from cogs.table import rule_sets
from cogs.table.opening import refuse_closed_channel, refuse_other_channels
from cogs.words import _
from engine.games.computer import DEFAULT_LEVEL, PLAYERS, fresh_names
from engine.games.contract import CHIP
from engine.games.tournament.terms import SEATS
from engine.live.contest import Contender, Contest
from engine.live.ports import Member

Interaction = discord.Interaction[Any]

_GAME: Final = "blackjack"
_RULES: Final = "original"  # R7.1
_LEVELS: Final = [app_commands.Choice(name=str(level), value=str(level)) for level in PLAYERS]


class EliminationTable(commands.Cog):
    @app_commands.command(description="You against three computer players: nine rounds, the poorest goes")
    @app_commands.describe(
        budget="Play chips that everybody starts with; no wallet changes",
        level="How well the computer players play",
        rules="The rule set of the cards",
    )
    @app_commands.choices(level=_LEVELS)
    @app_commands.guild_only()
    async def elimination(
        self,
        interaction: Interaction,
        budget: app_commands.Range[int, 1, 1_000_000] = 1_000,
        level: str = str(DEFAULT_LEVEL),
        rules: str = _RULES,
    ) -> None:
        async with serving(interaction, private=False) as reply:
            refuse_closed_channel(interaction)
            await refuse_other_channels(casino_of(interaction), interaction)
            contest = await _contest(interaction, budget, level, rules)
            await _open(casino_of(interaction), reply, contest)

    @elimination.autocomplete("rules")
    async def _rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(interaction, _GAME, typed)


async def _contest(interaction: Interaction, budget: int, level: str, rules: str) -> Contest:
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    casino = casino_of(interaction)
    found = await rule_sets.find(interaction, _GAME, rules)
    _refuse_second(casino, interaction.channel_id, interaction.user.id)
    member = await casino.bank.member(interaction.guild_id, interaction.user.id)
    return Contest(
        press=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        rules_name=rules,
        rules=found,
        budget=budget * CHIP,
        contenders=_contenders(member, level),
        opener=interaction.user.id,
    )


def _contenders(opener: Member, level: str) -> tuple[Contender, ...]:
    names = fresh_names(SEATS - 1, set())
    return Contender(opener), *(Contender(computer=name, level=level) for name in names)


def _refuse_second(casino: Casino, channel: int, user: int) -> None:
    table = casino.registry.contest_of(channel, user)
    if table is not None:
        link = f"https://discord.com/channels/{table.state.guild}/{channel}/{table.state.message}"
        raise Sorry(_("You are playing at an elimination table here already: {link}", link=link))


async def _open(casino: Casino, reply: Reply, contest: Contest) -> None:
    table = await casino.registry.open_contest(contest)
    await casino.presenter.bring(reply, table)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(EliminationTable())
