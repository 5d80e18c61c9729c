"""Facts of Discord's own document about requests: their routes, and each field of their bodies.

``facts.json`` is extracted from the document by ``document.mjs``. A fact says of a value what it ``is`` or which
``shape`` it has (one of several, if more are named; ``any`` lists other alternatives), whether it may be ``null`` or is
``required``, ``min`` and ``max`` of its length, count or size, which values it is ``among``, and what a list or map is
``of``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FILE = Path(__file__).with_name("facts.json")
TOLD: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

#: The languages that Discord knows.
LOCALES = frozenset(TOLD["locales"])

Fact = dict[str, Any]

_ANY: Fact = {}

_UNKNOWN = " is unknown"

#: Sent by discord.py itself and taken by Discord, although its document does not list them.
_UNLISTED = {
    ("ApplicationCommandCreateRequest", "nsfw"),
    ("ApplicationCommandUpdateRequest", "nsfw"),
    ("MessageEditRequestPartial", "tts"),
    ("IncomingWebhookUpdateRequestPartial", "tts"),
    ("IncomingWebhookUpdateForInteractionCallbackRequestPartial", "tts"),
}

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "list": (list,),
    "map": (dict,),
    "object": (dict,),
}


def route_of(method: str, path: str) -> str | None:
    """The document's name of a route: the one with the fewest blanks that fits."""
    parts = path.strip("/").split("/")
    fitting = [route for route in TOLD["routes"] if _fits(route, method, parts)]
    return min(fitting, key=lambda route: route.count("{"), default=None)


def _fits(route: str, method: str, parts: list[str]) -> bool:
    of, _, template = route.partition(" ")
    blanks = template.strip("/").split("/")
    return (
        of == method
        and len(blanks) == len(parts)
        and all(blank.startswith("{") or blank == part for blank, part in zip(blanks, parts, strict=True))
    )


def mistakes(route: str, body: Any, query: frozenset[str] = frozenset()) -> list[str]:
    """Return what the document refuses of a request, in sentences."""
    told = TOLD["routes"][route]
    found = [f"the query has no {name!r}" for name in sorted(query - set(told["query"]))]
    if told["body"] is not None:
        return [*found, *_against(told["body"], body, "body")]
    return found if not body else [*found, "a body is sent where none belongs"]


def _against(fact: Fact, value: Any, at: str) -> Iterator[str]:
    if fact is _ANY:
        return
    if value is None:
        if not fact.get("null"):
            yield f"{at} is null"
    elif "any" in fact:
        yield from _closest([list(_against(way, value, at)) for way in fact["any"]])
    elif "shape" in fact:
        yield from _shaped(fact["shape"], value, at)
    else:
        yield from _is(fact, value, at)


def _shaped(names: list[str], value: Any, at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} is {_called(value)}, not an object"
        return
    kin = [name for name in names if not list(_against(TOLD["shapes"][name].get("type", _ANY), value.get("type"), at))]
    if len(names) > 1 and not kin and "type" in value:
        yield f"{at} may not be of type {value['type']!r} here"
    else:
        yield from _closest([list(_shape(name, value, at)) for name in kin or names])


def _closest(ways: list[list[str]]) -> list[str]:
    """Return the faults of the best of several ways to read a value: best for the document, then for us."""
    return min(ways, key=lambda way: (sum(map(refused, way)), len(way)))


def refused(mistake: str) -> bool:
    """Whether the document itself refuses it. It allows keys that it does not know; we do not, on purpose: most of them
    are misspelt, and Discord would not do what they say."""
    return not mistake.endswith(_UNKNOWN)


def _shape(name: str, value: dict[str, Any], at: str) -> Iterator[str]:
    listed = {key: item for key, item in value.items() if (name, key) not in _UNLISTED}
    yield from _fields(TOLD["shapes"][name], listed, at)


def _fields(shape: dict[str, Fact], value: dict[str, Any], at: str) -> Iterator[str]:
    yield from (f"{at}.{key}{_UNKNOWN}" for key in value if key not in shape)
    for key, fact in shape.items():
        if key in value:
            yield from _against(fact, value[key], f"{at}.{key}")
        elif fact.get("required"):
            yield f"{at}.{key} is missing"


def _is(fact: Fact, value: Any, at: str) -> Iterator[str]:
    if not isinstance(value, _KINDS[fact["is"]]) or (isinstance(value, bool) and fact["is"] != "boolean"):
        yield f"{at} is {_called(value)}, not a {fact['is']}"
        return
    if "among" in fact and value not in fact["among"]:
        yield f"{at} is {value!r}, none of {fact['among']}"
    yield from _within(fact, value, at)
    if "pattern" in fact and not re.search(fact["pattern"], value):
        yield f"{at} is {value!r}, which does not match {fact['pattern']}"
    if "format" in fact and not _FORMATS[fact["format"]](value):
        yield f"{at} is {value!r}, not a {fact['format']}"
    if fact["is"] == "object":
        yield from _fields(fact["fields"], value, at)
    elif fact["is"] == "list":
        for index, item in enumerate(value):
            yield from _against(fact["of"], item, f"{at}[{index}]")
    elif fact["is"] == "map":
        for key, item in value.items():
            yield from _against(fact["of"], item, f"{at}.{key}")


def _within(fact: Fact, value: Any, at: str) -> Iterator[str]:
    size = value if isinstance(value, int | float) else len(value)
    unit = {"string": " characters", "list": " items"}.get(fact["is"], "")
    if "min" in fact and size < fact["min"]:
        yield f"{at} is {size}{unit}, and {fact['min']} are the least"
    if "max" in fact and size > fact["max"]:
        yield f"{at} is {size}{unit}, and {fact['max']} are the most"


def _is_uri(text: str) -> bool:
    parts = urlsplit(text)
    return bool(parts.scheme and (parts.netloc or parts.path))


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


_FORMATS = {"uri": _is_uri, "date-time": _is_moment}


def _called(value: Any) -> str:
    return f"a {type(value).__name__}"
