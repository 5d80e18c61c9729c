"""Turns stored rows into sets of every kind, and prepared sets into columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import sqlalchemy as sa

from data.base.json_text import compact
from data.base.set_tables import DAY_SET, DUEL_SET, OF_DAYS, SAME_SET, sets, streams
from data.base.sets import DealtSet, StoredSet
from data.drivers.statement import Row
from engine.fairness.chain import seed_of
from engine.fairness.sets import day_name, duel_name, same_name
from engine.sets.prepared import Prepared, terms_from

_first = sa.select(sa.func.min(streams.c.first_day)).where(OF_DAYS).scalar_subquery()
STORED: Final = sa.select(sets, streams.c.root, streams.c.tip, streams.c.ended_at, _first.label("first_of_all")).join(
    streams, streams.c.id == sets.c.stream
)


def values_of(prepared: Prepared) -> dict[str, Any]:
    """Return the columns in which a prepared set is stored, with their values."""
    terms = prepared.terms
    values = {"name": terms.name, "rules": compact(terms.rules.as_json()), "width": terms.width}
    values |= {"filter": prepared.filter, "valuation": prepared.valuation}
    return {**values, "deals": prepared.deals_as_json(), "answers": prepared.answers_as_json()}


def set_of(row: Row) -> StoredSet:
    """Return a row of `STORED` as a day of Today's five."""
    name, number = day_name(row.day), row.day - row.first_of_all + 1
    return StoredSet(**_dealt(row), dealt_as=name, day=row.day, number=number)


def duel_set_of(row: Row) -> DealtSet:
    """Return a row of `STORED` as the deals of a duel."""
    return DealtSet(**_dealt(row), dealt_as=duel_name(row.tip))


def same_set_of(row: Row) -> DealtSet:
    """Return a row of `STORED` as the deals of a tournament."""
    return DealtSet(**_dealt(row), dealt_as=same_name(row.tip))


#: The functions that make a set of a row, by its kind.
SET_OF: Final[Mapping[str, Callable[[Row], DealtSet]]] = {
    DAY_SET: set_of,
    DUEL_SET: duel_set_of,
    SAME_SET: same_set_of,
}


def _dealt(row: Row) -> dict[str, Any]:
    terms = terms_from(row.name, json.loads(row.rules), row.width)
    prepared = Prepared.from_json(terms, row.deals, row.answers, row.filter, row.valuation)
    values = {name: getattr(row, name) for name in ("id", "tip", "link", "opens", "closes")}
    return {**values, "prepared": prepared, "seed": seed_of(bytes(row.root), row.link), "void": bool(row.void)}
