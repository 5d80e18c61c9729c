"""Old rounds are put away: every reader still finds them as they were, and what is changed in a pack is noticed."""

from __future__ import annotations

import io
import json
import time
import zlib
from dataclasses import asdict
from typing import Any

import pytest
import sqlalchemy as sa

from data import Bank, Graded
from data.base.schema import causes, packs, rounds, steps
from data.drivers.watch import GLANCE_SECONDS
from data.journal import archive as archiving
from data.journal.packs import digest
from data.proofs.report import Wrong
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.values import Change, StoredRound
from tests.data.by_hand import bind_all, by_hand, would_find
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, Dealer, HandClock
from tests.data.servers import Server

pytestmark = pytest.mark.usefixtures("no_migrations")

DAY = 86400.0
AGE = 90 * DAY


@pytest.fixture(autouse=True)
def five_in_a_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "PACK", 5)


@pytest.fixture
async def played(unsound_bank: Bank, table: Dealer, join: Join) -> list[str]:
    """The codes of seven rounds of one guild, all of them over."""
    alice, bob = await join(1), await join(2)
    codes = []
    for number in range(7):
        await table.round({alice: 10, bob: 5}, 20 if number % 2 else 0, 5)
        stored = await unsound_bank.tables.stored(table.id)
        assert stored is not None
        codes.append(stored.rounds[0].commitment[:8])
    # One after the other: which of several that ended in one instant go first is left open.
    await by_hand(
        unsound_bank,
        "UPDATE rounds SET finished_at = finished_at + number WHERE finished_at IS NOT NULL",
        "UPDATE plays SET at = at + number",
    )
    return codes


async def put_away(bank: Bank, clock: HandClock, *, later: float = AGE + DAY) -> int:
    """Compress rounds after this much time, and return how many there were."""
    await bind_all(bank)
    clock.time, total, guild = NOW + later, 0, 0
    while (pack := await bank.archive.put_away(AGE, after=guild)) is not None:
        guild, total = pack[0] - 1, total + pack[1]
    return total


async def seen(bank: Bank, codes: list[str]) -> dict[str, Any]:
    """Return everything that people and programs can read of these rounds."""
    found: list[StoredRound | None] = [await bank.records.round(code, GUILD) for code in codes]
    member, own = await bank.members.sign_in(GUILD, 1), await bank.privacy.export(GUILD, 1)
    assert own is not None
    own["rounds"].sort(key=lambda round: round["number"])  # they were all played in the same instant
    return {
        "rounds": [asdict(stored) for stored in found if stored is not None],
        "history": [asdict(played) for played in (await bank.records.history(member.id)).rounds],
        "own": own,
        "tables": [asdict(stored) for stored in await bank.tables.still_open()],
    }


async def rows(bank: Bank, table: sa.Table) -> int:
    return int(await bank._store.value(sa.select(sa.func.count()).select_from(table)))


async def test_rounds_are_read_as_if_they_had_never_moved(bank: Bank, clock: HandClock, played: list[str]) -> None:
    before = await seen(bank, played)
    assert len(before["rounds"]) == 7
    assert await put_away(bank, clock) == 5
    after = await seen(bank, played)
    for told in (before, after):
        told["own"]["member"].clear()  # whose last visit is told
    assert after == before
    over = sa.select(rounds.c.number).where(rounds.c.finished_at.is_not(None))
    stay = await bank._store.rows(over.where(rounds.c.pack.is_(None)))
    assert len(stay) == 2  # any two: all of them ended in the same instant
    left = await bank._store.rows(sa.select(steps.c.number).distinct())
    assert {row.number for row in left} == {row.number for row in stay}
    assert await rows(bank, packs) == 1


async def test_rounds_that_were_put_away_are_graded_again(bank: Bank, clock: HandClock, played: list[str]) -> None:
    member = await bank.members.sign_in(GUILD, 1)
    before = await bank.grades.ungraded_of(member.id, 10, valuation=2)
    stored = [await bank.grades.finished_round(one.table, one.number) for one in before]
    for one, round in zip(before, stored, strict=True):
        assert round is not None
        net = sum(line.net for line in round.lines or ())
        await bank.grades.keep(Graded(one.table, one.number, member.id, one.at, net, expected=0.0, valuation=1))
    assert await put_away(bank, clock) == 5
    assert await bank.grades.ungraded_of(member.id, 10, valuation=2) == before
    assert [await bank.grades.finished_round(one.table, one.number) for one in before] == stored
    assert all(one is not None and one.lines is not None for one in stored)


async def test_what_is_put_away_is_not_in_its_row_any_more(bank: Bank, clock: HandClock, played: list[str]) -> None:
    await put_away(bank, clock)
    left = await bank._store.rows(sa.select(rounds).where(rounds.c.pack.is_not(None)))
    assert len(left) == 5
    away = {(bytes(row.seed), row.rules, row.rules_hash, row.lines, row.inputs) for row in left}
    assert away == {(b"", None, None, None, None)}
    assert all(row.outcome for row in left)


async def test_few_rounds_wait_until_they_have_waited_twice_as_long(
    bank: Bank, clock: HandClock, played: list[str]
) -> None:
    assert await put_away(bank, clock) == 5
    assert await put_away(bank, clock, later=AGE + 30 * DAY) == 0
    assert await put_away(bank, clock, later=2 * AGE + DAY) == 2


async def test_young_rounds_stay(bank: Bank, clock: HandClock, played: list[str]) -> None:
    assert await put_away(bank, clock, later=AGE - DAY) == 0


async def test_a_round_that_is_being_played_stays(bank: Bank, clock: HandClock, table: Dealer, join: Join) -> None:
    alice = await join()
    for _ in range(4):
        await table.round({alice: 1}, 2)
    await table.stake(alice, 1)
    await table.deal(2)
    assert await put_away(bank, clock) == 0
    await table.finish()
    assert await put_away(bank, clock) == 5


async def test_each_guild_has_packs_of_its_own(bank: Bank, clock: HandClock, played: list[str], join: Join) -> None:
    there = await Dealer(bank, GUILD * 2).open()
    member = await join(1, guild=GUILD * 2)
    for _ in range(5):
        await there.round({member: 1}, 0)
    assert await put_away(bank, clock) == 10
    found = await bank._store.rows(sa.select(packs.c.guild, packs.c.rounds).order_by(packs.c.guild))
    assert [tuple(row) for row in found] == [(GUILD, 5), (GUILD * 2, 5)]


async def test_a_table_goes_on_after_its_rounds_were_put_away(
    bank: Bank, clock: HandClock, played: list[str], table: Dealer, join: Join
) -> None:
    await put_away(bank, clock)
    await table.round({await join(1): 10}, 25)
    stored = await bank.tables.stored(table.id)
    assert stored is not None
    assert [kept.number for kept in stored.rounds] == [8, 9]


async def test_a_backup_holds_what_was_put_away(
    bank: Bank, clock: HandClock, played: list[str], server: Server, tmp_path: Any, kind: str
) -> None:
    await put_away(bank, clock)
    before, file = await seen(bank, played), io.StringIO()
    await bank.copies.dump(file)
    other = await server.new() if kind == "sqlite" else f"sqlite:///{tmp_path / 'other.db'}"
    async with Bank.open(other, HouseSettings(), clock) as restored:
        assert (await restored.copies.restore(file.getvalue().splitlines(keepends=True))).clean
        after = await seen(restored, played)
        for told in (before, after):
            for table in told["tables"]:
                del table["row"]["doc"]  # it says of the restored one that it comes from a backup
        assert after == before
    if kind == "sqlite":
        await server.drop(other)


async def spoil(bank: Bank, *, lines: str | None = None) -> None:
    """Somebody changes what was put away; with `lines` they also know how it is sealed."""
    (pack,) = await bank._store.rows(sa.select(packs))
    told = json.loads(zlib.decompress(bytes(pack.content)))
    first = told[min(told)]
    first["lines"] = lines if lines is not None else first["lines"].replace("main", "mine")
    content = zlib.compress(json.dumps(told).encode())
    sealed = digest(content) if lines is not None else pack.digest
    async with bank._store.rewriting() as connection:
        await connection.execute(sa.update(packs).values(content=content, digest=sealed))


async def test_a_pack_that_was_changed_is_noticed(unsound_bank: Bank, clock: HandClock, played: list[str]) -> None:
    await put_away(unsound_bank, clock)
    await spoil(unsound_bank)
    faults = [fault for fault in (await unsound_bank.auditor.audit()).faults if fault.wrong is Wrong.PACK]
    assert [fault.where for fault in faults][-1] == "pack 1"
    assert len(faults) == 6
    assert str(faults[0]).startswith("an old round is not as it was put away")


async def test_a_pack_that_says_another_number_of_rounds_is_noticed(
    unsound_bank: Bank, clock: HandClock, played: list[str]
) -> None:
    await put_away(unsound_bank, clock)
    assert (Wrong.PACK, "pack 1") in await would_find(unsound_bank, "UPDATE packs SET rounds = rounds - 1")


DAMAGED = {
    "changed": "UPDATE packs SET content = {}",
    "no pack at all": "UPDATE packs SET content = {}, digest = '{digest}'",
    "missing": "DELETE FROM packs",
    "put away elsewhere": "UPDATE rounds SET pack = 404 WHERE pack IS NOT NULL",
}


@pytest.mark.parametrize("what", DAMAGED)
async def test_a_damaged_pack_with_the_last_round_of_an_open_table_is_named_and_the_audit_goes_on(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join, kind: str, what: str
) -> None:
    alice = await join()
    for _ in range(5):
        await table.round({alice: 1}, 2)
    assert await put_away(unsound_bank, clock) == 5
    beside = await Dealer(unsound_bank).open()
    nonsense = b"[7]"
    written = f"X'{nonsense.hex()}'" if kind == "sqlite" else f"decode('{nonsense.hex()}', 'hex')"
    await by_hand(
        unsound_bank,
        DAMAGED[what].replace("{}", written).replace("{digest}", digest(nonsense)),
        f"UPDATE tables SET doc = replace(doc, '70', '71') WHERE id = {beside.id}",
    )
    faults = (await unsound_bank.auditor.audit()).faults
    pack = "pack 404" if what == "put away elsewhere" else "pack 1"
    assert {fault.where: fault.found for fault in faults if fault.wrong is Wrong.PACK} == {
        f"table/{table.id}": pack,
        **{f"escrow/{table.id}/{number}": pack for number in range(1, 6)},
        **({"pack 1": pack} if what in ("changed", "no pack at all") else {}),
    }
    assert f"table/{beside.id}" in {fault.where for fault in faults if fault.wrong is Wrong.DOCUMENT}


async def test_a_round_that_names_another_pack_is_noticed(
    unsound_bank: Bank, clock: HandClock, table: Dealer, join: Join
) -> None:
    """It would be there for an audit that looks through all packs, and gone for people who ask for it."""
    alice = await join()
    for _ in range(10):
        await table.round({alice: 1}, 2)
    await by_hand(
        unsound_bank,
        "UPDATE rounds SET finished_at = finished_at + number WHERE finished_at IS NOT NULL",
        "UPDATE plays SET at = at + number",
    )
    assert await put_away(unsound_bank, clock) == 10
    assert (await unsound_bank.auditor.audit()).clean
    await by_hand(unsound_bank, "UPDATE rounds SET pack = 3 - pack WHERE number = 1")
    faults = (await unsound_bank.auditor.audit()).faults
    assert {fault.where for fault in faults if fault.wrong is Wrong.PACK} == {f"escrow/{table.id}/1"}


async def test_a_result_that_was_changed_and_sealed_again_is_noticed_too(
    unsound_bank: Bank, clock: HandClock, played: list[str]
) -> None:
    await put_away(unsound_bank, clock)
    richer = [{"seat": 0, "what": "main", "staked": 10 * CHIP, "returned": 999 * CHIP, "outcome": "win"}]
    await spoil(unsound_bank, lines=json.dumps(richer))
    assert any("not those of its lines" in str(fault) for fault in (await unsound_bank.auditor.audit()).faults)


async def test_causes_are_forgotten_when_they_cannot_come_again(
    bank: Bank, clock: HandClock, played: list[str], table: Dealer, join: Join
) -> None:
    clock.time = NOW + 30 * DAY
    assert await bank.archive.forget_causes() is not None
    kept = await rows(bank, causes)
    assert kept > 7
    clock.time = NOW + 31 * DAY
    await table.stake(await join(1), 1)
    last: str | None = ""
    while last is not None:
        last = await bank.archive.forget_causes(last)
    assert 0 < await rows(bank, causes) < kept


async def test_causes_are_forgotten_in_whichever_order_they_come(bank: Bank, clock: HandClock, table: Dealer) -> None:
    for cause in ("second by name", "first by name"):
        await table.commit(Change(cause, table.row()))
    clock.time += 31 * DAY
    await bank.archive.forget_causes()
    assert await rows(bank, causes) == 0
    assert (await bank.auditor.audit()).clean


async def test_while_the_clock_jumps_no_cause_is_forgotten(
    bank: Bank, clock: HandClock, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = await rows(bank, causes)
    clock.time = NOW + 31 * DAY
    watch, steady = bank._store.watch, bank._store.watch.steady
    monkeypatch.setattr(watch, "steady", lambda: steady() + GLANCE_SECONDS)
    monkeypatch.setattr(watch, "wall", lambda: time.time() + 31 * DAY)
    assert await bank.archive.forget_causes() is None
    assert await rows(bank, causes) == kept, "a press may still come a second time"
