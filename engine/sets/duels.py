"""Duels: two people play the same deals, and the better decisions win (R12).

This module has their constants and states, finishes hands that nobody played, and decides who wins. It reads no clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.games.blackjack.actions import DECLINE, STAND
from engine.games.blackjack.rules import BlackjackRules
from engine.games.computer import Level
from engine.sets.deals import Stream
from engine.sets.programme import PERCENT, SetTerms, for_one
from engine.sets.tries import NEXT, Try

#: The deals of a duel: the fewest, the most, and the number unless another is chosen (R12.1).
FEWEST: Final = 5
MOST: Final = 20
USUAL: Final = 10

#: The number of the only seed of a duel's chain.
LINK: Final = 1

#: Seconds for which something is possible (R12.3).
OPEN_FOR: Final = 86_400.0  # a challenge can be accepted
RUNS_FOR: Final = 86_400.0  # a duel can be played
HAND: Final = 600.0  # one of its hands can be played
#: Seconds before the end of a duel at which those who wish are pinged.
CALLED: Final = 7_200.0

#: The most open challenges that a person may have made, and the most that they may have received (R12.7).
MOST_OPEN: Final = 3
#: The most running duels of a person (R12.7).
MOST_RUNNING: Final = 3

#: The points of the season for a win, and for each player of a draw (R12.10).
WIN: Final = 2
DRAW: Final = 1

#: The largest difference between the best two first plays of a deal, as in Today's five at its widest (R12.1).
_WIDTH: Final = 15 * PERCENT


class DuelState(StrEnum):
    """The states of a duel. It only ever moves down this list."""

    CHALLENGED = "challenged"
    RUNNING = "running"
    ENDED = "ended"


class Ending(StrEnum):
    """The ways in which a duel ends (R12.2 to R12.5)."""

    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    UNANSWERED = "unanswered"
    CALLED_OFF = "called off"  # before anybody began, or by a restore
    NOBODY_BEGAN = "nobody began"
    ONE_BEGAN = "one began"
    DECISIONS = "decisions"
    NETS = "nets"
    EQUAL = "equal"


#: The endings that a challenge can have before anybody accepts it.
UNACCEPTED: Final = frozenset({Ending.DECLINED, Ending.WITHDRAWN, Ending.UNANSWERED, Ending.CALLED_OFF})


#: The endings without a result: nobody wins or draws.
UNPLAYED: Final = UNACCEPTED | {Ending.NOBODY_BEGAN}


@dataclass(frozen=True, slots=True)
class DuelVerdict:
    """The ending of a duel that was accepted, and its winner: 0 the challenger, 1 the other, None nobody."""

    ending: Ending
    winner: int | None = None


def terms_of(name: str, rules: BlackjackRules) -> SetTerms:
    """Return the terms of a duel, or of a tournament with the same cards for all, from a rule set and its name."""
    return SetTerms(name, for_one(rules), _WIDTH)


# -- what is left unplayed ---------------------------------------------------------------------------------------------


def stood(found: Try, stream: Stream) -> Try:
    """Return the try with its current deal finished: insurance is declined, and every hand stands (R12.3)."""
    while not found.round.over:
        found = found.pressed(_standing(found), stream)
    return found


def all_stood(found: Try, stream: Stream) -> Try:
    """Return the try with its current deal and all later ones finished as by `stood` (R12.4)."""
    found = stood(found, stream)
    while not found.over:
        found = stood(found.pressed(NEXT, stream), stream)
    return found


def _standing(found: Try) -> str:
    return next(action for action in (DECLINE, STAND, *found.legal) if action in found.legal)


# -- who wins ----------------------------------------------------------------------------------------------------------


def verdict(one: Try | None, other: Try | None, level: str | None = None) -> DuelVerdict:
    """Return the verdict on a duel from the finished tries of both players; None stands for one who never began.

    `level` is that of the second player, if it is a computer player. A computer player wins nothing if the person never
    began, and against *perfect* only nets are compared (R12.1).
    """
    if one is None or other is None:
        return _unplayed(one, None if level is not None else other)
    losses, nets = (one.losses, other.losses), (-net(one), -net(other))
    asked = ((Ending.NETS, nets),) if level == Level.PERFECT else ((Ending.DECISIONS, losses), (Ending.NETS, nets))
    for ending, (mine, theirs) in asked:
        if mine != theirs:
            return DuelVerdict(ending, int(theirs < mine))
    return DuelVerdict(Ending.EQUAL)


def _unplayed(one: Try | None, other: Try | None) -> DuelVerdict:
    if one is None and other is None:
        return DuelVerdict(Ending.NOBODY_BEGAN)
    return DuelVerdict(Ending.ONE_BEGAN, int(one is None))


def net(found: Try) -> int:
    """Return what a finished try has won or lost in all, in cents, at a stake of one chip for each deal."""
    return sum(found.net(place) for place in range(len(found.rounds)))


def decided_by(winner: Try, loser: Try) -> int | None:
    """Return the place, from 0, of the deal where the winner gained most by better decisions; None if there is none."""
    gained = [theirs.loss - own.loss for own, theirs in zip(winner.grades, loser.grades, strict=True)]
    most = max(gained)
    return gained.index(most) if most > 0 else None
