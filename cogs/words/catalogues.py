"""The languages: English in the code, and a folder of `locales` for every other one.

A catalogue is compiled when it is first needed, so no compiled file can be out of date.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

#: The language of the texts in the code.
SOURCE: Final = "en"

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
    #: Monday first.
    days: tuple[str, ...]
    _form: Callable[[Decimal], str]

    def is_one(self, count: Decimal) -> bool:
        """Return whether this count takes the singular."""
        return self._form(abs(count)) == "one"


def file_of(code: str) -> Path:
    """Return the file of the language's texts."""
    return FOLDER / code / CATALOGUE


@cache
def codes() -> tuple[str, ...]:
    """Return the codes of all languages, the source's first."""
    return SOURCE, *sorted(file.parent.name for file in FOLDER.glob(f"*/{CATALOGUE}"))


@cache
def language(code: str) -> Language:
    """Return a language as Babel's Unicode tables describe it."""
    from babel import Locale

    locale = Locale.parse(code)
    days = tuple(locale.days["stand-alone"]["wide"][day] for day in range(7))
    symbols = locale.number_symbols["latn"]
    own = (locale.display_name or code).split(" (")[0]
    name = own[:1].upper() + own[1:]
    return Language(code, name, symbols["group"], symbols["decimal"], days, locale.plural_form)


@cache
def catalogue(code: str) -> gettext.NullTranslations:
    """Return the translations of a language. The source language has none: its messages are themselves."""
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
