"""Nobody learns a day's cards or answers before they may, wherever they look in the bank (R11.7)."""

from __future__ import annotations

import io
import json
import logging
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from data import Bank, StoredSet, Wrong
from data.base.set_tables import sets, streams, tries
from engine.coach.sets import WhatAreTheAnswers, WhichDeals
from engine.fairness.chain import seed_of
from engine.sets.calendar import DAY, GRACE, public_from
from engine.tables.house import HouseSettings
from engine.tables.ports import StillSecret
from tests.conftest import NewBank
from tests.data.dealer import GUILD, HandClock
from tests.data.fives import ROOT, first_day, perfect, play, prepare, two_days

ADA, BEN = 218_000_000_000_000_001, 218_000_000_000_000_002


@dataclass
class Secrets:
    """Everything about the days that must not be read anywhere yet."""

    seeds: list[bytes]
    texts: list[str]

    def in_(self, text: str) -> list[str]:
        forms = [form for seed in self.seeds for form in (seed.hex(), repr(seed)[2:-1], str(list(seed))[1:-1])]
        return [form for form in (*forms, *self.texts) if form in text]


def secrets_of(*days: StoredSet) -> Secrets:
    texts = []
    for day in days:
        texts += [day.prepared.answers_as_json(), str(day.prepared.answers[0]), day.prepared.deals_as_json()]
        texts += [situation for situation in day.prepared.situations if situation.startswith("soft")]
    return Secrets([ROOT, *(seed_of(ROOT, day.link) for day in days)], texts)


async def exported(bank: Bank) -> str:
    file = io.StringIO()
    await bank.copies.export(file)
    return file.getvalue()


async def test_r11_7_no_secret_of_a_day_is_in_an_export_a_log_a_metric_or_in_what_a_value_looks_like(
    bank: Bank, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    day = await first_day(bank, clock)
    tomorrow = await bank.days.on(day.day + 1)
    assert tomorrow is not None
    stored = await play(bank, day, ADA, perfect(day), GUILD)
    secrets = secrets_of(day, tomorrow)
    assert secrets.in_(day.seed.hex())
    written = await exported(bank)
    assert day.tip in written
    looks = repr((day, tomorrow, day.prepared, stored.on(day), await bank.days.to_prepare()))
    terms = day.prepared.terms
    asked = repr((WhichDeals(terms, day.seed, "", frozenset()), WhatAreTheAnswers(terms, day.seed, "", 1)))
    for text in (written, caplog.text, generate_latest().decode(), looks, asked):
        assert secrets.in_(text) == []


async def test_r11_7_nobodys_play_of_an_open_day_is_exported(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day), GUILD)
    assert '"table":"tries"' not in await exported(bank)
    assert '"table":"standings"' not in await exported(bank)
    clock.time = public_from(day.day) + DAY
    while await bank.leaves.bind():
        pass
    rows = [json.loads(line) for line in (await exported(bank)).splitlines()]
    assert [row["row"]["steps"] for row in rows if row["table"] == "tries"] == [ada.steps]
    kept = {row["row"]["day"]: row["row"]["answers"] for row in rows if row["table"] == "sets"}
    assert kept[day.day] == day.prepared.answers_as_json()
    assert kept[day.day + 1] is None


async def test_r11_7_a_second_person_is_handed_nothing_of_it(bank: Bank, clock: HandClock) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    await bank.members.sign_in(GUILD, BEN)
    mine = json.dumps(await bank.privacy.export(GUILD, BEN))
    board = repr(await bank.boards.of_day(GUILD, day))
    assert secrets_of(day).in_(mine + board + repr(await bank.days.promise())) == []
    assert await bank.boards.shares(day) is None
    with pytest.raises(StillSecret):
        await bank.days.on_paper(day.day)
    past = await bank.boards.archive(None, day.day + 9)
    assert past == ()


async def test_r11_7_faults_of_the_audit_name_no_card_of_an_open_day(unsound_bank: Bank, clock: HandClock) -> None:
    bank = unsound_bank
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    for table, values in ((sets, {"width": 1}), (streams, {"tip": "0"})):
        async with bank._store.rewriting() as connection:
            await connection.execute(table.update().values(**values))
    faults = "\n".join(map(str, (await bank.auditor.audit()).faults))
    assert faults
    assert secrets_of(day).in_(faults) == []


async def test_r11_10_a_restored_day_is_void_and_shows_its_root_and_days_begin_again_tomorrow(
    bank: Bank, clock: HandClock
) -> None:
    day = await first_day(bank, clock)
    ada = await play(bank, day, ADA, perfect(day), GUILD)
    before = await bank.days.promise()
    await bank.copies.restored()
    bank.days.chance = lambda size: bytes(size)
    assert await bank.days.today() is None
    await prepare(bank)
    after = await bank.days.promise()
    assert before is not None
    assert after is not None
    assert (after.first_day, after.tip != before.tip) == (day.day + 1, True)
    assert await bank.days.today() is None
    void = await bank.days.get(day.id)
    assert void is not None
    assert void.void
    assert day.day in await bank.days.neutral(day.day, day.day)
    assert ROOT.hex() in "".join(repr(row) for row in await _roots(bank))
    clock.time += DAY
    tomorrow = await bank.days.today()
    assert tomorrow is not None
    assert tomorrow.number == 2
    assert await bank.days.neutral(day.day, day.day + 9) == {day.day}, "a day that was prepared again counts"
    assert (await bank.boards.streak(ada.person)).days == 0


@pytest.mark.parametrize(("seconds", "void"), [(GRACE - 60, True), (GRACE + 60, False)])
async def test_r11_10_a_closed_day_is_void_only_while_tries_may_still_finish(
    bank: Bank,
    clock: HandClock,
    seconds: float,
    void: bool,  # noqa: FBT001
) -> None:
    day = await first_day(bank, clock)
    clock.time = day.closes + seconds
    await bank.copies.restored()
    found = await bank.days.get(day.id)
    assert found is not None
    assert bool(found.void) is void


async def _roots(bank: Bank) -> list[str]:
    return [bytes(row.root).hex() for row in await bank._store.rows(streams.select()) if row.ended_at is not None]


# -- copies ------------------------------------------------------------------------------------------------------------


async def test_a_backup_brings_days_tries_and_boards_into_another_bank(
    bank: Bank, clock: HandClock, tmp_path: Path, new_bank: NewBank
) -> None:
    day = await two_days(bank, clock, GUILD)
    file, heads = io.StringIO(), await bank.leaves.heads()
    await bank.copies.dump(file)
    async with Bank.open(new_bank(tmp_path / "other.db"), HouseSettings(), clock) as other:
        assert (await other.copies.restore(file.getvalue().splitlines())).clean
        assert await other.leaves.heads() == heads
        assert (await other.boards.of_day(GUILD, day)).rows == (await bank.boards.of_day(GUILD, day)).rows
        assert [row.days for row in (await bank.boards.of_week(GUILD, day.day)).rows] == [2, 2]
        left = await other.boards.of_week(GUILD, day.day)
        assert [(row.place, row.user, row.points, row.days) for row in left.rows] == [
            (1, user, 100_00, 1) for user in (1, 2)
        ]
        assert (await other.auditor.audit()).clean
        void = await other.days.get(day.id)
        assert void is not None
        assert void.void
        assert await other.days.today() is None
        assert [str(fault) for fault in (await other.auditor.audit()).faults] == []


async def test_a_machine_whose_clock_is_late_takes_the_days_of_a_backup_off_the_boards_as_well(
    bank: Bank, clock: HandClock, tmp_path: Path, new_bank: NewBank
) -> None:
    await two_days(bank, clock, GUILD)
    file = io.StringIO()
    await bank.copies.dump(file)
    late = HandClock(clock.now() - 7 * DAY)
    async with Bank.open(new_bank(tmp_path / "other.db"), HouseSettings(), late) as other:
        assert (await other.copies.restore(file.getvalue().splitlines())).clean
        assert [str(fault) for fault in (await other.auditor.audit()).faults] == []


async def test_r11_10_who_was_forgotten_after_the_backup_is_forgotten_again(
    bank: Bank, clock: HandClock, tmp_path: Path, new_bank: NewBank
) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, ADA, perfect(day), GUILD)
    await play(bank, day, BEN, perfect(day), GUILD)
    file, at = io.StringIO(), clock.now()
    await bank.copies.dump(file)
    clock.time += 60
    assert await bank.privacy.forget_own(ADA)
    async with Bank.open(new_bank(tmp_path / "other.db"), HouseSettings(), clock) as other:
        assert (await other.copies.restore(file.getvalue().splitlines())).clean
        assert await other.privacy.forget_again(await bank.fingerprints.kept(), at) == (1, 0)
        assert await other.tries.known(ADA) is None
        assert await other.tries.known(BEN) is not None


async def test_a_question_of_an_open_day_that_lost_its_answer_is_noticed(unsound_bank: Bank, clock: HandClock) -> None:
    bank = unsound_bank
    day = await first_day(bank, clock)
    answers = [dict(each) for each in day.prepared.answers]
    answers[0].popitem()
    async with bank._store.rewriting() as connection:
        await connection.execute(sets.update().where(sets.c.id == day.id).values(answers=json.dumps(answers)))
    assert [fault.wrong for fault in (await bank.auditor.audit()).faults] == [Wrong.DAY]


async def test_a_try_that_was_changed_after_its_day_was_bound_changes_the_head(
    unsound_bank: Bank, clock: HandClock
) -> None:
    bank = unsound_bank
    await two_days(bank, clock, GUILD)
    async with bank._store.rewriting() as connection:
        finished = tries.c.finished_at
        await connection.execute(tries.update().where(finished.is_not(None)).values(finished_at=finished + 1))
    faults = [fault.wrong for fault in (await bank.auditor.audit()).faults]
    assert faults == [Wrong.LEAF]
