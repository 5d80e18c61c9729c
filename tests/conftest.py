"""Shared by every test: how hypothesis searches, and that Discord would take what the bot sends."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
import simcord
from hypothesis import settings
from simcord.http import router

from tests.contract.requests import Recorder

#: `make test`: the same examples each time for the same seed, no time limits on a busy machine.
settings.register_profile("quick", deadline=None, print_blob=True, database=None)
#: `make long`: look much further.
settings.register_profile("long", settings.get_profile("quick"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

#: Garbage is looked for less often: that was an eighth of the time of all these tests.
gc.freeze()
gc.set_threshold(100_000, 50, 1_000)

#: How often simcord looks whether the bot has come to rest; its own 0.05 is a third of the time of all these tests.
settling = simcord.Env._settle_internal.__kwdefaults__ or {}
assert "idle" in settling
settling["idle"] = 0.005


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the golden files of tests/golden anew (make golden)")


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("--hypothesis-seed", default=None)
    return f"hypothesis seed: {'not set (a new one each run)' if seed is None else seed}"


@pytest.fixture(autouse=True)
def contract(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """Every request that the bot makes in a test is one that Discord's own document allows."""
    recorder = Recorder()
    monkeypatch.setattr(router, "dispatch", recorder)
    yield recorder
    if recorder.mistakes:
        pytest.fail("Discord would refuse this:\n" + "\n".join(dict.fromkeys(recorder.mistakes)), pytrace=False)
