"""The coach: questions about blackjack that take too long for a press, answered in a process of its own.

    coach = Coach()
    await coach.ask(WhatIsBest(rules, position))  ->  Decision(actions={"stand": ..., "hit": ...}, ...)

numpy is imported in that process alone, and the process is started by the first question.
"""

from __future__ import annotations

from engine.coach.process import Coach, CoachGone, Urgency
from engine.coach.questions import Question, WhatIsBest, WhatIsKept, WhatIsTheGame, WhatRulesAreWorth, WhatWasGivenAway
from engine.coach.thinking import Thinker

__all__ = [
    "Coach",
    "CoachGone",
    "Question",
    "Thinker",
    "Urgency",
    "WhatIsBest",
    "WhatIsKept",
    "WhatIsTheGame",
    "WhatRulesAreWorth",
    "WhatWasGivenAway",
]
