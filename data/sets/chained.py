"""Stores sets that have a chain of their own: the deals of duels, and of tournaments with the same cards for all."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.set_tables import sets, streams
from data.base.values import NEVER
from data.drivers.batch import Batch
from data.drivers.statement import Statement, columns_of, insert, insert_once, param
from data.sets.stored import values_of
from engine.fairness.chain import tip_of
from engine.sets.duels import LINK
from engine.sets.prepared import Prepared

_NEW_STREAM: Final = insert_once(streams, but=("id",))
_its_stream = sa.select(sa.func.max(streams.c.id)).where(streams.c.tip == param("tip", sa.Text())).scalar_subquery()
_set_values = columns_of(sets, but=("id", "stream", "day", "void", "leaf"))
_NEW_SET: Final = Statement(insert(sets).values(**_set_values, stream=_its_stream))
#: The number of a set, found by the tip of its chain.
ITS_SET: Final = sa.select(sets.c.id).where(sets.c.stream == _its_stream, sets.c.link == LINK).scalar_subquery()


def end_stream(which: sa.Select[tuple[int]]) -> Statement:
    """Return an update that ends the chain whose number this query finds, at the parameter `now`, with reason "over".

    If the chain had ended before, its stored time and reason stay.
    """
    ended = {
        "ended_at": sa.func.coalesce(streams.c.ended_at, param("now", sa.Double())),
        "why": sa.func.coalesce(streams.c.why, "over"),
    }
    return Statement(sa.update(streams).values(**ended).where(streams.c.id == which.scalar_subquery()))


def add_set(
    batch: Batch,
    kind: str,
    guild: int,
    root: bytes,
    prepared: Prepared,
    now: float,
    fault: Exception,
    *,
    tournament: int | None = None,
) -> None:
    """Add to a batch a chain and the set of its deals, which has no closing time yet.

    The batch raises `fault` if they are stored already.
    """
    tip = tip_of(root)
    chain = {"root": root, "tip": tip, "first_day": None, "began_at": now, "ended_at": None, "why": None}
    batch.must(_NEW_STREAM, chain, fault)
    kept = {**values_of(prepared), "kind": kind, "guild": guild, "link": LINK, "tip": tip, "tournament": tournament}
    batch.must(_NEW_SET, {**kept, "opens": now, "closes": NEVER}, fault)
