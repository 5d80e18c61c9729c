"""The rule sets of a game: the built-in ones and a server's own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from discord import app_commands

from cogs.answers.client import Interaction
from cogs.answers.options import Choices
from data import RuleSet
from engine.games import registry as games
from engine.tables.refused import Reason, Refused

#: A function that returns suggestions for an option while it is typed.
Suggestions = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]


def default(game: str) -> str:
    return next(iter(games.game(game).rule_sets))


async def names(interaction: Interaction, game: str) -> list[str]:
    built_in = list(games.game(game).rule_sets)
    own = await _own(interaction)
    return built_in + [rules.name for rules in own if rules.game == game and rules.name not in built_in]


async def find(interaction: Interaction, game: str, name: str) -> Any:
    """Return the rules of the rule set with this name, a built-in one or the server's own, or raise Refused."""
    built_in = games.game(game).rule_sets.get(name)
    if built_in is not None:
        return built_in
    for own in await _own(interaction):
        if (own.game, own.name) == (game, name):
            return games.game(game).rules_from_json(own.rules)
    raise Refused(Reason.UNKNOWN_RULES, name=name)


async def _own(interaction: Interaction) -> Sequence[RuleSet]:
    """Return the rule sets that the server has made for any game; in a direct message there are none."""
    if interaction.guild_id is None:
        return ()
    return await interaction.client.bank.guilds.rule_sets(interaction.guild_id)


def suggested(game: str) -> Suggestions:
    """Return a function that suggests rule sets for the `rules` option of that game's command."""

    async def suggest(interaction: Interaction, typed: str) -> Choices:
        found = [name for name in await names(interaction, game) if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in found[:25]]

    return suggest
