"""Today's five for tests of the bank: the same root, and so the same deals, in every test."""

from __future__ import annotations

from functools import cache
from typing import Any

from data import Bank
from data.base.sets import DayToPrepare, StoredSet, StoredTry
from engine.coach.sets import prepare_day
from engine.sets.answers import ACTIONS
from engine.sets.calendar import DAY, opens
from engine.sets.levels import played_by
from engine.sets.prepared import Prepared
from engine.sets.tries import NEXT
from tests.data.dealer import HandClock

ROOT = bytes(range(1, 33))


def one_root(size: int) -> bytes:
    """The chance of a house whose days every test knows."""
    assert size == len(ROOT)
    return ROOT


async def prepare(bank: Bank) -> list[int]:
    """Prepare whatever is missing, as the chore does, and return the days."""
    days = []
    while (missing := await bank.days.to_prepare()) is not None:
        await bank.days.keep(missing, prepared(missing))
        days.append(missing.day)
    return days


def prepared(missing: DayToPrepare) -> Prepared:
    return _prepared(missing.day, missing.seed, missing.asked_before)


@cache
def _prepared(day: int, seed: bytes, before: frozenset[str]) -> Prepared:
    async def ask(question: Any) -> Any:
        return question.answer()

    coroutine = prepare_day(ask, day, seed, before)
    try:
        coroutine.send(None)
    except StopIteration as done:
        found: Prepared = done.value
        return found
    raise AssertionError("the answers are there at once")


async def first_day(bank: Bank, clock: HandClock) -> StoredSet:
    """Prepare the house's first days, and go to noon of the first."""
    bank.days.chance = one_root
    await prepare(bank)
    day = await bank.days.first_day()
    assert day is not None
    clock.time = noon(day)
    return await today(bank)


def noon(day: int) -> float:
    return opens(day) + DAY / 2


async def next_day(bank: Bank, clock: HandClock) -> StoredSet:
    """Go to noon of the day after."""
    clock.time += DAY
    return await today(bank)


async def today(bank: Bank) -> StoredSet:
    await prepare(bank)
    found = await bank.days.today()
    assert found is not None
    return found


async def two_days(bank: Bank, clock: HandClock, *guilds: int) -> StoredSet:
    """Play a day that is bound by now, and another that is open: two have finished it, and one is in the midst of it.

    Return the open day.
    """
    for user in (1, 2):
        await play(bank, await first_day(bank, clock), user, perfect(await today(bank)), *guilds)
    clock.time += DAY
    while await bank.leaves.bind():
        pass
    day = await today(bank)
    await play(bank, day, 1, perfect(day), *guilds)
    await play(bank, day, 2, by_level(day, "amateur"), *guilds)
    await play(bank, day, 3, perfect(day)[:4], *guilds)
    return day


def perfect(day: StoredSet) -> list[str]:
    """The presses of a perfect try."""
    found, presses = StoredTry(day.id, 0, 0, "", 0.0).on(day), []
    while not found.over:
        answers = found.prepared.answers[found.place].get(found.letters[-1], {})
        best = max(answers, key=answers.__getitem__, default=NEXT)
        presses.append(NEXT if found.round.over else _word(best))
        found = found.pressed(presses[-1], day.shoes)
    return presses


def by_level(day: StoredSet, level: str) -> list[str]:
    """The presses of a computer player's try."""
    return [_word(letter) for letter in played_by(level, day.prepared, day.shoes).steps]


def _word(letter: str) -> str:
    return ACTIONS.get(letter, letter)


async def press(bank: Bank, day: StoredSet, stored: StoredTry, action: str) -> StoredTry:
    return await bank.tries.press(stored, stored.on(day).pressed(action, day.shoes))


async def play(bank: Bank, day: StoredSet, user: int, presses: list[str], *guilds: int) -> StoredTry:
    """Play a whole try, entered on these servers before."""
    stored = await bank.tries.begin(day, user)
    for guild in guilds:
        await bank.tries.stand(day, stored.person, guild)
    for action in presses:
        stored = await press(bank, day, stored, action)
    return stored
