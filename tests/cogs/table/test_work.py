"""The work of a press is counted and not timed, so that a slip is noticed on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from bench.travel import Steps, noted
from cogs.pictures import canvas
from cogs.table import components
from data.drivers.batch import Batch
from engine.tables import table
from tests.cogs.conftest import Casino

ROOT = Path(__file__).resolve().parents[3]


class Work:
    """The cost of a press: questions to the bank, transactions, and how often a table is looked at and drawn."""

    def __init__(self, casino: Casino, patch: pytest.MonkeyPatch) -> None:
        self.reads: list[str] = []
        self.transactions: list[list[str]] = []
        self.snapshots = self.layouts = self.pictures = 0
        store, make = casino.bot.bank._store, table.snapshot_of
        build, draw = components.build, canvas.Canvas.file
        driver = store.write
        fetch, run = driver.fetch, driver.run
        event.listen(store.engine.sync_engine, "before_cursor_execute", self._asked)

        async def read(statement: Any, values: tuple[Any, ...]) -> Sequence[Sequence[Any]]:
            self.reads.append(statement.sql)
            return await fetch(statement, values)

        async def written(batch: Batch) -> None:
            self.transactions.append([step.statement.sql for step in batch.steps])
            await run(batch)

        def made(*args: Any) -> Any:
            self.snapshots += 1
            return make(*args)

        def built(*args: Any) -> Any:
            self.layouts += 1
            return build(*args)

        def drawn(picture: canvas.Canvas) -> bytes:
            self.pictures += 1
            return draw(picture)

        patch.setattr(driver, "fetch", read)
        patch.setattr(driver, "run", written)
        patch.setattr(table, "snapshot_of", made)
        patch.setattr(components, "build", built)
        patch.setattr(canvas.Canvas, "file", drawn)

    def _asked(self, connection: Any, cursor: Any, statement: str, values: Any, context: Any, many: bool) -> None:  # noqa: FBT001
        self.reads.append(statement)

    def forget(self) -> None:
        self.reads.clear()
        self.transactions.clear()
        self.snapshots = self.layouts = self.pictures = 0


@pytest.fixture
def work(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.setattr(components, "_kept", {})  # another test may have drawn the same table
    return Work(casino, monkeypatch)


async def test_a_hit_is_one_transaction_of_few_statements_one_snapshot_and_one_drawing(
    casino: Casino, work: Work
) -> None:
    await casino.deal("5 4 / 9 ? | 2 3")
    await casino.click("Hit")  # what is looked up once has been by then
    work.forget()
    await casino.click("Hit")
    assert work.reads == []
    (statements,) = work.transactions
    assert len(statements) <= 3
    assert (work.snapshots, work.layouts, work.pictures) == (1, 1, 1)


async def test_a_table_that_goes_on_in_a_new_message_takes_its_picture_along(casino: Casino, work: Work) -> None:
    await casino.deal("5 4 / 9 ?")
    before = casino.message
    work.forget()
    await casino.blackjack()
    assert casino.message != before
    assert (work.snapshots, work.layouts, work.pictures) == (1, 1, 0)


async def test_a_round_ends_in_the_transaction_of_its_last_press(casino: Casino, work: Work) -> None:
    await casino.deal("T 9 / 9 8")
    work.forget()
    await casino.click("Stand")
    (statements,) = [each for each in work.transactions if "causes" in each[0]]  # others may be grading the round
    assert len(statements) <= 13
    assert (work.snapshots, work.layouts, work.pictures) == (1, 1, 1)


async def test_a_hit_passes_the_files_that_the_way_in_names_and_asks_once_whether_it_is_legal(casino: Casino) -> None:
    """Every file of `python -m bench travel` is in docs/architecture.md. How many there are is reported there only."""
    await casino.deal("5 4 / 9 ? | 2 3 2")
    await casino.click("Hit")
    await casino.click("Hit")  # what is looked up once has been by then
    steps = Steps()
    with noted(steps):
        await casino.click("Hit")
    functions = [function for _file, function in steps]
    files = {Path(file) for file, _function in steps}
    walk = (ROOT / "docs" / "architecture.md").read_text().partition("File by file")[2].partition("\n## ")[0]
    assert [file for file in sorted(files) if f"/{file.name}`" not in walk and f"`{file.name}`" not in walk] == []
    assert sum(function.endswith(".refusal") for function in functions) == 1
    assert functions.count("snapshot_of") == 1
    assert functions.count("page_of") == 1
