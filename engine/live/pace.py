"""How fast a table goes on by itself: whether somebody is waited for, and how long computer players think."""

from __future__ import annotations

from typing import Final

from engine.games.contract import Seat
from engine.games.tournament.table import Elimination
from engine.live.draft import Position
from engine.live.house import HouseSettings
from engine.live.snapshot import TablePhase

#: How many thoughts long the result of a round stays up when nobody has to stake before the next one.
RESULT_THOUGHTS: Final = 4

#: A tournament table where only computer players are left is played out without pauses: nobody sits there any more.
_DESERTED: Final = 0.0


def runs_by_itself(at: Position) -> bool:
    """Whether the next step is nobody's whom the table waits for."""
    if at.round is not None and at.state.phase is TablePhase.PLAYING:
        return any(at.state.seated[seat].computer for seat in at.round.asked)
    if at.contest is None:
        return False
    seat = at.contest.asked
    return seat is None or seat in at.contest.away or not at.contest.contestants[seat].person


def pause(at: Position, house: HouseSettings) -> float:
    """Before such a step. Between two rounds people must have time to see the result."""
    if at.contest is None:
        return house.think_seconds
    shown = 1 if at.state.phase is TablePhase.PLAYING or _present(at.contest) else RESULT_THOUGHTS
    return thought(at.contest, house) * shown


def thought(contest: Elimination, house: HouseSettings) -> float:
    """How long a computer player thinks."""
    return house.think_seconds if _people(contest) else _DESERTED


def _present(contest: Elimination) -> tuple[Seat, ...]:
    """The people in play whom the table waits for."""
    return tuple(seat for seat in _people(contest) if seat not in contest.away)


def _people(contest: Elimination) -> tuple[Seat, ...]:
    return tuple(seat for seat in contest.in_play if contest.contestants[seat].person)
