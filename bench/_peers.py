"""Other people's blackjack, each through its quickest way in and with the cheapest player there is: hit under 17.

A peer makes a function that plays one round. None of them keeps a record, knows insurance or counts chips in cents.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Final

PlayRound = Callable[[], object]


def _blackjack21() -> PlayRound:
    """Six decks, reshuffled after three quarters of them (so about once in 45 rounds)."""
    package = importlib.import_module("blackjack21")
    table_module = importlib.import_module("blackjack21.table")
    deck = importlib.import_module("blackjack21.deck").Deck(table_module.DEFAULT_SUITS, count=6)
    table = package.Table([("player", 10)], deck, on_round_reset=table_module.shoe_reset_hook(deck))
    hit, players_turn = package.Action.HIT, importlib.import_module("blackjack21.players").GameState.PLAYERS_TURN

    def play() -> object:
        table.start_game()
        while table.state is players_turn:
            may = table.available_actions()
            if table.current_hand.total < 17 and hit in may:
                table.hit()
            else:
                table.stand()
        return table.players[0].hands[0].result

    return play


def _gymnasium() -> PlayRound:
    """Endless decks: each card is one random number. Without the wrappers that `make` puts around it."""
    env = importlib.import_module("gymnasium").make("Blackjack-v1").unwrapped

    def play() -> object:
        (total, _up, _ace), _info = env.reset()
        over, reward = False, 0.0
        while not over:
            (total, _up, _ace), reward, over, _cut, _info = env.step(int(total < 17))
        return reward

    return play


def _rlcard() -> PlayRound:
    """One deck, shuffled each round. The bare game, without its environment."""
    game = importlib.import_module("rlcard.games.blackjack").Game()
    game.configure({"game_num_players": 1, "game_num_decks": 1})

    def play() -> object:
        game.init_game()
        while not game.is_over():
            game.step("hit" if game.players[0].score < 17 else "stand")
        return game.winner

    return play


PEERS: Final[Mapping[str, Callable[[], PlayRound]]] = {
    "blackjack21": _blackjack21,
    "gymnasium": _gymnasium,
    "rlcard": _rlcard,
}
