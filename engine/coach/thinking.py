"""The moves of perfect computer players (R6.4): the highest worth of their own stake, later seats taken to stand."""

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
    """`engine.tables.ports.Think`: it knows blackjack, and asks the coach."""

    def __init__(self, coach: Coach) -> None:
        self._coach = coach

    async def __call__(self, level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        """None where the player needs not think (insurance), or there is no answer."""
        if not isinstance(round, BlackjackRound) or round.acting is None:
            return None
        try:
            question = WhatIsBest(round.rules, Position.of_round(round, seat, purse))
            return (await self._coach.ask(question, Urgency.TABLE)).best
        except (CoachGone, UnknownRule, BadPosition) as fault:
            log.info("a %s player plays without thinking: %s", level, fault)
            return None
