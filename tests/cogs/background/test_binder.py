"""Bookings are bound within ten seconds, whatever happened the last time."""

from __future__ import annotations

import logging

import pytest

from cogs.background.binder import MOST
from data.journal.leaves import Leaves
from engine.tables.ports import BankUnavailable, OutcomeUnknown

from ..conftest import Casino

EVERY = Leaves.every


@pytest.fixture
def at_its_own_pace() -> type[Leaves]:
    return Leaves


async def test_what_is_booked_is_bound_within_ten_seconds(casino: Casino) -> None:
    await casino.env.advance_time(EVERY + 1)
    await casino.ask("balance", casino.alice)
    assert await casino.bot.bank.leaves.loose() == (1, 0)
    await casino.env.advance_time(10)
    assert await casino.bot.bank.leaves.loose() == (0, 0)
    assert await casino.bot.bank.leaves.head(casino.guild.id) is not None


async def test_the_bot_comes_to_rest_over_a_past_that_takes_long_to_bind(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million rounds that nobody has bound are five thousand leaves."""
    leaves = 0

    async def bind(_: Leaves) -> int:
        nonlocal leaves
        leaves += 1
        return 200

    monkeypatch.setattr(Leaves, "bind", bind)
    await casino.env.advance_time(EVERY + 0.1)
    assert 0 < leaves <= 2 * MOST


@pytest.mark.parametrize("mishap", [BankUnavailable("The disk is full."), OutcomeUnknown(), KeyError("a bug")])
async def test_a_binding_that_fails_is_not_the_last_one(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mishap: Exception
) -> None:
    bind, times = Leaves.bind, 0

    async def bind_later(leaves: Leaves) -> int:
        nonlocal times
        times += 1
        if times == 1:
            raise mishap
        return await bind(leaves)

    await casino.ask("balance", casino.alice)
    monkeypatch.setattr(Leaves, "bind", bind_later)
    with caplog.at_level(logging.CRITICAL):
        for _ in range(3):
            await casino.env.advance_time(EVERY + 1)
    assert times > 1
    assert await casino.bot.bank.leaves.loose() == (0, 0)
