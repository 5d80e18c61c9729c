"""The files of *Get mine*. They grow part by part, compressed, so that a long past needs little memory."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import SEEK_END, BytesIO
from typing import Any, Final

import discord

from data import LONG, MEMBER

#: Bytes up to which a file is not compressed, so that anybody can read it.
PLAIN: Final = 256 * 1024
#: The number of files that Discord takes with one message.
MOST_FILES: Final = 10


class MemberFiles:
    """The files of one member: a single file if it has at most `most` bytes.

    Otherwise there is a file for each year, and one for everything else.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most = name, most
        self._whole = _Growing()
        self._rest, self._years = _Growing(), dict[int, _Growing]()

    def add(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to the list of this name. All rows of a list must be added before those of the next list."""
        self._whole.add(name, rows)
        if name not in LONG:
            self._rest.add(name, rows)
            return
        for row in rows:
            year = datetime.fromtimestamp(row.get("dealt_at", row.get("at")), UTC).year
            self._years.setdefault(year, _Growing()).add(name, [row])

    def files(self) -> list[discord.File]:
        """End the files, so that nothing can be added any more, and return them: none if nothing was added."""
        if not self._whole.length:
            return []
        whole = self._whole.file(self._name)
        if size_of(whole) <= self._most:
            return [whole]
        years = (self._years[year].file(f"{self._name}-{year}") for year in sorted(self._years))
        return [self._rest.file(self._name), *years]


class _Growing:
    """A compressed JSON object of lists that grows at its end."""

    def __init__(self) -> None:
        self._kept = BytesIO()
        self._into = gzip.GzipFile(fileobj=self._kept, mode="wb", mtime=0)
        self._list = ""
        self._is_empty = True
        #: The bytes of the object before they were compressed.
        self.length = 0

    def add(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to the list of this name. `MEMBER` comes first, and has one row in place of a list."""
        if name == MEMBER:
            self._write(f'{{\n"{name}": {_json(rows[0])}')
            return
        if name != self._list:
            end = "\n]" if self._list else ""
            self._write(f'{end}{"," if self.length else "{"}\n"{name}": [')
            self._list, self._is_empty = name, True
        if rows:
            self._write(("\n" if self._is_empty else ",\n") + ",\n".join(map(_json, rows)))
            self._is_empty = False

    def _write(self, text: str) -> None:
        self.length += self._into.write(text.encode())

    def file(self, name: str) -> discord.File:
        """End the JSON object, and return it as a file: compressed where it is large."""
        self._into.write(("\n]\n}\n" if self._list else "\n}\n").encode())
        self._into.close()
        self._kept.seek(0)
        if self.length > PLAIN:
            return discord.File(self._kept, f"{name}.json.gz")
        stored = json.loads(gzip.decompress(self._kept.getvalue()))
        return discord.File(BytesIO(json.dumps(stored, indent=2, ensure_ascii=False).encode()), f"{name}.json")


def _json(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


def size_of(file: discord.File) -> int:
    return file.fp.seek(0, SEEK_END) - file.fp.seek(0)


def batches(files: Iterable[discord.File], most: int) -> Iterator[list[discord.File]]:
    """Yield the files for each message, in this order: at most `MOST_FILES`, and at most `most` bytes together.

    A larger file has a message to itself.
    """
    batch: list[discord.File] = []
    for file in files:
        if batch and (len(batch) == MOST_FILES or sum(map(size_of, [*batch, file])) > most):
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch
