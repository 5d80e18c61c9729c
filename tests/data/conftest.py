"""Banks for the tests: each test runs on SQLite and on PostgreSQL, and ends with a clean audit."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from data import Bank
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.values import Member
from tests.conftest import NewBank
from tests.data import dealer
from tests.data.dealer import GUILD, LENIENT, Dealer, HandClock, press
from tests.data.releases import House
from tests.data.servers import Server, postgres
from tests.data.wire import Cut, Wire, wire
from tests.releases import Release

Join = Callable[..., Awaitable[Member]]


@pytest.fixture(autouse=True)
def its_own_ids() -> None:
    """Each test has the same ids, and so the same cards, whichever ran before it."""
    dealer.numbers = itertools.count(dealer.FIRST)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
async def url(kind: str, tmp_path: Path, new_bank: NewBank, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The address of an empty bank."""
    if kind == "sqlite":
        yield new_bank(tmp_path / "bank.db")
    else:
        server: Server = request.getfixturevalue("server")
        address = await server.new()
        yield address
        await server.drop(address)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def unsound_bank(url: str, clock: HandClock) -> AsyncIterator[Bank]:
    """A bank that a test may leave in disorder."""
    async with Bank.open(url, LENIENT, clock) as bank:
        yield bank


@pytest.fixture
async def bank(unsound_bank: Bank) -> AsyncIterator[Bank]:
    yield unsound_bank
    assert [str(fault) for fault in (await unsound_bank.auditor.audit()).faults] == []


@pytest.fixture
async def ledger_bank(unsound_bank: Bank) -> AsyncIterator[Bank]:
    """A bank whose chips must be right in the end, where a test has written rounds that nobody dealt."""
    yield unsound_bank
    assert [str(fault) for fault in (await unsound_bank.auditor.audit(replay=False)).faults] == []


@pytest.fixture
def join(unsound_bank: Bank) -> Join:
    """A member with so many chips."""

    async def join(user: int = 1, chips: int = 1_000, guild: int = GUILD) -> Member:
        member = await unsound_bank.members.sign_in(guild, user)
        more = chips * CHIP - member.balance
        order = unsound_bank.chips.grant if more > 0 else unsound_bank.chips.take
        if more:
            await order(member.id, abs(more), actor=member.id, reason="the test wants it", press=press())
        return await unsound_bank.members.sign_in(guild, user)

    return join


@pytest.fixture
async def table(unsound_bank: Bank) -> Dealer:
    return await Dealer(unsound_bank).open()


@pytest.fixture
async def address(server: Server) -> AsyncIterator[str]:
    address = await server.new()
    yield address
    await server.drop(address)


@pytest.fixture
async def line(address: str) -> AsyncIterator[Wire]:
    async with wire(address) as line:
        yield line


@pytest.fixture
async def on_line(line: Wire, clock: HandClock) -> AsyncIterator[Bank]:
    """A bank at the other end of a wire that may be cut."""
    async with Bank.open(line.url, LENIENT, clock) as bank:
        yield bank
        line.cut = Cut.NOT
        assert (await bank.auditor.audit()).clean


# -- banks of earlier releases -----------------------------------------------------------------------------------------


@pytest.fixture
async def old(kind: str, release: Release, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The address of an old bank, as it was when its process was killed."""
    if kind == "sqlite":
        file = tmp_path / "bank.db"
        with contextlib.closing(sqlite3.connect(file)) as raw:
            raw.executescript(release.text("sqlite.sql.gz"))
        yield f"sqlite:///{file}"
    else:
        server: Server = request.getfixturevalue("server")
        address = await server.empty()
        raw = await asyncpg.connect(address)
        await raw.execute(release.text("postgresql.sql.gz"))
        await raw.close()
        yield address
        await server.drop(address)


@pytest.fixture
async def house(old: str, release: Release) -> AsyncIterator[House]:
    """This release on an old bank, which is sound in the end."""
    clock = HandClock(release.was["now"])
    async with Bank.open(old, HouseSettings(think_seconds=0), clock) as bank:
        house = House(release, bank, clock)
        yield house
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
