"""A bot comes to rest after a start, however many rounds its bank has: what was proved and bound is not asked for."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from bench._rounds import write_rounds
from cogs.background.audits import WHOLE_EVERY
from data.drivers.store import Store
from tests.data.by_hand import bind_all

from ..conftest import Casino


async def test_a_start_asks_as_little_of_many_rounds_as_of_few(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated Discord has patience for five seconds: a whole audit of 20,000 rounds would take longer."""
    asked, connect = list[str](), Store.__init__

    def heard(store: Store, *values: Any, **named: Any) -> None:
        connect(store, *values, **named)
        engine = store.engine.sync_engine
        event.listen(engine, "before_cursor_execute", lambda _, __, statement, *___: asked.append(statement))

    monkeypatch.setattr(Store, "__init__", heard)
    questions = list[int]()
    for first, last in ((0, 500), (500, 1_500)):
        await write_rounds(casino.bot.bank, first, last)
        await bind_all(casino.bot.bank)
        assert (await casino.bot.bank.auditor.look_in(WHOLE_EVERY)).clean
        asked.clear()
        await casino.restart()
        questions.append(len(asked))
    few, many = questions
    assert abs(many - few) <= 5
