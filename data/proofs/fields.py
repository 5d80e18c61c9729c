"""Proves tournaments with the same cards for all: deals follow from the promise, and scores from the tries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import chains, entries, members
from data.base.set_tables import SAME_SET, people, sets, streams, tries
from data.base.values import NEVER
from data.drivers.statement import Row
from data.sets.fields import score_of
from data.sets.stored import STORED, same_set_of
from engine.fairness.chain import table_root
from engine.games.blackjack.rules import BlackjackRules
from engine.sets.duels import LINK, terms_of
from engine.sets.tries import played
from engine.tables.places import tournament_place
from engine.tournament.field import Score
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentPhase

_those: Final[sa.BindParameter[int]] = sa.bindparam("tournaments", expanding=True)
_place = sa.literal(tournament_place(0).removesuffix("0"), sa.Text) + sa.cast(sets.c.tournament, sa.Text)
_SETS: Final = STORED.add_columns(streams.c.first_day).where(sets.c.tournament.in_(_those))
_ROOTS: Final = (
    sa.select(sets.c.tournament, chains.c.root)
    .join(chains, chains.c.place == _place)
    .where(sets.c.tournament.in_(_those))
)
_PEOPLE: Final = (
    sa.select(
        entries.c.tournament,
        entries.c.member,
        entries.c.person,
        members.c.user_id.label("member_user"),
        people.c.user_id.label("person_user"),
    )
    .join(members, members.c.id == entries.c.member)
    .outerjoin(people, people.c.id == entries.c.person)
    .where(entries.c.tournament.in_(_those), entries.c.person.is_not(None))
)
_TRIES: Final = (
    sa.select(sets.c.tournament, tries).join(tries, tries.c.set == sets.c.id).where(sets.c.tournament.in_(_those))
)


@dataclass(slots=True)
class FieldRows:
    """The rows of one tournament with the same cards for all: its deals, chains, entries and tries."""

    dealt: Row | None = None
    roots: list[bytes] = field(default_factory=list)  # the roots of its chains
    entered: list[Row] = field(default_factory=list)  # the entries of players
    tries: dict[int, Row] = field(default_factory=dict)  # the try of each person


async def read_fields(connection: AsyncConnection, numbers: Sequence[int]) -> dict[int, FieldRows]:
    """Return the `FieldRows` of these tournaments, by their numbers; one without any such row is left out."""
    found: dict[int, FieldRows] = {}
    for query in (_SETS, _ROOTS, _PEOPLE, _TRIES) if numbers else ():
        for row in (await connection.execute(query, {"tournaments": numbers})).all():
            here = found.setdefault(row.tournament, FieldRows())
            if query is _SETS:
                here.dealt = row
            elif query is _ROOTS:
                here.roots.append(bytes(row.root))
            elif query is _PEOPLE:
                here.entered.append(row)
            else:
                here.tries[row.person] = row
    return found


def field_of(
    state: TournamentState, tournament: Tournament, found: FieldRows | None
) -> Iterator[tuple[object, object]]:
    """Yield pairs about a tournament's deals and tries: what they must be, and what is stored.

    A pair that differs is a fault. `found` is None for a tournament that `read_fields` left out.
    """
    dealt = ["deal"] in [list(step) for step in tournament.steps]
    yield dealt, found is not None and found.dealt is not None
    if found is None:
        return
    over = tournament.phase is not TournamentPhase.PLAYING
    yield set(found.tries), {row.person for row in found.entered}
    yield from ((row.member_user, row.person_user) for row in found.entered if row.member_user and row.person_user)
    if found.dealt is None:
        return
    yield from _deals(state, tournament, found, found.dealt, over=over)
    if tournament.phase is TournamentPhase.OVER:
        yield set(tournament.scores), set(_scores(found, found.dealt))


def _deals(
    state: TournamentState, tournament: Tournament, found: FieldRows, row: Row, *, over: bool
) -> Iterator[tuple[object, object]]:
    deals = same_set_of(row)
    terms = terms_of(state.rules_name, BlackjackRules.from_json(state.rules))
    yield (SAME_SET, state.guild, None, LINK, None), (row.kind, row.guild, row.day, row.link, row.first_day)
    yield (terms, tournament.terms.hands), (deals.prepared.terms, len(deals.prepared.deals))
    yield (over, over or bool(row.void)), (row.closes != NEVER, row.ended_at is not None)
    yield True, bytes(row.root) in [table_root(root, 1, 0, 0) for root in found.roots]


def _scores(found: FieldRows, row: Row) -> Iterator[Score]:
    deals = same_set_of(row)
    for entry in found.entered:
        yield score_of(entry.member, played(deals.prepared, deals.shoes, found.tries[entry.person].steps))
