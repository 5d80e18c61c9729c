"""The auditor goes round for as long as the house is open, whatever happens on one of the rounds."""

from __future__ import annotations

import logging
import time

import pytest
from prometheus_client import REGISTRY

from cogs.background import audits
from cogs.background.chore import Chore
from cogs.operations.figures import AUDIT_FAULTS, AUDITED
from data import Report
from data.proofs.auditor import Auditor
from data.proofs.report import Fault, Wrong
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


async def test_what_an_audit_finds_is_counted_and_logged_and_so_is_when_it_was(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def look_in(_: Auditor, every: float) -> Report:
        assert every == 86_400.0, "a whole audit once a day"
        return Report(0.0, 1, 1, 0, (Fault(Wrong.BALANCE, "account 3", 7, "5", "4"),) * 2)

    monkeypatch.setattr(Auditor, "look_in", look_in)
    AUDITED.set(0)
    chore = casino.bot.get_cog("AuditChore")
    assert isinstance(chore, Chore)
    assert await chore.do()
    faults = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    caplog.clear()
    found = REGISTRY.get_sample_value("croupier_audit_faults")
    AUDIT_FAULTS.set(0)
    assert faults == ["the audit found: a balance is not the sum of its transfers: account 3 of guild 7: 4, not 5"] * 2
    assert found == 2
    assert REGISTRY.get_sample_value("croupier_audit_timestamp_seconds") == pytest.approx(time.time(), abs=600)
