"""Metrics (/metrics) of what the bank writes, and of the parts of an answer, to which pictures add theirs."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Histogram

SECONDS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 10.0)

PARTS: Final = Histogram("croupier_part_seconds", "What the answer to a press is made of.", ["part"], buckets=SECONDS)
COMMITS: Final = Counter("croupier_commits", "Changes that tables handed to the bank.", ["outcome"])
ROUNDS: Final = Counter("croupier_rounds", "Rounds that were played to their end.", ["game"])
