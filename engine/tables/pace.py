"""How fast a table goes on by itself."""

from __future__ import annotations

from typing import Final

from engine.elimination.elimination import Elimination
from engine.games.contract import Seat
from engine.tables.house import HouseSettings
from engine.tables.position import Position, lacks_promise
from engine.tables.state import TablePhase

#: How many thoughts long the result of a round stays up when nobody has to stake before the next one.
RESULT_THOUGHTS: Final = 4

#: A tournament table where only computer players are left is played out without pauses: nobody sits there any more.
_DESERTED: Final = 0.0


def runs_by_itself(position: Position) -> bool:
    """Whether the next step is nobody's whom the table waits for."""
    if position.round is not None and position.state.phase is TablePhase.PLAYING:
        return any(position.state.seated[seat].computer for seat in position.round.asked)
    if position.elimination is None or lacks_promise(position):
        return False
    seat = position.elimination.asked
    return seat is None or seat in position.elimination.away or not position.elimination.entrants[seat].person


def pause(position: Position, house: HouseSettings) -> float:
    """Before such a step. Between two rounds people must have time to see the result."""
    if position.elimination is None:
        return house.think_seconds
    shown = 1 if position.state.phase is TablePhase.PLAYING or _present(position.elimination) else RESULT_THOUGHTS
    return thought(position.elimination, house) * shown


def thought(elimination: Elimination, house: HouseSettings) -> float:
    """How long a computer player thinks."""
    return house.think_seconds if _people(elimination) else _DESERTED


def _present(elimination: Elimination) -> tuple[Seat, ...]:
    """The people in play whom the table waits for."""
    return tuple(seat for seat in _people(elimination) if seat not in elimination.away)


def _people(elimination: Elimination) -> tuple[Seat, ...]:
    return tuple(seat for seat in elimination.in_play if elimination.entrants[seat].person)
