"""Proves the tournaments: each is played again from its record, and agrees with everything else that is stored."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_TOURNAMENT, chains, entries, jobs, members, titles, tournaments
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, KeyRange, Look, Slice, Walk, between
from data.tournaments.tournaments import tournament_row
from engine.games.contract import Cents
from engine.stored_words import TOURNAMENT
from engine.tables.places import tournament_place
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentPhase

_word = sa.literal(f"{TOURNAMENT}/", sa.Text) + sa.cast(tournaments.c.id, sa.Text)
_place = sa.literal(tournament_place(0).removesuffix("0"), sa.Text) + sa.cast(tournaments.c.id, sa.Text)


@dataclass(slots=True)
class _Beside:
    """The other rows about one tournament."""

    entered: dict[int, tuple[int | None, Cents]] = field(default_factory=dict)  # by member: Discord's id, the buy-in
    job: Row | None = None
    promises: set[tuple[str, int | None]] = field(default_factory=set)  # of its chains: the tip, the message
    titles: set[tuple[int, int]] = field(default_factory=set)  # the guild, the member

    def told(self, member: int) -> str:
        user, buy_in = self.entered.get(member, (None, 0))
        return f"member {member}, user {user}, in for {buy_in}"


#: Yields what is expected and what is found instead.
Proof = Callable[[Row, TournamentState, Tournament, _Beside], Iterator[tuple[object, object]]]


def _is_as_its_row_says(
    row: Row, state: TournamentState, tournament: Tournament, _: _Beside
) -> Iterator[tuple[object, object]]:
    told = state.row_of(tournament.phase)
    kept = replace(tournament_row(row), doc=told.doc)
    if told != kept:
        yield kept, told


def _names_who_entered(
    row: Row, state: TournamentState, tournament: Tournament, beside: _Beside
) -> Iterator[tuple[object, object]]:
    """Compare the entrants. In a tournament that is over, forgotten people have no name."""
    claimed = _Beside({int(key): (state.users[key], tournament.terms.buy_in) for key in tournament.people})
    for member in sorted(claimed.entered.keys() | beside.entered.keys()):
        here, there = claimed.entered.get(member), beside.entered.get(member)
        forgotten = not row.open and here is not None and there is not None and not (here[0] and there[0])
        if here != there and not (forgotten and here and there and here[1] == there[1]):
            yield beside.told(member), claimed.told(member)


def _uses_a_promise_of_its_own(
    row: Row, state: TournamentState, _: Tournament, beside: _Beside
) -> Iterator[tuple[object, object]]:
    if row.open and state.tip and (state.tip, state.promise) not in beside.promises:
        yield sorted(beside.promises, key=str), (state.tip, state.promise)


def _is_won_by_whom_it_says(
    _: Row, state: TournamentState, tournament: Tournament, beside: _Beside
) -> Iterator[tuple[object, object]]:
    over = tournament.phase is TournamentPhase.OVER
    won = {(state.guild, int(tournament.winner()))} if over and tournament.winner() in tournament.people else set()
    if won != beside.titles:
        yield f"titles of {won}", beside.titles


_PROOFS: Final[tuple[Proof, ...]] = (
    _is_as_its_row_says,
    _names_who_entered,
    _uses_a_promise_of_its_own,
    _is_won_by_whom_it_says,
)


def _tournament(row: Row, beside: _Beside) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.TOURNAMENT, f"tournament/{row.id}", row.guild, str(expected), str(found))

    try:
        state = TournamentState.from_json(row.doc)
        tournament = Tournament.replay(state.tournament)
        yield from (fault(*wrong) for proof in _PROOFS for wrong in proof(row, state, tournament, beside))
    except UNREADABLE as error:
        yield fault("a tournament that can be taken up", f"{type(error).__name__}: {error}")
        return
    if row.open:
        yield from _job(row, beside.job, signing_up=tournament.phase is TournamentPhase.SIGN_UP)


def _job(row: Row, job: Row | None, *, signing_up: bool) -> Iterator[Fault]:
    """Find open tournaments without a job that is due by their start."""
    where, wanted = f"tournament/{row.id}", (TOURNAMENT, row.guild, {TOURNAMENT: row.id}, None)
    found = (job.kind, job.guild, _payload(job.payload), job.done_at) if job is not None else None
    if found != wanted:
        yield Fault(Wrong.JOB, where, row.guild, str(wanted), str(found))
    elif job is not None and signing_up and job.due > row.starts:
        yield Fault(Wrong.JOB, where, row.guild, f"due by {row.starts}", f"due at {job.due}")


def _payload(text: str) -> object:
    try:
        return json.loads(text)
    except UNREADABLE:
        return text


# -- reading -----------------------------------------------------------------------------------------------------------


def _look(*which: sa.ColumnElement[bool]) -> Look:
    here = sa.and_(between(tournaments.c.id), *which)
    found = sa.select(tournaments).where(here).order_by(tournaments.c.id)
    entered = (
        sa.select(entries, members.c.guild, members.c.user_id)
        .join(members, members.c.id == entries.c.member)
        .join(tournaments, sa.and_(tournaments.c.id == entries.c.tournament, tournaments.c.guild == members.c.guild))
        .where(here)
    )
    jobs_of = sa.select(tournaments.c.id.label("tournament"), jobs).join(jobs, jobs.c.key == _word).where(here)
    chains_of = sa.select(tournaments.c.id, chains.c.tip, chains.c.message).join(chains, chains.c.place == _place)
    titles_of = sa.select(tournaments.c.id, titles.c.guild, titles.c.member).join(titles, titles.c.source == _word)

    async def look(connection: AsyncConnection, stretch: KeyRange) -> Slice:
        async def read(query: sa.Select[tuple[object, ...]]) -> list[Row]:
            return list((await connection.execute(query, stretch.values)).all())

        beside: Mapping[int, _Beside] = defaultdict(_Beside)
        for row in await read(entered):
            beside[row.tournament].entered[row.member] = row.user_id, row.buy_in
        for row in await read(jobs_of):
            beside[row.tournament].job = row
        for row in await read(chains_of.where(here)):
            beside[row.id].promises.add((row.tip, row.message))
        for row in await read(titles_of.where(here)):
            beside[row.id].titles.add((row.guild, row.member))
        rows = await read(found)
        return Slice(len(rows), [fault for row in rows for fault in _tournament(row, beside[row.id])])

    return look


TOURNAMENTS: Final = Walk("tournaments", _look(), (tournaments.c.id,), (0,), 20)
OPEN_TOURNAMENTS: Final = Walk(
    "tournaments", _look(OPEN_TOURNAMENT), (tournaments.c.id,), (0,), 20, which=OPEN_TOURNAMENT
)
