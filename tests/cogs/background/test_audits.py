"""The auditor goes round for as long as the house is open, whatever happens on one of the rounds."""

from __future__ import annotations

import logging

import pytest

from cogs.background import audits
from data.proofs.auditor import Auditor
from engine.tables.ports import BankUnavailable, OutcomeUnknown

from ..conftest import Casino


@pytest.mark.parametrize("mishap", [BankUnavailable("The disk is full."), OutcomeUnknown(), KeyError("a bug")])
async def test_a_round_that_fails_is_not_the_last_one(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mishap: Exception
) -> None:
    rounds = 0

    async def look_in(auditor: Auditor, whole_every: float) -> object:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            raise mishap
        return await auditor.audit()

    monkeypatch.setattr(Auditor, "look_in", look_in)
    with caplog.at_level(logging.CRITICAL):
        await casino.restart()
        await casino.env.advance_time(audits.EVERY + 1)
    assert rounds == 2


async def test_the_log_has_the_head_of_each_book_that_grew(casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    await casino.ask("balance", casino.alice)
    bank = casino.bot.bank
    while await bank.leaves.bind():
        pass
    head = await bank.leaves.head(casino.guild.id)
    assert head is not None
    with caplog.at_level(logging.INFO, "cogs.background.audits"):
        for _ in range(2):
            await casino.env.advance_time(audits.EVERY + 1)
    told = [record.getMessage() for record in caplog.records if record.name == "cogs.background.audits"]
    assert told == [f"the book of server {casino.guild.id} has leaf 1, head {head.hash}"]
