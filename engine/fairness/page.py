"""The page with which anybody checks a round's record in a browser, offline and without this program."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

_PAGE: Final = Path(__file__).with_name("verify.html")
_EMPTY: Final = "</textarea>"


def filled_in(record: str) -> str:
    """Return the page's HTML with a record filled in, which the page checks when it is opened."""
    return _PAGE.read_text(encoding="utf-8").replace(_EMPTY, html.escape(record) + _EMPTY, 1)
