"""`/blackjack`: its command, how its table reads, its rules in words."""

from __future__ import annotations

from typing import Final

from cogs.blackjack.looks import CAPS, face
from cogs.blackjack.rules_told import FAULTS, RULES
from cogs.table.presentation import Presentation
from cogs.words import N_
from engine.games.blackjack import actions

PRESENTATION: Final = Presentation(
    help=N_("Sit down at this channel's blackjack table, or open one"),
    face=face,
    caps=CAPS,
    keys_told=N_(
        "Blackjack: **Hit** one more card, **Stand** no more; **Double** twice the stake and one last card; **Split** "
        "two equal cards into two hands, with a second stake; **Swap** the second of two equal cards for another one, "
        "for twice the stake; **Surrender** for half the stake back; **Insure** for half the stake: it pays 2:1 if the "
        "dealer has a blackjack, 21 in two cards; or **No insurance**; **Odds** what each choice is worth, for "
        "your eyes only."
    ),
    steps={actions.TIME: N_("Out of time")},
    rules=RULES,
    faults=FAULTS,
)
