"""Compresses old rounds while people play, a pack in each transaction, and deletes old causes of changes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from data.base.errors import BadChange
from data.base.schema import LOOSE, causes, grades, members, packs, plays, rounds, steps, tables, tournaments
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param
from data.journal.packs import PUT_AWAY, RoundKey, digest, packed
from data.journal.round_rows import ROUNDS
from engine.tables.ports import AlreadyDone

#: The rounds in a pack. Fewer are left for later, unless the oldest has waited twice as long as it must.
PACK: Final = 100
#: The most causes that are read together.
CAUSES: Final = 1_000
#: Seconds after which a cause may be forgotten: the same press can come again only for a quarter of an hour.
CAUSES_SECONDS: Final = 30 * 86400.0

_OLD: Final = sa.and_(LOOSE, rounds.c.finished_at < sa.bindparam("before"), rounds.c.leaf.is_not(None))
_TO_GRADE: Final = sa.exists(
    sa.select(plays.c.member)
    .join(members, sa.and_(members.c.id == plays.c.member, members.c.user_id.is_not(None)))
    .join(
        grades,
        sa.and_(
            grades.c.table_id == plays.c.table_id, grades.c.number == plays.c.number, grades.c.member == plays.c.member
        ),
        isouter=True,
    )
    .where(plays.c.table_id == rounds.c.table_id, plays.c.number == rounds.c.number)
    .where(plays.c.real == sa.literal_column("1"), grades.c.member.is_(None))
)
_NEXT_GUILD: Final = (
    sa.select(rounds.c.guild)
    .where(_OLD, rounds.c.guild > sa.bindparam("after"))
    .order_by(rounds.c.guild)
    .limit(sa.literal_column("1"))
)
_OF_GUILD: Final = (
    ROUNDS.where(_OLD, rounds.c.guild == sa.bindparam("guild"))
    .order_by(rounds.c.finished_at)
    .limit(sa.bindparam("most"))
)
#: The queries for the next guild and its rounds: all that are bound (False), or without those to be graded (True).
_ASKED: Final = {False: (_NEXT_GUILD, _OF_GUILD), True: (_NEXT_GUILD.where(~_TO_GRADE), _OF_GUILD.where(~_TO_GRADE))}
_CAUSES: Final = sa.select(causes).where(causes.c.cause > sa.bindparam("after")).order_by(causes.c.cause).limit(CAUSES)

_NEW_PACK: Final = insert_once(packs)
_emptied = dict.fromkeys((*PUT_AWAY, "rules_hash")) | {"seed": param("seed", rounds.c.seed.type), "pack": param("pack")}
_EMPTY_ROUND: Final = Statement(
    sa.update(rounds)
    .values(**_emptied)
    .where(
        rounds.c.table_id == param("table_id"),
        rounds.c.number == param("number"),
        rounds.c.pack.is_(None),
        rounds.c.leaf.is_not(None),
    )
)
_DROP_STEPS: Final = Statement(
    sa.delete(steps).where(steps.c.table_id == param("table_id"), steps.c.number == param("number"))
)
_FORGET_CAUSE: Final = Statement(sa.delete(causes).where(causes.c.cause == param("cause")))
_version = param("version", sa.Integer())
_CAUSES_FROM: Final = tuple(
    Statement(
        sa.update(table).values(causes_from=_version).where(table.c.id == param("of"), table.c.causes_from < _version)
    )
    for table in (tables, tournaments)
)


class Archive(Part):
    """The archive, which compresses old rounds, and deletes old causes."""

    async def put_away(self, older_than: float, *, after: int = 0, graded: bool = False) -> tuple[int, int] | None:
        """Compress a pack of rounds of one guild that ended more than this many seconds ago.

        Return the guild and the number of rounds, or None if nothing is left to do. Rounds that are not yet bound in
        the guild's book are left out. With `graded`, rounds that still have to be graded are left out, too.

        Guilds with ids up to `after` are passed over. A guild with fewer than `PACK` rounds to compress is passed over,
        too, unless the oldest of them ended more than twice as long ago.
        """
        before = self._clock.now() - older_than
        guild, next_guild, of_guild = after, *_ASKED[graded]
        while (found := await self._store.value(next_guild, {"before": before, "after": guild})) is not None:
            guild = int(found)
            rows = await self._store.rows(of_guild, {"before": before, "guild": guild, "most": PACK})
            if len(rows) == PACK or rows[0].finished_at < before - older_than:
                return guild, await self._pack(guild, rows)
        return None

    async def forget_causes(self, after: str = "") -> str | None:
        """Read the next `CAUSES` causes, delete those that are too old to come again, and return the last one read.

        They are read in the order of their texts, from the one that follows `after`. Each table and tournament stores
        the version up to which its causes were deleted. Return None if there are no more causes. While the bank's
        `Watch` reports trouble, only return None: a wrong clock could make all causes look old.
        """
        if self._store.watch.trouble() is not None:
            return None
        found = await self._store.rows(_CAUSES, {"after": after})
        old = [row for row in found if row.at < self._clock.now() - CAUSES_SECONDS]
        batch = self._store.batch()
        for row in old:
            batch.add(_FORGET_CAUSE, {"cause": row.cause})
            for statement in _CAUSES_FROM if row.of is not None else ():
                batch.add(statement, {"of": row.of, "version": row.version})
        if old:
            await self._store.write.run(batch)
        return found[-1].cause if found else None

    # -- private ---------------------------------------------------------------------------------------------------

    async def _pack(self, guild: int, rows: Sequence[Row]) -> int:
        keys = {(row.table_id, row.number) for row in rows}
        taken = await self._steps(keys)
        content = await asyncio.to_thread(packed, rows, taken)
        newest = await self._store.value(sa.select(sa.func.coalesce(sa.func.max(packs.c.id), 0)))
        batch, pack = self._store.batch(), int(newest) + 1
        told = {"id": pack, "guild": guild, "rounds": len(rows), "content": content}
        batch.must(_NEW_PACK, {**told, "digest": digest(content)}, AlreadyDone(f"pack {pack}"))
        for key in sorted(keys):
            this = {"table_id": key[0], "number": key[1]}
            changed = BadChange(f"round {key[1]} of table {key[0]} was put away already")
            batch.must(_EMPTY_ROUND, {**this, "pack": pack, "seed": b""}, changed)
            batch.must(_DROP_STEPS, this, BadChange(f"steps of round {key[1]} of table {key[0]}"), len(taken[key]))
        await self._store.write.run(batch)
        return len(rows)

    async def _steps(self, keys: set[RoundKey]) -> defaultdict[RoundKey, list[Row]]:
        found: defaultdict[RoundKey, list[Row]] = defaultdict(list)
        these = sa.tuple_(steps.c.table_id, steps.c.number).in_(sorted(keys))
        order = (steps.c.table_id, steps.c.number, steps.c.place)
        for row in await self._store.rows(sa.select(steps).where(these).order_by(*order)):
            found[row.table_id, row.number].append(row)
        return found
