"""Every game of the house, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games import baccarat, blackjack, war
from engine.games.contract import AnyGame

GAMES: Final[Mapping[str, AnyGame]] = {game.name: game for game in (blackjack.GAME, baccarat.GAME, war.GAME)}


class UnknownGame(LookupError):
    """No game of this name is dealt here."""


def game(name: str) -> AnyGame:
    """The game of this name, or UnknownGame."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"no game is called {name!r}; there are {', '.join(GAMES)}") from None
