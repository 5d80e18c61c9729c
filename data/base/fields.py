"""The values that the bank returns of the same cards for all, all of them frozen."""

from __future__ import annotations

from dataclasses import dataclass

from data.base.sets import DealtSet
from engine.sets.shares import Counts
from engine.sets.tries import Try


@dataclass(frozen=True, slots=True)
class StoredField:
    """The same deals for everybody in a tournament."""

    tournament: int
    guild: int
    over: bool  # they are compared, or called off
    deals: DealtSet


@dataclass(frozen=True, slots=True)
class FieldResult:
    """All deals once they are over: what everybody chose, and one's own way through them."""

    field: StoredField
    counts: Counts
    people: int  # players
    own: Try | None
    seed: bytes
