"""Marks: the times up to which work that goes through the whole journal is done, each under a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa

from data.base.schema import marks
from data.drivers.statement import insert_or_replace
from data.drivers.store import Store

MARK: Final = insert_or_replace(marks)


async def marked(store: Store, name: str) -> float:
    """Return the number that was kept under the name, or 0."""
    return float(await store.value(sa.select(marks.c.at).where(marks.c.name == name)) or 0.0)


async def mark(store: Store, names: Mapping[str, float]) -> None:
    """Keep numbers under their names."""
    batch = store.batch()
    for name, at in names.items():
        batch.add(MARK, {"name": name, "at": at})
    await store.write.run(batch)
