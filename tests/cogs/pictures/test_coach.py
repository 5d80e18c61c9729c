"""The coach's pictures: bars as long as the value, a chart in the colours of its plays, curves where the values are."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from cogs.pictures.coach import (
    ActionBar,
    Chance,
    ChartPicture,
    ChartRow,
    Curve,
    OddsPicture,
    PlotPicture,
    render_chart,
    render_odds,
    render_plot,
)
from cogs.pictures.palette import BLUE, CHIP_GREEN, CHIP_RED, GOLD, LOST, WON, Colour

STAND, HIT, DOUBLE = (
    ActionBar("Stand", -0.4, "−4"),
    ActionBar("Hit", 0.2, "+2"),
    ActionBar("Double", 0.4, "+4", best=True),
)
ODDS = OddsPicture("Worth", (STAND, HIT, DOUBLE), "Dealer", (Chance("17", 0.6, "60 %"), Chance("over", 0.4, "40 %")))
#: A chart with every play, and with one that has no colour of its own.
CHART = ChartPicture(
    "vegas, six decks",
    ("2", "3", "4", "5"),
    (
        ("Hard", (ChartRow("16", (("hit", "H"), ("stand", "S"), ("surrender", "Rh"), ("other", "?"))),)),
        ("Pairs", (ChartRow("8,8", (("split", "P"), ("double", "Dh"), ("swap", "W"), ("hit", "H"))),)),
    ),
    (("hit", "H", "Hit"), ("double", "Dh", "Double, else hit")),
)
PLOT = PlotPicture(
    (Curve("Balance", WON, (0.0, 120.0, -40.0, 50.0)), Curve("Expected", GOLD, (0.0, 20.0, 30.0, 40.0))),
    ((0.0, "0"), (100.0, "+100 chips")),
    "first hand",
    "hand 4",
)


def drawn(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file)).convert("RGB")


def width_of(colour: Colour, image: Image.Image) -> int:
    """How far a colour reaches from left to right."""
    mask = Image.new("1", image.size)
    pixels, marks = image.load(), mask.load()
    assert pixels is not None
    assert marks is not None
    for x in range(image.width):
        for y in range(image.height):
            marks[x, y] = pixels[x, y] == colour
    box = mask.getbbox()
    return 0 if box is None else box[2] - box[0]


BARS = (260, 80, 720, 390)


def test_a_bar_is_as_long_as_the_action_is_worth() -> None:
    bars = drawn(render_odds(ODDS)).crop(BARS)
    lost, won, best = (width_of(colour, bars) for colour in (LOST, WON, GOLD))
    assert lost == pytest.approx(best, abs=8)  # the line of nothing won lies over one edge
    assert won == pytest.approx(best / 2, abs=8)


def test_only_the_best_action_is_golden() -> None:
    other = replace(ODDS, actions=(STAND, replace(HIT, best=True), replace(DOUBLE, best=False)))
    bars = drawn(render_odds(other)).crop(BARS)
    assert width_of(GOLD, bars) < width_of(WON, bars)


def test_the_likelier_total_stands_higher() -> None:
    dealer = drawn(render_odds(ODDS)).crop((0, 420, 960, 545))
    left, right = dealer.crop((0, 0, 480, 125)), dealer.crop((480, 0, 960, 125))
    heights = [width_of(CHIP_GREEN, side.transpose(Image.Transpose.ROTATE_90)) for side in (left, right)]
    assert heights[0] == pytest.approx(heights[1] * 1.5, abs=3)


def test_the_chart_has_the_colour_of_each_play_where_the_play_stands() -> None:
    row = ChartRow("8,8", (("split", "P"), ("hit", "H"), ("stand", "S"), ("double", "Dh")))
    chart = ChartPicture("vegas", ("2", "3", "4", "5"), (("Pairs", (row,)),), ())
    image = drawn(render_chart(chart))
    pitch = (960 - 72 - 128) // 4
    seen = [image.getpixel((36 + 128 + at * pitch + 14, 96 + 44 + 22)) for at in range(4)]
    assert seen == [BLUE, CHIP_GREEN, CHIP_RED, GOLD]


def test_a_chart_is_as_high_as_its_rows() -> None:
    row = ChartRow("16", (("hit", "H"),))
    heights = [drawn(render_chart(ChartPicture("", ("2",), (("Hard", (row,) * n),), ()))).height for n in (1, 5)]
    assert heights[1] - heights[0] == 4 * 44


def test_a_curve_goes_through_its_values() -> None:
    plot = PlotPicture((Curve("Balance", WON, (0.0, 100.0, 50.0)),), ((0.0, "0"), (100.0, "100")), "first", "last")
    image = drawn(render_plot(plot))
    left, width, top, bottom = 150, 960 - 150 - 36, 84, 514
    assert image.getpixel((left, bottom)) == WON
    assert image.getpixel((left + width // 2, top)) == WON
    assert image.getpixel((left + width - 1, (top + bottom) // 2)) == WON


@pytest.mark.parametrize("values", [(), (5.0,), (7.0, 7.0)])
def test_too_few_hands_for_a_curve_are_drawn_all_the_same(values: tuple[float, ...]) -> None:
    render_plot(PlotPicture((Curve("Balance", WON, values),), (), "", ""))
