"""A language that nobody speaks: every letter has a mark, and every text is a third longer than the English one.

What people can read without a mark was never given to the catalogues; what breaks a limit will break it in some
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from cogs.words import catalogues

#: It takes the place of a language that Discord has a name for.
CODE: Final = "fr"

_MARKED: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "àƀćđèƒĝĥìĵķĺḿńòṕɋŕśţùṽŵẋỳźÀƁĆĐÈƑĜĤÌĴĶĹḾŃÒṔɊŔŚŢÙṼŴẊỲŹ"
)
#: Places, code, addresses, and what Discord itself shows in their stead.
_KEPT: Final = re.compile(r"(\{\w*\}|`[^`]*`|\]\([^)]*\)|https?://\S+|<[^>\s]*>|\n)")
#: The filling that makes a text longer.
_MORE: Final = " òùś èẋţŕà"
#: Letters of a chart have no room for more.
_SHORT: Final = 2


def pseudo(text: str) -> str:
    """The text in that language."""
    parts = _KEPT.split(text)
    said = "".join(part if at % 2 else part.translate(_MARKED) for at, part in enumerate(parts))
    letters = sum(len(part) for part in parts[::2])
    if letters <= _SHORT or not any(sign.isalpha() for sign in "".join(parts[::2])):
        return said
    return said + (_MORE * letters)[: -(-letters // 3)].rstrip()


def _option(name: str) -> str:
    """An option's name: one small word."""
    return pseudo(name).replace(" ", "_")


def spoken(found: Catalog, folder: Path) -> None:
    """Every message of the template, translated, where the language's catalogue is."""
    told = Catalog(locale=CODE, charset="utf-8")
    for message in found:
        if message.id:
            told.add(message.id, _said(message), context=message.context)
    file = folder / CODE / catalogues.CATALOGUE
    file.parent.mkdir(parents=True)
    with file.open("wb") as written:
        write_po(written, told)


def _said(message: Message) -> str | tuple[str, ...]:
    if isinstance(message.id, str):
        return _option(message.id) if message.context else pseudo(message.id)
    return tuple(map(pseudo, message.id))


@contextmanager
def in_place_of_french(found: Catalog, folder: Path) -> Iterator[None]:
    """Let people who speak French speak this language inside the block."""
    spoken(found, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "FOLDER", folder)
        catalogues.catalogue.cache_clear()
        yield
    catalogues.catalogue.cache_clear()


# -- what is read ------------------------------------------------------------------------------------------------------

#: The keys under which Discord gets what people read.
_READ: Final = frozenset({"content", "label", "placeholder", "description", "title", "name", "value", "reason"})
#: The places where the same keys hold what people do not read.
_UNREAD: Final = frozenset({"attachments", "default_values"})


def read(body: Any, key: str = "") -> Iterator[str]:
    """Every text for people in what Discord was sent."""
    if isinstance(body, Mapping):
        for name, value in body.items():
            if name == "attachments":
                yield from (str(each["description"]) for each in value or () if each.get("description"))
            elif name not in _UNREAD and not (name == "value" and ("label" in body or "name" in body)):
                yield from read(value, name)
    elif isinstance(body, list):
        for value in body:
            yield from read(value, key)
    elif isinstance(body, str) and key in _READ:
        yield body


#: Cards, ids, codes, addresses and numbers are the same in all languages.
_NO_WORDS: Final = re.compile(
    r"`[^`]*`|```.*?```|\]\([^)]*\)|https?://\S+|</[^>]*>|<[@#t:!/][^>]*>"
    r"|(?<!\S)/tournament [a-z]+"  # in the calendar, which has no markup
    r"|\b(?:10|[2-9AKQJ])[♠♥♦♣]|\b[AKQJ]\b(?!’)|\b[0-9a-f]{6,}(?:-\d+)?\b|\b\d+x\b|SHA-256|docs/fairness\.md",
    re.DOTALL,
)


def unmarked(text: str, names: Iterable[str]) -> str:
    """Return the parts of a text that have no mark and are not names."""
    rest = _NO_WORDS.sub(" ", text)
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest)
    return " ".join(re.findall(r"[A-Za-z]+", rest))
