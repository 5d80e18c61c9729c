"""Reads numbers as people type them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: The pattern of a whole number: digits, plain or in groups of three.
_WHOLE: Final = re.compile(r"\d+|\d{1,3}(?:[ ,.'’_]\d{3})+")
_MOST_DIGITS: Final = 15


def whole_number(text: str) -> int | None:
    """Return a whole number that was typed: ``1,000``, ``٥٠``, ``1 000`` ... Return None for anything else.

    A sign, a fraction, and more than `_MOST_DIGITS` digits count as something else.
    """
    word = plain(text)
    digits = re.sub(r"\D", "", word)
    return int(digits) if _WHOLE.fullmatch(word) and len(digits) <= _MOST_DIGITS else None


def plain(text: str) -> str:
    """Return a text in a form to compare: lower case, no spaces around it, and its digits and wide signs in ASCII."""
    folded = unicodedata.normalize("NFKC", text).strip().casefold().replace("\u2212", "-")
    return "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in folded)
