"""Blackjack under the rules of any table (rulebook R1-R5)."""

from __future__ import annotations

from typing import Final

from engine.games.blackjack.actions import ACTIONS
from engine.games.blackjack.players import PLAYERS, THINKERS
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules, any_stake
from engine.games.blackjack.view import BlackjackView
from engine.games.contract import Game

GAME: Final = Game[BlackjackRules, BlackjackRound, BlackjackView](
    name="blackjack",
    rule_sets=RULE_SETS,
    rules_from_json=BlackjackRules.from_json,
    deal=BlackjackRound,
    actions=ACTIONS,
    computers=PLAYERS,
    thinkers=THINKERS,
    any_stake=any_stake,
    has_odds=True,
)

__all__ = ["GAME", "BlackjackRound", "BlackjackRules"]
