"""Pages of breaks, limits and being forgotten, in every language (`tests/golden/pages`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import simcord

from cogs.coach.milestones import _WORDS
from cogs.leaderboard.seasons import _SAYS, NAMES
from cogs.words import DEFAULT, _, speaking
from data import LimitKind, Milestone, SeasonBoard
from engine.games.contract import CHIP

from ..conftest import Casino
from . import writing
from .languages import FOLDERS
from .test_commands import page, pressed
from .test_golden import agrees


async def form(where: simcord.ResponseMessage, who: simcord.MemberActor, scene: str, custom_id: str) -> list[str]:
    result = await who.click(where, custom_id=custom_id)
    assert result.modal is not None
    return page(scene, writing.form(result.modal))


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_breaks_and_limits_speak_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    alice, bank = casino.alice, casino.bot.bank
    where = await casino.ask("settings")
    if language != DEFAULT:
        await alice.select(where, [language], custom_id="settings:language")
    for most in (100 * CHIP, 200 * CHIP):
        await bank.limits.set(alice.id, LimitKind.LOSS_DAY, most)
    lines = await pressed(where, alice, "breaks and limits", "care:page")
    lines += await form(where, alice, "the form of limits", "care:limits")
    lines += await pressed(where, alice, "what the house does", "care:about")
    await alice.click(where, custom_id="care:page")
    lines += await pressed(where, alice, "a break", "care:break")
    lines += await pressed(where, alice, "from everything", "care:break:everything")
    lines += await form(where, alice, "the form of a break for good", "care:break:everything:for_good")
    lines += await pressed(where, alice, "for half a year", "care:break:everything:half_a_year")
    lines += await pressed(where, alice, "begun", "care:begin:everything:half_a_year")
    where = await casino.ask("privacy")
    lines += await pressed(where, alice, "before one is forgotten", "privacy:ask")
    lines += await pressed(where, alice, "forgotten", "privacy:forget")
    agrees(request, f"{folder}/care.txt", lines)


def counts() -> Iterator[str]:
    """What each board of a season and each milestone counts."""
    yield from (f"{_(NAMES[board])}: {_(_SAYS[board])}" for board in SeasonBoard)
    yield from (f"{picture} {_(name)}: {_(says)}" for picture, name, says in map(_WORDS.__getitem__, Milestone))


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_what_boards_and_milestones_count_is_said_as_agreed(
    request: pytest.FixtureRequest, language: str, folder: str
) -> None:
    with speaking(language):
        agrees(request, f"{folder}/boards.txt", [*counts(), ""])
