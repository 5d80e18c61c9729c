"""`/elimination`: its command, its table's page, and the handlers of its own buttons."""

from __future__ import annotations

from typing import Final

from cogs.elimination.handlers import BACK, CAPS, OTHER, EliminationPresentation, come_back, greet, stake_offered
from cogs.elimination.handlers import OFFERS as _OFFERS
from cogs.elimination.page import page_of
from cogs.table.keys import BET
from cogs.words import N_

PRESENTATION: Final = EliminationPresentation(
    help=N_("You against three computer players: nine rounds, lowest stacks go out"),
    page_of=page_of,
    caps=CAPS,
    keys_text=N_(
        "**Elimination**\n"
        "**Minimum**, **2x minimum**, **Half**, **All in**, **Other**: how many of your play chips you "
        "bet; they count at this table only\n"
        "**I'm back**: the table waits for you again\n"
        "**Play again**: a new table like this one"
    ),
    asking=frozenset({BET.word, OTHER.word}),
    handlers={**{cap.word: stake_offered for cap in _OFFERS}, BACK.word: come_back},
    greet=greet,
)
