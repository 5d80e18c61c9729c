"""The coach's process answers in order of urgency, survives what goes wrong, and costs nothing until it is asked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from engine.coach import Coach, CoachGone, Urgency, WhatIsBest, process
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.solver import BadPosition, Position

VEGAS = RULE_SETS["vegas"]
SOFT_18 = Position.fresh(VEGAS, ("A", "7"), "6")


@dataclass(frozen=True)
class Whose:
    """Which process answers."""

    def answer(self) -> int:
        return os.getpid()


@dataclass(frozen=True)
class Whether:
    """Whether the process has imported something."""

    module: str

    def answer(self) -> bool:
        return self.module in sys.modules


@dataclass(frozen=True)
class Echo:
    word: str

    def answer(self) -> str:
        return self.word


@pytest.fixture
async def coach() -> AsyncIterator[Coach]:
    coach = Coach()
    yield coach
    await coach.close()


async def test_soft_18_against_6_is_doubled(coach: Coach) -> None:
    decision = await coach.ask(WhatIsBest(VEGAS, SOFT_18))
    assert decision.best == "double"
    assert decision.actions["double"] == pytest.approx(0.382807, abs=1e-6)


async def test_what_has_no_answer_says_why_and_the_next_question_is_answered(coach: Coach) -> None:
    with pytest.raises(BadPosition, match="two cards"):
        await coach.ask(WhatIsBest(VEGAS, Position(("A",), "6", SOFT_18.unseen)))
    assert (await coach.ask(WhatIsBest(VEGAS, SOFT_18))).best == "double"


def test_importing_the_coach_imports_no_numpy_and_starts_nothing() -> None:
    look = "import sys, engine.coach; engine.coach.Coach(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("module", ["numpy", "discord", "sqlalchemy"])
async def test_the_process_imports_nothing_that_no_question_needs(coach: Coach, module: str) -> None:
    assert await coach.ask(Whether(module)) is False


async def test_numpy_is_imported_there_alone(coach: Coach) -> None:
    await coach.ask(WhatIsBest(VEGAS, SOFT_18))
    assert await coach.ask(Whether("numpy")) is True


async def test_tables_come_before_people_and_people_before_the_backlog(coach: Coach) -> None:
    first = asyncio.create_task(coach.ask(Echo("first")))
    await asyncio.sleep(0)
    heard: list[str] = []

    async def hear(word: str, urgency: Urgency) -> None:
        heard.append(await coach.ask(Echo(word), urgency))

    waiting = [
        asyncio.create_task(hear(word, urgency))
        for word, urgency in (("backlog", Urgency.NOBODY), ("person", Urgency.PERSON), ("table", Urgency.TABLE))
    ]
    await asyncio.gather(first, *waiting)
    assert heard == ["table", "person", "backlog"]


async def test_when_too_many_wait_people_are_refused_and_tables_are_not(
    coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MOST", 2)
    begun = asyncio.create_task(coach.ask(Echo("begun")))
    for _ in range(3):  # asked, and on its way to the process
        await asyncio.sleep(0)
    waiting = [asyncio.create_task(coach.ask(Echo(word))) for word in ("first", "second")]
    await asyncio.sleep(0)
    assert coach.waiting == 2
    with pytest.raises(CoachGone, match="too many"):
        await coach.ask(Echo("third"))
    assert await coach.ask(Echo("table"), Urgency.TABLE) == "table"
    assert await asyncio.gather(begun, *waiting) == ["begun", "first", "second"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals")
async def test_a_process_that_was_killed_is_started_anew(coach: Coach) -> None:
    before = await coach.ask(Whose())
    os.kill(before, signal.SIGKILL)
    with pytest.raises(CoachGone):
        await coach.ask(Whose())
    assert await coach.ask(Whose()) not in (before, os.getpid())


async def test_closing_refuses_who_still_waits(coach: Coach) -> None:
    waiting = [asyncio.create_task(coach.ask(WhatIsBest(VEGAS, SOFT_18))) for _ in range(3)]
    await asyncio.sleep(0)
    await coach.close()
    assert all(isinstance(end, CoachGone) for end in await asyncio.gather(*waiting, return_exceptions=True))
    with pytest.raises(CoachGone):
        await coach.ask(WhatIsBest(VEGAS, SOFT_18))
