"""The languages that lack nothing: their pages and rules are written down in `tests/golden`."""

from __future__ import annotations

from typing import Final

import pytest

#: The languages beside English that must have every message. Others are offered from 95 % on.
WHOLE: Final = ["de", "es", "fr", "pt"]
#: Each language with the folder of its pages. `make test` reads those of two languages.
FOLDERS: Final = [
    ("en", "pages"),
    *(pytest.param(code, f"pages/{code}", marks=() if code == "fr" else pytest.mark.slow) for code in WHOLE),
]
