"""Works out the deals that everybody in a tournament plays (`cards: same`), and what every action is worth."""

from __future__ import annotations

import logging
from functools import partial

from cogs.answers.client import Casino
from engine.coach import CoachGone, Urgency
from engine.coach.sets import WhichFreeDeals, answered
from engine.sets.prepared import Prepared
from engine.sets.programme import SetTerms
from engine.solver import UnknownRule

log = logging.getLogger(__name__)


class CoachDeals:
    """The `Dealer` of tournaments with the same cards for all, which asks the coach for their deals."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino

    async def __call__(self, terms: SetTerms, seed: bytes, name: str, hands: int) -> Prepared | None:
        """Return this many deals with the value of every action, or None while there is no coach or it cannot answer.

        `name` is the name of the set. It goes into the shuffles together with the seed.
        """
        if self._casino.coach is None:
            return None
        put = partial(self._casino.coach.ask, urgency=Urgency.LATER)
        try:
            deals = await put(WhichFreeDeals(terms, seed, name, hands))
            return await answered(put, terms, seed, name, deals)
        except (CoachGone, UnknownRule) as error:
            log.info("the same cards cannot be dealt yet: %s", error)
            return None
