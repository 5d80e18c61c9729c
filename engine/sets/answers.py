"""The answers of a deal: the value of every action at every question to which the player's actions can lead.

They are worked out once, by the solver, and then looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import Shoe
from engine.sets import worths
from engine.sets.deals import SEAT, dealt

#: The letter of each action in the steps of a try.
LETTERS: Final[Mapping[str, str]] = {
    HIT: "h",
    STAND: "s",
    DOUBLE: "d",
    SPLIT: "p",
    SWAP: "w",
    SURRENDER: "r",
    INSURE: "i",
    DECLINE: "n",
}
ACTIONS: Final[Mapping[str, str]] = {letter: action for action, letter in LETTERS.items()}

#: The value of each action at each question of a deal, in millionths of the unit. Letters stand for actions, and a
#: question is named by the letters that lead to it.
Answers = Mapping[str, Mapping[str, int]]


def worked_out(rules: BlackjackRules, shoe: Shoe) -> Answers:
    """Return the answers of the deal from this shoe. Raises UnknownRule where the solver does not know the rules."""
    return {
        path: {LETTERS[action]: worth for action, worth in worths.of_question(asked).items()}
        for path, asked in questions(dealt(rules, shoe))
    }


def questions(round: BlackjackRound, path: str = "") -> Iterator[tuple[str, BlackjackRound]]:
    """Yield the question that a round asks now, and each one to which the player's actions can lead from there.

    Each comes as a pair: its name, and the round that asks it. The name is `path`, followed by the letters of the
    actions taken since `round`. Every double and split can be paid.
    """
    if round.over:
        return
    yield path, round
    for action in round.legal(SEAT):
        twin = round.fork()
        twin.apply(SEAT, action)
        yield from questions(twin, path + LETTERS[action])
