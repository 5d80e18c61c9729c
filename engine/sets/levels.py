"""Sets as computer players of each level play them, to compare people with (R11.6) and to play against (R12.1)."""

from __future__ import annotations

from typing import Final

from engine.games.blackjack.players import choose
from engine.games.computer import Level
from engine.sets.answers import ACTIONS
from engine.sets.deals import SEAT, Stream
from engine.sets.prepared import Prepared
from engine.sets.tries import NEXT, Try, begun

#: The levels whose points are always shown beside a day.
SHOWN: Final = (Level.AMATEUR, Level.EXPERT)


def played_by(level: str, prepared: Prepared, stream: Stream) -> Try:
    """Return the try of a computer player of this level, played to its end."""
    found = begun(prepared, stream)
    while not found.over:
        found = found.pressed(NEXT if found.round.over else _chosen(level, found), stream)
    return found


def _chosen(level: str, found: Try) -> str:
    """Return the action that a level chooses. The perfect level looks it up in the answers, which the solver made."""
    if level != Level.PERFECT:
        return choose(level, found.round, SEAT)
    worths = found.prepared.answers[found.place][found.letters[-1]]
    return ACTIONS[max(worths, key=worths.__getitem__)]
