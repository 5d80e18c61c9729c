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
from cogs.coach import odds_text, strategy_text
from cogs.pictures import coach, lettering
from cogs.pictures import duel as pictures_duel
from cogs.pictures.coach import ActionBar, Chance, ChartPicture, ChartRow, Curve, OddsPicture, PlotPicture
from cogs.pictures.duel import Duellist, DuelPicture, brief
from cogs.pictures.palette import GOLD, MIST, WIDTH, WON
from cogs.words import LANGUAGES, _, counted, ngettext, number, share, signed, speaking

from ..words import pseudo
from ..words.test_catalogues import found

Box = tuple[int, int, int, int]


def odds() -> OddsPicture:
    actions = tuple(ActionBar(_(cap.label), -0.5, signed(-123_450), best=cap is CAPS[0]) for cap in CAPS[:6])
    ends = [odds_text._end(end) for end in ("17", "18", "19", "20", "21", "natural", "bust")]
    heading = _("Your {total} against {up}", total=_("{total} soft", total=18), up="10")
    return OddsPicture(
        heading,
        actions,
        _("Dealer's final total without a blackjack"),
        tuple(Chance(end, 0.28, share(0.28, 0)) for end in ends),
    )


def plot() -> PlotPicture:
    names = (_("Result"), _("Expected"), _("Luck"))
    curves = tuple(Curve(name, colour, (0.0, 5.0)) for name, colour in zip(names, (WON, GOLD, MIST), strict=True))
    lines = tuple((float(at), signed(at * 123_456_700)) for at in range(0, 6, 2))
    return PlotPicture(curves, lines, _("first hand"), _("hand {number}", number=number(123_456)))


def chart() -> ChartPicture:
    columns = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    plays = [*strategy_text._LETTERS]
    cells = tuple((play, strategy_text.letters(f"{play}/hit")) for play in (*plays, *plays[:4]))
    parts = tuple((_(name), (ChartRow("A,10", cells),)) for name in strategy_text._PARTS.values())
    heading = _("Best play · {rules} · house edge {edge}", rules="a-rule-set-of-24-letters", edge=share(-0.0123, 2))
    legend = tuple((play, _(letter), strategy_text._name(play)) for play, letter in strategy_text._LETTERS.items())
    return ChartPicture(heading, columns, parts, legend)


#: A name as long as Discord lets it be, and as wide as letters are.
WIDE = "W" * 32


def duel() -> DuelPicture:
    did = _("{name} refused insurance with {hand}", name=brief(WIDE), hand=_("{total} soft", total=18))
    decided = _("Decided by hand {number}: {did} against {up}.", number=20, did=did, up="A")
    more, less = signed(1_350), signed(-1_150)
    cards = _("{name} had the better cards: {more} against {less}.", name=brief(WIDE), more=more, less=less)
    hands = ngettext("{count} hand of {rules}", "{count} hands of {rules}", 20, rules="a-rule-set-of-24-letters")
    terms = _("{hands}, the same cards, {chips} each", hands=hands, chips=counted(1_000_000))
    sides = Duellist(WIDE, share(0.0), won=True), Duellist(WIDE, share(1.264), won=False)
    eight = ("2h", "2c", "3d", "Ah", "5c", "As", "2d", "5s")
    return DuelPicture(sides, terms, _("lost to mistakes"), (decided, cards), eight, "As")


PICTURES: dict[str, tuple[Callable[[], Any], Callable[[Any], bytes]]] = {
    "odds": (odds, coach.render_odds), "plot": (plot, coach.render_plot), "chart": (chart, coach.render_chart),
    "duel": (duel, pictures_duel.render),
}  # fmt: skip
#: The functions that letter and paint, in the modules of these pictures.
PAINTERS = ((coach, "_paint"), (pictures_duel, "paint"))


@contextmanager
def written(boxes: list[tuple[str, Box]]) -> Iterator[None]:
    """Note the box of every word that is painted inside the block."""
    words: dict[int, str] = {}

    def lettered(told: str, size: int) -> Image.Image:
        mask = lettering.text(told, size)
        words[id(mask)] = told
        return mask

    def painting(paint: Callable[..., None]) -> Callable[..., None]:
        def painted(table: Any, mask: Image.Image, colour: Any, x: int, y: int) -> None:
            if id(mask) in words:
                boxes.append((words[id(mask)], (x, y, x + mask.width, y + mask.height)))
            paint(table, mask, colour, x, y)

        return painted

    with pytest.MonkeyPatch.context() as patch:
        for module, painter in PAINTERS:
            patch.setattr(module, "text", lettered)
            patch.setattr(module, painter, painting(getattr(module, painter)))
        yield


@pytest.mark.thinned
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


@pytest.mark.thinned
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
    """Return whether two boxes overlap by more than a line leaves above and below its letters."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 0 and high > 6
