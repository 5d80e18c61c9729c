"""Where a table stands at one moment, and what follows from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.elimination.elimination import Elimination
from engine.fairness.record import RecordTwo
from engine.games.contract import Cents, Round, Seat
from engine.tables.house import HouseSettings
from engine.tables.state import TablePhase, TableState
from engine.tables.values import Chain, Seal


@dataclass(frozen=True, slots=True)
class Position:
    """All that a table is at one moment, and what follows from that, worked out once."""

    state: TableState
    next_seal: Seal | None  # None while a round runs: its successor is sealed when it ends
    seal: Seal | None = None  # of the round on display
    round: Round | None = None  # on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # of the seated members, as last heard
    elimination: Elimination | None = None  # of an elimination table
    chain: Chain | None = None  # where the next seals come from, under scheme 2
    record: RecordTwo | None = None  # of the round on display, under scheme 2
    #: Whether its next rounds are dealt under scheme 2. What began under scheme 1 ends so, a restore apart.
    uses_chains: bool = field(init=False)
    #: Whether the next round cannot be sealed before a promise stands.
    lacks_promise: bool = field(init=False)
    #: Whether a hand is open whose end may have been seen: the bank was put back to an earlier moment.
    must_be_called_off: bool = field(init=False)
    #: Whether the next step is nobody's whom the table waits for.
    runs_by_itself: bool = field(init=False)

    def __post_init__(self) -> None:
        state, seal = self.state, self.seal
        chains = self.elimination is None or self.elimination.version > 1 or state.renewed
        object.__setattr__(self, "uses_chains", chains)
        lacks = chains and self.next_seal is None and state.phase is TablePhase.BETTING
        object.__setattr__(self, "lacks_promise", lacks)
        open_hand = seal if state.phase is TablePhase.PLAYING else None
        seen = open_hand is not None and (self.chain is None if open_hand.link else state.renewed)
        object.__setattr__(self, "must_be_called_off", seen)
        by_itself, elimination = False, self.elimination
        if self.round is not None and state.phase is TablePhase.PLAYING:
            by_itself = any(state.seated[seat].computer for seat in self.round.asked)
        elif elimination is not None and not lacks:
            seat = elimination.asked
            by_itself = seat is None or seat in elimination.away or not elimination.entrants[seat].person
        object.__setattr__(self, "runs_by_itself", by_itself)


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody is asked: in what round, on which seat, with how much beside the stakes."""

    round: Round
    seat: Seat
    purse: Cents


# -- how fast it goes on by itself -------------------------------------------------------------------------------------

#: How many thoughts long the result of a round stays up when nobody has to stake before the next one.
RESULT_THOUGHTS: Final = 4

#: A tournament table where only computer players are left is played out without pauses: nobody sits there any more.
_DESERTED: Final = 0.0


def pause(position: Position, house: HouseSettings) -> float:
    """Before a step that runs by itself. Between two rounds people must have time to see the result."""
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
