"""The position of a table at one moment, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.elimination.elimination import Elimination
from engine.games.contract import Cents, Round, Seat
from engine.tables.house import HouseSettings
from engine.tables.sealing import Sealing
from engine.tables.state import TablePhase, TableState


@dataclass(frozen=True, slots=True)
class TablePosition:
    """The whole state of a table at one moment."""

    state: TableState
    sealing: Sealing
    round: Round | None = None  # the one on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # the seated members' chips, last heard
    elimination: Elimination | None = None  # only an elimination table has one

    @property
    def lacks_promise(self) -> bool:
        """Return whether the next round cannot be sealed before a promise is posted."""
        return lacks_promise(self.state, self.sealing)

    @property
    def must_be_called_off(self) -> bool:
        """Whether a hand is open whose end people may have seen, because the bank was restored from a backup."""
        open_hand = self.sealing.shown if self.state.phase is TablePhase.PLAYING else None
        if open_hand is None:
            return False
        return self.sealing.chain is None if open_hand.link else self.state.renewed

    @property
    def runs_by_itself(self) -> bool:
        """Whether the next step needs no person: it is a computer player's, or an absent person's."""
        if self.round is not None and self.state.phase is TablePhase.PLAYING:
            return any(self.state.seated[seat].computer for seat in self.round.asked)
        if self.elimination is None or self.lacks_promise:
            return False
        seat, entrants = self.elimination.asked, self.elimination.entrants
        return seat is None or seat in self.elimination.away or not entrants[seat].person


def lacks_promise(state: TableState, sealing: Sealing) -> bool:
    """Return whether the next round cannot be sealed before a promise is posted."""
    return sealing.chains and sealing.next is None and state.phase is TablePhase.BETTING


@dataclass(frozen=True, slots=True)
class Turn:
    """The question to a person who is asked: the round, the seat, and the chips besides the stakes."""

    round: Round
    seat: Seat
    purse: Cents


# -- how fast it goes on by itself -------------------------------------------------------------------------------------

#: The number of pauses for which a result stays on display if no person has to stake before the next round.
RESULT_THOUGHTS: Final = 4

#: The seconds for which a computer player thinks where no person is left at the table.
_DESERTED: Final = 0.0


def pause(position: TablePosition, house: HouseSettings) -> float:
    """Return the seconds before a step that runs by itself. Between two rounds people need time to see the result."""
    if position.elimination is None:
        return house.think_seconds
    elimination = position.elimination
    is_watched = any(seat not in elimination.away for seat in _people(elimination))
    shown = 1 if position.state.phase is TablePhase.PLAYING or is_watched else RESULT_THOUGHTS
    return thought(elimination, house) * shown


def thought(elimination: Elimination, house: HouseSettings) -> float:
    """Return the seconds for which a computer player thinks."""
    return house.think_seconds if _people(elimination) else _DESERTED


def _people(elimination: Elimination) -> tuple[Seat, ...]:
    return tuple(seat for seat in elimination.in_play if elimination.entrants[seat].person)
