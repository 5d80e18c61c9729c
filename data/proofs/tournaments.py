"""Proves the tournaments: each is played again from its record, and agrees with everything else that is stored.

`data.proofs.fields` adds what is proved of those with the same cards for all.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import (
    OPEN_TOURNAMENT,
    chains,
    entries,
    jobs,
    members,
    season_points,
    titles,
    tournaments,
    transfers,
)
from data.drivers.statement import Row
from data.proofs.fields import FieldRows, field_of, read_fields
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, KeyRange, Look, Slice, Walk, between
from data.tournaments.tournaments import tournament_row
from engine.games.contract import Cents
from engine.stored_words import SAME_CARDS, TOURNAMENT
from engine.tables.places import tournament_place
from engine.tournament.state import TournamentState, title_of
from engine.tournament.tournament import Tournament, TournamentPhase

_word = sa.literal(f"{TOURNAMENT}/", sa.Text) + sa.cast(tournaments.c.id, sa.Text)
_place = sa.literal(tournament_place(0).removesuffix("0"), sa.Text) + sa.cast(tournaments.c.id, sa.Text)
_own_title = (
    sa.literal(f"{SAME_CARDS}/", sa.Text)
    + sa.cast(tournaments.c.id, sa.Text)
    + sa.literal("/", sa.Text)
    + sa.cast(entries.c.member, sa.Text)
)
#: The transfers of what a tournament pays, by the word in their keys.
_PAID: Final = {"prize": transfers.alias("prizes"), "back": transfers.alias("backs")}


@dataclass(slots=True)
class _RelatedRows:
    """The rows of other tables that belong to one tournament."""

    entered: dict[int, tuple[int | None, Cents]] = field(default_factory=dict)  # each member's Discord id and buy-in
    job: Row | None = None
    promises: set[tuple[str, int | None]] = field(default_factory=set)  # the tip and the message of each chain
    titles: set[tuple[str, int, int]] = field(default_factory=set)  # the name, the guild, the member
    points: set[tuple[int, int]] = field(default_factory=set)  # the member, the points for the season
    paid: dict[int, Cents] = field(default_factory=dict)  # the prize of each member
    back: dict[int, Cents] = field(default_factory=dict)  # the buy-in that came back to each member

    def described(self, member: int) -> str:
        user, buy_in = self.entered.get(member, (None, 0))
        return f"member {member}, user {user}, in for {buy_in}"


#: Yields what is expected and what is found instead.
TournamentProof = Callable[[Row, TournamentState, Tournament, _RelatedRows], Iterator[tuple[object, object]]]


def _is_as_its_row_says(
    row: Row, state: TournamentState, tournament: Tournament, _: _RelatedRows
) -> Iterator[tuple[object, object]]:
    told = state.row_of(tournament.phase)
    kept = replace(tournament_row(row), doc=told.doc)
    if told != kept:
        yield kept, told


def _names_who_entered(
    row: Row, state: TournamentState, tournament: Tournament, beside: _RelatedRows
) -> Iterator[tuple[object, object]]:
    """Compare the entrants of the record, their Discord ids and their buy-ins with the stored entries.

    In a tournament that is over, forgotten people have no Discord id.
    """
    claimed = _RelatedRows({int(key): (state.users[key], tournament.terms.buy_in) for key in tournament.people})
    for member in sorted(claimed.entered.keys() | beside.entered.keys()):
        here, there = claimed.entered.get(member), beside.entered.get(member)
        forgotten = not row.open and here is not None and there is not None and not (here[0] and there[0])
        if here != there and not (forgotten and here and there and here[1] == there[1]):
            yield beside.described(member), claimed.described(member)


def _uses_a_promise_of_its_own(
    row: Row, state: TournamentState, _: Tournament, beside: _RelatedRows
) -> Iterator[tuple[object, object]]:
    if row.open and state.tip and (state.tip, state.promise) not in beside.promises:
        yield sorted(beside.promises, key=str), (state.tip, state.promise)


def _is_won_by_whom_it_says(
    _: Row, state: TournamentState, tournament: Tournament, beside: _RelatedRows
) -> Iterator[tuple[object, object]]:
    over = tournament.phase is TournamentPhase.OVER
    won = {(title_of(tournament, state.id, key), state.guild, int(key)) for key in tournament.winners() if over}
    if won != beside.titles:
        yield f"titles of {won}", beside.titles


def _brings_its_points(
    _: Row, __: TournamentState, tournament: Tournament, beside: _RelatedRows
) -> Iterator[tuple[object, object]]:
    """Compare the stored points with those of the podium, if any are stored: earlier releases gave none."""
    over = tournament.phase is TournamentPhase.OVER
    won = {(int(key), points) for key, points in tournament.podium()} if over else set()
    if beside.points and won != beside.points:
        yield f"points of {won}", beside.points


def _pays_what_it_says(
    _: Row, __: TournamentState, tournament: Tournament, beside: _RelatedRows
) -> Iterator[tuple[object, object]]:
    """Compare the prizes, and the buy-ins that came back, with those that follow from the record (R7.9, R12.8)."""
    ended = tournament.phase in (TournamentPhase.OVER, TournamentPhase.CANCELLED)
    due = {int(key): amount for key, amount in (tournament.payouts() if ended else {}).items() if amount}
    paid, back = ({}, due) if tournament.comes_back else (due, {})
    if (paid, back) != (beside.paid, beside.back):
        yield f"prizes {paid}, back {back}", f"prizes {beside.paid}, back {beside.back}"


_PROOFS: Final[tuple[TournamentProof, ...]] = (
    _is_as_its_row_says,
    _names_who_entered,
    _uses_a_promise_of_its_own,
    _is_won_by_whom_it_says,
    _brings_its_points,
    _pays_what_it_says,
)


def _tournament(row: Row, beside: _RelatedRows, played: FieldRows | None) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.TOURNAMENT, f"tournament/{row.id}", row.guild, str(expected), str(found))

    try:
        state = TournamentState.from_json(row.doc)
        tournament = Tournament.replay(state.tournament)
        yield from (fault(*wrong) for proof in _PROOFS for wrong in proof(row, state, tournament, beside))
        yield from (fault(*wrong) for wrong in field_of(state, tournament, played) if wrong[0] != wrong[1])
    except UNREADABLE as error:
        yield fault("a tournament that can be taken up", f"{type(error).__name__}: {error}")
        return
    if row.open:
        yield from _job(row, beside.job, signing_up=tournament.phase is TournamentPhase.SIGN_UP)


def _job(row: Row, job: Row | None, *, signing_up: bool) -> Iterator[Fault]:
    """Yield a fault if the job of an open tournament is missing, done, changed, or due too late.

    While the sign-up is open (`signing_up`), a job is too late if it is due after the start.
    """
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


def _titles_of(here: sa.ColumnElement[bool]) -> list[sa.Select[Any]]:
    """Return the queries for the titles that the tournaments with this condition have brought."""
    return [
        sa.select(tournaments.c.id, *(titles.c[name] for name in ("source", "guild", "member")))
        .where(here)
        .join_from(*by)
        for by in (
            (tournaments, titles, titles.c.source == _word),
            (
                sa.join(tournaments, entries, entries.c.tournament == tournaments.c.id),
                titles,
                titles.c.source == _own_title,
            ),
        )
    ]


def _paid_of(here: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for what the tournaments with this condition have paid to each entrant."""
    paid_of: sa.Select[Any] = (
        sa.select(entries.c.tournament, entries.c.member, *(each.c.amount.label(name) for name, each in _PAID.items()))
        .join(tournaments, tournaments.c.id == entries.c.tournament)
        .where(here)
    )
    for name, each in _PAID.items():
        key = _word + sa.literal(f"/{name}/", sa.Text) + sa.cast(entries.c.member, sa.Text)
        paid_of = paid_of.outerjoin(each, sa.and_(each.c.guild == tournaments.c.guild, each.c.key == key))
    return paid_of


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
    titles_of, paid_of = _titles_of(here), _paid_of(here)

    points_of = sa.select(tournaments.c.id, season_points.c.member, season_points.c.points).join(
        season_points, season_points.c.source == _word
    )

    async def look(connection: AsyncConnection, stretch: KeyRange) -> Slice:
        async def read(query: sa.Select[tuple[object, ...]]) -> list[Row]:
            return list((await connection.execute(query, stretch.values)).all())

        beside: Mapping[int, _RelatedRows] = defaultdict(_RelatedRows)
        for row in await read(entered):
            beside[row.tournament].entered[row.member] = row.user_id, row.buy_in
        for row in await read(jobs_of):
            beside[row.tournament].job = row
        for row in await read(chains_of.where(here)):
            beside[row.id].promises.add((row.tip, row.message))
        for query in titles_of:
            for row in await read(query):
                beside[row.id].titles.add((row.source, row.guild, row.member))
        for row in await read(paid_of):
            if row.prize:
                beside[row.tournament].paid[row.member] = row.prize
            if row.back:
                beside[row.tournament].back[row.member] = row.back
        for row in await read(points_of.where(here)):
            beside[row.id].points.add((row.member, row.points))
        rows = await read(found)
        played = await read_fields(connection, [row.id for row in rows])
        faults = [fault for row in rows for fault in _tournament(row, beside[row.id], played.get(row.id))]
        return Slice(len(rows), faults)

    return look


TOURNAMENTS: Final = Walk("tournaments", _look(), (tournaments.c.id,), (0,), 20)
OPEN_TOURNAMENTS: Final = Walk(
    "tournaments", _look(OPEN_TOURNAMENT), (tournaments.c.id,), (0,), 20, which=OPEN_TOURNAMENT
)
