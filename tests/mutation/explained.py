"""Changes of the code that no test can notice, and why."""

from __future__ import annotations

#: By module, each change by its own words.
EXPLAINED: dict[str, dict[str, str]] = {}
