"""What people read of an evening that best play has played again (`tests/golden/pages`)."""

from __future__ import annotations

import pytest
from discord import ui

from cogs.coach.evening import HandResult, _page
from cogs.words import speaking
from engine.coach.best_play import BestEnd
from engine.games.contract import CHIP

from .languages import FOLDERS
from .test_golden import agrees

#: The same as best play, a better end, a worse one, and an equal one.
LIKE, BETTER, WORSE, EQUAL = (
    HandResult(-10 * CHIP, BestEnd(chips * CHIP, differs=differs))
    for chips, differs in ((-10, False), (20, True), (-20, True), (-10, True))
)
EVENINGS = ((LIKE,), (LIKE, BETTER), (LIKE, BETTER, WORSE, WORSE, EQUAL))


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_an_evening_is_told_as_agreed(request: pytest.FixtureRequest, language: str, folder: str) -> None:
    lines = list[str]()
    with speaking(language):
        for hands in EVENINGS:
            shown = [part.content for part in _page(hands).walk_children() if isinstance(part, ui.TextDisplay)]
            lines += [f"== {len(hands)} hands", *"\n".join(shown).splitlines(), ""]
    agrees(request, f"{folder}/evening.txt", lines)
