"""The books: a chain of hashes over every transfer and every finished round, a book for each guild.

The house's own book has what belongs to people rather than to a guild: their breaks and limits, and sets (days of
Today's five, duels, and tournaments with the same cards for all).

No press waits for the books. The binder takes what has come since the last time, in the order of the transfers'
numbers and of the rounds' tables, makes a leaf of it for each guild, and hashes the leaf together with the head of the
one before. Anyone who has written down a head can tell later whether anything before it was changed, removed or
inserted.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.errors import BadChange
from data.base.schema import breaks, leaves, limits, rounds, steps, transfers
from data.base.set_tables import BOUND_SET, sets
from data.base.values import Head
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param
from data.journal.packs import RoundKey, opened, packs_of, steps_away, whole
from data.journal.public_days import digest_of, next_public
from data.journal.round_rows import ROUNDS
from engine.tables.ports import AlreadyDone

#: The most transfers, and the most rounds, breaks or limits, that are bound at once. A long past takes many leaves.
MOST_TRANSFERS: Final = 1_000
MOST_ROUNDS: Final = 200

#: The guild of the house's own book.
HOUSE_BOOK: Final = 0

# The columns that are hashed. Heads depend on them, so a column that is added later is not among them.
OF_A_TRANSFER: Final = ("id", "key", "source", "target", "amount", "reason", "actor", "at")
OF_A_ROUND: Final = (
    "table_id", "number", "seed", "commitment", "code", "version", "scheme", "game", "rules_name", "rules", "stakes",
    "members", "inputs", "dealt_at", "lines", "outcome", "finished_at", "chain", "link", "players", "phrase",
    "previous", "hash",
)  # fmt: skip
OF_A_STEP: Final = ("place", "seat", "action", "by", "at", "purse")
OF_A_BREAK: Final = ("id", "fingerprint", "what", "began_at", "until", "ends")
OF_A_LIMIT: Final = ("id", "fingerprint", "kind", "at", "most", "later", "later_at")

_NEWEST: Final = sa.select(leaves.c.number, leaves.c.until).order_by(leaves.c.number.desc()).limit(1)
_NEW_TRANSFERS: Final = (
    sa.select(transfers)
    .where(transfers.c.id > sa.bindparam("since"), transfers.c.id <= sa.bindparam("until"))
    .order_by(transfers.c.id)
)
_LOOSE: Final = sa.and_(rounds.c.leaf.is_(None), rounds.c.finished_at.is_not(None))
_NEW_LEAF: Final = insert_once(leaves)
_BIND_ROUND: Final = Statement(
    sa.update(rounds)
    .values(leaf=param("leaf", sa.BigInteger()))
    .where(rounds.c.table_id == param("table_id"), rounds.c.number == param("number"), _LOOSE)
)
_NEW_BREAKS: Final = sa.select(breaks).where(breaks.c.leaf.is_(None)).order_by(breaks.c.id).limit(MOST_ROUNDS)
_BIND_BREAK: Final = Statement(
    sa.update(breaks)
    .values(leaf=param("leaf", sa.BigInteger()))
    .where(breaks.c.id == param("id"), breaks.c.leaf.is_(None))
)
_NEW_LIMITS: Final = sa.select(limits).where(limits.c.leaf.is_(None)).order_by(limits.c.id).limit(MOST_ROUNDS)
_BIND_LIMIT: Final = Statement(
    sa.update(limits)
    .values(leaf=param("leaf", sa.BigInteger()))
    .where(limits.c.id == param("id"), limits.c.leaf.is_(None))
)
_BIND_SET: Final = Statement(
    sa.update(sets).values(leaf=param("leaf", sa.BigInteger())).where(sets.c.id == param("id"), ~BOUND_SET)
)
_NEW_ROUNDS: Final = ROUNDS.where(_LOOSE).limit(MOST_ROUNDS)
_later: Final = leaves.alias()
#: The last leaves of some guilds.
_HEADS: Final = sa.select(leaves).where(
    leaves.c.guild.in_(sa.bindparam("guilds", expanding=True)),
    leaves.c.place == sa.select(sa.func.max(_later.c.place)).where(_later.c.guild == leaves.c.guild).scalar_subquery(),
)
_ends = sa.select(_later.c.guild, sa.func.max(_later.c.place).label("place")).group_by(_later.c.guild).subquery()
#: The last leaf of every book.
ALL_HEADS: Final = (
    sa.select(leaves)
    .join(_ends, sa.and_(_ends.c.guild == leaves.c.guild, _ends.c.place == leaves.c.place))
    .order_by(leaves.c.guild)
)


@dataclass(slots=True)
class Content:
    """The transfers, rounds, breaks, limits and sets that a leaf binds."""

    transfers: list[Row] = field(default_factory=list)  # sorted by number
    rounds: list[tuple[Any, Sequence[Any]]] = field(
        default_factory=list
    )  # whole, with their steps, by table and number
    breaks: list[Row] = field(default_factory=list)  # sorted by number
    limits: list[Row] = field(default_factory=list)  # sorted by number
    sets: list[tuple[int, str]] = field(default_factory=list)  # the number and the hash of each set

    def head(self, before: str) -> str:
        """Return the hash of the leaf and, through the head `before` it, of all earlier ones."""
        hashed = hashlib.sha256(f"{before}\n".encode())
        for row in self.transfers:
            hashed.update(_line([_plain(getattr(row, name)) for name in OF_A_TRANSFER]))
        for round, taken in self.rounds:
            moves = [[_plain(getattr(step, name)) for name in OF_A_STEP] for step in taken]
            hashed.update(_line([*(_plain(getattr(round, name)) for name in OF_A_ROUND), moves]))
        for row in self.breaks:
            hashed.update(_line([_plain(getattr(row, name)) for name in OF_A_BREAK]))
        for row in self.limits:
            hashed.update(_line([_plain(getattr(row, name)) for name in OF_A_LIMIT]))
        for number, digest in self.sets:
            hashed.update(_line([number, digest]))
        return hashed.hexdigest()


class Leaves(Part):
    """The books of all guilds."""

    #: Seconds between two bindings, so that a round or transfer is usually bound within ten. Sets wait longer.
    every: ClassVar[float] = 5.0

    async def bind(self) -> int:
        """Write what is in no leaf yet into new leaves, one for each guild, and return how many rows they bind.

        One call takes at most `MOST_TRANSFERS` transfers, `MOST_ROUNDS` each of rounds, breaks and limits, and one set.
        """
        until = await self._store.newest_for_good(transfers.c.id)
        async with self._store.reading() as connection:
            last = (await connection.execute(_NEWEST)).first()
            number, since = (last.number + 1, last.until) if last is not None else (1, 0)
            some = _NEW_TRANSFERS.limit(MOST_TRANSFERS)
            moved = (await connection.execute(some, {"since": since, "until": until})).all()
            ended = (await connection.execute(_NEW_ROUNDS)).all()
            begun = (await connection.execute(_NEW_BREAKS)).all()
            decided = (await connection.execute(_NEW_LIMITS)).all()
            told = await next_public(connection, self._clock.now())
            bound = len(moved) + len(ended) + len(begun) + len(decided) + len(told)
            if not bound:
                return 0
            content = await contents(connection, moved, ended, begun, decided, told)
            heads = (await connection.execute(_HEADS, {"guilds": sorted(content)})).all()
        until = max(until, since) if len(moved) < MOST_TRANSFERS else moved[-1].id
        await self._write(number, since, until, content, {row.guild: row for row in heads})
        return bound

    async def head(self, guild: int) -> Head | None:
        """Return the head of a guild's book, or None while it is empty."""
        row = await self._store.row(_HEADS, {"guilds": [guild]})
        return _head(row) if row is not None else None

    async def heads(self) -> tuple[Head, ...]:
        """Return the head of every book: its last leaf."""
        return tuple(map(_head, await self._store.rows(ALL_HEADS)))

    async def find(self, head: str) -> Head | None:
        """Return the leaf that has this head (in lower-case hex digits), or None.

        The first digits are enough. If several heads begin with them, the lowest head counts.
        """
        row = await self._store.row(
            sa.select(leaves).where(leaves.c.head >= head, leaves.c.head < head + "g").order_by(leaves.c.head).limit(1)
        )
        return _head(row) if row is not None else None

    async def loose(self) -> tuple[int, int]:
        """Return how many transfers and how many finished rounds are not bound yet."""
        last = await self._store.row(_NEWEST)
        newer = sa.select(sa.func.count()).select_from(transfers).where(transfers.c.id > (last.until if last else 0))
        ended = sa.select(sa.func.count()).select_from(rounds).where(_LOOSE)
        return int(await self._store.value(newer)), int(await self._store.value(ended))

    # -- private -----------------------------------------------------------------------------------------------------

    async def _write(
        self, number: int, since: int, until: int, content: Mapping[int, Content], before: Mapping[int, Row]
    ) -> None:
        batch, now = self._store.batch(), self._clock.now()
        for guild, leaf in sorted(content.items()):
            last = before.get(guild)
            values = {"number": number, "guild": guild, "place": last.place + 1 if last is not None else 1}
            values |= {"since": since, "until": until, "at": now}
            values |= {"transfers": len(leaf.transfers), "rounds": len(leaf.rounds), "breaks": len(leaf.breaks)}
            values |= {"limits": len(leaf.limits), "sets": len(leaf.sets)}
            values["head"] = await asyncio.to_thread(leaf.head, last.head if last is not None else "")
            batch.must(_NEW_LEAF, values, AlreadyDone(f"leaf {number}"))
            for round, _ in leaf.rounds:
                this = {"table_id": round.table_id, "number": round.number, "leaf": number}
                batch.must(_BIND_ROUND, this, BadChange(f"round {round.number} of table {round.table_id} is bound"))
            for row in leaf.breaks:
                batch.must(_BIND_BREAK, {"id": row.id, "leaf": number}, BadChange(f"break {row.id} is bound"))
            for row in leaf.limits:
                batch.must(_BIND_LIMIT, {"id": row.id, "leaf": number}, BadChange(f"limit {row.id} is bound"))
            for told, _ in leaf.sets:
                batch.must(_BIND_SET, {"id": told, "leaf": number}, BadChange(f"set {told} is bound"))
        await self._store.write.run(batch)


async def contents(
    connection: AsyncConnection,
    moved: Iterable[Row],
    ended: Sequence[Row],
    begun: Sequence[Row] = (),
    decided: Sequence[Row] = (),
    told: Sequence[Row] = (),
) -> dict[int, Content]:
    """Return the content of the leaves that these transfers, rounds, breaks, limits and sets make, by guild."""
    found = defaultdict[int, Content](Content)
    if begun or decided or told:
        found[HOUSE_BOOK].breaks.extend(begun)
        found[HOUSE_BOOK].limits.extend(decided)
        found[HOUSE_BOOK].sets.extend([(row.id, await digest_of(connection, row)) for row in told])
    for row in moved:
        found[row.guild].transfers.append(row)
    away = opened(await packs_of(connection, ended))
    taken: dict[RoundKey, list[Any]] = steps_away(away)
    keys = sorted((row.table_id, row.number) for row in ended if row.pack is None)
    these = sa.tuple_(steps.c.table_id, steps.c.number).in_(keys)
    for row in (await connection.execute(sa.select(steps).where(these).order_by(steps.c.place))).all() if keys else ():
        taken.setdefault((row.table_id, row.number), []).append(row)
    for row in sorted(ended, key=lambda row: (row.table_id, row.number)):
        found[row.guild].rounds.append((whole(row, away), taken.get((row.table_id, row.number), ())))
    return dict(found)


def _plain(value: Any) -> Any:
    """Return a value as it is hashed: bytes as hex, texts without the NULs that only SQLite once allowed."""
    if isinstance(value, str):
        return value.replace("\0", "")
    return value.hex() if isinstance(value, bytes | memoryview) else value


def _line(values: Sequence[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _head(row: Row) -> Head:
    return Head(row.guild, row.place, row.head, row.at)
