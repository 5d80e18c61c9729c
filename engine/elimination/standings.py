"""The public view of an elimination table: stacks, places, who is in danger and what it takes to be safe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.elimination.elimination import Elimination, EliminationPhase, End, Fall
from engine.elimination.stakes import best_first
from engine.elimination.terms import MOST_LEFT, ROUNDS, Entrant
from engine.fairness.lots import Draw
from engine.games.contract import CHIP, Cents, Seat


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """The public view of one seat."""

    seat: Seat
    entrant: Entrant
    rank: int  # 1 is the best; fallen players rank after those in play
    stack: Cents
    staked: Cents | None
    away: bool
    fall: Fall | None
    #: Whether the seat goes at the heat's end if nothing changes, or draws a card to avoid it.
    danger: bool
    #: The least whole chips (in cents) that a seat in danger must win to be safe if no other stack changes; 0 for other
    #: seats.
    needed: Cents
    #: The lead of a safe seat over the best seat in danger; 0 for other seats, and if nobody is in danger.
    lead: Cents


@dataclass(frozen=True, slots=True)
class EliminationView:
    """The public view of the whole table."""

    phase: EliminationPhase
    round: int
    rounds: int
    heat: int
    #: The number of rounds until the next elimination, including this one.
    rounds_to_cut: int
    #: The number of players who go then, as things stand.
    to_go: int
    budget: Cents
    smallest: Cents
    order: tuple[Seat, ...]
    asked: Seat | None
    seats: tuple[SeatStanding, ...]
    draws: tuple[Draw, ...]
    #: Rounds that were dealt and do not count.
    called_off: int
    end: End | None
    winner: Seat | None


def view(table: Elimination) -> EliminationView:
    """Return the public view of the table as it stands."""
    cut = next(number for number in MOST_LEFT if number >= table.round)
    to_go = 0 if table.end else max(0, len(table.in_play) - MOST_LEFT[cut])
    return EliminationView(
        phase=table.phase,
        round=table.round,
        rounds=ROUNDS,
        heat=table.heat,
        rounds_to_cut=cut - table.round + 1,
        to_go=to_go,
        budget=table.terms.budget,
        smallest=table.terms.smallest,
        order=table.order,
        asked=table.asked,
        seats=_seats(table, to_go),
        draws=table.draws,
        called_off=table.called_off,
        end=table.end,
        winner=table.winner,
    )


def standing_seats(table: Elimination) -> tuple[Seat, ...]:
    """Return all four seats, best first: those still in play, then those who are out."""
    fallen = tuple(fall.seat for fall in reversed(table.falls))
    return (*(table.placed or best_first(table)), *fallen)


def _seats(table: Elimination, to_go: int) -> tuple[SeatStanding, ...]:
    ranked = standing_seats(table)
    falls = {fall.seat: fall for fall in table.falls}
    endangered = _endangered(table, to_go)
    return tuple(
        SeatStanding(
            seat=seat,
            entrant=entrant,
            rank=ranked.index(seat) + 1,
            stack=table.stacks[seat],
            staked=table.staked.get(seat),
            away=seat in table.away,
            fall=falls.get(seat),
            danger=seat in endangered,
            needed=_needed(table, seat, to_go) if seat in endangered else 0,
            lead=_lead(table, seat, endangered) if seat not in falls else 0,
        )
        for seat, entrant in enumerate(table.entrants)
    )


def _worth(table: Elimination, seat: Seat) -> tuple[Cents, Cents]:
    """Return the stack now and at the heat's start: larger is better, and lots decide between equals (R7.2, R7.4)."""
    return table.stacks[seat], table.heat_start[seat]


def _endangered(table: Elimination, to_go: int) -> tuple[Seat, ...]:
    if not to_go:
        return ()
    edge = _worth(table, best_first(table)[-to_go])
    return tuple(seat for seat in table.in_play if _worth(table, seat) <= edge)


def _needed(table: Elimination, seat: Seat, to_go: int) -> Cents:
    """Return the whole chips, in cents, that a seat must win to rank above `to_go` others."""
    others = [other for other in best_first(table) if other != seat]
    rival = others[-to_go]
    gap = table.stacks[rival] - table.stacks[seat]
    if table.heat_start[seat] > table.heat_start[rival]:
        return -(-gap // CHIP) * CHIP
    return gap // CHIP * CHIP + CHIP


def _lead(table: Elimination, seat: Seat, endangered: Sequence[Seat]) -> Cents:
    if not endangered or seat in endangered:
        return 0
    return table.stacks[seat] - max(table.stacks[other] for other in endangered)
