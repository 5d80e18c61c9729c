"""Words on pictures stay on them, and do not lie on one another, in every language and a longer one than any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cogs.blackjack.page import CAPS
from cogs.coach import odds_text, stats_text, strategy_text
from cogs.pictures import coach, lettering
from cogs.pictures.coach import Chance, ChartPicture, ChartRow, Curve, OddsPicture, PlotPicture, Worth
from cogs.pictures.palette import GOLD, MIST, WIDTH, WON
from cogs.words import LANGUAGES, _, share, signed, speaking

from ..words import pseudo
from ..words.test_catalogues import found

Box = tuple[int, int, int, int]


def odds() -> OddsPicture:
    actions = tuple(Worth(_(cap.label), -0.5, signed(-123_450), best=cap is CAPS[0]) for cap in CAPS[:6])
    ends = [odds_text._end(end) for end in ("17", "18", "19", "20", "21", "natural", "bust")]
    heading = _("Your {total} against {up}", total=_("{total} soft", total=18), up="10")
    return OddsPicture(
        heading, actions, _("Dealer's final total"), tuple(Chance(end, 0.28, share(0.28, 0)) for end in ends)
    )


def plot() -> PlotPicture:
    names = (_("Result"), _("Expected"), _("Luck"))
    curves = tuple(Curve(name, colour, (0.0, 5.0)) for name, colour in zip(names, (WON, GOLD, MIST), strict=True))
    lines = tuple((float(at), signed(at * 123_456_700)) for at in range(0, 6, 2))
    return PlotPicture(curves, lines, _("first hand"), stats_text._hand(123_456))


def chart() -> ChartPicture:
    columns = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    plays = [*strategy_text._LETTERS]
    cells = tuple((play, strategy_text.letters(f"{play}/hit")) for play in (*plays, *plays[:4]))
    parts = tuple((_(name), (ChartRow("A,10", cells),)) for name in strategy_text._PARTS.values())
    heading = _("Best play · {rules} · house edge {edge}", rules="a-rule-set-of-24-letters", edge=share(-0.0123, 2))
    legend = tuple((play, _(letter), strategy_text._name(play)) for play, letter in strategy_text._LETTERS.items())
    return ChartPicture(heading, columns, parts, legend)


PICTURES: dict[str, tuple[Callable[[], Any], Callable[[Any], bytes]]] = {
    "odds": (odds, coach.render_odds), "plot": (plot, coach.render_plot), "chart": (chart, coach.render_chart),
}  # fmt: skip


@contextmanager
def written(boxes: list[tuple[str, Box]]) -> Iterator[None]:
    """Where every word is painted."""
    words: dict[int, str] = {}
    text, paint = coach.text, coach._paint

    def lettered(told: str, size: int) -> Image.Image:
        mask = text(told, size)
        words[id(mask)] = told
        return mask

    def painted(table: Image.Image, mask: Image.Image, colour: Any, x: int, y: int) -> None:
        if id(mask) in words:
            boxes.append((words[id(mask)], (x, y, x + mask.width, y + mask.height)))
        paint(table, mask, colour, x, y)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coach, "text", lettered)
        patch.setattr(coach, "_paint", painted)
        yield


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("language", [*LANGUAGES, "pseudo"])
def test_every_word_fits(tmp_path: Path, name: str, language: str) -> None:
    make, render = PICTURES[name]
    boxes: list[tuple[str, Box]] = []
    with speaking_it(language, tmp_path), written(boxes):
        render(make())
    assert boxes
    for told, (left, top, right, _bottom) in boxes:
        assert (left >= 0, top >= 0, right <= WIDTH) == (True, True, True), told
    for (one, here), (other, there) in combinations(boxes, 2):
        assert not overlap(here, there), (one, other)


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_is_in_the_font(name: str, language: str) -> None:
    make, render = PICTURES[name]
    boxes: list[tuple[str, Box]] = []
    with speaking(language), written(boxes):
        render(make())
    missing = lettering.text("\uffff", 24).tobytes()
    strange = {letter for told, _box in boxes for letter in told if lettering.text(letter, 24).tobytes() == missing}
    assert strange == set()


@contextmanager
def speaking_it(language: str, folder: Path) -> Iterator[None]:
    if language != "pseudo":
        with speaking(language):
            yield
        return
    with pseudo.in_place_of_french(found(), folder / "locales"), speaking(pseudo.CODE):
        yield


def overlap(one: Box, other: Box) -> bool:
    """By more than the room that a line leaves above and below its letters."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 0 and high > 6
