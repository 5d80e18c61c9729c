"""A slice: some rows of one table, looked at with everything that belongs to them at one moment."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.proofs.report import Fault

#: A place in a table: a primary key.
Key = tuple[Any, ...]
#: An account: its guild and its name.
AccountKey = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The next rows behind `after`, and none behind `until`: what is written meanwhile is for the next audit."""

    after: Key
    until: Key
    size: int

    @property
    def values(self) -> dict[str, Any]:
        """For a query that was made by `next_rows`."""
        after = {f"after_{place}": part for place, part in enumerate(self.after)}
        until = {f"until_{place}": part for place, part in enumerate(self.until)}
        return {**after, **until, "size": self.size}


def next_rows(query: sa.Select[Any], *key: sa.Column[Any]) -> sa.Select[Any]:
    """The query for a stretch of a table, in the order of its primary key."""

    def place(name: str) -> sa.Tuple:
        parts = [sa.bindparam(f"{name}_{place}", type_=column.type) for place, column in enumerate(key)]
        return sa.tuple_(*parts)

    here = sa.and_(sa.tuple_(*key) > place("after"), sa.tuple_(*key) <= place("until"))
    return query.where(here).order_by(*key).limit(sa.bindparam("size", type_=sa.Integer))


@dataclass(frozen=True, slots=True)
class Slice:
    """What was found in some rows."""

    looked: int  # how many rows it was
    last: Key | None  # the last of them; None: there are no more
    faults: Sequence[Fault] = ()
    #: Chips that an account has without a transfer that brought them (below zero: they went without one).
    surplus: Mapping[AccountKey, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Walk:
    """A way through one table, from its first row to the one that is its last when the walk begins."""

    look: Callable[[AsyncConnection, Stretch], Coroutine[Any, Any, Slice]]
    key: tuple[sa.Column[Any], ...]
    #: Before the first row.
    before: Key
    #: Rows of a slice: enough to be worth a transaction, and few enough to be in nobody's way.
    size: int

    @property
    def last(self) -> sa.Select[Any]:
        """The key of the last row."""
        return sa.select(*self.key).order_by(*(column.desc() for column in self.key)).limit(1)
