"""Nobody presses faster than the operator lets people press, and nobody pays for somebody else's haste."""

from __future__ import annotations

import pytest

from cogs.answers import door
from cogs.answers.door import Pace
from tests.cogs.conftest import Casino, text_of

TOO_FAST = "Too fast! Nothing was changed. Wait a moment."
ALICE, BOB = 1, 2


def test_ten_seconds_presses_come_at_once_and_then_as_many_a_second_as_there_may() -> None:
    at = Pace(2.0)
    assert [at.admits(ALICE, 100.0) for _ in range(22)] == [True] * 20 + [False] * 2
    assert [at.admits(ALICE, 101.0) for _ in range(3)] == [True, True, False]


def test_what_was_refused_does_not_count() -> None:
    at = Pace(1.0)
    for _ in range(100):
        at.admits(ALICE, 0.0)
    assert at.admits(ALICE, 1.0)


def test_everybody_has_a_pace_of_their_own() -> None:
    at = Pace(1.0)
    for _ in range(11):
        at.admits(ALICE, 0.0)
    assert (at.admits(ALICE, 0.0), at.admits(BOB, 0.0)) == (False, True)


def test_at_nought_people_press_as_fast_as_they_like() -> None:
    at = Pace(0.0)
    assert all(at.admits(ALICE, 0.0) for _ in range(1_000))


def test_with_the_slowest_pace_people_still_press_once_and_then_again() -> None:
    at = Pace(0.05)
    assert [at.admits(ALICE, seconds) for seconds in (0.0, 19.0, 20.0)] == [True, False, True]


def test_only_so_many_people_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert door.MOST == 10_000
    monkeypatch.setattr(door, "MOST", 2)
    at = Pace(0.1)
    assert [at.admits(user, 0.0) for user in (ALICE, BOB, BOB, 3, ALICE)] == [True, True, False, True, True]


async def test_a_press_too_fast_changes_nothing_and_says_so(casino: Casino) -> None:
    await casino.deal("T 6 / 6 ? | 2 3")
    casino.bot.pace = Pace(0.1)
    await casino.click("Hit")
    before = casino.snapshot
    answer = (await casino.click("Hit")).response
    assert answer is not None
    assert text_of(answer) == TOO_FAST
    assert casino.snapshot == before


async def test_a_command_and_a_form_too_fast_say_so_too(casino: Casino) -> None:
    await casino.ask("balance")
    casino.bot.pace = Pace(0.1)
    assert text_of(await casino.ask("balance")) != TOO_FAST
    assert text_of(await casino.ask("balance")) == TOO_FAST
    assert text_of(await casino.ask("balance", casino.bob)) != TOO_FAST


async def test_suggestions_count_as_presses_do(casino: Casino) -> None:
    """Typing asks the bank as well, so it is paced: too fast, and nothing is suggested."""
    casino.bot.pace = Pace(0.2)
    names = [await casino.alice.autocomplete(casino.channel, "rules", "name", "vegas") for _ in range(3)]
    assert [bool(found) for found in names] == [True, True, False]
    assert text_of(await casino.ask("balance")) == TOO_FAST
