"""Rules that Discord follows although its document does not name them, written by hand."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from .facts import LOCALES

Json = dict[str, Any]

#: The flag of a message that is made of components alone.
COMPONENTS_V2 = 1 << 15

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, TEXT = 1, 2, 3, 4, 10
#: The parts that a message without the flag cannot show.
ONLY_V2 = frozenset({9, TEXT, 11, 12, 13, 14, 17})
LINK, PREMIUM = 5, 6

MOST_COMPONENTS, MOST_TEXT, MOST_CONTENT, MOST_ROWS, MOST_IN_MODAL = 40, 4_000, 2_000, 5, 5
MOST_COMMANDS, MOST_LETTERS = 100, 8_000
SUBCOMMAND, GROUP, CHAT_INPUT = 1, 2, 1


def mistakes(route: str, body: Any, files: Sequence[str] = ()) -> list[str]:
    """Return what is wrong with a request that the document allows, in sentences."""
    method, path = route.split(" ")
    if path.endswith("/callback"):
        return list(_answer(body, files))
    if path.endswith("/commands"):
        return list(_commands(body if isinstance(body, list) else [body]) if body else ())
    if "/messages" in path or path == "/webhooks/{webhook_id}/{webhook_token}":
        return list(_message(body, files, new=method == "POST") if isinstance(body, dict) else ())
    return []


def _answer(body: Json, files: Sequence[str]) -> Iterator[str]:
    data = body.get("data") or {}
    match body.get("type"):
        case 4:
            yield from _message(data, files, new=True)
        case 7:
            yield from _message(data, files, new=False)
        case 9:
            yield from _modal(data)


# -- messages ----------------------------------------------------------------------------------------------------------


def _message(body: Json, files: Sequence[str], *, new: bool) -> Iterator[str]:
    tree = body.get("components") or []
    parts = list(_walk(tree))
    others = [key for key in ("content", "embeds", "poll", "sticker_ids") if body.get(key)]
    if (body.get("flags") or 0) & COMPONENTS_V2:
        yield from (f"{key} is sent beside V2 components" for key in others)
        yield from _size(parts)
    else:
        yield from _plain(body, tree, flagged=new or body.get("flags") is not None)
    if new and not (parts or others or files):
        yield "the message is empty"
    yield from _ids(parts)
    for part in parts:
        yield from _part(part)
    yield from _pictures(body, files, parts, new=new)
    yield from _mentions(body.get("allowed_mentions") or {})
    yield from _named(body, [*(part.get("content") or "" for part in parts), body.get("content") or ""], new=new)


def _walk(tree: Any) -> Iterator[Json]:
    """Every component, nested ones too."""
    for part in tree:
        yield part
        inner = [*(part.get("components") or []), part.get("accessory"), part.get("component")]
        yield from _walk([one for one in inner if one])


def _size(parts: list[Json]) -> Iterator[str]:
    if len(parts) > MOST_COMPONENTS:
        yield f"{len(parts)} components are sent, and {MOST_COMPONENTS} are the most, nested ones too"
    written = sum(len(part.get("content") or "") for part in parts if part.get("type") == TEXT)
    if written > MOST_TEXT:
        yield f"all texts together are {written} characters, and {MOST_TEXT} are the most"


def _plain(body: Json, tree: list[Json], *, flagged: bool) -> Iterator[str]:
    """An edit that says nothing of flags leaves them as they were, so that only its content can be judged."""
    if flagged and any(part.get("type") in ONLY_V2 for part in tree):
        yield "V2 components are sent without their flag"
    if len(body.get("content") or "") > MOST_CONTENT:
        yield f"content is {len(body['content'])} characters, and {MOST_CONTENT} are the most"
    if flagged and len(tree) > MOST_ROWS:
        yield f"{len(tree)} rows are sent, and {MOST_ROWS} are the most"


def _pictures(body: Json, files: Sequence[str], parts: list[Json], *, new: bool) -> Iterator[str]:
    """Find pictures in a message that are not among its attachments."""
    kept = body.get("attachments")
    if not new and kept is None and not files:
        return  # the attachments of before stay, whatever they are called
    names = {*files, *(one.get("filename") for one in kept or ())}
    items = [item for part in parts for item in [part, *(part.get("items") or [])]]
    media = [item.get("media") or item.get("file") or {} for item in items]
    for url in sorted({str(one.get("url")) for one in media}):
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
            yield f"{url} is shown, but not attached"


def _mentions(allowed: Json) -> Iterator[str]:
    for kind in ("users", "roles"):
        if allowed.get(kind) and kind in (allowed.get("parse") or ()):
            yield f"allowed_mentions names some {kind} and allows all"


def _named(body: Json, texts: Sequence[str], *, new: bool) -> Iterator[str]:
    """Find mentions without allowed mentions: Discord notifies everybody they name, and shows the message in gold."""
    named = set(re.findall(r"<@!?(\d+)>", "\n".join(texts)))
    allowed = body.get("allowed_mentions")
    if named and allowed is None:
        yield "people are named, and nothing says whom the message may mention"
        return
    roles = set((allowed or {}).get("roles") or ()) - set(re.findall(r"<@&(\d+)>", "\n".join(texts)))
    if roles:
        yield f"allowed_mentions has the roles {', '.join(sorted(roles))}, and the message does not name them"
    users = set((allowed or {}).get("users") or ())
    if users - named:
        yield f"allowed_mentions has {', '.join(sorted(users - named))}, and the message does not name them"
    if not new and not users and named:
        yield "an edit names people without allowing it: their names are not shown to those who never met them"


# -- components --------------------------------------------------------------------------------------------------------


def _ids(parts: list[Json]) -> Iterator[str]:
    for key in ("custom_id", "id"):
        seen = [part[key] for part in parts if part.get(key)]
        yield from (f"the {key} {which!r} is there {times} times" for which, times in _doubled(seen))


def _doubled(values: Collection[Any]) -> list[tuple[Any, int]]:
    return [(value, times) for value, times in Counter(values).items() if times > 1]


def _part(part: Json) -> Iterator[str]:
    kind = part.get("type")
    if kind == BUTTON:
        yield from _button(part)
    elif kind == ROW:
        yield from _row(part)
    if part.get("options"):
        yield from _choice(part)
    for few, many in (("min_values", "max_values"), ("min_length", "max_length")):
        if (part.get(few) or 0) > (part.get(many) if part.get(many) is not None else float("inf")):
            yield f"{_called(part)} wants more than it allows"


def _button(part: Json) -> Iterator[str]:
    own = {LINK: "url", PREMIUM: "sku_id"}.get(part.get("style", 0), "custom_id")
    for key in ("custom_id", "url", "sku_id"):
        if bool(part.get(key)) is not (key == own):
            yield f"{_called(part)} has {'no' if key == own else 'a'} {key}"
    if own != "sku_id" and not (part.get("label") or part.get("emoji")):
        yield f"{_called(part)} has neither label nor emoji"


def _row(part: Json) -> Iterator[str]:
    inner = [one.get("type") for one in part.get("components") or ()]
    if len(inner) > 1 and set(inner) != {BUTTON}:
        yield "a row holds something beside a select or an input"


def _choice(part: Json) -> Iterator[str]:
    options = part["options"]
    doubled = _doubled([option.get("value") for option in options])
    yield from (f"{_called(part)} offers {value!r} {times} times" for value, times in doubled)
    most = part.get("max_values") or 1
    if part.get("type") == STRING_SELECT and most > len(options):
        yield f"{_called(part)} wants {most} of {len(options)} options"
    if sum(bool(option.get("default")) for option in options) > most:
        yield f"{_called(part)} has more defaults than may be chosen"


def _called(part: Json) -> str:
    name = part.get("label") or part.get("custom_id") or part.get("placeholder") or "nameless"
    return f"component {part.get('type')} ({name})"


# -- forms -------------------------------------------------------------------------------------------------------------


def _modal(data: Json) -> Iterator[str]:
    tree = data.get("components") or []
    parts = list(_walk(tree))
    if len(tree) > MOST_IN_MODAL:
        yield f"the form has {len(tree)} parts, and {MOST_IN_MODAL} are the most"
    yield from _ids(parts)
    for part in parts:
        yield from _part(part)
        yield from _input(part)
        if part.get("type") == ROW and not all(one.get("label") for one in part.get("components") or ()):
            yield "an input in a row has no label"


def _input(part: Json) -> Iterator[str]:
    if part.get("type") == TEXT_INPUT and part.get("value"):
        length = len(part["value"])
        if not (part.get("min_length") or 0) <= length <= (part.get("max_length") or MOST_TEXT):
            yield f"{_called(part)} is filled with {length} characters, which it does not allow"


# -- commands ----------------------------------------------------------------------------------------------------------


def _commands(commands: list[Json]) -> Iterator[str]:
    if len(commands) > MOST_COMMANDS:
        yield f"{len(commands)} commands are sent, and {MOST_COMMANDS} are the most"
    names = [(command.get("type") or CHAT_INPUT, command.get("name")) for command in commands]
    yield from (f"/{name} is there {times} times" for (_, name), times in _doubled(names))
    for command in commands:
        if (command.get("type") or CHAT_INPUT) == CHAT_INPUT:
            yield from _command(command, f"/{command.get('name')}")
            if (letters := _letters(command)) > MOST_LETTERS:
                yield f"/{command['name']} has {letters} letters, and {MOST_LETTERS} are the most"
        else:
            yield from _locales(command, f"{command.get('name')!r}")


def _command(command: Json, called: str) -> Iterator[str]:
    """A command, a group of commands or an option: all are named and told in the same way."""
    names = [command.get("name"), *(command.get("name_localizations") or {}).values()]
    yield from (f"{called} may not be named {name!r}" for name in names if not _is_name(name or ""))
    if not command.get("description"):
        yield f"{called} has no description"
    yield from _locales(command, called)
    options = command.get("options") or []
    doubled = _doubled([option.get("name") for option in options])
    yield from (f"{called} has {times} options {name!r}" for name, times in doubled)
    yield from _order(options, called)
    for option in options:
        yield from _command(option, f"{called} {option.get('name')}")
    yield from _choices(command.get("choices") or [], called)
    if command.get("choices") and command.get("autocomplete"):
        yield f"{called} has both choices and autocompletion"


def _order(options: list[Json], called: str) -> Iterator[str]:
    wanted = [bool(option.get("required")) for option in options]
    if wanted != sorted(wanted, reverse=True):
        yield f"{called} has a required option behind an optional one"
    nested = [option.get("type") in {SUBCOMMAND, GROUP} for option in options]
    if any(nested) and not all(nested):
        yield f"{called} has options beside its subcommands"


def _choices(choices: list[Json], called: str) -> Iterator[str]:
    for key in ("name", "value"):
        doubled = _doubled([choice.get(key) for choice in choices])
        yield from (f"{called} offers the {key} {value!r} {times} times" for value, times in doubled)
    for choice in choices:
        yield from _locales(choice, f"{called} {choice.get('name')!r}")


def _locales(thing: Json, called: str) -> Iterator[str]:
    for key in ("name_localizations", "description_localizations"):
        yield from (f"{called} has a {key} for {one!r}" for one in sorted(set(thing.get(key) or {}) - LOCALES))


def _is_name(name: str) -> bool:
    """Letters, digits, dashes and apostrophes, in lower case where there is one."""
    return name == name.lower() and all(sign in "-_'" or unicodedata.category(sign)[0] in "LN" for sign in name)


def _letters(thing: Json) -> int:
    """Letters of a command as Discord counts them: names, descriptions and values, each in its longest language."""
    value = thing.get("value")
    own = _longest(thing, "name") + _longest(thing, "description") + (len(value) if isinstance(value, str) else 0)
    return own + sum(_letters(inner) for key in ("options", "choices") for inner in thing.get(key) or ())


def _longest(thing: Json, key: str) -> int:
    return max(map(len, [thing.get(key) or "", *(thing.get(f"{key}_localizations") or {}).values()]))
