"""Every query that somebody waits for goes by an index, however many rounds a bank holds."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import pytest
from sqlalchemy import event

from bench._rounds import write_rounds
from bench.queries import ASKED
from data import Bank, StoredSet
from data.proofs.audit import audit
from data.proofs.rounds import ROUNDS
from tests.data.dealer import HandClock
from tests.data.fives import first_day, perfect, play

#: The tables that grow with every round.
GROWING: Final = (
    "transfers", "rounds", "steps", "plays", "pots", "causes", "members", "tables", "chains", "grades", "mistakes",
    "titles", "tournaments", "leaves", "training", "people", "tries", "standings",
)  # fmt: skip
#: Indexes of what is going on now, or rare, and those that are read from one end: these may be gone through.
SHORT: Final = ("pots_live", "transfers_gifts", "tables_open", "tournaments_open", "members_stale", "members_by_[a-z]+")


@pytest.fixture
def asked(unsound_bank: Bank, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Return every question to the database, with its values."""
    found: list[tuple[str, Any]] = []
    store = unsound_bank._store
    event.listen(
        store.engine.sync_engine,
        "before_cursor_execute",
        lambda connection, cursor, statement, values, context, many: found.append((statement, values)),
    )
    fetch = store.write.fetch

    async def noted(statement: Any, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
        found.append((statement.sql, values))
        return await fetch(statement, values)

    monkeypatch.setattr(store.write, "fetch", noted)
    return found


async def plan(bank: Bank, statement: str, values: Any) -> list[str]:
    """How the database would go about it, a line for each step."""
    async with bank._store.engine.connect() as connection:
        if bank._store.is_file:
            rows = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
            return [row[3] for row in rows]
        for way in ("seqscan", "bitmapscan", "sort"):  # taken only where nothing else can be, whatever has been counted
            await connection.exec_driver_sql(f"SET enable_{way} = off")
        rows = (await connection.exec_driver_sql(f"EXPLAIN {statement}", values)).all()
        return [row[0].strip() for row in rows]


def wanders(step: str) -> bool:
    """Whether a step goes through more than what it looks for: everything, or all of a guild."""
    if any(re.search(rf"\b{index}\b", step) for index in SHORT):
        return False
    table = re.search(r"(?:SCAN|SEARCH|Seq Scan on) (\w+)", step)
    if table is None or table[1] not in GROWING:
        return False
    return not step.startswith("SEARCH") or step.endswith("(guild=?)")


@pytest.mark.parametrize("name", ASKED)
async def test_what_people_wait_for_goes_by_an_index(bank: Bank, asked: list[tuple[str, Any]], name: str) -> None:
    await bank.members.sign_in(5 << 22, 1)  # so that there is somebody to look for
    asked.clear()
    await ASKED[name](bank)
    queries = [(text, values) for text, values in asked if text.lstrip().upper().startswith(("SELECT", "WITH"))]
    assert queries
    plans: Mapping[str, list[str]] = {text: await plan(bank, text, values) for text, values in queries}
    assert {text: step for text, steps in plans.items() for step in steps if wanders(step)} == {}


#: The questions about Today's five: they may read a row for each day, but not people or tries.
OF_THE_DAY: Final[Mapping[str, Callable[[Bank, StoredSet], Awaitable[object]]]] = {
    "the day": lambda bank, day: bank.days.today(),
    "a try begun": lambda bank, day: bank.tries.begin(day, 1),
    "the board": lambda bank, day: bank.boards.of_day(5 << 22, day, person=1),
    "the week": lambda bank, day: bank.boards.of_week(5 << 22, day.day, user=1),
    "who has not finished": lambda bank, day: bank.boards.unfinished(5 << 22, day),
    "a streak": lambda bank, day: bank.boards.streak(1),
    "the server's streak": lambda bank, day: bank.boards.server_streak(5 << 22),
    "shares": lambda bank, day: bank.boards.shares(day),
    "the archive": lambda bank, day: bank.boards.archive(1, day.day),
    "one's own": lambda bank, day: bank.privacy.own(1),
}


@pytest.mark.parametrize("name", OF_THE_DAY)
async def test_what_people_look_at_of_todays_five_goes_by_an_index(
    bank: Bank, clock: HandClock, asked: list[tuple[str, Any]], name: str
) -> None:
    day = await first_day(bank, clock)
    await play(bank, day, 1, perfect(day), 5 << 22)
    asked.clear()
    await OF_THE_DAY[name](bank, day)
    queries = [(text, values) for text, values in asked if text.lstrip().upper().startswith(("SELECT", "WITH"))]
    assert queries
    plans = {text: await plan(bank, text, values) for text, values in queries}
    assert {text: step for text, steps in plans.items() for step in steps if wanders(step)} == {}


async def test_a_query_without_an_index_would_be_noticed(bank: Bank) -> None:
    steps = await plan(bank, "SELECT * FROM transfers WHERE reason = 'x'", ())
    assert [step for step in steps if wanders(step)]


async def test_champions_are_read_in_their_order(bank: Bank, asked: list[tuple[str, Any]]) -> None:
    """The first few of an index: no title is counted, and nobody is put in order."""
    await bank.titles.champions(5 << 22)
    ((text, values),) = [(text, values) for text, values in asked if "tables_won" in text]
    steps = await plan(bank, text, values)
    assert any("members_by_titles" in step for step in steps)
    assert not [step for step in steps if "TEMP B-TREE" in step or step.startswith(("Sort", "->  Sort"))]


_BY_INDEX: Final = "_pkey on|rounds_code on|transfers_(source|target) on"
EVERYTHING: Final = ""
BESIDE_ROUNDS: Final = ("pots", "transfers", "plays", "steps", "tables")


@pytest.mark.parametrize("counted", [*BESIDE_ROUNDS[:3], EVERYTHING])
async def test_an_audit_goes_from_rounds_to_what_belongs_to_them_whatever_a_server_knows_of_its_tables(
    bank: Bank, asked: list[tuple[str, Any]], counted: str
) -> None:
    """With statistics of the escrows alone it looked cheap to begin with them, and took hours; with those of all tables
    a slice of a million rounds looked like a quarter of them, and each slice read them all."""
    if bank._store.is_file:
        pytest.skip("SQLite keeps no statistics")
    await write_rounds(bank, 0, 5_000)
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql(f"ANALYZE {counted}")
    asked.clear()
    await audit(bank._store.slicing, 0.0, (ROUNDS,))
    looks = {text: values for text, values in asked if any(f" {name}" in text for name in BESIDE_ROUNDS)}
    assert len(looks) == 5
    async with bank._store.slicing() as connection:
        for number, (text, values) in enumerate(looks.items()):
            await connection.exec_driver_sql(f"PREPARE look_{number} AS {text}")
            for mode in ("force_custom_plan", "force_generic_plan"):  # at first, and after a few slices
                await connection.exec_driver_sql(f"SET LOCAL plan_cache_mode = {mode}")
                rows = (await connection.exec_driver_sql(f"EXPLAIN EXECUTE look_{number} {tuple(values)}")).all()
                first, *others = (row[0] for row in rows if "Scan" in row[0])
                assert "rounds_pkey on rounds" in first
                expected = re.search(r"rows=(\d+)", first)
                assert expected is not None
                assert int(expected[1]) <= ROUNDS.size
                assert others
                assert all(re.search(_BY_INDEX, other) for other in others), others
