"""Answers of the coach to a single member, in every language (`tests/golden/pages`)."""

from __future__ import annotations

import pytest
import simcord

from cogs.words import DEFAULT, _, speaking
from engine.tables.snapshot import TablePhase

from ..conftest import Casino
from .languages import FOLDERS
from .test_commands import answer, asked, page
from .test_golden import agrees


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_the_coach_speaks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """Alice, who has asked to be warned, hits ten and six against a six. Her table speaks her language too."""
    alice = casino.alice
    settings = await casino.ask("settings")
    if language != DEFAULT:
        await alice.select(settings, [language], custom_id="settings:language")
    await pressed(casino, settings, "Warn me of costly plays", language)
    lines = await asked(casino, alice, "stats")

    await casino.deal("T 6 / A 9", bet=100)
    lines += titled("/odds before the look", await asked(casino, alice, "odds"))
    await stands(casino, language)
    await casino.deal("T 6 / 6 T | 2 5", bet=100)
    lines += titled("/odds of a hand", await asked(casino, alice, "odds"))
    warning = (await casino.click(word("Hit", language))).response
    assert warning is not None
    lines += page("a costly play", answer(warning))
    lines += page("played all the same", await pressed(casino, warning, "{action} anyway", language, "Hit"))
    await stands(casino, language)

    stats = await casino.ask("stats")
    lines += titled("/stats with a mistake", page("", answer(stats)))
    lines += page("the hand once more", await pressed(casino, stats, "Try again", language))
    lines += page("the right answer", await pressed(casino, stats, "Stand", language))
    lines += await asked(casino, alice, "strategy", rules="kitchen")
    agrees(request, f"{folder}/coach.txt", lines)


def word(label: str, language: str) -> str:
    with speaking(language):
        return _(label)


async def stands(casino: Casino, language: str) -> None:
    """Play until the round is over."""
    declines, stand = (word(label, language) for label in ("No insurance", "Stand"))
    while casino.snapshot.phase is TablePhase.PLAYING:
        shown = casino.keys()
        await casino.click(declines if declines in shown else stand)


def titled(scene: str, lines: list[str]) -> list[str]:
    return [f"== {scene}", *lines[1:]]


async def pressed(
    casino: Casino, panel: simcord.ResponseMessage, label: str, language: str, action: str = ""
) -> list[str]:
    """The panel after one of its keys."""
    with speaking(language):
        written = _(label).format(action=_(action) if action else "")
    await casino.alice.click(panel, label=written)
    return answer(panel)
