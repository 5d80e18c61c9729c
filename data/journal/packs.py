"""Packs of old rounds: many rounds compressed in one row, and read back as if they had never moved.

The columns by which a round is found stay in its own row (its code, its game, its times, the hashes that others depend
on). What only a reader of that round needs goes into the pack, with its steps.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import packs, steps
from data.drivers.statement import Row

#: The columns that go into the pack. `seed` may not be null in its row: it becomes empty.
PUT_AWAY: Final = ("seed", "rules", "stakes", "members", "inputs", "lines", "players", "phrase")
#: The columns of a step besides the key of its round.
OF_A_STEP: Final = tuple(column.name for column in steps.columns if column.name not in ("table_id", "number"))

RoundKey = tuple[int, int]


class Damaged(Exception):
    """Raised for a pack whose content is not what was put into it."""


class Whole:
    """The row of a round with its columns from the pack, or the row of a step from a pack."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._mapping = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._mapping[name]
        except KeyError:
            raise AttributeError(name) from None


def packed(rows: Sequence[Row], taken: Mapping[RoundKey, Sequence[Row]]) -> bytes:
    """Return the compressed content of a pack with these finished rounds and their steps."""
    told = {
        f"{row.table_id}/{row.number}": {
            **{name: _plain(row._mapping[name]) for name in PUT_AWAY},
            "steps": [[step._mapping[name] for name in OF_A_STEP] for step in taken[row.table_id, row.number]],
        }
        for row in rows
    }
    return zlib.compress(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def digest(content: bytes) -> str:
    """Return the hash by which a changed pack is noticed."""
    return hashlib.sha256(content).hexdigest()


def unpacked(row: Row) -> dict[RoundKey, dict[str, Any]]:
    """Return the content of a pack by round, or raise Damaged."""
    content = bytes(row.content)
    if digest(content) != row.digest:
        raise Damaged(f"pack {row.id}")
    try:
        return dict(map(_unpacked, json.loads(zlib.decompress(content)).items()))
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError) as error:
        raise Damaged(f"pack {row.id}") from error


def _unpacked(kept: tuple[str, Mapping[str, Any]]) -> tuple[RoundKey, dict[str, Any]]:
    """Return the key of a round in a pack, and its columns and steps as they were."""
    name, values = kept
    table, _, number = name.partition("/")
    there = {column: values[column] for column in PUT_AWAY}
    there["seed"] = base64.b64decode(there["seed"])
    there["steps"] = [Whole(dict(zip(OF_A_STEP, step, strict=True))) for step in values["steps"]]
    return (int(table), int(number)), there


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


# -- reading rounds, wherever they are ---------------------------------------------------------------------------------


async def packs_of(connection: AsyncConnection, rows: Iterable[Row]) -> Sequence[Row]:
    """Return every pack that has at least one of these rounds."""
    ids = {row.pack for row in rows if row.pack is not None}
    return (await connection.execute(sa.select(packs).where(packs.c.id.in_(ids)))).all() if ids else ()


def opened(kept: Iterable[Row]) -> dict[RoundKey, dict[str, Any]]:
    """Return the content of these packs by round, or raise Damaged."""
    return {key: values for pack in kept for key, values in unpacked(pack).items()}


def whole(row: Row, away: Mapping[RoundKey, Mapping[str, Any]]) -> Any:
    """Return a round's row as it was before it was compressed; `away` is what `opened` returned for its pack.

    Raises Damaged if the pack does not have it.
    """
    if row.pack is None:
        return row
    values = away.get((row.table_id, row.number))
    if values is None:
        raise Damaged(f"pack {row.pack}")
    back = {name: values[name] for name in PUT_AWAY if name in row._fields}
    before: dict[str, Any] = row._asdict()
    return Whole(before | back)


def steps_away(away: Mapping[RoundKey, Mapping[str, Any]]) -> dict[RoundKey, list[Any]]:
    """Return the steps of the rounds in packs, by round, from what `opened` returned."""
    return {key: values["steps"] for key, values in away.items()}
