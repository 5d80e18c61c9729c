"""The rule sets of a game: the built-in ones and a server's own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from discord import app_commands

from cogs.answers.client import Interaction
from engine.games import registry as games
from engine.tables.refused import Reason, Refused

Suggestions = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


def default(game: str) -> str:
    return next(iter(games.game(game).rule_sets))


async def names(interaction: Interaction, game: str) -> list[str]:
    built_in = list(games.game(game).rule_sets)
    assert interaction.guild_id is not None
    own = await interaction.client.bank.guilds.rule_sets(interaction.guild_id)
    return built_in + [rules.name for rules in own if rules.game == game and rules.name not in built_in]


async def find(interaction: Interaction, game: str, name: str) -> Any:
    """By value, so that a table keeps its own copy."""
    built_in = games.game(game).rule_sets.get(name)
    if built_in is not None:
        return built_in
    assert interaction.guild_id is not None
    for own in await interaction.client.bank.guilds.rule_sets(interaction.guild_id):
        if (own.game, own.name) == (game, name):
            return games.game(game).rules_from_json(own.rules)
    raise Refused(Reason.UNKNOWN_RULES, name=name)


def suggested(game: str) -> Suggestions:
    """What the `rules` option of that game's command offers while somebody types."""

    async def suggest(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found = [name for name in await names(interaction, game) if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in found[:25]]

    return suggest
