"""Rows of keys that no phone has to wrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cogs.table.page import Key
from cogs.words import _

#: What a phone of 390 points shows in one row of a message, in points: the room, what each key takes beside its label,
#: the gap between two, and the letters.
_ROOM: Final = 285
_ROUND_IT: Final = 28
_GAP: Final = 8
_LETTER: Final = 8
_OTHER_LETTERS: Final = (
    dict.fromkeys("ijlI.,'’/| \u00a0\u202f", 4) | dict.fromkeys("frt", 6) | dict.fromkeys("mwMW", 12)
)

Rows = tuple[tuple[Key, ...], ...]


def in_rows(*meant: Iterable[Key], prices: Mapping[str, str] | None = None) -> Rows:
    """As they are meant to stand; keys that a row has no room for stand below all. `prices` keeps room for amounts that
    come and go, so that no key moves with them."""
    rows, below = list[tuple[Key, ...]](), list[Key]()
    for first, *rest in (_broken(row, prices or {}) for row in meant):
        rows.append(first)
        below += [key for row in rest for key in row]
    return tuple(row for row in (*rows, *_broken(below, prices or {})) if row)


def _broken(keys: Iterable[Key], prices: Mapping[str, str]) -> Rows:
    """In as many rows as it takes."""
    rows: list[tuple[Key, ...]] = [()]
    for key in keys:
        if rows[-1] and _width((*rows[-1], key), prices) > _ROOM:
            rows.append(())
        rows[-1] += (key,)
    return tuple(rows)


def _width(row: Sequence[Key], prices: Mapping[str, str]) -> int:
    labels = sum(_ROUND_IT + max(_long(key, key.amount), _long(key, prices.get(key.cap.word, ""))) for key in row)
    return labels + _GAP * (len(row) - 1)


def _long(key: Key, amount: str) -> int:
    written = f"{_(key.cap.label)} {amount}".strip()
    return sum(_OTHER_LETTERS.get(letter, _LETTER) for letter in written)
