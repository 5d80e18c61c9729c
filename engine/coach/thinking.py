"""Asks the coach for the moves of perfect computer players (R6.4)."""

from __future__ import annotations

import logging

from engine.coach.process import Coach, CoachGone
from engine.coach.questions import WhatIsBest
from engine.coach.waiting import Urgency
from engine.games.blackjack.round import BlackjackRound
from engine.games.contract import Cents, Round, Seat
from engine.solver import BadPosition, Position, UnknownRule

log = logging.getLogger(__name__)


class Thinker:
    """The part that asks the coach for the moves of perfect computer players (an `engine.tables.ports.Think`)."""

    def __init__(self, coach: Coach) -> None:
        self._coach = coach

    async def __call__(self, level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        """Return the best action of a hand of blackjack.

        Return None in other games, if the coach has no answer or fails, and for insurance, which needs no solver.
        """
        if not isinstance(round, BlackjackRound) or round.acting is None:
            return None
        try:
            question = WhatIsBest(round.rules, Position.of_round(round, seat, purse))
            return (await self._coach.ask(question, Urgency.TABLE)).best
        except (CoachGone, UnknownRule, BadPosition) as fault:
            log.info("a %s player plays without thinking: %s", level, fault)
        except (RuntimeError, ValueError):  # a fault of the coach: the table goes on without it
            log.exception("a %s player plays without thinking", level)
        return None
