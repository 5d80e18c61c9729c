"""The auditor goes round for as long as the house is open, whatever happens on one of the rounds."""

from __future__ import annotations

import logging

import pytest

from cogs.background import auditor
from data.proofs.auditor import Auditor
from engine.tables.ports import BankUnavailable, OutcomeUnknown

from ..conftest import Casino


@pytest.mark.parametrize("mishap", [BankUnavailable("The disk is full."), OutcomeUnknown(), KeyError("a bug")])
async def test_a_round_that_fails_is_not_the_last_one(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mishap: Exception
) -> None:
    rounds = 0

    async def inspect(auditor: Auditor) -> object:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            raise mishap
        return await auditor.audit()

    monkeypatch.setattr(Auditor, "inspect", inspect)
    with caplog.at_level(logging.CRITICAL):
        await casino.restart()
        for _ in range(3):
            await casino.env.advance_time(auditor.EVERY + 1)
    assert rounds == 4
