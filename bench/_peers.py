"""Other projects' blackjack, each by its fastest interface and with the cheapest player there is: hit under 17.

A peer makes a function that plays one round. None keeps a record, offers insurance or counts chips in cents.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Final

PlayRound = Callable[[], object]


def _blackjack21() -> PlayRound:
    """Return a function that plays from six decks, reshuffled after three quarters (about once in 45 rounds)."""
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
    """Return a function that plays from endless decks: each card is a random number. It does without the wrappers that
    `make` adds.
    """
    env = importlib.import_module("gymnasium").make("Blackjack-v1").unwrapped

    def play() -> object:
        (total, _up, _ace), _info = env.reset()
        over, reward = False, 0.0
        while not over:
            (total, _up, _ace), reward, over, _cut, _info = env.step(int(total < 17))
        return reward

    return play


def _rlcard() -> PlayRound:
    """Return a function that plays from one deck, shuffled each round: the bare game without its environment."""
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
