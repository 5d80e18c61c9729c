"""Text from people, as it may be kept and shown: the one place where it is cleaned.

What no eye sees and no database has to take goes: NUL and other controls, halves of surrogate pairs, marks that turn
the writing direction or have no width. What both databases can keep, they keep the same.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Final

#: Marks of direction, and those without a width. Joiners stay: scripts and emoji are made with them.
_UNSEEN: Final = frozenset("\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\ufeff") | {
    chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_BREAKS: Final = frozenset({"Zs", "Zl", "Zp"})
_NEVER: Final = frozenset({"Cc", "Cs"})


def clean(text: str) -> str:
    """The same words in one line, with single spaces between them, and without what nobody can see."""
    return " ".join("".join(_kept(sign) for sign in text).split())


def _kept(sign: str) -> str:
    if sign.isspace() or (kind := unicodedata.category(sign)) in _BREAKS:
        return " "
    return "" if sign in _UNSEEN or kind in _NEVER else sign


def clean_options(data: Any) -> None:
    """Clean every text that came with a command, where it lies."""
    for option in data.get("options") or () if isinstance(data, dict) else ():
        clean_options(option)
        if isinstance(option, dict) and isinstance(option.get("value"), str):
            option["value"] = clean(option["value"])
