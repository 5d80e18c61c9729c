"""Readers of JSON that may come from anybody: they return a value of the expected kind, or raise BadRecord."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

T = TypeVar("T")

#: The most characters of a record. The longest honest one, a hand of 24 people, has some 20,000.
LONGEST: Final = 1_000_000

#: The largest whole number that every reader of JSON understands alike.
LARGEST: Final = 2**53 - 1


class BadRecord(ValueError):
    """Raised for a text that is not what it should be. The message says what is wrong with it."""


def parse(text: str) -> dict[str, Any]:
    """Return the JSON object that a text holds, or raise BadRecord.

    It refuses fractions, numbers beyond `LARGEST`, a zero with a sign, fields that occur twice, and more than
    `LONGEST` characters.
    """
    if len(text) > LONGEST:
        raise BadRecord(f"longer than {LONGEST} characters")
    try:
        found = json.loads(
            text, parse_int=_number, parse_float=_no_number, parse_constant=_no_number, object_pairs_hook=_once
        )
    except json.JSONDecodeError as error:
        raise BadRecord(f"not JSON: {error}") from None
    except RecursionError:
        raise BadRecord("not JSON: too deeply nested") from None
    if not isinstance(found, dict):
        raise BadRecord("not the record of a round: no object")
    return found


def field(fields: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> T:
    """Return what `read` makes of the field with this name. Raises BadRecord if it is missing, or `read` refuses it."""
    if name not in fields:
        raise BadRecord(f"the record has no {name!r}")
    try:
        return read(fields[name])
    except BadRecord as error:
        raise BadRecord(f"{name}: {error}") from None


def only(fields: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise BadRecord if there are other fields than these, because nobody would check them."""
    for name in fields:
        if name not in names:
            raise BadRecord(f"unknown field {name!r}")


def whole(value: Any) -> int:
    if type(value) is not int:
        raise BadRecord(f"not a whole number: {shortened(value)}")
    return value


def text(value: Any) -> str:
    if type(value) is not str:
        raise BadRecord(f"not a text: {shortened(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadRecord("half a character in a text") from None
    return value


def identity(value: Any) -> int:
    """Read one of Discord's ids, which is a text in a record because many readers of JSON would round it."""
    if type(value) is not str or re.fullmatch(r"0|[1-9][0-9]{0,19}", value) is None:
        raise BadRecord(f"not an id: {shortened(value)}")
    return int(value)


def digits(*lengths: int) -> Callable[[Any], str]:
    """Return a reader of lower-case hexadecimal text.

    Its length must be one of `lengths`, or any even number if none is given.
    """

    def read(value: Any) -> str:
        if type(value) is not str or len(value) % 2 or re.fullmatch("[0-9a-f]*", value) is None:
            raise BadRecord(f"not hexadecimal: {shortened(value)}")
        if lengths and len(value) not in lengths:
            raise BadRecord(f"{len(value)} hexadecimal digits instead of {lengths[-1]}")
        return value

    return read


def each(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """Return a reader of lists, which reads each item with `read`."""

    def read_all(value: Any) -> tuple[T, ...]:
        if type(value) is not list:
            raise BadRecord(f"not a list: {shortened(value)}")
        return tuple(map(read, value))

    return read_all


def mapping(read: Callable[[Any], T]) -> Callable[[Any], dict[str, T]]:
    """Return a reader of objects, which reads each value with `read`."""

    def read_all(value: Any) -> dict[str, T]:
        if type(value) is not dict:
            raise BadRecord(f"not an object: {shortened(value)}")
        return {text(name): read(each) for name, each in value.items()}

    return read_all


def plain(value: Any) -> int | bool | str:
    """Read a value of a rule: a whole number, yes or no, or a word."""
    return value if type(value) in (int, bool) else text(value)


def shortened(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= 40 else f"{said[:39]}…"


def _number(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise BadRecord(f"a number that is too large: {digits[:20]}")
    if digits == "-0":
        raise BadRecord("a zero with a sign")
    return int(digits)


def _no_number(digits: str) -> NoReturn:
    raise BadRecord(f"not a whole number: {digits[:20]}")


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadRecord("a field that is there twice")
    return found
