"""Describes what is said of a table: the sentences about its columns, and what becomes of its rows elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: A row as an export reads it.
ExportedRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proved:
    """The proof of a column: what the audit compares it with."""

    by: str
    #: The rows of which it is proved, as SQL; empty for all of them.
    of: str = ""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """One table: the sentences about its columns, and what becomes of its rows. Columns may share a sentence."""

    proved: Mapping[str, Proved | str]
    free: Mapping[str, str] = field(default_factory=dict)
    #: The part of the file of *Get mine* with the rows, or the reason why they are in none.
    mine: str = "Nothing: it is nobody's in particular."
    forget: str = "It names nobody."
    restored: str = "It stays as it was."
    #: The rows that an export shows, as SQL; empty for all of them.
    shown: str = ""
    #: The columns that an export hides, and when.
    secret: Mapping[str, Callable[[ExportedRow], bool]] = field(default_factory=dict)
    exported: bool = True

    @property
    def sentences(self) -> Iterator[tuple[str, Proved | None, str]]:
        """Each column with its proof, if it has one, and its sentence."""
        for names, proof in self.proved.items():
            known = proof if isinstance(proof, Proved) else Proved(proof)
            yield from ((name, known, known.by) for name in names.split())
        for names, why in self.free.items():
            yield from ((name, None, why) for name in names.split())

    @property
    def export(self) -> str:
        """The sentence about what an export shows of the table."""
        if not self.exported:
            return "Nothing."
        if self.shown:
            return "All of it, of what is over."
        return f"All but {', '.join(self.secret)} of what is not over." if self.secret else "All of it."


#: The words about rows that name a member, and the condition of rows that are bound in a book.
NUMBER: Final = "It stays, under a number that leads to nobody."
BOUND: Final = "leaf IS NOT NULL"
