"""What people see of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.games.contract import Cents
from engine.games.tournament.cup import CupPhase
from engine.games.tournament.standings import EliminationView
from engine.games.tournament.table import Placing
from engine.live.cup_draft import CupPosition
from engine.live.cup_state import CupState


@dataclass(frozen=True, slots=True)
class CupLine:
    """How one person stands, or computer player."""

    key: str
    user: int | None
    name: str  # of a computer player
    stage: int  # the last one they came to
    chips: Cents
    table: int | None  # where they play now, from 0
    out: bool

    @property
    def person(self) -> bool:
        return self.user is not None


@dataclass(frozen=True, slots=True)
class CupView:
    state: CupState
    phase: CupPhase
    buy_in: Cents
    budget: Cents
    level: str
    pool: Cents
    people: tuple[int, ...]  # Discord's ids, in the order of sign-up
    stage: int
    tables: int
    running: int
    #: The best first: as they stand, and in the end as they are placed.
    lines: tuple[CupLine, ...]
    prizes: Mapping[str, Cents]


def view(position: CupPosition, contests: Mapping[int, EliminationView]) -> CupView:
    """`contests` are this stage's tables as far as they are open."""
    state, cup = position.state, position.cup
    return CupView(
        state=state,
        phase=cup.phase,
        buy_in=cup.terms.buy_in,
        budget=cup.terms.budget,
        level=cup.terms.level,
        pool=cup.pool,
        people=tuple(state.users[key] for key in cup.people),
        stage=cup.stage,
        tables=len(cup.tables),
        running=len(cup.running),
        lines=tuple(_lines(position, contests)),
        prizes=cup.payouts() if cup.phase is CupPhase.OVER else {},
    )


def _lines(position: CupPosition, contests: Mapping[int, EliminationView]) -> Iterable[CupLine]:
    cup = position.cup
    if cup.phase is CupPhase.SIGN_UP:
        return []
    if cup.phase is CupPhase.OVER:
        return [_ended(position, key, cup.best[key], won=key == cup.winner()) for key in cup.ranking()]
    playing = [line for number in range(len(cup.tables)) for line in _at_table(position, number, contests.get(number))]
    here = {line.key for line in playing}
    fallen = [_ended(position, key, end, won=False) for key, end in cup.best.items() if key not in here]
    return sorted(playing + fallen, key=lambda line: (-line.stage, line.out, -line.chips))


def _at_table(position: CupPosition, number: int, contest: EliminationView | None) -> list[CupLine]:
    cup = position.cup
    done = cup.results.get(number)
    if done is not None:
        return [_ended(position, end.key, (cup.stage, end), won=place == 0) for place, end in enumerate(done)]
    stacks = dict.fromkeys((who.key for who in cup.tables[number]), cup.terms.budget)
    gone: set[str] = set()
    if contest is not None:
        stacks |= {seat.contestant.key: seat.stack for seat in contest.seats}
        gone = {seat.contestant.key for seat in contest.seats if seat.fall is not None}
    return [
        _line(position, key, cup.stage, chips, None if key in gone else number, out=key in gone)
        for key, chips in stacks.items()
    ]


def _ended(position: CupPosition, key: str, end: tuple[int, Placing], *, won: bool) -> CupLine:
    stage, placing = end
    return _line(position, key, stage, placing.chips, None, out=not won)


def _line(position: CupPosition, key: str, stage: int, chips: Cents, table: int | None, *, out: bool) -> CupLine:
    state = position.state
    return CupLine(key, state.users.get(key), state.names.get(key, ""), stage, chips, table, out)
