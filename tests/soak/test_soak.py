"""A short soak of the real bot, and that a silence, an error, and what is left behind would each be noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot import CasinoBot
from cogs.answers.serving import serving
from tests.soak.soak import soaked


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """Return hypothesis's seed, which is printed where a soak fails."""
    return str(request.config.getoption("--hypothesis-seed", default=None) or 21)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "casino.db"


@pytest.mark.slow
async def test_presses_and_garbage_are_all_answered_and_leave_nothing_behind(file: Path, seed: str) -> None:
    soak, problems = await soaked(file, steps=160, seed=seed)
    assert not problems, f"seed {seed}"
    assert soak.done["button"] > 30
    assert {f"/{name}" for name, kind in soak.env.backend.commands[None] if kind == 1} <= soak.done.keys()
    assert soak.broken
    assert soak.decided > 0, "somebody took a break or set a limit"
    assert soak.bought > 0, "somebody bought a role"
    assert soak.duelled > 0, "two people played a duel"
    assert soak.fives > 0, "somebody played Today's five"
    assert soak.graded > 0, "the coach was at work"


def planted(bot: CasinoBot) -> None:
    """Four commands that are broken on purpose."""
    kept: list[Any] = []

    async def is_silent(interaction: Any, **_: Any) -> None: ...

    async def fails(interaction: Any, **_: Any) -> None:
        async with serving(interaction):
            raise RuntimeError("planted")

    async def leaves_a_task(interaction: Any, **_: Any) -> None:
        async with serving(interaction) as reply:
            kept.append(asyncio.create_task(asyncio.sleep(1e9)))
            await reply.say("Fine.")

    async def keeps_tables(interaction: Any, **_: Any) -> None:
        async with serving(interaction) as reply:
            kept.append([Kept() for _ in range(100)])
            await reply.say("Fine.")

    broken: dict[str, Callable[..., Awaitable[None]]] = {
        "balance": is_silent, "daily": fails, "help": leaves_a_task, "privacy": keeps_tables,
    }  # fmt: skip
    for name, deed in broken.items():
        command: Any = bot.tree.get_command(name)
        command._callback, command.binding = deed, None


class Kept:
    """Something that is never let go."""

    __module__ = "cogs.planted"


@pytest.mark.slow
async def test_what_is_planted_is_noticed(file: Path, seed: str) -> None:
    sent = ("balance", "blackjack", "daily", "help", "privacy")
    _, problems = await soaked(file, steps=45, seed=seed, only=sent, plant=planted)
    kinds = {
        "no answer to /balance": "a silence",
        "error": "an error",
        "tasks are left": "a task",
        "cogs.planted.Kept": "objects",
    }
    for sign, what in kinds.items():
        assert any(sign in problem for problem in problems), (what, problems, f"seed {seed}")
    others = [problem for problem in problems if not any(sign in problem for sign in kinds)]
    assert not others, others
