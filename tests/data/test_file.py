"""The bank's file: nobody else's business, and missed when it is gone."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import Bank
from data.__main__ import main
from data.drivers import file as files
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Reason
from tests.data.dealer import GUILD, Dealer, HandClock
from tests.data.seated import Seated, refused

pytestmark = pytest.mark.usefixtures("no_migrations")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "casino" / "bank.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def opened(url: str, *, fresh: bool = False) -> object:
    return Bank.open(url, HouseSettings(), HandClock(), fresh=fresh)


async def played(url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock()) as bank:
        alice = await bank.members.sign_in(GUILD, 1)
        table = await Dealer(bank).open()
        await table.round({alice: 10}, 20)


def content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def leave(file: Path, content: bytes | None) -> None:
    if content is not None:
        file.write_bytes(content)


def move(file: Path, target: Path) -> None:
    file.rename(target)


def loosen(file: Path) -> None:
    file.chmod(0o644)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()}


# -- who may read it ---------------------------------------------------------------------------------------------------


async def test_the_file_and_its_companions_are_for_their_owner_alone(file: Path, url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock()) as bank:
        await bank.members.sign_in(GUILD, 1)
        names = ("bank.db", "bank.db-wal", "bank.db-shm", "bank.db.note")
        assert modes(file.parent) == dict.fromkeys(names, "0o600")
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_a_bank_whose_note_cannot_be_written_is_not_opened(file: Path, url: str) -> None:
    file.with_name("bank.db.note").mkdir(parents=True)
    with pytest.raises(BankUnavailable, match=r"bank\.db\.note cannot be written: Is a directory\.$"):
        await opened(url, fresh=True)  # type: ignore[misc]


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_every_file_that_sqlite_keeps_beside_a_bank_is_tightened_and_goes_with_it(tmp_path: Path, mode: int) -> None:
    bank = tmp_path / "bank.db"
    beside = [tmp_path / f"bank.db{ending}" for ending in ("-wal", "-shm", "-journal")]
    for path in (bank, *beside):
        path.touch()
        path.chmod(mode)
    files.make_room(bank, fresh=True)
    assert set(modes(tmp_path).values()) == {"0o600"}
    files.remove(bank)
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_others_could_read_is_tightened(file: Path, url: str) -> None:
    await played(url)
    loosen(file)
    await played(url)
    assert modes(file.parent)["bank.db"] == "0o600"


def test_backups_and_exports_are_for_their_owner_alone(file: Path, url: str, tmp_path: Path) -> None:
    asyncio.run(played(url))
    (tmp_path / "backup.gz.part").touch(mode=0o644)  # of an attempt that was killed
    for command, target in (("backup", "backup.gz"), ("export", "export.jsonl")):
        assert main(["--url", url, command, str(tmp_path / target)]) == 0
        assert modes(tmp_path)[target] == "0o600"


# -- when it is gone ---------------------------------------------------------------------------------------------------


def remove(file: Path) -> None:
    for path in (file, file.with_name("bank.db-wal"), file.with_name("bank.db-shm")):
        path.unlink(missing_ok=True)


def replace(file: Path) -> None:
    """Another file of the same content takes its place, as when a backup is moved there."""
    other = file.with_name("other.db")
    shutil.copy(file, other)
    other.replace(file)


@pytest.mark.parametrize("lose", [remove, replace])
async def test_with_the_file_gone_every_press_is_refused(file: Path, url: str, lose: object) -> None:
    clock = HandClock()
    async with Bank.open(url, HouseSettings(), clock) as bank:
        seated = await Seated(bank, clock).sit()
        assert callable(lose)
        lose(file)
        for _ in range(2):
            assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
        for asked in (
            bank.members.sign_in(GUILD, 1),
            bank.tables.stored(seated.table.id),
            bank.auditor.audit(),
            bank.guilds.house(9),
        ):
            with pytest.raises(BankUnavailable, match="removed or replaced"):
                await asked
        seated.table.rest()
    assert (content(file) is not None) == (lose is replace), "looking for it has not made a new one"


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
async def test_with_a_companion_gone_every_press_is_refused_and_an_orderly_stop_loses_nothing(
    file: Path, url: str, ending: str
) -> None:
    clock, companion = HandClock(), file.with_name(f"bank.db{ending}")
    async with Bank.open(url, HouseSettings(), clock) as bank:
        seated = await Seated(bank, clock).sit()
        await seated.stake()
        companion.unlink()
        assert await refused(seated.stake) is Reason.BANK_UNAVAILABLE
        with pytest.raises(BankUnavailable, match=f"bank.db{ending}, which belongs .* without killing it"):
            await bank.members.sign_in(GUILD, 2)
        seated.table.rest()
    async with Bank.open(url, HouseSettings(), clock) as bank:
        stored = await bank.tables.stored(seated.table.id)
        assert stored is not None
        assert stored.row.version == seated.table.state.version, "what was said is there"


async def test_a_file_that_goes_while_a_press_is_written_acknowledges_nothing(file: Path, url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock()) as bank:
        alice, table = await bank.members.sign_in(GUILD, 1), await Dealer(bank).open()
        writer = bank._store.write._writer  # type: ignore[attr-defined]
        do = writer.do

        async def write_and_lose(*work: object) -> object:
            done = await do(*work)
            remove(file)
            return done

        writer.do = write_and_lose
        with pytest.raises(OutcomeUnknown):
            await table.stake(alice, 10)


async def test_moved_back_the_file_is_the_bank_again(file: Path, url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock()) as bank:
        alice, table = await bank.members.sign_in(GUILD, 1), await Dealer(bank).open()
        move(file, file.with_name("away.db"))
        with pytest.raises(BankUnavailable):
            await table.stake(alice, 10)
        move(file.with_name("away.db"), file)
        assert (await bank.members.sign_in(GUILD, 1)).balance == 1_000 * CHIP, "what was refused was not written either"
        await table.stake(alice, 10)


# -- the next start ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [None, b""])
async def test_no_empty_bank_is_made_where_one_was(file: Path, url: str, left: bytes | None) -> None:
    await played(url)
    remove(file)
    leave(file, left)
    with pytest.raises(BankUnavailable) as lost:
        await opened(url)  # type: ignore[misc]
    assert "python -m data restore" in str(lost.value)
    assert "python -m data new" in str(lost.value)
    assert content(file) == left


def test_told_to_a_new_bank_is_made(file: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(played(url))
    assert main(["--url", url, "new"]) == 2
    assert "not empty" in capsys.readouterr().err
    remove(file)
    assert main(["--url", url, "migrate"]) == 2
    assert main(["--url", url, "new"]) == 0
    asyncio.run(played(url))


def test_told_to_a_backup_is_restored(file: Path, url: str, tmp_path: Path) -> None:
    asyncio.run(played(url))
    backup = tmp_path / "backup.gz"
    assert main(["--url", url, "backup", str(backup)]) == 0
    remove(file)
    assert main(["--url", url, "restore", str(backup)]) == 0
    asyncio.run(played(url))


def test_a_restore_that_fails_leaves_no_empty_bank(file: Path, url: str, tmp_path: Path) -> None:
    asyncio.run(played(url))
    remove(file)
    (tmp_path / "torn.gz").write_text("hello")
    assert main(["--url", url, "restore", str(tmp_path / "torn.gz")]) == 2
    assert modes(file.parent) == {"bank.db.note": "0o600"}
    with pytest.raises(BankUnavailable, match="it is gone"):
        asyncio.run(played(url))


async def test_the_playgrounds_file_may_be_deleted_to_start_afresh(file: Path, url: str) -> None:
    await played(url)
    remove(file)
    async with opened(url, fresh=True) as bank:  # type: ignore[attr-defined]
        assert (await bank.auditor.audit()).accounts == 0
