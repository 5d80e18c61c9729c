"""Opening the bank: addresses, schemas old and new, and everything that is not a bank."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory

from cogs.doctor import machine
from cogs.doctor.results import CheckResult
from data import BadAddress, Bank, NewerSchema
from data.base.schema import HEAD, metadata, season_places, season_points
from data.drivers import backup
from data.drivers.alive import _HOLD, is_alone
from data.drivers.store import Store
from data.drivers.url import address, file_of
from data.migrations import migrate
from data.migrations.migrate import revisions
from data.seasons.calendar import stretches_of
from engine.games.contract import CHIP
from engine.sets.calendar import DAY
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable
from tests.data.by_hand import by_hand
from tests.data.dealer import GUILD, Dealer, HandClock
from tests.data.fives import two_days
from tests.data.pairs import ADA, BEN, CLEO, challenge, play_out, running, two
from tests.data.servers import Server

ROOT = Path(__file__).resolve().parents[2]


def opened(url: str, *, upgrade: bool = True) -> object:
    return Bank.open(url, HouseSettings(), HandClock(), upgrade=upgrade)


# -- addresses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plain", "driver"),
    [
        ("sqlite:///casino.db", "sqlite+aiosqlite:///casino.db"),
        ("sqlite:////var/lib/casino.db", "sqlite+aiosqlite:////var/lib/casino.db"),
        ("sqlite+aiosqlite:///casino.db", "sqlite+aiosqlite:///casino.db"),
        ("postgresql://me:pw@host:5433/casino", "postgresql+asyncpg://me:pw@host:5433/casino"),
        ("postgres://host/casino", "postgresql+asyncpg://host/casino"),
        ("postgresql+psycopg2://host/casino", "postgresql+asyncpg://host/casino"),
        ("postgresql://host/casino?sslmode=require", "postgresql+asyncpg://host/casino?ssl=require"),
        ("postgresql:///casino?user=me", "postgresql+asyncpg:///casino?user=me"),
    ],
)
def test_plain_addresses_get_the_right_driver(plain: str, driver: str) -> None:
    assert address(plain).render_as_string(hide_password=False) == driver


@pytest.mark.parametrize("plain", ["", "casino.db", "mysql://host/casino", "sqlite://", "sqlite:///:memory:", "://"])
def test_addresses_of_nothing_are_refused_in_a_sentence(plain: str) -> None:
    with pytest.raises(BadAddress) as refused:
        address(plain)
    assert str(refused.value).endswith(".")
    assert "DATABASE_URL" in str(refused.value)


def test_an_option_that_the_driver_does_not_know_is_named() -> None:
    with pytest.raises(BadAddress, match=r"leave out `channel_binding`\.$"):
        address("postgresql://me:pw@host/casino?sslmode=require&channel_binding=require")


def test_only_sqlite_lives_in_a_file() -> None:
    assert file_of(address("sqlite:///var/casino.db")) == Path("var/casino.db")
    assert file_of(address("postgresql://host/casino")) is None


# -- what is not a bank ------------------------------------------------------------------------------------------------


def test_a_relative_file_lies_in_croupier_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    assert file_of(address("sqlite:///var/casino.db")) == tmp_path / "var/casino.db"
    assert file_of(address("sqlite:////srv/casino.db")) == Path("/srv/casino.db")


def test_postgresql_without_its_driver_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.drivers.url.find_spec", lambda name: None)
    with pytest.raises(BadAddress, match="install the extra `postgres` too"):
        address("postgresql://host/casino")
    assert address("sqlite:///var/casino.db")


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "bank.db").write_text("minutes of the meeting, " * 100)
    with pytest.raises(BankUnavailable, match="not a database"):
        await opened(f"sqlite:///{tmp_path / 'bank.db'}")
    assert (tmp_path / "bank.db").read_text().startswith("minutes")


async def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(BankUnavailable, match="unable to open"):
        await opened(f"sqlite:///{tmp_path}")


async def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("")
    with pytest.raises(BankUnavailable, match="cannot be made"):
        await opened(f"sqlite:///{tmp_path / 'var' / 'bank.db'}")


@pytest.mark.parametrize("upgrade", [True, False])
async def test_a_folder_that_cannot_be_looked_into(tmp_path: Path, *, upgrade: bool) -> None:
    """Its name is too long for any file system, because root may look into every folder that is there."""
    with pytest.raises(BankUnavailable, match=r"bank\.db cannot be looked at: File name too long\.$"):
        await opened(f"sqlite:///{tmp_path / ('x' * 5_000) / 'bank.db'}", upgrade=upgrade)


async def test_folders_are_made(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path / 'a' / 'b' / 'bank.db'}"):  # type: ignore[attr-defined]
        assert (tmp_path / "a" / "b" / "bank.db").exists()


async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(BankUnavailable, match="server cannot be used"):
        await opened("postgresql://localhost:1/casino")


async def test_what_the_driver_says_of_an_option_is_one_line() -> None:
    with pytest.raises(BankUnavailable, match=r"^The bank's server cannot be used: `sslmode` parameter must be .*\.$"):
        await opened("postgresql://127.0.0.1:1/casino?sslmode=often")  # type: ignore[misc]


async def test_a_database_that_is_not_there(server: Server) -> None:
    with pytest.raises(BankUnavailable, match="does not exist"):
        await opened(server.url("nowhere"))


async def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "theirs.db"
    with sqlite3.connect(file) as theirs:
        theirs.execute("CREATE TABLE members (name TEXT)")
        theirs.execute("INSERT INTO members VALUES ('Ada')")
    theirs.close()
    with pytest.raises(BankUnavailable):
        await opened(f"sqlite:///{file}")
    with sqlite3.connect(file) as theirs:
        tables = theirs.execute("SELECT name FROM sqlite_master").fetchall()
        assert (tables, theirs.execute("SELECT * FROM members").fetchall()) == ([("members",)], [("Ada",)])
    theirs.close()


# -- copies of the file ----------------------------------------------------------------------------------------------


def made(file: Path) -> Path:
    with contextlib.closing(sqlite3.connect(file)) as made, made:
        made.execute("CREATE TABLE notes (text)")
        made.executemany("INSERT INTO notes VALUES (?)", [("x" * 500,)] * 200)
    return file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_copy_is_whole(tmp_path: Path) -> None:
    source = made(tmp_path / "bank.db")
    target = await backup.copy(source, tmp_path / "copy.db")
    assert target.stat().st_mode & 0o077 == 0
    with contextlib.closing(sqlite3.connect(target)) as copied:
        assert copied.execute("SELECT count(*) FROM notes").fetchone() == (200,)


async def test_nothing_is_copied_over_something_or_from_nothing(tmp_path: Path) -> None:
    source = made(tmp_path / "bank.db")
    with pytest.raises(BankUnavailable, match="exists already"):
        await backup.copy(source, source)
    with pytest.raises(BankUnavailable, match="There is no"):
        await backup.copy(tmp_path / "none.db", tmp_path / "copy.db")
    assert names(tmp_path) == ["bank.db"]


async def test_a_damaged_file_has_no_copy(tmp_path: Path) -> None:
    source = made(tmp_path / "bank.db")
    bytes_ = bytearray(source.read_bytes())
    bytes_[5 * 4096 : 7 * 4096] = b"\xff" * 2 * 4096
    source.write_bytes(bytes_)
    with pytest.raises(BankUnavailable):
        await backup.copy(source, tmp_path / "copy.db")
    source.unlink()
    with contextlib.closing(sqlite3.connect(source)) as raw:
        raw.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES (NULL); PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE notes (text NOT NULL)'")
        raw.commit()
    with pytest.raises(BankUnavailable, match=r"bank\.db is damaged: NULL value in notes\.text\.$"):
        await backup.copy(source, tmp_path / "copy.db")
    source.write_bytes(b"minutes of the meeting" * 500)
    with pytest.raises(BankUnavailable):
        await backup.copy(source, tmp_path / "copy.db")
    assert names(tmp_path) == ["bank.db"]


# -- schemas -----------------------------------------------------------------------------------------------------------


async def set_revision(url: str, revision: str) -> None:
    store = Store(address(url))
    async with store.rewriting() as connection:
        await connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))
    await store.close()


async def test_the_migrations_make_what_the_code_expects(url: str, bank: Bank) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with bank._store.reading() as connection:
        assert await connection.run_sync(differences) == []


def test_the_code_knows_the_newest_migration() -> None:
    assert max(revisions()) == HEAD


async def test_a_newer_schema_is_refused_untouched(url: str) -> None:
    async with opened(url) as bank:  # type: ignore[attr-defined]
        await bank.members.sign_in(GUILD, 1)
    await set_revision(url, "9999")
    with pytest.raises(NewerSchema, match="9999"):
        await opened(url)
    await set_revision(url, HEAD)
    async with opened(url) as bank:  # type: ignore[attr-defined]
        assert await bank.members.balance(GUILD, 1) == 1_000 * CHIP


async def run_again(bank: Bank, revision: str) -> None:
    """Run a migration that changes rows only, on a bank of today's schema."""
    script = ScriptDirectory(str(migrate._FOLDER)).get_revision(revision)

    def upgrade(connection: sa.Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            script.module.upgrade()

    async with bank._store.rewriting() as connection:
        await connection.run_sync(upgrade)


async def test_the_places_of_weeks_are_worked_out_from_the_days_that_were_played_before(
    bank: Bank, clock: HandClock
) -> None:
    day = await two_days(bank, clock, GUILD)
    made = await bank._store.rows(season_places.select())
    assert {row.season for row in made} == {stretch.name for stretch in stretches_of(day.day)}
    await by_hand(bank, "DELETE FROM season_places")
    await run_again(bank, "0028")
    assert sorted(await bank._store.rows(season_places.select())) == sorted(made)


async def test_r12_10_duels_that_ended_before_duels_brought_points_bring_them_with_the_schema(
    bank: Bank, clock: HandClock
) -> None:
    """Ada wins, draws and then plays a pair's second duel of a day; a week later she wins in another quarter."""
    ada, ben = await two(bank)
    cleo = await bank.members.sign_in(GUILD, CLEO)
    clock.time = datetime(2026, 12, 28, 12, tzinfo=UTC).timestamp()
    for _week in range(2):
        drawn, won, second = [await running(bank, *both, 0) for both in ((ada, cleo), (ada, ben), (ben, ada))]
        for duel, worst in ((drawn, None), (won, BEN), (second, ADA)):
            for user in (ADA, CLEO if duel == drawn else BEN):
                await play_out(bank, duel, user, worst=user == worst)
            await bank.duels.end(duel.id)
        unplayed = await running(bank, cleo, ada, 0)
        await bank.challenges.refuse((await challenge(bank, cleo, ben, 0)).id, ben.id)
        clock.time += 7 * DAY
        await bank.duels.end(unplayed.id)
    kept = [await bank._store.rows(table.select()) for table in (season_points, season_places)]
    assert Counter((row.member, row.points) for row in kept[0]) == {(ada.id, 1): 2, (ada.id, 2): 2, (cleo.id, 1): 2}
    assert {row.season for row in kept[1]} == {"2026-12", "2026-Q4", "2027-01", "2027-Q1"}
    await by_hand(bank, "DELETE FROM season_places", "DELETE FROM season_points")
    for _time in range(2):  # the second time on a bank that has them
        await run_again(bank, "0032")
        found = [await bank._store.rows(table.select()) for table in (season_points, season_places)]
        assert list(map(sorted, found)) == list(map(sorted, kept))


async def old(url: str, revision: str) -> None:
    """A bank as an earlier release left it."""
    store = Store(address(url))

    def upgrade(connection: sa.Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrate._FOLDER))
        command.upgrade(config, revision)

    async with store.rewriting() as connection:
        await connection.run_sync(upgrade)
        await connection.execute(sa.text(f"INSERT INTO members (guild, user_id, balance) VALUES ({GUILD}, 1, 100000)"))
        await connection.execute(
            sa.text(
                "INSERT INTO transfers (key, guild, source, target, amount, reason, at) "
                f"VALUES ('open/1', {GUILD}, 'mint', 'member/1', 100000, 'opening', 1)"
            )
        )
    await store.close()


@pytest.fixture
async def blank(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database with nothing in it."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'bank.db'}"
    server: Server = request.getfixturevalue("server")
    return await server.empty()


@pytest.mark.thinned(7)
@pytest.mark.parametrize("revision", sorted(revisions() - {HEAD}))
async def test_banks_of_every_earlier_schema_are_brought_up(blank: str, revision: str, tmp_path: Path) -> None:
    await old(blank, revision)
    with pytest.raises(BankUnavailable, match="migrate first"):
        await opened(blank, upgrade=False)
    async with opened(blank) as bank:  # type: ignore[attr-defined]
        alice = await bank.members.sign_in(GUILD, 1)
        table = await Dealer(bank).open()
        await table.round({alice: 10}, 20)
        assert await bank.members.balance(GUILD, 1) == 1_010 * CHIP
        assert (await bank.auditor.audit()).clean
    assert copies(tmp_path) == [(revision, 100_000)] * blank.startswith("sqlite")


async def test_a_server_without_a_bank_is_no_fault_before_the_first_start(server: Server) -> None:
    """Nor does the doctor found the bank."""
    empty = await server.empty()
    for _ in range(2):
        (result,) = [result async for result in machine.database(empty, HandClock())]
        assert result == CheckResult("database", "the server has no bank yet; the first start makes it")


def copies(folder: Path) -> list[tuple[str, int]]:
    """Return the schema of each backup in the folder, and Alice's chips in it."""
    held = []
    for copy in folder.glob("bank.schema-*.db"):
        with contextlib.closing(sqlite3.connect(copy)) as kept:
            held.append(kept.execute("SELECT version_num, balance FROM alembic_version, members").fetchone())
    return held


async def test_a_migration_that_fails_changes_nothing(blank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    earliest = min(revisions())
    await old(blank, earliest)
    real = migrate._run_alembic

    def failing(connection: sa.Connection) -> None:
        real(connection)
        connection.execute(sa.text("INSERT INTO nowhere VALUES (1)"))

    monkeypatch.setattr(migrate, "_run_alembic", failing)
    with pytest.raises(BankUnavailable):
        await opened(blank)
    store = Store(address(blank))
    assert await store.value(sa.text("SELECT version_num FROM alembic_version")) == earliest
    await store.close()


async def test_a_schema_is_not_changed_under_a_process_that_has_the_bank_open(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop all, upgrade, start: and somebody who forgets the first step is told."""
    url, earliest = await server.empty(), min(revisions())
    await old(url, earliest)
    with monkeypatch.context() as earlier:
        earlier.setattr(migrate, "HEAD", earliest)  # as a release knows it that is still running
        running = await Bank.open(url, HouseSettings(), HandClock())
    with pytest.raises(BankUnavailable, match=r"other processes have it open.*Stop them all, then start this release"):
        await opened(url)  # type: ignore[misc]
    store = Store(address(url))
    assert await store.value(sa.text("SELECT version_num FROM alembic_version")) == earliest
    await running.close()
    assert await store.value(sa.text("SELECT version_num FROM alembic_version")) == earliest
    await store.close()
    async with opened(url) as bank:  # type: ignore[attr-defined]
        assert await bank.auditor.stakes_stopped() is None


async def test_processes_of_releases_that_share_a_schema_follow_each_other_one_by_one(server: Server) -> None:
    url = await server.new()
    processes = [await Bank.open(url, HouseSettings(), HandClock()) for _ in range(3)]
    for place in range(3):
        await processes[place].close()
        processes[place] = await Bank.open(url, HouseSettings(), HandClock())
        assert await processes[(place + 1) % 3].auditor.stakes_stopped() is None
    for process in processes:
        await process.close()


async def test_a_bank_that_others_have_open_is_not_put_back_under_them(server: Server) -> None:
    url = await server.new()
    running = await Bank.open(url, HouseSettings(), HandClock())
    older = json.dumps({"format": "croupier", "schema": min(revisions())})
    async with opened(url) as bank:  # type: ignore[attr-defined]
        with pytest.raises(BankUnavailable, match=r"^A process has this bank open\. Stop all of them first\.$"):
            await bank.copies.restored()
        with pytest.raises(BankUnavailable, match=r"^Other processes have the database open\. Stop them all, then "):
            await bank.copies.restore([older])
        await running.close()
        assert await bank.copies.restored() == 0
        assert (await bank.copies.restore([older])).clean


async def test_a_process_that_was_killed_is_not_taken_for_alive(server: Server) -> None:
    url, earliest = await server.empty(), min(revisions())
    await old(url, earliest)
    held = await asyncpg.connect(url)
    await held.execute(str(_HOLD))
    held.terminate()  # as the system does it for a process that is gone
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(BankUnavailable):
                await (await Bank.open(url, HouseSettings(), HandClock())).close()
                return
            await asyncio.sleep(0.05)


async def test_a_server_that_fell_over_is_told_again_who_is_alive(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.drivers.alive.EVERY", 0.02)
    async with Bank.open(await server.new(), HouseSettings(), HandClock()) as bank:
        engine = bank._store.engine
        async with engine.connect() as connection:
            others = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'"
            here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            await connection.exec_driver_sql(f"{others} AND {here}")
        async with asyncio.timeout(60):
            alone = True
            while alone:
                await asyncio.sleep(0.05)
                async with engine.connect() as connection:
                    alone = await is_alone(connection)


async def test_two_processes_that_start_together_both_open(blank: str) -> None:
    async def start() -> int:
        async with Bank.open(blank, HouseSettings(), HandClock()) as bank:
            return (await bank.members.sign_in(GUILD, 1)).id

    assert len(set(await asyncio.gather(*(start() for _ in range(4))))) == 1


async def test_an_up_to_date_bank_opens_without_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bank.db'}"
    async with opened(url):  # type: ignore[attr-defined]
        pass
    look = (
        "import asyncio, sys\n"
        "from data import Bank\n"
        "from engine.tables.house import HouseSettings\n"
        "async def main():\n"
        f"    async with Bank.open({url!r}, HouseSettings(), None) as bank: pass\n"
    )
    look = look.replace("None)", "type('Clock', (), {'now': lambda self: 0.0})())")
    look += "asyncio.run(main())\nprint('alembic' in sys.modules)"
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
