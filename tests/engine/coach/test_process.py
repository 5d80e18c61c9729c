"""The coach's process answers in order of urgency, survives what goes wrong, and costs nothing until it is asked."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from engine.coach import (
    Asker,
    Coach,
    CoachGone,
    Superseded,
    Urgency,
    WhatIsBest,
    WhatIsTheGame,
    WhatIsTheHouseEdge,
    WhatRulesAreWorth,
    process,
)
from engine.coach.thinking import Thinker
from engine.games import registry
from engine.games.baccarat import BaccaratRules
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.contract import CHIP
from engine.solver import BadPosition, Position
from tests.cards import LaidOut

VEGAS, KITCHEN = RULE_SETS["vegas"], RULE_SETS["kitchen"]
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
        for word, urgency in (("backlog", Urgency.LATER), ("person", Urgency.PERSON), ("table", Urgency.TABLE))
    ]
    await asyncio.gather(first, *waiting)
    assert heard == ["table", "person", "backlog"]


async def test_when_too_many_wait_people_are_refused_and_tables_are_not(
    coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (process.MOST, process.PATIENCE) == (1_000, 60), "as it is in the house"
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


# -- turns -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sliced:
    """A long question of this many slices."""

    word: str
    count: int = 3

    def answer(self) -> str:
        return self.word

    def slices(self) -> list[Echo]:
        return [Echo(f"{self.word} {number}") for number in range(self.count)]


@pytest.fixture
def sent(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of all questions in the order in which the process gets them."""
    words, answered = list[str](), coach._answered

    async def noted(question: Any) -> tuple[bool, Any]:
        words.append(question.word)
        return await answered(question)

    monkeypatch.setattr(coach, "_answered", noted)
    return words


async def asked(coach: Coach, question: Any, asker: Asker | None, urgency: Urgency = Urgency.PERSON) -> Any:
    """A question that waits, and its task."""
    task = asyncio.create_task(coach.ask(question, urgency, asker))
    await asyncio.sleep(0)
    return task


async def test_a_person_has_one_waiting_question_and_the_newer_one_replaces_it(coach: Coach, sent: list[str]) -> None:
    begun = await asked(coach, Echo("begun"), None)
    alice = [await asked(coach, Echo(word), Asker(1, 1)) for word in ("first", "second", "third")]
    bob = await asked(coach, Echo("bob"), Asker(1, 2))
    ends = await asyncio.gather(begun, *alice, bob, return_exceptions=True)
    assert [type(end) for end in ends[1:3]] == [Superseded, Superseded]
    assert [ends[0], *ends[3:]] == ["begun", "third", "bob"]
    assert sent == ["begun", "third", "bob"]


async def test_what_somebody_has_given_up_is_not_asked(coach: Coach, sent: list[str]) -> None:
    begun = await asked(coach, Echo("begun"), None)
    (await asked(coach, Echo("given up"), Asker(1, 1))).cancel()
    bob = await asked(coach, Echo("bob"), Asker(1, 2))
    assert await asyncio.gather(begun, bob) == ["begun", "bob"]
    assert sent == ["begun", "bob"]


async def test_the_same_person_on_another_server_or_of_another_urgency_is_not_replaced(coach: Coach) -> None:
    """Somebody who waits for a chart can ask for the odds of a hand."""
    tasks = [
        await asked(coach, Echo("here"), Asker(1, 1)),
        await asked(coach, Echo("there"), Asker(2, 1)),
        await asked(coach, Echo("chart"), Asker(1, 1), Urgency.LATER),
    ]
    assert await asyncio.gather(*tasks) == ["here", "there", "chart"]


async def test_servers_take_turns_and_in_each_its_people(coach: Coach, sent: list[str]) -> None:
    begun = await asked(coach, Echo("begun"), None)
    many = [await asked(coach, Echo(f"server 1, person {person}"), Asker(1, person)) for person in (1, 2, 3)]
    few = [await asked(coach, Echo(f"server 2, person {person}"), Asker(2, person)) for person in (4, 5)]
    house = await asked(coach, Echo("house"), None)
    await asyncio.gather(begun, *many, *few, house)
    assert sent == [
        "begun",
        "server 1, person 1",
        "server 2, person 4",
        "house",
        "server 1, person 2",
        "server 2, person 5",
        "server 1, person 3",
    ]


async def test_of_what_nobody_asks_for_the_oldest_comes_first(coach: Coach, sent: list[str]) -> None:
    """Computer players at several tables think in the order in which they began. Of long work nothing is replaced."""
    tables = [await asked(coach, Echo(f"table {number}"), None, Urgency.TABLE) for number in (1, 2, 3)]
    long = [await asked(coach, Sliced(word, 1), None, Urgency.LATER) for word in ("grading", "tomorrow")]
    await asyncio.gather(*tables, *long)
    assert sent == ["table 1", "table 2", "table 3", "grading 0", "tomorrow 0", "grading", "tomorrow"]


async def test_a_long_question_lets_others_go_between_its_slices(coach: Coach, sent: list[str]) -> None:
    long = await asked(coach, Sliced("chart"), Asker(1, 1), Urgency.LATER)
    other = await asked(coach, Sliced("other", 1), Asker(2, 2), Urgency.LATER)
    odds = await asked(coach, Echo("odds"), Asker(1, 3))
    assert await asyncio.gather(long, other, odds) == ["chart", "other", "odds"]
    assert sent.index("odds") < sent.index("chart 1")
    assert [word for word in sent if word != "odds"] == ["chart 0", "other 0", "chart 1", "other", "chart 2", "chart"]


async def test_a_long_question_that_was_begun_is_left_where_the_same_person_asks_another(
    coach: Coach, sent: list[str]
) -> None:
    long = await asked(coach, Sliced("old", 50), Asker(1, 1), Urgency.LATER)
    for _ in range(3):  # its first slice is on its way to the process
        await asyncio.sleep(0)
    newer = await asked(coach, Sliced("new", 1), Asker(1, 1), Urgency.LATER)
    assert await newer == "new"
    with pytest.raises(Superseded):
        await long
    assert "old" not in sent


@pytest.mark.parametrize(
    "question",
    [
        WhatIsTheGame(KITCHEN),
        WhatRulesAreWorth(KITCHEN, ("decks",)),
        WhatIsTheHouseEdge("baccarat", BaccaratRules(decks=1)),
    ],
)
async def test_what_is_asked_in_slices_is_what_is_answered_at_once(coach: Coach, question: Any) -> None:
    assert await coach.ask(question) == question.answer()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals")
async def test_a_process_that_was_killed_is_started_anew(coach: Coach) -> None:
    before = await coach.ask(Whose())
    os.kill(before, signal.SIGKILL)
    with pytest.raises(CoachGone):
        await coach.ask(Whose())
    assert await coach.ask(Whose()) not in (before, os.getpid())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals")
async def test_ctrl_c_is_for_the_bot_and_the_coach_still_answers(coach: Coach) -> None:
    process = await coach.ask(Whose())
    os.kill(process, signal.SIGINT)
    assert await coach.ask(Whose()) == process


async def test_closing_refuses_who_still_waits(coach: Coach) -> None:
    waiting = [asyncio.create_task(coach.ask(WhatIsBest(VEGAS, SOFT_18))) for _ in range(3)]
    await asyncio.sleep(0)
    await coach.close()
    assert all(isinstance(end, CoachGone) for end in await asyncio.gather(*waiting, return_exceptions=True))
    with pytest.raises(CoachGone):
        await coach.ask(WhatIsBest(VEGAS, SOFT_18))


async def test_about_insurance_and_at_other_games_there_is_nothing_to_think(coach: Coach) -> None:
    """So nobody waits for the coach there."""
    war = registry.game("war")
    tied = war.deal(war.rule_sets["casino"], [{"main": CHIP}], LaidOut()(b"", [], 6))
    assert await Thinker(coach)("perfect", tied, 0, CHIP) is None
    cards = LaidOut()
    cards.lay("9 7 / A ?")
    insured = registry.game("blackjack").deal(VEGAS, [{"main": CHIP}], cards(b"", [], VEGAS.decks))
    assert "insure" in insured.legal(0)
    assert await Thinker(coach)("perfect", insured, 0, CHIP) is None
    assert coach._process is None
