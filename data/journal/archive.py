"""Puts old rounds away: a pack at a time, each in a transaction of its own, while people play."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.faults import BadChange
from data.journal.packs import RoundKey, digest, packed
from data.part import Part
from data.schema import LOOSE, causes, packs, rounds, steps
from engine.tables.ports import AlreadyDone

#: Rounds of a pack. Fewer are left for later, unless they have waited as long again as they had to.
PACK: Final = 100
#: Causes that are looked at together.
CAUSES: Final = 1_000
#: A press can come a second time for a quarter of an hour. What is older than this cannot.
CAUSES_SECONDS: Final = 30 * 86400.0

_OLD: Final = sa.and_(LOOSE, rounds.c.finished_at < sa.bindparam("before"))
_NEXT_GUILD: Final = (
    sa.select(rounds.c.guild)
    .where(_OLD, rounds.c.guild > sa.bindparam("after"))
    .order_by(rounds.c.guild)
    .limit(sa.literal_column("1"))
)
_OF_GUILD: Final = (
    sa.select(rounds)
    .where(_OLD, rounds.c.guild == sa.bindparam("guild"))
    .order_by(rounds.c.finished_at)
    .limit(sa.bindparam("most"))
)
_CAUSES: Final = sa.select(causes).where(causes.c.cause > sa.bindparam("after")).order_by(causes.c.cause).limit(CAUSES)


class Archive(Part):
    async def put_away(self, older_than: float, *, after: int = 0) -> tuple[int, int] | None:
        """A pack of one guild's rounds that ended so many seconds ago: the guild, and how many rounds it has.

        Guilds come in order, from the one `after`; None when there is nothing more to do.
        """
        before = self._clock.now() - older_than
        guild = after
        while (found := await self._store.value(_NEXT_GUILD, {"before": before, "after": guild})) is not None:
            guild = int(found)
            rows = await self._store.rows(_OF_GUILD, {"before": before, "guild": guild, "most": PACK})
            if len(rows) == PACK or rows[0].finished_at < before - older_than:
                return guild, await self._pack(guild, rows)
        return None

    async def forget_causes(self, after: str = "") -> str | None:
        """Of the next few causes those that cannot come a second time any more. Returns the last that was looked at;
        None: there are no more."""
        found = await self._store.rows(_CAUSES, {"after": after})
        old = [row.cause for row in found if row.at < self._clock.now() - CAUSES_SECONDS]
        batch = Batch()
        for cause in old:
            batch.add(self._store.sql.archive.forget_cause, {"p_cause": cause})
        if old:
            await self._store.write.run(batch)
        return found[-1].cause if found else None

    # -- private ---------------------------------------------------------------------------------------------------

    async def _pack(self, guild: int, rows: Sequence[Row]) -> int:
        keys = {(row.table_id, row.number) for row in rows}
        taken = await self._steps(keys)
        content = await asyncio.to_thread(packed, rows, taken)
        newest = await self._store.value(sa.select(sa.func.coalesce(sa.func.max(packs.c.id), 0)))
        batch, sql, pack = Batch(), self._store.sql.archive, int(newest) + 1
        told = {"p_id": pack, "p_guild": guild, "p_rounds": len(rows), "p_content": content}
        batch.must(sql.new_pack, {**told, "p_digest": digest(content)}, AlreadyDone(f"pack {pack}"))
        for key in sorted(keys):
            this = {"p_table_id": key[0], "p_number": key[1]}
            changed = BadChange(f"round {key[1]} of table {key[0]} was put away already")
            batch.must(sql.empty_round, {**this, "p_pack": pack, "p_seed": b""}, changed)
            batch.must(sql.drop_steps, this, BadChange(f"steps of round {key[1]} of table {key[0]}"), len(taken[key]))
        await self._store.write.run(batch)
        return len(rows)

    async def _steps(self, keys: set[RoundKey]) -> defaultdict[RoundKey, list[Row]]:
        found: defaultdict[RoundKey, list[Row]] = defaultdict(list)
        these = sa.tuple_(steps.c.table_id, steps.c.number).in_(sorted(keys))
        order = (steps.c.table_id, steps.c.number, steps.c.place)
        for row in await self._store.rows(sa.select(steps).where(these).order_by(*order)):
            found[row.table_id, row.number].append(row)
        return found
