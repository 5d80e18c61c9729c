"""The types of the facts in `data.base.columns`: how a column is proved, and what becomes of a table's rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: A row as an export reads it.
ExportedRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proved:
    """The proof of a column: a sentence that says what the audit compares it with."""

    by: str
    #: The SQL condition of the rows in which it is proved; empty for all of them.
    of: str = ""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """One table: how its columns are proved, and what exports, *Forget me* and a restore do with its rows."""

    #: The sentences about columns, by their names: columns that the audit proves, and those that need no proof. Columns
    #: that share a sentence are named together, with spaces between them.
    proved: Mapping[str, Proved | str]
    free: Mapping[str, str] = field(default_factory=dict)
    #: The section of the file of *Get mine* that has the rows, or a sentence why none has.
    mine: str = "Nothing: it is nobody's in particular."
    forget: str = "It names nobody."
    restored: str = "It stays as it was."
    #: The SQL condition of the rows that an export shows; empty for all of them.
    shown: str = ""
    #: The columns that an export hides, each with a function that says in which rows.
    secret: Mapping[str, Callable[[ExportedRow], bool]] = field(default_factory=dict)
    exported: bool = True

    @property
    def sentences(self) -> Iterator[tuple[str, Proved | None, str]]:
        """The name of each column, its proof or None, and a sentence: what proves it, or why it needs no proof."""
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


#: The sentence about rows that keep the number of a forgotten member, and the SQL condition of rows bound in a book.
NUMBER: Final = "It stays, under a number that leads to nobody."
BOUND: Final = "leaf IS NOT NULL"
