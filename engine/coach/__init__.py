"""The coach: a separate process that works out what takes too long for a press, such as the best play of a hand.

    coach = Coach()
    await coach.ask(WhatIsBest(rules, position))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)

The first question starts the process. The bot itself never imports numpy, which the solver needs.
"""

from __future__ import annotations

from engine.coach.process import Coach, CoachGone, Superseded
from engine.coach.questions import (
    LongQuestion,
    Question,
    WhatIsBest,
    WhatIsTheGame,
    WhatIsTheHouseEdge,
    WhatRulesAreWorth,
    WhatToAsk,
    WhatWasGivenAway,
)
from engine.coach.sets import prepare_day
from engine.coach.thinking import Thinker
from engine.coach.waiting import Asker, Urgency

__all__ = [
    "Asker",
    "Coach",
    "CoachGone",
    "LongQuestion",
    "Question",
    "Superseded",
    "Thinker",
    "Urgency",
    "WhatIsBest",
    "WhatIsTheGame",
    "WhatIsTheHouseEdge",
    "WhatRulesAreWorth",
    "WhatToAsk",
    "WhatWasGivenAway",
    "prepare_day",
]
