"""The languages: English in the code, and a folder of `locales` for every other one.

A catalogue is compiled when it is first needed, so no compiled file can be out of date.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

#: The language of the texts in the code.
SOURCE: Final = "en"

#: The percentage of translated texts from which a language is offered.
OFFERED_FROM: Final = 95
#: The line at the head of a catalogue that says how much of it is translated. `make messages` writes it.
TRANSLATED: Final = "Translated: {} %"
_TRANSLATED: Final = re.compile(rf"# {TRANSLATED.format('([0-9]+)')}")
#: The number of lines at the head of a catalogue that are searched for the line `TRANSLATED`.
_HEAD: Final = 12
#: The number of digits from which a language groups them by thousands, where that is not four. Unicode's tables say so,
#: and Babel leaves it out.
_GROUPED_FROM: Final = {"es": 5, "it": 5, "pl": 5}

FOLDER: Final = Path(__file__).with_name("locales")
CATALOGUE: Final = "croupier.po"


@dataclass(frozen=True, slots=True)
class Language:
    """The way a language writes its name, its numbers and its days."""

    code: str
    #: The language's name for itself.
    name: str
    group: str  # between thousands
    decimal: str
    grouped_from: int  # digits
    #: The names of the weekdays, Monday first.
    days: tuple[str, ...]
    _form: Callable[[Decimal], str]  # the plural form of a count, as Unicode names it

    def digits(self, number: str) -> str:
        """Return a number, which Python wrote with commas, as this language writes it."""
        if number.count(",") == 1 and sum(map(str.isdigit, number.partition(".")[0])) < self.grouped_from:
            number = number.replace(",", "")
        return number.translate({ord(","): self.group, ord("."): self.decimal})

    def is_one(self, count: Decimal) -> bool:
        """Return whether this language uses the singular for this count."""
        return self._form(abs(count)) == "one"


def file_of(code: str) -> Path:
    """Return the file of a language's catalogue."""
    return FOLDER / code / CATALOGUE


def begun() -> list[str]:
    """Return the codes of all languages that have a catalogue, complete or not."""
    return sorted(file.parent.name for file in FOLDER.glob(f"*/{CATALOGUE}"))


@cache
def translated(code: str) -> int:
    """Return the percentage of texts that are translated, as the head of a catalogue says; 0 if it does not say."""
    if code == SOURCE:
        return 100
    with file_of(code).open(encoding="utf-8") as lines:
        found = _TRANSLATED.search("".join(islice(lines, _HEAD)))
    return int(found[1]) if found else 0


@cache
def codes() -> tuple[str, ...]:
    """Return the codes of the languages that are offered, with the source language first."""
    return SOURCE, *(code for code in begun() if translated(code) >= OFFERED_FROM)


@cache
def language(code: str) -> Language:
    """Return a language as Babel's Unicode tables describe it."""
    from babel import Locale

    locale = Locale.parse(code)
    days = tuple(locale.days["stand-alone"]["wide"][day] for day in range(7))
    symbols = locale.number_symbols["latn"]
    own = (locale.display_name or code).split(" (")[0]
    name = own[:1].upper() + own[1:]
    return Language(
        code, name, symbols["group"], symbols["decimal"], _GROUPED_FROM.get(code, 4), days, locale.plural_form
    )


@cache
def catalogue(code: str) -> gettext.NullTranslations:
    """Return the translations of a language. Without a catalogue, as in English, every message stays as it is."""
    file = file_of(code)
    if code == SOURCE or not file.exists():
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with file.open("rb") as text:
        write_mo(compiled, read_po(text, locale=code))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
