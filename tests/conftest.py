"""Shared by every test: how hypothesis searches."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

#: `make test`: the same examples each time for the same seed, no time limits on a busy machine.
settings.register_profile("quick", deadline=None, print_blob=True, database=None)
#: `make long`: look much further.
settings.register_profile("long", settings.get_profile("quick"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("--hypothesis-seed", default=None)
    return f"hypothesis seed: {'not set (a new one each run)' if seed is None else seed}"
