"""The position of a table at one moment: what it waits for, and how soon it takes a step that needs no person."""

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
    """The whole state of a table at one moment: its stored state, its seeds, the round on display, and wallets."""

    state: TableState
    sealing: Sealing
    round: Round | None = None  # the one on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # the wallets of seated members, as far as this process knows
    elimination: Elimination | None = None  # only an elimination table has one

    @property
    def lacks_promise(self) -> bool:
        """Return whether the table is between rounds and cannot seal the next one before a promise is posted."""
        return lacks_promise(self.state, self.sealing)

    @property
    def must_be_called_off(self) -> bool:
        """Whether the open round must be called off, because the bank was restored and people may know how it ends."""
        open_hand = self.sealing.shown if self.state.phase is TablePhase.PLAYING else None
        if open_hand is None:
            return False
        return self.sealing.chain is None if open_hand.link else self.state.renewed

    @property
    def runs_by_itself(self) -> bool:
        """Whether the next step needs no person.

        Such a step is a computer player's turn; at an elimination table also the stake of a computer player or of an
        absent person, and the deal.
        """
        if self.round is not None and self.state.phase is TablePhase.PLAYING:
            return any(self.state.seated[seat].computer for seat in self.round.asked)
        if self.elimination is None or self.lacks_promise:
            return False
        seat, entrants = self.elimination.asked, self.elimination.entrants
        return seat is None or seat in self.elimination.away or not entrants[seat].person


def lacks_promise(state: TableState, sealing: Sealing) -> bool:
    """Return whether a table is between rounds and cannot seal the next one before a promise is posted."""
    return sealing.chains and sealing.next is None and state.phase is TablePhase.BETTING


@dataclass(frozen=True, slots=True)
class Turn:
    """The question that a player is asked, for the coach or a computer player that thinks about the answer."""

    round: Round
    seat: Seat  # the player's
    purse: Cents  # the chips that the player can still pay, beyond the stakes


# -- how fast it goes on by itself -------------------------------------------------------------------------------------

#: The number of pauses for which an elimination table shows a result if all its people are absent, so that no stake is
#: waited for.
RESULT_THOUGHTS: Final = 4

#: The seconds for which a computer player thinks at an elimination table where no person is in play any more.
_DESERTED: Final = 0.0


def pause(position: TablePosition, house: HouseSettings) -> float:
    """Return the seconds before the next step of a table that runs by itself (`TablePosition.runs_by_itself`).

    Between rounds it is longer at an elimination table whose people are all absent, so that a result can be seen.
    """
    if position.elimination is None:
        return house.think_seconds
    elimination = position.elimination
    is_watched = any(seat not in elimination.away for seat in _people(elimination))
    shown = 1 if position.state.phase is TablePhase.PLAYING or is_watched else RESULT_THOUGHTS
    return thought(elimination, house) * shown


def thought(elimination: Elimination, house: HouseSettings) -> float:
    """Return the seconds for which a computer player thinks: 0 if no person is in play any more."""
    return house.think_seconds if _people(elimination) else _DESERTED


def _people(elimination: Elimination) -> tuple[Seat, ...]:
    return tuple(seat for seat in elimination.in_play if elimination.entrants[seat].person)
