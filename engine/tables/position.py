"""Where a table stands, and what that means for what may happen next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.elimination.elimination import Elimination
from engine.fairness.record import RecordTwo
from engine.games.contract import Cents, Round, Seat
from engine.tables.ports import Chain, Seal
from engine.tables.state import TablePhase, TableState


@dataclass(frozen=True, slots=True)
class Position:
    """All that a table is at one moment."""

    state: TableState
    next_seal: Seal | None  # None while a round runs: its successor is sealed when it ends
    seal: Seal | None = None  # of the round on display
    round: Round | None = None  # on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # of the seated members, as last heard
    elimination: Elimination | None = None  # of an elimination table
    chain: Chain | None = None  # where the next seals come from, under scheme 2
    record: RecordTwo | None = None  # of the round on display, under scheme 2


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody is asked: in what round, on which seat, with how much beside the stakes."""

    round: Round
    seat: Seat
    purse: Cents


def uses_chains(position: Position) -> bool:
    """Whether its next rounds are dealt under scheme 2. What began under scheme 1 ends so, a restore apart."""
    return position.elimination is None or position.elimination.version > 1 or position.state.renewed


def lacks_promise(position: Position) -> bool:
    """Whether the next round cannot be sealed before a promise stands."""
    return position.next_seal is None and position.state.phase is TablePhase.BETTING and uses_chains(position)


def must_be_called_off(position: Position) -> bool:
    """Whether a hand is open whose end may have been seen: the bank was put back to an earlier moment."""
    if position.state.phase is not TablePhase.PLAYING or position.seal is None:
        return False
    return position.chain is None if position.seal.link else position.state.renewed
