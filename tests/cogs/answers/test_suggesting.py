"""Suggestions come in time or not at all, and a lost one is not an error."""

from __future__ import annotations

import logging

import pytest

from cogs.answers import suggesting
from cogs.words.refusals import Sorry
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Reason, Refused

from ..conftest import Casino
from ..line import Line


def troubles(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_an_answer_that_discord_no_longer_waits_for_or_has_already_is_no_error(
    casino: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    await casino.ask("balance")
    for status, code in ((404, 10062), (400, 40060)):
        casino.env.inject_error("POST", "/interactions/*/*/callback", status=status, code=code)
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


async def test_where_nothing_can_be_suggested_people_type_on_and_nothing_is_wrong(
    casino: Casino, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    mishaps = [BankUnavailable(), OutcomeUnknown(), Refused(Reason.BANK_UNAVAILABLE), Sorry("no")]
    left = list[Exception](mishaps)

    async def silent(*_: object) -> None:
        raise left.pop()

    await casino.ask("balance")
    monkeypatch.setattr(casino.bot.bank.guilds, "rule_sets", silent)
    for _ in mishaps:
        assert await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas") == []
    assert left == []
    assert troubles(caplog) == []
