"""Seeds are in nothing that other people may read: logs, errors, and values as they are printed."""

from __future__ import annotations

import io
import logging
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa

from cogs.operations import logs
from data import BadChange, Bank
from data.base.schema import rounds
from data.drivers.store import make_engine
from data.drivers.url import address
from data.journal.tables import SEAL
from engine.fairness.lots import Lots
from engine.tables.ports import BankUnavailable
from engine.tables.values import Change, Seal, TableRow
from tests.data.dealer import GUILD, Dealer, HandClock, seal
from tests.data.seated import Seated

SEED = b"the seed of an open round".ljust(32)


def forms(seed: bytes) -> list[str]:
    """How a seed may look on paper."""
    return [seed.hex(), repr(seed)[2:-1], str(list(seed))[1:-1]]


def shown(seeds: list[bytes], text: str) -> list[bytes]:
    return [seed for seed in seeds if any(form in text for form in forms(seed))]


@dataclass
class Remembering(Seated):
    """Tables for a test, which remember every seed that its tables were given."""

    seeds: list[bytes] = field(default_factory=list)

    def _seed(self) -> bytes:
        self.seeds.append(super()._seed())
        return self.seeds[-1]


@pytest.fixture
def as_told(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Logging at DEBUG, set up as the bot does it."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in logs._AT_LEAST}
    logs.set_up("DEBUG", as_json=False)
    yield
    root.handlers[:] = before
    root.setLevel(level)
    for name, its in levels.items():
        logging.getLogger(name).setLevel(its)


async def test_rounds_played_at_debug_leave_no_seed_anywhere(
    bank: Bank, clock: HandClock, as_told: None, capsys: pytest.CaptureFixture[str]
) -> None:
    seated = await Remembering(bank, clock).sit()
    logging.getLogger("test").debug("the log is on")
    for _ in range(3):
        await seated.stake()
        logging.getLogger("test").debug("%r", await bank.tables.stored(seated.table.id))
        await seated.stand()
    backup, export = io.StringIO(), io.StringIO()
    await bank.copies.export(export)
    await bank.copies.dump(backup)
    said = "".join(capsys.readouterr())
    assert "the log is on" in said
    assert len(seated.seeds) > 3
    assert shown(seated.seeds, said) == []
    stored = await bank.tables.stored(seated.table.id)
    assert stored is not None
    still_secret = [known.seed for known in stored.rounds if known.lines is None]
    assert still_secret
    assert shown(still_secret, export.getvalue()) == []
    await seated.over()


async def test_what_is_on_its_way_to_the_bank_shows_no_values(unsound_bank: Bank) -> None:
    """aiosqlite writes down whole calls, should anybody let it."""
    row = TableRow(1, GUILD, 70, "blackjack", SEED.hex(), 1, open=True, deadline=None)
    change = Change("press/1", row, seal=Seal(1, SEED, "commitment"))
    batch = unsound_bank.tables._batch(change, ())
    assert batch.steps
    assert shown([SEED], f"{batch!r} {change!r}") == []


async def test_a_change_that_the_database_refuses_does_not_tell_its_values(unsound_bank: Bank) -> None:
    """PostgreSQL tells the whole row."""
    await unsound_bank.tables.commit(Change("press/1", Dealer(unsound_bank, id=1).row(), seal=seal(1, 1)))
    kind = {"version": 1, "scheme": "1", "chain": None, "link": None}
    columns = {"table_id": 1, "number": 2, "guild": None, "seed": SEED, "commitment": "x", "code": "x"}
    batch = unsound_bank._store.batch()
    batch.add(SEAL, {**columns, **kind})
    with pytest.raises(BadChange) as refused:
        await unsound_bank._store.write.run(batch)
    said = "".join(traceback.format_exception(refused.value))
    with pytest.raises(BankUnavailable) as failed:
        async with unsound_bank._store.rewriting() as connection:
            await connection.execute(sa.insert(rounds), {**columns, "version": 1, "scheme": "1"})
    said += "".join(traceback.format_exception(failed.value))
    assert "null" in said.lower()
    assert shown([SEED], said) == []
    assert "open round" not in said


def test_no_value_shows_its_seed() -> None:
    secret = Seal(1, SEED, "commitment"), Lots(SEED, ("1",))
    assert shown([SEED], repr(secret)) == []
    assert "commitment" in repr(secret)


async def test_a_failed_statement_does_not_tell_its_values(url: str) -> None:
    engine = make_engine(address(url))
    wrong = sa.text("INSERT INTO nowhere VALUES (:seed)").bindparams(sa.bindparam("seed", SEED, sa.LargeBinary()))
    with pytest.raises(sa.exc.DBAPIError) as failed:
        async with engine.begin() as connection:
            await connection.execute(wrong)
    told = "".join(traceback.format_exception(failed.value))
    assert "nowhere" in told
    assert shown([SEED], told) == []
    assert "open round" not in told
    await engine.dispose()
