"""`/elimination`: its command, how its table reads, and what its own buttons do."""

from __future__ import annotations

from typing import Final

from cogs.elimination.deeds import BACK, CAPS, OTHER, EliminationPresentation, come_back, greet, stake_offered
from cogs.elimination.deeds import OFFERS as _OFFERS
from cogs.elimination.looks import face
from cogs.table.keys import BET
from cogs.words import N_

PRESENTATION: Final = EliminationPresentation(
    help=N_("You against three computer players: nine rounds, the poorest goes"),
    face=face,
    caps=CAPS,
    keys_told=N_(
        "Elimination: **Smallest**, **2x stake**, **Half**, **All in**, **Other** say how much of your play chips you "
        "stake; **I am back** lets the table wait for you again; **Play again** opens one like it. Play chips count at "
        "their table alone. Who wins has a title: `/tournament standings` counts them."
    ),
    asking=frozenset({BET.word, OTHER.word}),
    deeds={**{cap.word: stake_offered for cap in _OFFERS}, BACK.word: come_back},
    greet=greet,
)
