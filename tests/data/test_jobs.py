"""Due work is done once, by one process, even if another one died over it."""

from __future__ import annotations

import asyncio

import pytest

from data import Bank, Job, TakenOver
from tests.data.dealer import GUILD, NOW, HandClock

START = Job("cup/1/start", "start", {"cup": 1}, NOW + 60, GUILD)


async def claimed(bank: Bank, by: str = "a", *kinds: str, seconds: float = 30) -> list[str]:
    return [job.key for job in await bank.jobs.claim_due(by, kinds or ("start",), seconds=seconds)]


async def test_a_job_is_claimed_when_it_is_due(bank: Bank, clock: HandClock) -> None:
    assert await bank.jobs.post(START)
    assert await claimed(bank) == []
    clock.time += 60
    assert await bank.jobs.claim_due("a", ["start"], seconds=30) == (START,)


async def test_the_same_key_is_one_job_for_ever(bank: Bank, clock: HandClock) -> None:
    assert await bank.jobs.post(START)
    assert not await bank.jobs.post(START)
    clock.time += 60
    await claimed(bank)
    await bank.jobs.finish(START.key, "a")
    assert not await bank.jobs.post(START)
    assert await claimed(bank) == []


async def test_kinds_are_claimed_apart(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    await bank.jobs.post(Job("b", "sync", {}, NOW))
    assert await claimed(bank, "me", "sync") == ["b"]
    assert await claimed(bank, "me", "start", "sync") == ["a"]


async def test_the_longest_due_comes_first_and_no_more_than_asked(bank: Bank) -> None:
    for number in range(4):
        await bank.jobs.post(Job(f"job {number}", "start", {}, NOW - number))
    jobs = await bank.jobs.claim_due("a", ["start"], seconds=30, most=3)
    assert [job.key for job in jobs] == ["job 3", "job 2", "job 1"]


async def test_of_30_who_claim_at_once_one_gets_it(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    found = await asyncio.gather(*(claimed(bank, f"bot {number}") for number in range(30)))
    assert sorted(found) == [[]] * 29 + [["a"]]


async def test_a_dead_process_loses_its_claim(bank: Bank, clock: HandClock) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    assert await claimed(bank, "dead", seconds=30) == ["a"]
    clock.time += 29
    assert await claimed(bank, "alive") == []
    clock.time += 1
    assert await claimed(bank, "alive") == ["a"]
    for late in (bank.jobs.finish("a", "dead"), bank.jobs.renew("a", "dead", seconds=5)):
        with pytest.raises(TakenOver):
            await late


async def test_long_work_keeps_its_claim(bank: Bank, clock: HandClock) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    await claimed(bank, "a", seconds=30)
    clock.time += 20
    await bank.jobs.renew("a", "a", seconds=30)
    clock.time += 20
    assert await claimed(bank, "b") == []


async def test_what_is_given_back_is_due_later(bank: Bank, clock: HandClock) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    await claimed(bank, "a")
    await bank.jobs.release("a", "a", due=NOW + 5)
    assert await claimed(bank, "b") == []
    clock.time += 5
    assert await claimed(bank, "b") == ["a"]


async def test_a_cancelled_job_is_not_done(bank: Bank) -> None:
    await bank.jobs.post(Job("a", "start", {}, NOW))
    assert await bank.jobs.cancel("a")
    assert not await bank.jobs.cancel("a")
    assert not await bank.jobs.cancel("never was")
    assert await claimed(bank) == []


async def test_waiting_jobs_are_listed_claimed_or_not(bank: Bank) -> None:
    later = Job("b", "start", {}, NOW + 9, GUILD * 2)
    for job in (later, START, Job("c", "sync", {}, NOW)):
        await bank.jobs.post(job)
    assert await bank.jobs.waiting("start") == (later, START)
    assert await bank.jobs.waiting("start", GUILD) == (START,)
