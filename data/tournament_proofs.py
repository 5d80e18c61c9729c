"""What the audit compares of tournaments: a row is a fault."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from data.schema import pots
from data.tournament_schema import entries, tournaments
from engine.tables.ports import Kind
from engine.tournament.tournament import TournamentPhase

_HOLDING: Final = (TournamentPhase.SIGN_UP.value, TournamentPhase.PLAYING.value)


def pools() -> sa.Select[Any]:
    """While a tournament is open each of its members' shares is their buy-in; afterwards all of them are empty."""
    none = sa.literal(0, sa.BigInteger)
    owed = sa.case((tournaments.c.phase.in_(_HOLDING), entries.c.buy_in), else_=none)
    promised = sa.select(tournaments.c.guild, _share().label("name"), owed.label("owed"), none.label("kept"))
    promised = promised.select_from(entries.join(tournaments, tournaments.c.id == entries.c.cup))
    kept = sa.select(pots.c.guild, pots.c.name, none, pots.c.balance).where(pots.c.name.like(f"{Kind.POOL.value}/%"))
    both = sa.union_all(promised, kept).subquery()
    expected, found = sa.func.sum(both.c.owed), sa.func.sum(both.c.kept)
    told = (both.c.name.label("place"), both.c.guild, _text(expected, "expected"), _text(found, "found"))
    return sa.select(*told).group_by(both.c.guild, both.c.name).having(expected != found)


def _text(number: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[Any]:
    return sa.cast(number, sa.Text).label(name)


def _share() -> sa.ColumnElement[str]:
    name: sa.ColumnElement[str] = sa.literal(f"{Kind.POOL.value}/", sa.Text) + sa.cast(entries.c.cup, sa.Text)
    return name + sa.literal("/", sa.Text) + sa.cast(entries.c.member, sa.Text)
