"""Shared by every test: how hypothesis searches, where files are, and that Discord would take what the bot sends."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import settings
from simcord.http import router
from sqlalchemy.engine import Dialect

from data import Bank
from data.drivers import store
from data.migrations import migrate
from engine.fairness import chain
from engine.tables import promises
from engine.tables.house import HouseSettings
from tests import settling
from tests.contract.requests import Recorder
from tests.data.dealer import HandClock
from tests.data.scratch import scratch
from tests.releases import RELEASES, Release

#: Makes an empty bank of a file that is not there yet, and says where it is.
NewBank = Callable[[Path], str]

#: `make test`: the same examples each time for the same seed, no time limits on a busy machine.
settings.register_profile("quick", deadline=None, print_blob=True, database=None)
#: `make long`: look much further.
settings.register_profile("long", settings.get_profile("quick"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

#: Garbage is looked for less often: that was an eighth of the time of all these tests.
gc.freeze()
gc.set_threshold(100_000, 50, 1_000)

settling.quicken()


@functools.lru_cache(256)
def known_tips(root: bytes) -> list[bytes]:
    """The tips under a promise: a tenth of a second, so those of seeds that many tests have are worked out once."""
    return list(chain.slot_tips(root))


promises.slot_tips = known_tips  # type: ignore[assignment]


class Compiled(dict[Any, Any]):
    """Statements that SQLAlchemy compiled for one bank serve all banks of its kind: each test has its own, and
    compiling them there was a fifth of the time of tests. Threads share it: it is read and written in one step each."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(_of_its_kind(key), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(_of_its_kind(key), compiled)


def _of_its_kind(key: tuple[Any, ...]) -> tuple[Any, ...]:
    dialect, *statement = key
    assert isinstance(dialect, Dialect)
    return type(dialect), *statement


store.create_async_engine = functools.partial(  # type: ignore[attr-defined]
    store.create_async_engine,  # type: ignore[attr-defined]
    execution_options={"compiled_cache": Compiled()},
)

#: The tests that take longest begin first, so that nobody waits for them in the end.
LONGEST = (
    *("tests/processes/", "tests/soak/", "tests/data/test_crash.py", "tests/data/test_coverage.py"),
    *("tests/data/test_releases.py", "tests/data/test_columns.py", "tests/data/test_silence.py", "tests/simulate/"),
    *("tests/data/test_command_line.py", "tests/data/test_proof.py", "tests/data/test_audit.py"),
    *("tests/cogs/tournament/", "tests/cogs/words/test_pseudo_played.py", "tests/data/test_machine.py"),
    *("tests/cogs/today/", "tests/test_bot.py", "tests/test_deployment.py"),
)


#: `make test` runs one of this many cases of thinned tests, and of those on PostgreSQL.
EACH, ON_POSTGRESQL = 3, 12


def _thinned_as(item: pytest.Item) -> tuple[str, int]:
    """Return the name of the cases to which a test belongs, and of how many of them `make test` runs one."""
    if (mark := item.get_closest_marker("thinned")) is not None:
        return item.nodeid.partition("[")[0], *(mark.args or (EACH,))
    case = getattr(item, "callspec", None)  # what runs on both databases runs on SQLite each time
    if case is not None and case.params.get("kind") == "postgresql":
        return "postgresql", ON_POSTGRESQL
    return item.nodeid, 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases = Counter[str]()
    for item in items:
        name, each = _thinned_as(item)
        if cases[name] % each:
            item.add_marker("slow")
        cases[name] += 1
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the golden files of tests/golden anew (make golden)")


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("--hypothesis-seed", default=None)
    return f"hypothesis seed: {'not set (a new one each run)' if seed is None else seed}"


@pytest.fixture(autouse=True)
def contract(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """Every request that the bot makes in a test is one that Discord's own document allows."""
    recorder = Recorder()
    monkeypatch.setattr(router, "dispatch", recorder)
    yield recorder
    if recorder.mistakes:
        pytest.fail("Discord would refuse this:\n" + "\n".join(dict.fromkeys(recorder.mistakes)), pytrace=False)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder for the test, in place of pytest's own."""
    with TemporaryDirectory(prefix="test-", dir=scratch()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def empty_bank() -> Iterator[Path]:
    """The file of a bank without anything in it, which is migrated once."""
    with TemporaryDirectory(prefix="bank-", dir=scratch()) as folder:
        file = Path(folder) / "empty.db"

        async def found() -> None:
            async with Bank.open(f"sqlite:///{file}", HouseSettings(), HandClock()):
                pass

        asyncio.run(found())
        yield file


@pytest.fixture(scope="session")
def new_bank(empty_bank: Path) -> NewBank:
    """Copies of the empty bank: migrations are tried in tests of their own."""

    def new_bank(file: Path) -> str:
        shutil.copyfile(empty_bank, file)
        return f"sqlite:///{file}"

    return new_bank


@pytest.fixture
def no_migrations(empty_bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give an empty file today's schema without migrating, where the code that is tested makes the bank itself."""
    with contextlib.closing(sqlite3.connect(empty_bank)) as raw:
        schema = [line for line in raw.iterdump() if line not in {"BEGIN TRANSACTION;", "COMMIT;"}]
    migrates = migrate._run_alembic

    def write(connection: sa.Connection, revision: str = "head") -> None:
        if connection.dialect.name != "sqlite" or revision != "head" or sa.inspect(connection).get_table_names():
            return migrates(connection, revision)
        for line in schema:
            connection.exec_driver_sql(line)
        return None

    monkeypatch.setattr(migrate, "_run_alembic", write)


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> Release:
    """Each earlier release of which a bank is kept."""
    return Release(request.param)
