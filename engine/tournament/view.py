"""The view that the messages of a tournament are made from: how it stands, and its stored state.

The stored state holds the secret of lots that are still to be drawn, which no message may show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.elimination.elimination import Fall, Placing
from engine.elimination.standings import EliminationView
from engine.games.contract import Cents
from engine.tournament.draft import TournamentPosition
from engine.tournament.field import Score
from engine.tournament.ports import FieldStanding
from engine.tournament.state import TournamentState
from engine.tournament.tournament import TournamentPhase


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of one person or computer player.

    `place` (from 1) and `score` are known only in tournaments with the same cards for all.
    """

    key: str
    user: int | None  # Discord's id, 0 once forgotten; None: a computer player
    name: str  # a computer player's
    stage: int  # the last stage reached
    chips: Cents  # the stack; for a player who is out, the stack before the last round
    table: int | None  # the current table, from 0
    out: bool
    place: int = 0
    score: Score | None = None
    round: int = 0  # the round of that stage after which the player was out; 0: still in

    @property
    def person(self) -> bool:
        return self.user is not None


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as its messages show it: who takes part, how they stand, and what they get."""

    state: TournamentState
    phase: TournamentPhase
    buy_in: Cents
    budget: Cents
    level: str
    pool: Cents
    people: tuple[int, ...]  # Discord ids in the order of sign-up
    stage: int
    tables: int  # all tables of this stage
    running: int  # those that are not over
    #: Best first: as they stand, and in the end as they are placed.
    lines: tuple[Standing, ...]
    prizes: Mapping[str, Cents]  # people's keys and what they get, once it is over
    comes_back: bool  # whether every buy-in comes back, or would if it ended now
    hands: int  # deals of the same cards for all; 0: tables of four
    field: FieldStanding | None = None  # while the same cards are played


def view(position: TournamentPosition, eliminations: Mapping[int, EliminationView]) -> TournamentView:
    """Return the view of a tournament. `eliminations` are the open tables of this stage, by number."""
    state, tournament = position.state, position.tournament
    over = tournament.phase is TournamentPhase.OVER
    return TournamentView(
        state=state,
        phase=tournament.phase,
        buy_in=tournament.terms.buy_in,
        budget=tournament.terms.budget,
        level=tournament.terms.level,
        pool=tournament.pool,
        people=tuple(state.users[key] for key in tournament.people),
        stage=tournament.stage,
        tables=len(tournament.tables),
        running=len(tournament.running),
        lines=tuple(_lines(position, eliminations)),
        prizes=tournament.payouts() if over and not tournament.comes_back else {},
        comes_back=tournament.comes_back,
        hands=tournament.terms.hands,
    )


def _lines(position: TournamentPosition, eliminations: Mapping[int, EliminationView]) -> Iterable[Standing]:
    tournament = position.tournament
    if tournament.phase is TournamentPhase.SIGN_UP:
        return []
    if tournament.terms.hands:
        return _scored(position)
    if tournament.phase is TournamentPhase.OVER:
        return [_ended(position, key, tournament.best[key]) for key in tournament.ranking()]
    playing = [
        line
        for number in range(len(tournament.tables))
        for line in _at_table(position, number, eliminations.get(number))
    ]
    here = {line.key for line in playing}
    fallen = [_ended(position, key, end) for key, end in tournament.best.items() if key not in here]
    return sorted(playing + fallen, key=lambda line: (-line.stage, line.out, -line.round, -line.chips))


def _scored(position: TournamentPosition) -> list[Standing]:
    """Return the standings of a tournament with the same cards for all, best first: none before its end."""
    places, users = position.tournament.places(), position.state.users
    scores = [score for group in position.tournament.groups() for score in group]
    return [
        Standing(each.key, users.get(each.key), "", 0, 0, None, out=False, place=places[each.key], score=each)
        for each in scores
    ]


def _at_table(position: TournamentPosition, number: int, elimination: EliminationView | None) -> list[Standing]:
    tournament = position.tournament
    done = tournament.results.get(number)
    if done is not None:
        return [_ended(position, end.key, (tournament.stage, end)) for end in done]
    stacks = dict.fromkeys((who.key for who in tournament.tables[number]), tournament.terms.budget)
    falls: dict[str, Fall] = {}
    if elimination is not None:
        stacks |= {seat.entrant.key: seat.stack for seat in elimination.seats}
        falls = {seat.entrant.key: seat.fall for seat in elimination.seats if seat.fall is not None}
    return [
        _line(position, key, tournament.stage, falls[key].before, None, falls[key].round)
        if key in falls
        else _line(position, key, tournament.stage, chips, number)
        for key, chips in stacks.items()
    ]


def _ended(position: TournamentPosition, key: str, end: tuple[int, Placing]) -> Standing:
    stage, placing = end
    return _line(position, key, stage, placing.chips, None, placing.round)


def _line(
    position: TournamentPosition, key: str, stage: int, chips: Cents, table: int | None, fell: int | None = None
) -> Standing:
    """Return the standing of a player who was out after round `fell` of the stage, or who is not out (None)."""
    users, names, out = position.state.users, position.state.names, fell is not None
    return Standing(key, users.get(key), names.get(key, ""), stage, chips, table, out, round=fell or 0)
