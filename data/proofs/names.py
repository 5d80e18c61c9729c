"""SQL functions that take the names of accounts and reasons of transfers apart, inside the database."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class first_number(FunctionElement[int]):
    """The SQL function that returns 900 for ``escrow/900/3``, and NULL or any number for names of another form."""

    type = sa.BigInteger()
    inherit_cache = True


class second_number(FunctionElement[int]):
    """The SQL function that returns 3 for ``escrow/900/3``, and NULL or any number for names of another form."""

    type = sa.BigInteger()
    inherit_cache = True


class kind_of(FunctionElement[str]):
    """The SQL function for the first word of a name: ``escrow`` of ``escrow/900/3``, ``mint`` of ``mint``."""

    type = sa.Text()
    inherit_cache = True


class first_word(FunctionElement[str]):
    """The SQL function for the text before the colon of a reason: ``grant`` of ``grant: for the prize draw``."""

    type = sa.Text()
    inherit_cache = True


def _behind_the_slash(text: str) -> str:
    return f"substr({text}, instr({text}, '/') + 1)"


@compiles(first_number, "sqlite")
def _first_on_sqlite(element: first_number, compiler: SQLCompiler, **how: Any) -> str:
    name = compiler.process(element.clauses, **how)
    return f"CAST({_behind_the_slash(name)} AS INTEGER)"


@compiles(second_number, "sqlite")
def _second_on_sqlite(element: second_number, compiler: SQLCompiler, **how: Any) -> str:
    name = compiler.process(element.clauses, **how)
    return f"CAST({_behind_the_slash(_behind_the_slash(name))} AS INTEGER)"


@compiles(kind_of, "sqlite")
def _kind_on_sqlite(element: kind_of, compiler: SQLCompiler, **how: Any) -> str:
    return _before_on_sqlite("/", compiler.process(element.clauses, **how))


@compiles(first_word, "sqlite")
def _word_on_sqlite(element: first_word, compiler: SQLCompiler, **how: Any) -> str:
    return _before_on_sqlite(":", compiler.process(element.clauses, **how))


def _before_on_sqlite(sign: str, text: str) -> str:
    return f"substr({text}, 1, instr({text} || '{sign}', '{sign}') - 1)"


@compiles(kind_of, "postgresql")
def _kind_on_postgresql(element: kind_of, compiler: SQLCompiler, **how: Any) -> str:
    return f"split_part({compiler.process(element.clauses, **how)}, '/', 1)"


@compiles(first_word, "postgresql")
def _word_on_postgresql(element: first_word, compiler: SQLCompiler, **how: Any) -> str:
    return f"split_part({compiler.process(element.clauses, **how)}, ':', 1)"


@compiles(first_number, "postgresql")
def _first_on_postgresql(element: first_number, compiler: SQLCompiler, **how: Any) -> str:
    return _part(compiler.process(element.clauses, **how), 2)


@compiles(second_number, "postgresql")
def _second_on_postgresql(element: second_number, compiler: SQLCompiler, **how: Any) -> str:
    return _part(compiler.process(element.clauses, **how), 3)


#: The largest number that the databases keep. Discord's own ids have as many digits.
_LARGEST: Final = str(2**63 - 1)


def _part(name: str, place: int) -> str:
    """Return the SQL for a part of a name as a number. `place` counts the parts between slashes, from 1.

    The SQL gives NULL, and no error, for a part that is no number or is too large to be stored.
    """
    part = f"split_part({name}, '/', {place})"
    kept = f"length({part}) < {len(_LARGEST)} OR {part} COLLATE \"C\" <= '{_LARGEST}'"
    return f"CASE WHEN {part} ~ '^[0-9]{{1,{len(_LARGEST)}}}$' AND ({kept}) THEN CAST({part} AS BIGINT) END"
