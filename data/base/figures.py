"""Metrics for Prometheus: the changes and rounds that the bank writes, and how long the parts of an answer take."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Histogram

#: The upper bounds of the buckets into which times are counted.
SECONDS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 10.0)

PARTS: Final = Histogram("croupier_part_seconds", "What the answer to a press is made of.", ["part"], buckets=SECONDS)
COMMITS: Final = Counter("croupier_commits", "Changes that tables handed to the bank.", ["outcome"])
ROUNDS: Final = Counter("croupier_rounds", "Rounds that were played to their end.", ["game"])
