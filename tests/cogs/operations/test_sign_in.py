"""Several processes that start together sign in one after the other."""

from __future__ import annotations

import asyncio

import pytest

from cogs.operations import sign_in
from cogs.operations.sign_in import TURN, SignIns
from engine.tables.ports import BankUnavailable

from ..conftest import Casino


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "PAUSE", 0.001)


async def served(turn: asyncio.Task[None]) -> bool:
    """Whether it has come, after many looks."""
    await asyncio.sleep(0.05)
    return turn.done()


async def test_one_process_waits_for_the_turn_of_another(casino: Casino) -> None:
    first, second = (SignIns(casino.bot.bank.jobs, name, at_once=1) for name in ("first", "second"))
    await first.turn(0)
    turn = asyncio.create_task(second.turn(1))
    assert not await served(turn)
    casino.env.backend.clock.advance(5.4)
    assert not await served(turn), "Discord counts five seconds"
    casino.env.backend.clock.advance(0.2)
    await asyncio.wait_for(turn, 10)


async def test_shards_of_one_process_wait_for_each_other_too(casino: Casino) -> None:
    mine = SignIns(casino.bot.bank.jobs, "mine", at_once=1)
    await mine.turn(0)
    turn = asyncio.create_task(mine.turn(1))
    assert not await served(turn)
    casino.env.backend.clock.advance(TURN)
    await asyncio.wait_for(turn, 10)


async def test_as_many_sign_in_together_as_discord_allows(casino: Casino) -> None:
    """A shard's bucket is its number modulo Discord's max_concurrency."""
    one, other = (SignIns(casino.bot.bank.jobs, name, at_once=2) for name in ("one", "other"))
    await one.turn(0)
    await asyncio.wait_for(other.turn(1), 10)
    turn = asyncio.create_task(other.turn(2))
    assert not await served(turn)
    turn.cancel()


async def test_a_silent_bank_keeps_nobody_from_signing_in(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(*_: object, **__: object) -> bool:
        raise BankUnavailable

    monkeypatch.setattr(sign_in, "TURN", 0.05)
    monkeypatch.setattr(casino.bot.bank.jobs, "lock", silent)
    began = asyncio.get_running_loop().time()
    await SignIns(casino.bot.bank.jobs, "mine", at_once=1).turn(0)
    assert asyncio.get_running_loop().time() - began >= 0.05, "it waits for as long as a turn lasts"
