"""Suggestions come in time or not at all, and a lost one is not an error."""

from __future__ import annotations

import logging

import pytest

from cogs.answers import suggesting

from ..conftest import Casino
from ..line import Line


def troubles(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_an_answer_that_discord_no_longer_waits_for_is_no_error(
    casino: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    await casino.ask("balance")
    casino.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas") == []
    assert troubles(caplog) == []


async def test_a_line_that_is_cut_or_silent_while_somebody_types_is_no_error(
    casino: Casino, line: Line, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.ask("balance")
    monkeypatch.setattr(suggesting, "IN_TIME", 0.1)
    line.cut("POST", "/interactions/*/*/callback")
    line.hang("POST", "/interactions/*/*/callback")
    for _ in range(2):
        assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas") == []
    assert troubles(caplog) == []
    assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas")


async def test_suggestions_that_discord_finds_wrong_are_an_error_of_ours(
    casino: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    await casino.ask("balance")
    casino.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=50035)
    await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas")
    assert troubles(caplog) == ["nothing could be suggested"]
    caplog.clear()
