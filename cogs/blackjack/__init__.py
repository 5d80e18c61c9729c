"""`/blackjack`: its command, how its table reads, its rules in words."""

from __future__ import annotations

from typing import Final

from cogs.blackjack.looks import CAPS, ENDS, face
from cogs.blackjack.rules_told import FAULTS, RULES
from cogs.table.presentation import Presentation
from cogs.words import N_
from engine.games.blackjack import actions

PRESENTATION: Final = Presentation(
    help=N_("Sit down at this channel's blackjack table, or open one"),
    face=face,
    caps=CAPS,
    outcomes=ENDS,
    steps={actions.TIME: N_("Out of time")},
    rules=RULES,
    faults=FAULTS,
)
