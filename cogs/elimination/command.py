"""/elimination"""

from __future__ import annotations

import asyncio
from typing import Any, Final
from weakref import WeakValueDictionary

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answers.client import casino_of
from cogs.answers.door import link, server_of
from cogs.answers.serving import Reply, serving
from cogs.coach.asking import refuse_unthinking
from cogs.elimination import PRESENTATION
from cogs.table import rule_sets
from cogs.table.opening import or_not_at_all, refuse_closed_channel, refuse_other_channels
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.elimination.opening import EliminationOrder, Player
from engine.elimination.terms import SEATS
from engine.games.blackjack import GAME as BLACKJACK
from engine.games.computer import DEFAULT_LEVEL, fresh_names
from engine.games.contract import CHIP
from engine.tables.ports import Member

Interaction = discord.Interaction[Any]

_GAME: Final = "blackjack"
_RULES: Final = "original"  # R7.1
_LEVELS: Final = [app_commands.Choice(name=str(level), value=str(level)) for level in BLACKJACK.levels]


class EliminationTable(commands.Cog):
    def __init__(self) -> None:
        #: By channel and person: of two commands in one instant the second finds the first one's table.
        self._opening: WeakValueDictionary[tuple[int | None, int], asyncio.Lock] = WeakValueDictionary()

    @app_commands.command(description=PRESENTATION.help)
    @app_commands.describe(
        budget="Play chips that everybody starts with; no wallet changes",
        level="How well the computer players play",
        rules="The rule set of the cards",
    )
    @app_commands.choices(level=_LEVELS)
    @app_commands.autocomplete(rules=rule_sets.suggested(_GAME))
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
            async with self._opening.setdefault((interaction.channel_id, interaction.user.id), asyncio.Lock()):
                if not await _is_here(interaction, reply):
                    await _open(interaction, reply, await _elimination(interaction, budget, level, rules))


async def _elimination(interaction: Interaction, budget: int, level: str, rules: str) -> EliminationOrder:
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    casino = casino_of(interaction)
    refuse_unthinking(casino, _GAME, level)
    found = await rule_sets.find(interaction, _GAME, rules)
    member = await casino.bank.members.sign_in(interaction.guild_id, interaction.user.id)
    return EliminationOrder(
        press=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        rules_name=rules,
        rules=found,
        budget=budget * CHIP,
        players=_contenders(member, level),
        opener=interaction.user.id,
    )


def _contenders(opener: Member, level: str) -> tuple[Player, ...]:
    names = fresh_names(SEATS - 1, set())
    return Player(opener), *(Player(computer=name, level=level) for name in names)


async def _is_here(interaction: Interaction, reply: Reply) -> bool:
    """Whether the person's table here had no message yet, and has one now. A second table is refused."""
    assert interaction.channel_id is not None
    casino = casino_of(interaction)
    await casino.registry.present(server_of(interaction))
    table = casino.registry.elimination_of(interaction.channel_id, interaction.user.id)
    if table is None:
        return False
    await casino.presenter.arrived(table)
    if not casino.presenter.is_nowhere(table):
        raise Sorry(_("You are playing at an elimination table here already: {link}", link=link(table.state)))
    await casino.presenter.bring(reply, table)
    return True


async def _open(interaction: Interaction, reply: Reply, elimination: EliminationOrder) -> None:
    casino = casino_of(interaction)
    table = await casino.registry.open_elimination(elimination)
    async with or_not_at_all(interaction, table):
        await casino.presenter.bring(reply, table)


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    await bot.add_cog(EliminationTable())
