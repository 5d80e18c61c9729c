"""Proves the open tournaments: each is played again from its record, and claims nothing that the rest does not say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.statement import Row
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, Slice, Stretch, Walk, between
from data.schema import members
from data.tournaments.tournament_schema import OPEN, entries, tournaments
from data.tournaments.tournaments import tournament_row
from engine.games.contract import Cents
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament

_HERE: Final = sa.and_(OPEN, between(tournaments.c.id))
_FOUND: Final = sa.select(tournaments).where(_HERE).order_by(tournaments.c.id)
_ENTRIES: Final = (
    sa.select(entries, members.c.guild, members.c.user_id)
    .join(members, members.c.id == entries.c.member)
    .join(tournaments, tournaments.c.id == entries.c.tournament)
    .where(_HERE)
)

#: By member: Discord's id, and the buy-in.
_Entered = Mapping[int, tuple[int | None, Cents]]


async def _look(connection: AsyncConnection, here: Stretch) -> Slice:
    entered = defaultdict[tuple[int, int], dict[int, tuple[int | None, Cents]]](dict)
    for row in (await connection.execute(_ENTRIES, here.values)).all():
        entered[row.tournament, row.guild][row.member] = row.user_id, row.buy_in
    found = (await connection.execute(_FOUND, here.values)).all()
    wrong = [fault for row in found for fault in _tournament(row, entered[row.id, row.guild])]
    return Slice(len(found), wrong)


def _tournament(row: Row, entered: _Entered) -> Iterator[Fault]:
    def fault(expected: object, found: object) -> Fault:
        return Fault(Wrong.TOURNAMENT, f"tournament/{row.id}", row.guild, str(expected), str(found))

    try:
        state = TournamentState.from_json(row.doc)
        tournament = Tournament.replay(state.tournament)
        claimed = {int(key): (state.users[key], tournament.terms.buy_in) for key in tournament.people}
        told = state.row_of(tournament.phase)
    except UNREADABLE as error:
        yield fault("a tournament that can be taken up", f"{type(error).__name__}: {error}")
        return
    kept = replace(tournament_row(row), doc=told.doc)
    if told != kept:
        yield fault(kept, told)
    for member in sorted(claimed.keys() | entered.keys()):
        if claimed.get(member) != entered.get(member):
            yield fault(_told(member, entered), _told(member, claimed))


def _told(member: int, entered: _Entered) -> str:
    user, buy_in = entered.get(member, (None, 0))
    return f"member {member}, user {user}, in for {buy_in}"


TOURNAMENTS: Final = Walk("tournaments", _look, (tournaments.c.id,), (0,), 20, which=OPEN)
