"""The languages that lack nothing: their pages and rules are written down in `tests/golden`."""

from __future__ import annotations

from typing import Final

#: The languages beside English that must have every message. Others are offered from 95 % on.
WHOLE: Final = ["de", "es", "fr", "pt"]
#: Each language with the folder of its pages.
FOLDERS: Final = [("en", "pages"), *((code, f"pages/{code}") for code in WHOLE)]
