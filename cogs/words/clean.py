"""The one place where text from people is cleaned before it is stored or shown.

This removes NUL and other control characters, halves of surrogate pairs, and the marks in `_UNSEEN`, which change the
writing direction or have no width. What is left stands on one line with single spaces, and both databases can store it.
Joiners and the marks of emoji stay, because scripts and emoji need them.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Final

#: Marks of direction and marks without width. Joiners stay, because scripts and emoji need them.
_UNSEEN: Final = frozenset("\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\ufeff") | {
    chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_BREAKS: Final = frozenset({"Zs", "Zl", "Zp"})
_NEVER: Final = frozenset({"Cc", "Cs"})


def clean(text: str) -> str:
    """Return the text on one line, with single spaces, and without control characters and unseen marks."""
    return " ".join("".join(_kept(sign) for sign in text).split())


def _kept(sign: str) -> str:
    if sign.isspace() or (kind := unicodedata.category(sign)) in _BREAKS:
        return " "
    return "" if sign in _UNSEEN or kind in _NEVER else sign


def clean_options(data: Any) -> None:
    """Clean every text among the options in the data of an interaction, which is changed in place."""
    for option in data.get("options") or () if isinstance(data, dict) else ():
        clean_options(option)
        if isinstance(option, dict) and isinstance(option.get("value"), str):
            option["value"] = clean(option["value"])
