"""Old rounds put away: many of them compressed together in one row, and read back as if they had never moved.

What a round is found by stays in its own row (its code, its game, when it was, the hashes that others hang on); what
only a reader of that round needs goes into the pack, with its steps.
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

#: What leaves a round's row for the pack. `seed` may not be null there: it becomes empty.
PUT_AWAY: Final = ("seed", "rules", "stakes", "members", "inputs", "lines", "players", "phrase")
#: What there is of a step besides which round it belongs to.
OF_A_STEP: Final = tuple(column.name for column in steps.columns if column.name not in ("table_id", "number"))

RoundKey = tuple[int, int]


class Damaged(Exception):
    """A pack is not what was put away."""


class Whole:
    """A round's row with what was put away back in it; of a step, the columns of its row."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._mapping = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._mapping[name]
        except KeyError:
            raise AttributeError(name) from None


def packed(rows: Sequence[Row], taken: Mapping[RoundKey, Sequence[Row]]) -> bytes:
    """These finished rounds and their steps, compressed."""
    told = {
        f"{row.table_id}/{row.number}": {
            **{name: _plain(row._mapping[name]) for name in PUT_AWAY},
            "steps": [[step._mapping[name] for name in OF_A_STEP] for step in taken[row.table_id, row.number]],
        }
        for row in rows
    }
    return zlib.compress(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def unpacked(row: Row) -> dict[RoundKey, dict[str, Any]]:
    """What is in a pack, by round; Damaged if it is not what was put into it, or nothing that ever was."""
    content = bytes(row.content)
    if digest(content) != row.digest:
        raise Damaged(f"pack {row.id}")
    try:
        return dict(map(_unpacked, json.loads(zlib.decompress(content)).items()))
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError) as error:
        raise Damaged(f"pack {row.id}") from error


def _unpacked(kept: tuple[str, Mapping[str, Any]]) -> tuple[RoundKey, dict[str, Any]]:
    """One round of a pack, by its table and number."""
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
    """The packs that some of these rounds are in."""
    ids = {row.pack for row in rows if row.pack is not None}
    return (await connection.execute(sa.select(packs).where(packs.c.id.in_(ids)))).all() if ids else ()


def opened(kept: Iterable[Row]) -> dict[RoundKey, dict[str, Any]]:
    """What is in these packs, by round."""
    return {key: values for pack in kept for key, values in unpacked(pack).items()}


def whole(row: Row, away: Mapping[RoundKey, Mapping[str, Any]]) -> Any:
    """The row as it was before it was put away; Damaged if its pack has not got it."""
    if row.pack is None:
        return row
    values = away.get((row.table_id, row.number))
    if values is None:
        raise Damaged(f"pack {row.pack}")
    back = {name: values[name] for name in PUT_AWAY if name in row._fields}
    before: dict[str, Any] = row._asdict()
    return Whole(before | back)


def steps_away(away: Mapping[RoundKey, Mapping[str, Any]]) -> dict[RoundKey, list[Any]]:
    """The steps of the rounds that were put away."""
    return {key: values["steps"] for key, values in away.items()}
