"""Banks for the tests: each test runs on SQLite and on PostgreSQL, and ends with a clean audit."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from data import Bank
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.values import Member
from tests.conftest import NewBank
from tests.data import dealer, left_behind
from tests.data.dealer import GUILD, LENIENT, Dealer, HandClock, press
from tests.data.left_behind import Upgraded
from tests.data.releases import House
from tests.data.scratch import scratch
from tests.data.servers import Server, apart, postgres
from tests.data.wire import Cut, Wire, wire
from tests.releases import Release

Join = Callable[..., Awaitable[Member]]


@pytest.fixture(autouse=True)
def its_own_ids() -> None:
    """Each test has the same ids, and so the same cards, whichever ran before it."""
    dealer.numbers = itertools.count(dealer.FIRST)


@pytest.fixture(scope="session")
def running_server() -> Iterator[Server]:
    with postgres() as running:
        yield running


@pytest.fixture
def server(running_server: Server) -> Iterator[Server]:
    """The server, which takes back in the end what a test has asked it for: hundreds of databases took a minute to
    delete.
    """
    yield running_server
    apart(running_server.tidy())


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
    """Return a function that opens an account with this many chips."""

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
        yield left_behind.as_file(release, tmp_path / "bank.db")
    else:
        server: Server = request.getfixturevalue("server")
        address = await left_behind.on_server(release, server)
        yield address
        await server.drop(address)


@pytest.fixture(scope="session")
def upgraded() -> Iterator[Upgraded]:
    """Old banks in today's schema."""
    with TemporaryDirectory(prefix="upgraded-", dir=scratch()) as folder:
        yield Upgraded(Path(folder))


@pytest.fixture
async def house(
    kind: str, release: Release, upgraded: Upgraded, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[House]:
    """This release on an old bank, which is sound in the end."""
    server: Server | None = request.getfixturevalue("server") if kind == "postgresql" else None
    if server is None:
        address = await upgraded.as_file(release, tmp_path / "bank.db")
    else:
        address = await upgraded.on_server(release, server)
    clock = HandClock(release.was["now"])
    async with Bank.open(address, HouseSettings(think_seconds=0), clock) as bank:
        house = House(release, bank, clock)
        yield house
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
    if server is not None:
        await server.drop(address)
