"""The bank on the command line: what it says, what it leaves behind, and how it ends."""

from __future__ import annotations

import asyncio
import errno
import gzip
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import Bank, Ladder, Length, LimitKind, MemberSettings, Rest, Resting, Wishes
from data.__main__ import main, parser
from data.base.errors import BadBackup
from data.base.schema import HEAD
from data.copies import dump
from data.copies.copies import Copies
from data.people.fingerprints import DAY
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from tests.conftest import NewBank
from tests.data.dealer import ELSEWHERE, GUILD, LENIENT, NOW, Dealer, HandClock, press, seal
from tests.data.fives import first_day, perfect, play
from tests.data.servers import Server

pytestmark = pytest.mark.usefixtures("no_migrations")

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


async def fill(url: str) -> Dealer:
    """Two members, a finished round, and one being played."""
    async with Bank.open(url, HouseSettings(), HandClock()) as bank:
        alice, bob = await bank.members.sign_in(GUILD, 1), await bank.members.sign_in(GUILD, 2)
        table = await Dealer(bank).open()
        await table.round({alice: 10, bob: 20}, 25, 0)
        await bank.ladders.leaderboard(GUILD, Ladder.CHIPS)
        await bank.members.keep_settings(alice.id, MemberSettings(phrase="été ♥"))
        await table.stake(alice, 10)
        await table.deal(20, play=["hit"])
        return table


@pytest.fixture
def filled(url: str) -> Dealer:
    return asyncio.run(fill(url))


@pytest.fixture
def url(kind: str, tmp_path: Path, new_bank: NewBank, request: pytest.FixtureRequest) -> str:
    return new_bank(tmp_path / "bank.db") if kind == "sqlite" else new(kind, tmp_path / "bank.db", request)


def new(kind: str, file: Path, request: pytest.FixtureRequest) -> str:
    """A file that is not there yet, or an empty bank on the server."""
    if kind == "sqlite":
        return f"sqlite:///{file}"
    server: Server = request.getfixturevalue("server")
    return asyncio.run(server.new())


def run(url: str, *words: object) -> int:
    return main(["--url", url, *map(str, words)])


def test_an_audit_of_a_sound_bank_ends_well(url: str, filled: Dealer, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(url, "audit") == 0
    told = "4 accounts, 7 transfers, 2 rounds.\nNo chip was lost or made.\nNot bound yet: 7 transfers, 1 rounds.\n"
    assert capsys.readouterr().out == told


def test_an_audit_tells_every_fault(url: str, filled: Dealer, capsys: pytest.CaptureFixture[str]) -> None:
    async def rob() -> None:
        async with Bank.open(url, HouseSettings(), HandClock()) as bank, bank._store.rewriting() as connection:
            await connection.execute(sa.text("UPDATE members SET balance = balance + 7 WHERE id = 1"))

    asyncio.run(rob())
    assert run(url, "audit") == 1
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("FAULT  a balance is not the sum of its transfers: member/1")
    assert told[-2] == "2 faults."


def bound(url: str) -> str:
    """Everything is bound; the head of the guild's book."""

    async def bind() -> str:
        async with Bank.open(url, HouseSettings(), HandClock()) as bank:
            while await bank.leaves.bind():
                pass
            head = await bank.leaves.head(GUILD)
        assert head is not None
        return head.hash

    return asyncio.run(bind())


def test_an_audit_since_a_head_tells_that_nothing_before_it_was_changed(
    url: str, filled: Dealer, capsys: pytest.CaptureFixture[str]
) -> None:
    head = bound(url)
    for written_down in (head, head[:16], f" {head.upper()}\n"):
        assert run(url, "audit", "--since", written_down) == 0
        told = capsys.readouterr().out
        assert f"Guild {GUILD}: leaf 1, head {head}" in told
        assert "Not bound yet: 0 transfers, 0 rounds." in told
        assert told.splitlines()[-1].startswith(f"{head[:16]} is leaf 1 of guild {GUILD}, bound ")


@pytest.mark.parametrize("head", ["", " ", "a", "0123456789abcde", "x" * 64])
def test_what_is_no_head_is_none_that_was_found(
    url: str, filled: Dealer, head: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Least of all a variable of a script in which nothing was written down."""
    bound(url)
    with pytest.raises(SystemExit) as ended:
        run(url, "audit", "--since", head)
    assert ended.value.code == 2
    assert "the first 16 will do" in capsys.readouterr().err


def test_an_audit_since_a_head_tells_of_a_past_that_was_bound_anew(
    url: str, filled: Dealer, capsys: pytest.CaptureFixture[str]
) -> None:
    head = bound(url)

    async def rewrite() -> None:
        async with Bank.open(url, HouseSettings(), HandClock()) as bank, bank._store.rewriting() as connection:
            for command in (
                "UPDATE transfers SET at = at - 60 WHERE reason = 'opening'",
                "DELETE FROM leaves",
                "UPDATE rounds SET leaf = NULL",
            ):
                await connection.execute(sa.text(command))

    asyncio.run(rewrite())
    assert bound(url) != head
    assert run(url, "audit") == 0
    assert run(url, "audit", "--since", head) == 1
    assert "was changed, taken out or added to" in capsys.readouterr().out


def test_backups_are_kept_to_a_number_and_made_when_it_is_time(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, now = tmp_path / "backups", time.time()
    for hour in range(4):
        monkeypatch.setattr("data.__main__.time.time", lambda hour=hour: now + hour * 3600)
        assert run(url, "backups", shelf, "--keep", 2, "--every", 0.5) == 0
        assert "restored and audited: 7 transfers, 2 rounds" in capsys.readouterr().out
        for kept in shelf.glob("*.backup"):
            os.utime(kept, (now, now))
    assert run(url, "backups", shelf, "--keep", 2, "--every", 24) == 0
    assert "young enough" in capsys.readouterr().out
    assert len(list(shelf.iterdir())) == 2
    assert all(kept.stat().st_mode & 0o077 == 0 for kept in (shelf, *shelf.iterdir()))


async def rob(url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock()) as bank, bank._store.rewriting() as connection:
        await connection.execute(sa.text("UPDATE members SET balance = balance + 7 WHERE id = 1"))


def test_a_backup_dated_in_the_future_keeps_no_other_from_being_made_or_kept(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was made while the machine's clock was a year ahead."""
    shelf, now = tmp_path / "shelf", time.time()
    with monkeypatch.context() as patch:
        patch.setattr("data.__main__.time.time", lambda: now + 365 * DAY)
        assert run(url, "backups", shelf) == 0
    (ahead,) = shelf.iterdir()
    os.utime(ahead, (now + 365 * DAY, now + 365 * DAY))
    assert run(url, "backups", shelf, "--keep", 1, "--every", 24) == 0
    (made,) = shelf.iterdir()
    assert made != ahead
    capsys.readouterr()
    monkeypatch.setattr("data.__main__.time.time", lambda: now + 3600)
    assert run(url, "backups", shelf, "--keep", 1, "--every", 24) == 0
    assert capsys.readouterr().out.endswith(f"{made} is young enough.\n")


def test_a_backup_that_cannot_be_restored_is_told_and_put_aside(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(rob(url))
    assert run(url, "backups", tmp_path / "shelf") == 1
    assert "cannot be restored as it is" in capsys.readouterr().out
    assert [kept.suffix for kept in (tmp_path / "shelf").iterdir()] == [".unproved"]


def test_of_backups_that_cannot_be_restored_the_last_two_at_most_fill_the_disk(
    url: str, filled: Dealer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot tries again each half hour, and each is as large as the bank."""
    asyncio.run(rob(url))
    shelf, made = tmp_path / "shelf", []
    for turn in range(4):
        monkeypatch.setattr("data.__main__.time.time", lambda turn=turn: NOW + turn * 1800)
        assert run(url, "backups", shelf) == 1
        made += [kept.name for kept in shelf.iterdir() if kept.name not in made]
    assert len(made) == 4
    assert sorted(kept.name for kept in shelf.iterdir()) == made[-2:]


def test_what_a_killed_process_left_beside_backups_goes(url: str, filled: Dealer, tmp_path: Path) -> None:
    """Each is as large as the bank, and has its secrets."""
    shelf, long_ago = tmp_path / "shelf", time.time() - 2 * 86_400
    for name in ("proof-old", "proof-new"):
        (shelf / name).mkdir(parents=True)
        (shelf / name / "bank.db").write_text("a bank")
    for name in ("old.backup.part", "new.backup.part"):
        (shelf / name).write_text("half of one")
    for name in ("proof-old", "old.backup.part"):
        os.utime(shelf / name, (long_ago, long_ago))
    assert run(url, "backups", shelf) == 0
    left = {kept.name for kept in shelf.iterdir() if kept.suffix != ".backup"}
    assert left == {"proof-new", "new.backup.part"}


@pytest.mark.parametrize("error", [OSError("no space left"), BadBackup("damaged"), KeyboardInterrupt()])
def test_a_backup_that_could_not_be_proved_is_none_that_is_kept(
    url: str, filled: Dealer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """Or it would stand for the day's, and push good ones off the shelf."""
    shelf, now = tmp_path / "shelf", time.time()
    assert run(url, "backups", shelf) == 0

    async def broken(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Copies, "restore", broken)
        patch.setattr("data.__main__.time.time", lambda: now + 60)
        assert run(url, "backups", shelf, "--keep", 1) == 2
    assert sorted(kept.suffix for kept in shelf.iterdir()) == [".backup", ".unproved"]


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_backup_is_restored_into_either_database(
    url: str, filled: Dealer, other: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    backup, target = tmp_path / "backup.gz", new(other, tmp_path / "restored.db", request)
    assert run(url, "backup", backup) == 0
    assert backup.stat().st_mode & 0o077 == 0  # it holds the seeds of open rounds
    assert run(target, "restore", backup) == 0

    async def play_on() -> None:
        async with Bank.open(target, LENIENT, HandClock()) as bank:
            assert await bank.members.balance(GUILD, 1) == 1_005 * CHIP
            stored = await bank.tables.stored(filled.id)
            assert stored is not None
            assert (await bank.members.settings(1)).phrase == "été ♥"
            assert stored.rounds[-1].seed == seal(filled.id, 2).seed
            filled.bank = bank
            await filled.act()
            await filled.finish()
            newcomer = await bank.members.sign_in(GUILD, 3)  # numbers go on where they were
            assert newcomer.id == 3
            await bank.chips.give(newcomer.id, 1, CHIP, press())
            assert (await bank.auditor.audit()).clean

    asyncio.run(play_on())


CAROL, DAVE = 218_000_000_000_000_003, 218_000_000_000_000_004


async def knows(url: str, *users: int) -> list[bool]:
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        return [await bank.members.known(GUILD, user) is not None for user in users]


async def forget(url: str, user: int, at: float = NOW) -> None:
    async with Bank.open(url, LENIENT, HandClock(at)) as bank:
        await bank.members.sign_in(GUILD, user)
        await bank.privacy.forget(GUILD, user)


async def join(url: str, *users: int) -> list[int]:
    """Return the balances of these people, and open accounts for those who have none."""
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        return [(await bank.members.sign_in(GUILD, user)).balance for user in users]


def test_who_was_forgotten_after_a_backup_is_forgotten_again(
    url: str,
    filled: Dealer,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asyncio.run(forget(url, DAVE, at=0.0))
    asyncio.run(join(url, CAROL, DAVE))  # Dave was forgotten before, and is back
    assert run(url, "backup", tmp_path / "backup.gz") == 0
    asyncio.run(forget(url, CAROL))
    bare, after = (new(kind, tmp_path / f"{name}.db", request) for name in ("bare", "after"))
    capsys.readouterr()
    assert run(bare, "restore", tmp_path / "backup.gz") == 0
    assert "whoever was forgotten after 20" in capsys.readouterr().out
    assert asyncio.run(knows(bare, CAROL, DAVE)) == [True, True]
    assert run(after, "restore", tmp_path / "backup.gz", "--after", url) == 0
    assert ": 1.\n" in capsys.readouterr().out
    assert asyncio.run(knows(after, CAROL, DAVE)) == [False, True]
    assert asyncio.run(join(after, CAROL)) == [0], "and it is no way to new chips"
    assert run(after, "audit") == 0


async def boards(url: str, *users: int) -> list[set[int]]:
    """Return for each of these people the servers on whose boards of Today's five they stand."""
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        return [{row["guild"] for row in (await bank.privacy.own(user))["boards"]} for user in users]


async def play_the_five(url: str) -> None:
    """Carol and Dave have played one of Today's five and looked at it on both servers. On one they have no account."""
    clock = HandClock(1_500_000_000.0)
    async with Bank.open(url, LENIENT, clock) as bank:
        day = await first_day(bank, clock)
        for user in (CAROL, DAVE):
            await bank.members.sign_in(ELSEWHERE, user)
            await play(bank, day, user, perfect(day), GUILD, ELSEWHERE)


async def leave_the_boards(url: str) -> None:
    """Carol leaves by *Forget me*, and comes back for chips."""
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        assert await bank.privacy.forget(GUILD, CAROL)
        assert (await bank.members.sign_in(GUILD, CAROL)).balance == 1_000 * CHIP, "she never had any here"


def test_who_left_the_boards_of_a_server_without_an_account_is_not_back_on_them(
    url: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(play_the_five(url))
    assert run(url, "backup", tmp_path / "backup.gz") == 0
    asyncio.run(leave_the_boards(url))
    after = new(kind, tmp_path / "after.db", request)
    assert run(after, "restore", tmp_path / "backup.gz", "--after", url) == 0
    assert ": 1.\n" in capsys.readouterr().out
    assert asyncio.run(boards(after, CAROL, DAVE)) == [{ELSEWHERE}, {GUILD, ELSEWHERE}]
    assert run(after, "audit") == 0


async def take_a_break(url: str, at: float = NOW) -> None:
    async with Bank.open(url, LENIENT, HandClock(at)) as bank:
        await bank.breaks.begin(CAROL, Rest.CHIPS, Length.YEAR)
        await bank.wishes.keep(CAROL, Wishes(hidden=True))
        await bank.limits.set(CAROL, LimitKind.HANDS_DAY, 5)


async def come_back(url: str) -> None:
    """Dave's break for good, a year later, is to end."""
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        await bank.breaks.ask_to_end(DAVE)


async def decided(url: str, user: int) -> tuple[Resting, int | None, bool]:
    async with Bank.open(url, LENIENT, HandClock()) as bank:
        limits = await bank.limits.of(user)
        hidden = (await bank.wishes.of(user)).hidden
        return await bank.breaks.of(user), limits[LimitKind.HANDS_DAY].most, hidden


def test_r13_2_breaks_and_limits_of_after_a_backup_hold_in_the_bank_that_it_becomes(
    url: str,
    filled: Dealer,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def for_good() -> None:
        async with Bank.open(url, LENIENT, HandClock(NOW - 366 * DAY)) as bank:
            await bank.breaks.begin(DAVE, Rest.EVERYTHING, Length.FOR_GOOD)

    asyncio.run(join(url, CAROL, DAVE))
    asyncio.run(for_good())
    assert run(url, "backup", tmp_path / "backup.gz") == 0
    asyncio.run(take_a_break(url))
    asyncio.run(come_back(url))
    bare, after = (new(kind, tmp_path / f"{name}.db", request) for name in ("bare", "after"))
    assert run(bare, "restore", tmp_path / "backup.gz") == 0
    assert "Breaks and limits that people set after 20" in capsys.readouterr().out
    assert asyncio.run(decided(bare, CAROL)) == (Resting(), None, False)
    assert run(after, "restore", tmp_path / "backup.gz", "--after", url) == 0
    assert "Breaks carried over: 2." in capsys.readouterr().out
    for user in (CAROL, DAVE):
        assert asyncio.run(decided(after, user)) == asyncio.run(decided(url, user))
    assert asyncio.run(decided(after, CAROL)) == (Resting(NOW + 365 * DAY), 5, True)
    assert run(after, "audit") == 0


def test_somebody_who_plays_in_the_backup_has_to_ask_once_more(
    url: str,
    filled: Dealer,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def ended() -> None:
        async with Bank.open(url, LENIENT, HandClock()) as bank:
            filled.bank = bank
            await filled.finish()
            await filled.close()
            await bank.breaks.begin(1, Rest.CHIPS, Length.YEAR)

    async def resting() -> float | None:
        async with Bank.open(target, LENIENT, HandClock()) as bank:
            member = await bank.members.sign_in(GUILD, 1)
            until: float | None = (await bank.members.row(member.id)).resting_until
            return until

    assert run(url, "backup", tmp_path / "backup.gz") == 0
    asyncio.run(ended())
    asyncio.run(forget(url, 1))
    target = new(kind, tmp_path / "restored.db", request)
    assert run(target, "restore", tmp_path / "backup.gz", "--after", url) == 0
    assert "have to ask once more: 1." in capsys.readouterr().out
    assert asyncio.run(resting()) == NOW + 365 * DAY, "and the break that they took holds all the same"
    assert run(target, "audit") == 0


def test_the_bank_of_another_house_is_not_the_one_that_is_replaced(
    url: str,
    filled: Dealer,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = new(kind, tmp_path / "other.db", request)
    for address in (url, other):
        asyncio.run(forget(address, CAROL))
    assert run(url, "backup", tmp_path / "backup.gz") == 0
    target = new(kind, tmp_path / "restored.db", request)
    assert run(target, "migrate") == 0  # an empty bank, which is not removed with the failure
    assert run(target, "restore", tmp_path / "backup.gz", "--after", other) == 2
    assert "another house's" in capsys.readouterr().err
    assert run(target, "restore", tmp_path / "backup.gz", "--after", url) == 0


def test_a_backup_of_a_backup_is_the_same(
    url: str, filled: Dealer, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    target = new(kind, tmp_path / "restored.db", request)
    assert run(url, "restored") == 0  # what a restore changes is changed already
    for address, command, file in ((url, "backup", first), (target, "restore", first), (target, "backup", second)):
        assert run(address, command, file) == 0
    lines = [gzip.open(file, "rt", encoding="utf-8").read().splitlines()[1:] for file in (first, second)]  # noqa: SIM115
    assert lines[0] == lines[1]


def test_a_backup_names_the_head_of_every_book(url: str, filled: Dealer, tmp_path: Path) -> None:
    head, file = bound(url), tmp_path / "copy.gz"
    assert run(url, "backup", file) == 0
    assert json.loads(gzip.decompress(file.read_bytes()).splitlines()[0])["heads"] == {str(GUILD): head}


def test_a_backup_of_an_empty_bank(url: str, tmp_path: Path, request: pytest.FixtureRequest, kind: str) -> None:
    assert run(url, "migrate") == 0
    assert run(url, "backup", tmp_path / "backup.gz") == 0
    assert run(new(kind, tmp_path / "restored.db", request), "restore", tmp_path / "backup.gz") == 0


def test_only_an_empty_bank_is_filled(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(url, "backup", tmp_path / "backup.gz")
    assert run(url, "restore", tmp_path / "backup.gz") == 2
    assert "not empty" in capsys.readouterr().err
    assert run(url, "audit") == 0


@pytest.mark.thinned
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda lines: lines[1:], "not a backup"),
        (lambda lines: ["[]"], "not a backup"),
        (lambda lines: [], "not a backup"),
        (lambda lines: ['{"format":"other","schema":"1"}'], "not a backup"),
        (lambda lines: [lines[0].replace('"schema":"', '"schema":"9')], "a newer release"),
        (lambda lines: [*lines, "{"], "damaged"),
        (lambda lines: [*lines, '{"table":"spoons","row":{}}'], "spoons"),
        (lambda lines: [line for line in lines if '"table":"rounds"' not in line], "damaged"),
        (lambda lines: [line for line in lines if '"table":"leaves"' not in line], "do not end as its first line says"),
        (lambda lines: lines[:1], "do not end as its first line says"),
        (lambda lines: [*lines, lines[-1]], "damaged"),
        (lambda lines: [line.replace('"balance":', '"balance":9999999999999999999999') for line in lines], "damaged"),
    ],
)
def test_what_is_no_backup_restores_nothing(
    url: str,
    filled: Dealer,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    kind: str,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[list[str]], list[str]],
    told: str,
) -> None:
    bound(url)
    run(url, "backup", tmp_path / "backup.gz")
    with gzip.open(tmp_path / "backup.gz", "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    with gzip.open(tmp_path / "spoilt.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(spoil(lines)))
    target = new(kind, tmp_path / "restored.db", request)
    capsys.readouterr()
    assert run(target, "restore", tmp_path / "spoilt.gz") == 2
    assert told in capsys.readouterr().err
    assert run(target, "restore", tmp_path / "backup.gz") == 0  # it is still empty


def kept(table: str, **row: object) -> str:
    return json.dumps({"table": table, "row": row})


HEADER = {"format": "croupier", "schema": HEAD}
TODAYS = json.dumps(HEADER)
A_KEY = kept("keys", name="fingerprint", value={"base64": "AA=="})


@pytest.mark.thinned
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "This is not a backup of the bank."),
        ([json.dumps({**HEADER, "format": "other"})], "This is not a backup of the bank."),
        (
            [json.dumps({**HEADER, "schema": "9999"})],
            f"The backup has schema 9999, this release has {HEAD}: restore it with a newer release.",
        ),
        ([TODAYS, "7"], "The backup is damaged."),
        ([TODAYS, '{"table":"guilds"}'], "The backup is damaged."),
        ([TODAYS, kept("guilds", id=2**63)], "The backup is damaged."),
        ([TODAYS, kept("guilds", spoon=1)], "The backup has more of guilds than this bank."),
        ([TODAYS, kept("spoons", id=1)], "The backup has spoons, which this bank does not."),
        ([TODAYS, A_KEY, A_KEY], "The backup is damaged: keys: "),
        ([TODAYS, kept("keys", name="\ud800", value={"base64": "AA=="})], "The backup is damaged."),
        ([TODAYS, kept("keys", name="fingerprint")], "The backup is damaged: keys.value."),
        ([TODAYS, A_KEY, kept("keys", name="other")], "The backup is damaged: keys.value."),
        ([TODAYS, kept("people", id=1), kept("people", id=2, user_id=7)], "The backup is damaged: people.user_id."),
        ([TODAYS, kept("people", id=None, user_id=7)], "The backup is damaged: people.id."),
        ([TODAYS, kept("people", id=1, user_id="7")], "The backup is damaged: people.user_id."),
        ([TODAYS, kept("people", id=1, user_id=7.5)], "The backup is damaged: people.user_id."),
        ([TODAYS, kept("people", id=1, user_id=[7])], "The backup is damaged: people.user_id."),
        ([TODAYS, kept("keys", name=7, value={"base64": "AA=="})], "The backup is damaged: keys.name."),
        ([TODAYS, kept("people", id=1, user_id={"base64": "AA=="})], "The backup is damaged: people.user_id."),
        ([TODAYS, kept("keys", name="fingerprint", value="AA==")], "The backup is damaged: keys.value."),
        ([json.dumps({**HEADER, "heads": {"7": "00"}})], "do not end as its first line says."),
    ],
)
async def test_what_is_wrong_with_a_backup_is_said_and_none_of_it_is_kept(
    bank: Bank, lines: list[str], told: str
) -> None:
    with pytest.raises(BadBackup) as no:
        await bank.copies.restore(lines)
    assert told in str(no.value)
    await bank.copies.expect_empty()


async def test_a_number_too_large_for_its_column_is_damage(bank: Bank, kind: str) -> None:
    if kind == "sqlite":
        pytest.skip("the columns of SQLite all take the largest number")
    wishes = kept("wishes", user_id=1, hidden=2**31, challenges="everybody", silenced="")
    with pytest.raises(BadBackup, match=r"^The backup is damaged: wishes\.$"):
        await bank.copies.restore([TODAYS, wishes])


def test_the_largest_number_that_a_bank_can_keep_is_read() -> None:
    assert dump._read(kept("guilds", id=2**63 - 1)) == ("guilds", {"id": 2**63 - 1})


def test_whoever_waits_at_a_terminal_sees_how_far_the_audit_is(
    url: str, filled: Dealer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(url, "audit") == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(url, "audit") == 0
    told = capsys.readouterr().err.split("\r")
    assert {"accounts: 2   ", "transfers: 7   ", "rounds: 2   "} <= set(told)


def test_a_backup_with_a_fault_is_not_kept(
    url: str,
    filled: Dealer,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    kind: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(url, "backup", tmp_path / "backup.gz")
    with gzip.open(tmp_path / "backup.gz", "rt", encoding="utf-8") as file:
        text = file.read()
    with gzip.open(tmp_path / "rich.gz", "wt", encoding="utf-8") as file:
        file.write(text.replace('"balance":100500', '"balance":900500'))
    target = new(kind, tmp_path / "restored.db", request)
    assert run(target, "restore", tmp_path / "rich.gz") == 1
    assert "Nothing was restored" in capsys.readouterr().out
    assert run(target, "restore", tmp_path / "backup.gz") == 0


def test_a_torn_file_is_no_backup(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "torn.gz").write_bytes(gzip.compress(b'{"format":"croupier"}' * 50)[:40])
    (tmp_path / "plain.gz").write_text("hello")
    for name in ("torn.gz", "plain.gz"):
        assert run(url, "restore", tmp_path / name) == 2
        assert "damaged" in capsys.readouterr().err


def test_restoring_what_is_not_there_makes_no_bank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (tmp_path / "nowhere.gz", tmp_path):
        assert run(f"sqlite:///{tmp_path / 'none.db'}", "restore", file) == 2
        assert capsys.readouterr().err == f"There is no {file}.\n"
    assert not list(tmp_path.iterdir())


def test_an_export_is_lines_of_json(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(url, "export", tmp_path / "export.jsonl") == 0
    capsys.readouterr()
    assert run(url, "export") == 0
    shown = capsys.readouterr().out
    assert shown == (tmp_path / "export.jsonl").read_text(encoding="utf-8")
    assert {json.loads(line)["table"] for line in shown.splitlines()} >= {"members", "transfers", "rounds", "plays"}


class FullDisk(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_not_blamed_on_the_bank(
    url: str, filled: Dealer, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stdout", FullDisk())
    assert run(url, "export") == 2
    assert capsys.readouterr().err == "The copy cannot be written: No space left on device.\n"


def test_nothing_is_overwritten(url: str, filled: Dealer, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    for command in ("backup", "export"):
        assert run(url, command, tmp_path / "mine") == 2
    assert (tmp_path / "mine").read_text() == "mine"
    assert not list(tmp_path.glob("*.part"))


def test_looking_makes_no_bank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["audit"], ["backup", "x"], ["export"]):
        assert run(f"sqlite:///{tmp_path / 'none.db'}", *command) == 2
        assert "There is no" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_migrate_makes_a_bank_of_todays_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # it migrates
    url = f"sqlite:///{tmp_path / 'new.db'}"
    assert run(url, "migrate") == 0
    assert capsys.readouterr().out == "The bank has today's schema.\n"
    assert run(url, "audit") == 0


def test_the_address_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'env.db'}")
    assert [main([command]) for command in ("audit", "migrate", "audit")] == [2, 0, 0]
    assert run("nonsense", "audit") == 2


def test_an_env_file_that_is_not_text_is_no_fault_of_the_bank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    assert main(["audit"]) == 2
    assert capsys.readouterr().err == ".env cannot be read: it is not UTF-8 text.\n"


def test_it_runs_as_a_module(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "data", "--url", f"sqlite:///{tmp_path / 'none.db'}", "audit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"There is no {tmp_path / 'none.db'}.\n")


def test_the_mark_of_a_copy_that_was_put_back_by_hand(
    url: str, filled: Dealer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(url, "restored") == 0
    assert "Nothing that was promised before is dealt any more" in capsys.readouterr().out
    assert run(url, "audit") == 0
    assert run(f"sqlite:///{tmp_path / 'none.db'}", "restored") == 2
    assert not (tmp_path / "none.db").exists()


def test_a_week_of_backups_is_kept_if_no_number_is_given() -> None:
    assert parser().parse_args(["backups", "shelf"]).keep == 7


@pytest.mark.parametrize("number", ["0", "-1", "some"])
def test_at_least_one_backup_is_kept(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parser().parse_args(["backups", "shelf", "--keep", "1"]).keep == 1
    with pytest.raises(SystemExit, match="2"):
        parser().parse_args(["backups", "shelf", "--keep", number])
    assert "argument --keep: a whole number from 1 on is needed\n" in capsys.readouterr().err
