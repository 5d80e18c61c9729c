"""The log of a server: lines that wait in the bank, written with what they are about."""

from __future__ import annotations

import dataclasses

import pytest

from data import NEVER, Bank, GuildSettings, Job, LogLine, RuleSet
from data.base.errors import TakenOver
from data.jobs.notices import LOG, MOST
from engine.games.contract import CHIP
from engine.tables.ports import CannotPay
from tests.data.conftest import Join
from tests.data.dealer import ELSEWHERE, GUILD, LENIENT, HandClock, press

WITH_LOG = GuildSettings(LENIENT, log_channel=77)
DAY = 86_400.0
SOMEBODY = 10**17 + 1


async def texts(bank: Bank) -> list[str]:
    return [line.text for line in await bank.notices.waiting(GUILD)]


async def claimed(bank: Bank) -> Job:
    (job,) = await bank.jobs.due(LOG)
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    return job


async def test_a_server_without_a_log_stores_nothing(bank: Bank, join: Join) -> None:
    alice = await join()
    await bank.chips.grant(alice.id, CHIP, actor=alice.id, reason="x", press=press(), line=LogLine("chips"))
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT), LogLine("settings"))
    await bank.notices.add(GUILD, LogLine("fault"))
    assert await texts(bank) == []
    assert await bank.jobs.waiting(LOG) == ()
    assert await bank.notices.servers() == []


async def test_a_line_is_written_with_what_it_is_about(bank: Bank, join: Join) -> None:
    alice = await join(chips=5)
    await bank.guilds.keep_settings(GUILD, WITH_LOG, LogLine("the log begins", actor=alice.id))
    order = {"actor": alice.id, "reason": "x"}
    await bank.chips.grant(alice.id, CHIP, **order, press=press(), line=LogLine("chips", alice.id, alice.id))
    with pytest.raises(CannotPay):
        await bank.chips.take(alice.id, 50 * CHIP, **order, press=press(), line=LogLine("never taken"))
    await bank.guilds.keep_rule_set(GUILD, RuleSet("war", "ours", {}), LogLine("rules"))
    await bank.guilds.drop_rule_set(GUILD, "war", "ours", LogLine("no rules"))
    assert await texts(bank) == ["the log begins", "chips", "rules", "no rules"]
    (_, chips, *_) = await bank.notices.waiting(GUILD)
    assert (chips.actor, chips.member) == (1, 1)
    assert await bank.notices.servers() == [GUILD]


async def test_the_job_is_due_when_a_line_comes_and_once_a_day(bank: Bank, clock: HandClock) -> None:
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    assert await bank.jobs.due(LOG) == ()
    await bank.notices.add(GUILD, LogLine("one"))
    job = await claimed(bank)
    assert await bank.jobs.due(LOG) == ()
    (line,) = await bank.notices.waiting(GUILD)
    digest = clock.now() + DAY
    await bank.notices.rest(job, "here", posted=line.id, dropped=0, digest=digest, due=digest)
    assert await texts(bank) == []
    assert await bank.jobs.due(LOG) == ()
    clock.time += DAY
    assert [job.payload for job in await bank.jobs.due(LOG)] == [{"digest": digest, "dropped": 0}]


async def test_a_log_that_begins_again_has_its_digest_a_day_later_and_not_one_of_all_the_time_without_it(
    bank: Bank, clock: HandClock
) -> None:
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    clock.time += DAY
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT))
    job = await claimed(bank)  # and the chore sees that there is no log
    await bank.notices.rest(job, "here", posted=0, dropped=0, digest=clock.now() + DAY, due=NEVER)
    clock.time += 30 * DAY
    await bank.guilds.keep_settings(GUILD, WITH_LOG, LogLine("the log begins"))
    assert [job.payload["digest"] for job in await bank.jobs.due(LOG)] == [clock.now() + DAY]


async def test_a_line_that_comes_while_others_are_posted_is_not_left(bank: Bank, clock: HandClock) -> None:
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    await bank.notices.add(GUILD, LogLine("one"))
    job = await claimed(bank)
    (line,) = await bank.notices.waiting(GUILD)
    clock.time += 1
    await bank.notices.add(GUILD, LogLine("two"))
    await bank.notices.rest(job, "here", posted=line.id, dropped=0, digest=DAY, due=clock.now() + DAY)
    assert await texts(bank) == ["two"]
    assert len(await bank.jobs.due(LOG)) == 1


async def test_the_lines_of_another_server_wait_until_they_are_posted_there(bank: Bank) -> None:
    for guild in (ELSEWHERE, GUILD):
        await bank.guilds.keep_settings(guild, WITH_LOG)
        await bank.notices.add(guild, LogLine("one"))
    (job,) = [job for job in await bank.jobs.due(LOG) if job.guild == GUILD]
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    (line,) = await bank.notices.waiting(GUILD)
    await bank.notices.rest(job, "here", posted=line.id, dropped=0, digest=DAY, due=DAY)
    assert [len(await bank.notices.waiting(guild)) for guild in (ELSEWHERE, GUILD)] == [1, 0]


async def test_a_process_that_lost_its_claim_drops_nothing(bank: Bank, clock: HandClock) -> None:
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    await bank.notices.add(GUILD, LogLine("one"))
    job = await claimed(bank)
    clock.time += 91
    assert await bank.jobs.claim(job.key, "there", seconds=90)
    with pytest.raises(TakenOver):
        await bank.notices.rest(job, "here", posted=10**6, dropped=0, digest=DAY, due=DAY)
    assert await texts(bank) == ["one"]


async def test_a_log_takes_only_so_many_lines(bank: Bank) -> None:
    await bank.guilds.keep_settings(GUILD, WITH_LOG)
    for number in range(MOST + 3):
        await bank.notices.add(GUILD, LogLine(f"line {number}"))
    assert len(await texts(bank)) == MOST


async def test_somebody_who_is_forgotten_is_in_no_line_that_waits(bank: Bank, join: Join) -> None:
    alice = await join(SOMEBODY)
    await bank.guilds.keep_settings(GUILD, WITH_LOG, LogLine("{actor} did it", actor=alice.id))
    mine = await bank.privacy.export(GUILD, SOMEBODY)
    assert mine is not None
    assert [line["text"] for line in mine["notices"]] == ["{actor} did it"]
    assert await bank.privacy.forget(GUILD, SOMEBODY)
    (line,) = await bank.notices.waiting(GUILD)
    assert line.actor is None


async def test_a_log_that_ends_and_begins_again_has_one_job(bank: Bank) -> None:
    for channel in (77, None, 78):
        await bank.guilds.keep_settings(GUILD, dataclasses.replace(WITH_LOG, log_channel=channel))
    assert len(await bank.jobs.waiting(LOG)) == 1
