"""The coach: questions about blackjack that take too long for a press, answered in a separate process.

    coach = Coach()
    await coach.ask(WhatIsBest(rules, position))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)

Only that process imports numpy. The first question starts it.
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
