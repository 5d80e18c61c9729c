"""Requests spoilt on purpose: each kind of field of each kind of component, in every way that comes to mind, once."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

#: The place of a value in a body: keys and indices from the outside in.
Way = tuple[str | int, ...]

_WRONG: dict[str, Callable[[Any], Any]] = {
    "null": lambda _: None,
    "another type": lambda value: "?" if not isinstance(value, str) else 1,
    "a list": lambda value: [value],
    "empty": lambda value: type(value)(),
    "negative": lambda value: -1 if type(value) is int else value,
    "huge": lambda value: 10**17 if type(value) is int else value,
    "long": lambda value: value * 5_000 if isinstance(value, str) else value,
    "many": lambda value: value * 50 if isinstance(value, list) else value,
    "a fraction": lambda value: value + 0.5 if type(value) is int else value,
}


def spoilt(requests: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Each wrong in one place. The same place of the same kind is spoilt in the first request that has it only."""
    done = set()
    for route, body in requests:
        for way, kind, value in _places(body):
            if (route, kind) in done:
                continue
            done.add((route, kind))
            for wrong in (make(value) for make in _WRONG.values()):
                if wrong != value or type(wrong) is not type(value):
                    yield route, _with(body, way, wrong)
            if way and isinstance(way[-1], str):
                yield route, _without(body, way)


def _places(value: Any, way: Way = (), kind: str = "") -> Iterator[tuple[Way, str, Any]]:
    """Every value in a body, with what kind of place it is in: indices do not matter, types of components do."""
    yield way, kind, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*way, key), f"{kind}<{value.get('type')}>.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*way, index), f"{kind}[]")


def _with(body: Any, way: Way, value: Any) -> Any:
    if not way:
        return value
    whole = copy.deepcopy(body)
    _holder(whole, way)[way[-1]] = value
    return whole


def _without(body: Any, way: Way) -> Any:
    whole = copy.deepcopy(body)
    del _holder(whole, way)[way[-1]]
    return whole


def _holder(whole: Any, way: Way) -> Any:
    for key in way[:-1]:
        whole = whole[key]
    return whole
