"""Due work is done once, by one process, even if another one died over it."""

from __future__ import annotations

import asyncio

import pytest

from data import Bank, Job, TakenOver
from tests.data.dealer import GUILD, NOW, HandClock

START = Job("cup/1/start", "start", {"cup": 1}, NOW + 60, GUILD)


async def claimed(bank: Bank, by: str = "a", key: str = "a", *, seconds: float = 30) -> bool:
    return await bank.jobs.claim(key, by, seconds=seconds)


async def test_a_job_is_claimed_due_or_not_by_its_key(bank: Bank) -> None:
    assert await bank.jobs.post(START)
    assert not await claimed(bank, "a", "never was")
    assert await claimed(bank, "a", START.key)
    assert not await claimed(bank, "b", START.key)


async def test_the_same_key_is_one_job_for_good(bank: Bank) -> None:
    assert await bank.jobs.post(START)
    assert not await bank.jobs.post(START)
    assert await claimed(bank, "a", START.key)
    await bank.jobs.finish(START.key, "a")
    assert not await bank.jobs.post(START)
    assert not await claimed(bank, "a", START.key)


async def test_what_is_due_first_comes_first(bank: Bank, clock: HandClock) -> None:
    for key, due in (("a", NOW), ("b", NOW - 9), ("c", NOW + 1), ("d", NOW)):
        await bank.jobs.post(Job(key, "start", {}, due))
    assert [job.key for job in await bank.jobs.due("start")] == ["b", "a", "d"]
    assert [job.key for job in await bank.jobs.waiting("start")] == ["b", "a", "d", "c"]
    clock.time += 1
    assert [job.key for job in await bank.jobs.due("start")] == ["b", "a", "d", "c"]


async def test_of_30_who_claim_at_once_one_gets_it(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    found = await asyncio.gather(*(claimed(bank, f"bot {number}") for number in range(30)))
    assert found.count(True) == 1


async def test_a_dead_process_loses_its_claim(bank: Bank, clock: HandClock) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    assert await claimed(bank, "dead", seconds=30)
    clock.time += 29
    assert not await claimed(bank, "alive")
    clock.time += 1
    assert await claimed(bank, "alive")
    for late in (bank.jobs.finish("a", "dead"), bank.jobs.renew("a", "dead", seconds=5)):
        with pytest.raises(TakenOver):
            await late


async def test_long_work_keeps_its_claim(bank: Bank, clock: HandClock) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    await claimed(bank, "a", seconds=30)
    clock.time += 20
    await bank.jobs.renew("a", "a", seconds=30)
    clock.time += 20
    assert not await claimed(bank, "b")


async def test_what_is_given_back_is_free_at_once_and_due_later(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    await claimed(bank, "a")
    await bank.jobs.release("a", "a", due=NOW + 5)
    assert [job.due for job in await bank.jobs.waiting("start")] == [NOW + 5]
    assert await claimed(bank, "b")


@pytest.mark.parametrize(
    ("hastened", "then"), [(NOW + 1, NOW + 1), (NOW, NOW + 60), (NOW - 1, NOW + 60), (NOW + 61, NOW + 60)]
)
async def test_what_somebody_hastened_since_it_was_claimed_keeps_that_time(
    bank: Bank, hastened: float, then: float
) -> None:
    await bank.jobs.post(Job("a", "start", {}, hastened))
    await claimed(bank, "a")
    await bank.jobs.release("a", "a", due=NOW + 60, since=NOW)
    assert [job.due for job in await bank.jobs.waiting("start")] == [then]


async def test_a_cancelled_job_is_not_done(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    assert await bank.jobs.cancel("a")
    assert not await bank.jobs.cancel("a")
    assert not await bank.jobs.cancel("never was")
    assert not await claimed(bank)
    assert not await bank.jobs.post(Job("a", "start", {}, NOW)), "its key stays taken"


async def test_a_job_that_somebody_has_claimed_is_cancelled_too(bank: Bank) -> None:
    await bank.jobs.post(START)
    assert await claimed(bank, "a", START.key)
    assert await bank.jobs.cancel(START.key)
    with pytest.raises(TakenOver):
        await bank.jobs.finish(START.key, "a")


async def test_waiting_jobs_are_listed_claimed_or_not(bank: Bank) -> None:
    later = Job("b", "start", {}, NOW + 9, GUILD * 2)
    for job in (later, START, Job("c", "sync", {}, NOW)):
        await bank.jobs.post(job)
    assert await bank.jobs.waiting("start") == (later, START)
    assert await bank.jobs.waiting("start", GUILD) == (START,)
