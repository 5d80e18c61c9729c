"""Proves the duels: their stakes from the challenge to the end, and who won, by playing both tries again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import members, season_points, transfers
from data.base.set_tables import BOUND_SET, duels, people, sets, streams, tries
from data.base.values import NEVER
from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, UNREADABLE, KeyRange, Slice, Walk, between
from data.sets.duel_points import accepted_before, points_of
from data.sets.stored import STORED, duel_set_of
from engine.sets.duels import LINK, OPEN_FOR, RUNS_FOR, UNACCEPTED, DuelState, DuelVerdict, Ending, terms_of, verdict
from engine.sets.levels import played_by
from engine.sets.tries import played
from engine.tables.values import Kind

#: A transfer of a duel's account: from, to, how much and why.
_DuelTransfer = tuple[str, str, int, str]
#: Points of the season that a duel brought: the server, the member, the time and the points.
_Points = tuple[int, int, float, int]

_ada, _ben = members.alias("ada"), members.alias("ben")
_one, _other = people.alias("one"), people.alias("other")
_DUELS: Final = (
    sa.select(
        duels,
        *(
            sets.c.kind,
            sets.c.opens,
            sets.c.closes,
            sets.c.void,
            sets.c.guild.label("dealt_in"),
            sets.c.day,
            sets.c.link,
        ),
        *(streams.c.first_day, streams.c.ended_at.label("chain_ended")),
        *(_ada.c.guild.label("adas"), _ben.c.guild.label("bens")),
        *(_ada.c.user_id.label("ada"), _ben.c.user_id.label("ben")),
        *(_one.c.user_id.label("one"), _other.c.user_id.label("other")),
        *accepted_before(duels.c.set, duels.c.challenger, duels.c.challenged),
    )
    .outerjoin(sets, sets.c.id == duels.c.set)
    .outerjoin(streams, streams.c.id == sets.c.stream)
    .outerjoin(_ada, _ada.c.id == duels.c.challenger)
    .outerjoin(_ben, _ben.c.id == duels.c.challenged)
    .outerjoin(_one, _one.c.id == duels.c.first)
    .outerjoin(_other, _other.c.id == duels.c.second)
    .where(between(duels.c.id))
    .order_by(duels.c.id)
)
_SETS: Final = STORED.where(sets.c.id.in_(sa.bindparam("sets", expanding=True)))
_TRIES: Final = sa.select(tries).where(tries.c.set.in_(sa.bindparam("sets", expanding=True)))
_pot = sa.literal(f"{Kind.DUEL.value}/", sa.Text) + sa.cast(duels.c.id, sa.Text)
_MOVES: Final = tuple(
    sa.select(duels.c.id.label("duel"), transfers.c.source, transfers.c.target, transfers.c.amount, transfers.c.reason)
    .join(transfers, sa.and_(transfers.c.guild == duels.c.guild, side == _pot))
    .where(between(duels.c.id))
    for side in (transfers.c.source, transfers.c.target)
)
_POINTS: Final = (
    sa.select(duels.c.id.label("duel"), season_points)
    .join(season_points, season_points.c.source == _pot)
    .where(between(duels.c.id))
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    rows = (await connection.execute(_DUELS, here.values)).all()
    those = {"sets": [row.set for row in rows]}
    dealt = {row.id: row for row in (await connection.execute(_SETS, those)).all()} if rows else {}
    begun, moved = defaultdict[int, dict[int, Row]](dict), defaultdict[int, list[_DuelTransfer]](list)
    for row in (await connection.execute(_TRIES, those)).all() if rows else ():
        begun[row.set][row.person] = row
    for query in _MOVES:
        for row in (await connection.execute(query, here.values)).all():
            moved[row.duel].append((row.source, row.target, row.amount, row.reason))
    won = defaultdict[int, list[_Points]](list)
    for row in (await connection.execute(_POINTS, here.values)).all():
        won[row.duel].append((row.guild, row.member, row.at, row.points))
    faults = [
        fault for row in rows for fault in _duel(row, dealt.get(row.set), begun[row.set], moved[row.id], won[row.id])
    ]
    return Slice(len(rows), faults)


def _duel(
    row: Row, dealt: Row | None, begun: Mapping[int, Row], moved: Sequence[_DuelTransfer], won: Sequence[_Points]
) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.DUEL, f"duel/{row.id}", row.guild, str(expected), str(found))

    if dealt is None or row.kind != "duel":
        yield fault("deals of its own", "none")
        return
    try:
        yield from (fault(*wrong) for wrong in _facts(row, dealt, begun) if wrong[0] != wrong[1])
        for expected, found in ((sorted(_moves(row)), sorted(moved)), (sorted(_points(row)), sorted(won))):
            if expected != found:
                yield fault(expected, found)
    except UNREADABLE as error:
        yield fault("a duel that can be read", f"{type(error).__name__}: {error}")


def _facts(row: Row, dealt: Row, begun: Mapping[int, Row]) -> Iterator[tuple[object, object]]:
    """Yield pairs about a duel: what its rows must say, and what they say. A pair that differs is a fault."""
    state, kept = DuelState(row.state), duel_set_of(dealt)
    terms = kept.prepared.terms
    yield terms_of(terms.name, terms.rules), terms
    yield (row.guild, None, LINK, None, row.made_at), (row.dealt_in, row.day, row.link, row.first_day, row.opens)
    yield (row.guild, row.guild if row.second is not None else None), (row.adas, row.bens)
    yield from ((one, other) for one, other in ((row.ada, row.one), (row.ben, row.other)) if one and other)
    yield (row.second is None, row.second is None), (row.challenged is None, row.level is not None)
    yield set(), {person for person, each in begun.items() if person not in (row.first, row.second) or each.archive}
    yield True, row.stake == row.offered or (row.stake == 0 and row.accepted_at is not None)
    yield NEVER if row.ended_at is None else row.ended_at, row.closes
    yield row.ended_at is None, row.state != DuelState.ENDED
    done = sum(each.finished_at is not None for each in begun.values())
    if state is DuelState.ENDED:
        yield _ending(row, dealt, begun), (row.ending, row.winner)
        yield (row.deadline, len(begun) if row.ending != Ending.CALLED_OFF else 0), (row.ended_at, row.done)
        yield True, row.chain_ended is not None
        return
    yield (None, None, 0), (row.ending, row.winner, row.told)
    yield done, row.done
    yield state is DuelState.RUNNING, row.accepted_at is not None
    if not row.void and done < 1 + (row.second is not None):
        yield _deadline(row), row.deadline


def _deadline(row: Row) -> float:
    since, seconds = (row.made_at, OPEN_FOR) if row.accepted_at is None else (row.accepted_at, RUNS_FOR)
    return float(since + seconds)


def _ending(row: Row, dealt: Row, begun: Mapping[int, Row]) -> tuple[str, int | None]:
    """Return how a duel must have ended, and which member must have won (None: nobody).

    Both tries are played again, and decide. The stored ending counts only for a challenge that was never accepted, and
    for a duel that was called off with void deals or before anybody began.
    """
    if row.accepted_at is None:
        return (row.ending if row.ending in UNACCEPTED else Ending.UNANSWERED.value), None
    if row.ending == Ending.CALLED_OFF and (row.void or not begun):
        return row.ending, None
    kept = duel_set_of(dealt)
    one, other = (
        played(kept.prepared, kept.shoes, begun[person].steps) if person in begun else None
        for person in (row.first, row.second)
    )
    if row.level is not None:
        other = played_by(row.level, kept.prepared, kept.shoes)
    found: DuelVerdict = verdict(one, other, row.level)
    winner = None if found.winner is None else (row.challenger, row.challenged)[found.winner]
    return found.ending.value, winner


def _moves(row: Row) -> Iterator[_DuelTransfer]:
    """Yield all transfers that a duel must have made by now."""
    pot, ada, ben = accounts.duel(row.id), accounts.member(row.challenger), accounts.member(row.challenged or 0)
    if row.offered:
        yield ada, pot, row.offered, "duel"
    if row.offered and (row.accepted_at is None or not row.stake):
        if row.ended_at is not None or row.accepted_at is not None:
            yield pot, ada, row.offered, "duel back"
        return
    if row.stake:
        yield ben, pot, row.stake, "duel"
        if row.winner is not None:
            yield pot, accounts.member(row.winner), 2 * row.stake, "duel won"
        elif row.ended_at is not None:
            yield from ((pot, one, row.stake, "duel back") for one in (ada, ben))


def _points(row: Row) -> Iterator[_Points]:
    """Yield the points of the season that a duel must have brought by now."""
    if row.ended_at is not None:
        both = row.challenger, row.challenged
        for member, points in points_of(
            Ending(row.ending), row.winner, both, row.accepted_at, (row.before, row.before_too)
        ):
            yield row.guild, member, row.ended_at, points


DUELS: Final = Walk("duels", _look, (duels.c.id,), (-LAST,), 50)
OPEN_DUELS: Final = replace(DUELS, which=duels.c.set.in_(sa.select(sets.c.id).where(~BOUND_SET)))
