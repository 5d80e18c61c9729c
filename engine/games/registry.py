"""The registry: every game of the house by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from engine.games.contract import AnyGame

#: The modules of `engine.games` that have a `GAME`, in the order in which people see them listed.
_MODULES: Final = (
    "blackjack",
    "baccarat",
    "war",
)


_games: list[AnyGame] = [import_module(f"engine.games.{name}").GAME for name in _MODULES]
GAMES: Final[Mapping[str, AnyGame]] = {game.name: game for game in _games}


class UnknownGame(LookupError):
    """Raised for a name that no game has."""


def game(name: str) -> AnyGame:
    """Return the game of this name, or raise UnknownGame."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"no game is called {name!r}; there are {', '.join(GAMES)}") from None
