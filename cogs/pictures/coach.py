"""The coach's pictures: the value of each choice, the best-play chart, and how a member's chips developed.

Texts are handed in, in the reader's language. Numbers are drawn from the same values as the text beside the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from cogs.pictures.canvas import encoded
from cogs.pictures.fans import Rect
from cogs.pictures.inks import Ground, rows_of_ink
from cogs.pictures.lettering import text, text_width
from cogs.pictures.palette import (
    BLUE,
    CHIP_GREEN,
    CHIP_RED,
    CHIP_VIOLET,
    EVEN,
    FAINT,
    FELT,
    GOLD,
    INK,
    IVORY,
    LOST,
    MIST,
    WIDTH,
    WON,
    Colour,
)
from cogs.pictures.shapes import rounded

_EDGE: Final = 36


@lru_cache(maxsize=8)
def _ground(height: int) -> Ground:
    """Return a plain dark background of this height, because these are pages to read."""
    return rows_of_ink([len(FELT) - 1] * height, WIDTH)


def _write(table: Image.Image, written: str, size: int, x: int, y: int, colour: Colour = IVORY) -> None:
    """Draw a text centred on x and y."""
    mask = text(written, size)
    _paint(table, mask, colour, x - mask.width // 2, y - mask.height // 2)


def _write_left(table: Image.Image, written: str, size: int, x: int, y: int, colour: Colour = IVORY) -> None:
    mask = text(written, size)
    _paint(table, mask, colour, x, y - mask.height // 2)


def _put(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    table.paste(sprite, (x, y), sprite)


def _paint(table: Image.Image, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    table.paste(colour, (x, y), mask)


def _fitting(words: Sequence[str], size: int, widest: int) -> int:
    """Return the largest size of letters, from `size` down to about 12, at which each of the words fits."""
    while size > 12 and any(text_width(word, size) > widest for word in words):
        size -= 2
    return size


# -- the worth of a decision -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ActionBar:
    """An action, its value in parts of the stake, and that value in the reader's number format."""

    name: str
    share: float
    label: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """An end of the dealer's hand, its probability from 0 to 1, and that probability in the reader's number format.

    The end is a total, a bust or a natural.
    """

    name: str
    share: float
    label: str


@dataclass(frozen=True, slots=True)
class OddsPicture:
    """The content of the picture of odds: the value of each action, and the chances of the dealer's totals."""

    heading: str
    actions: tuple[ActionBar, ...]
    dealer_heading: str
    dealer: tuple[Chance, ...]


def render_odds(picture: OddsPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    ground = _ground(600)
    table = ground.drawn.copy()
    _write_left(table, picture.heading, 34, _EDGE, 46, MIST)
    pitch = min(72, 290 // max(1, len(picture.actions)))
    for index, bar in enumerate(picture.actions):
        _action_bar(table, bar, picture.actions, 96 + index * pitch, pitch - 10)
    _write_left(table, picture.dealer_heading, 34, _EDGE, 404, MIST)
    _dealer(table, picture.dealer)
    return encoded(table, ground)


_NAMES: Final = 230
_SUMS: Final = 200


def _action_bar(table: Image.Image, bar: ActionBar, among: Sequence[ActionBar], top: int, tall: int) -> None:
    """Draw an action's name, its bar from the line of break-even, and its label. For the best action they are golden.

    All the actions in `among` share one scale. `top` is the upper edge of the line and `tall` its height, in pixels.
    """
    size = _fitting([each.name for each in among], round(tall * 0.62), _NAMES - 20)
    middle = top + tall // 2
    _write_left(table, bar.name, size, _EDGE, middle, GOLD if bar.best else IVORY)
    field = Rect(_EDGE + _NAMES, top, WIDTH - 2 * _EDGE - _NAMES - _SUMS, tall)
    low, high = min(0.0, *(each.share for each in among)), max(0.0, *(each.share for each in among))
    span = (high - low) or 1.0
    zero, end = (field.x + round(field.width * (value - low) / span) for value in (0.0, bar.share))
    colour = GOLD if bar.best else WON if bar.share > 0 else LOST
    left, width = min(zero, end), max(4, abs(end - zero))
    _paint(table, rounded((width, tall - 8), 8), colour, left, top + 4)
    ImageDraw.Draw(table).line((zero, top - 3, zero, top + tall + 3), fill=MIST, width=2)
    mask = text(bar.label, _fitting([each.label for each in among], round(tall * 0.62), _SUMS - 16))
    _paint(table, mask, GOLD if bar.best else IVORY, WIDTH - _EDGE - mask.width, middle - mask.height // 2)


def _dealer(table: Image.Image, chances: Sequence[Chance]) -> None:
    pitch = (WIDTH - 2 * _EDGE) // max(1, len(chances))
    highest = max((chance.share for chance in chances), default=0.0) or 1.0
    size = _fitting([word for each in chances for word in (each.name, each.label)], 30, pitch - 8)
    for index, chance in enumerate(chances):
        x = _EDGE + index * pitch + pitch // 2
        tall = max(4, round(70 * chance.share / highest))
        _paint(table, rounded((pitch * 3 // 5, tall), 6), CHIP_GREEN, x - pitch * 3 // 10, 536 - tall)
        _write(table, chance.label, size, x, 536 - tall - 20)
        _write(table, chance.name, size, x, 562, MIST)


# -- the best-play chart -----------------------------------------------------------------------------------------------

#: The colours of each play's cell and its letters. The letters say the same, so nobody needs to see the colours.
PLAYS: Final[Mapping[str, tuple[Colour, Colour]]] = {
    "hit": (CHIP_GREEN, IVORY),
    "stand": (CHIP_RED, IVORY),
    "double": (GOLD, INK),
    "split": (BLUE, IVORY),
    "swap": (CHIP_VIOLET, IVORY),
    "surrender": (EVEN, INK),
}

_CELL: Final = 44
_LABEL: Final = 128


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A hand, and the play (a word of `PLAYS`) with its letters for each of the dealer's cards."""

    name: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ChartPicture:
    """The content of the best-play chart."""

    heading: str
    columns: tuple[str, ...]  # the dealer's cards
    #: The sections: hard, soft, pairs, each with its name.
    parts: tuple[tuple[str, tuple[ChartRow, ...]], ...]
    #: The plays that occur: a word of `PLAYS`, the letters, and the name in the reader's language.
    legend: tuple[tuple[str, str, str], ...]


def render_chart(picture: ChartPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    rows = sum(len(rows) for _, rows in picture.parts)
    ground = _ground(128 + rows * _CELL + len(picture.parts) * (_CELL + 22) + 70)
    table = ground.drawn.copy()
    _write_left(table, picture.heading, _fitting([picture.heading], 40, WIDTH - 2 * _EDGE), _EDGE, 50, GOLD)
    top = 96
    for name, part in picture.parts:
        top = _part(table, name, part, picture.columns, top) + 22
    _legend(table, picture.legend, top + 14)
    return encoded(table, ground)


def _part(table: Image.Image, name: str, rows: Sequence[ChartRow], columns: Sequence[str], top: int) -> int:
    pitch = (WIDTH - 2 * _EDGE - _LABEL) // max(1, len(columns))
    _write_left(table, name, _fitting([name], 28, _LABEL - 8), _EDGE, top + _CELL // 2, MIST)
    for index, column in enumerate(columns):
        _write(table, column, 28, _EDGE + _LABEL + index * pitch + pitch // 2, top + _CELL // 2, MIST)
    for down, row in enumerate(rows, start=1):
        y = top + down * _CELL
        _write_left(table, row.name, 28, _EDGE, y + _CELL // 2)
        for index, (play, letters) in enumerate(row.cells):
            _put(table, _cell(play, letters, pitch - 4), _EDGE + _LABEL + index * pitch + 2, y + 2)
    return top + (len(rows) + 1) * _CELL


@lru_cache(maxsize=64)
def _cell(play: str, letters: str, width: int) -> Image.Image:
    colour, ink = PLAYS.get(play, (FAINT, IVORY))
    sheet = Image.new("RGBA", (width, _CELL - 4), (*colour, 255))
    sheet.putalpha(rounded(sheet.size, 6))
    mask = text(letters, 28)
    sheet.paste((*ink, 255), ((width - mask.width) // 2, (sheet.height - mask.height) // 2), mask)
    return sheet


def _legend(table: Image.Image, legend: Sequence[tuple[str, str, str]], y: int) -> None:
    room = WIDTH - 2 * _EDGE - len(legend) * 84
    size = _fitting(["  ".join(words for *_, words in legend)], 28, room)
    x = _EDGE
    for play, letters, words in legend:
        _put(table, _cell(play, letters, 52), x, y)
        _write_left(table, words, size, x + 60, y + _CELL // 2 - 2, MIST)
        x += 60 + text_width(words, size) + 24


# -- the plot of a member's chips --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of the plot: its name, its colour, and its values from left to right, at equal distances."""

    name: str
    colour: Colour
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlotPicture:
    """The content of the plot of a member's chips."""

    curves: tuple[Curve, ...]
    #: The values that are marked by a line across the plot, each with its label.
    lines: tuple[tuple[float, str], ...]
    #: The labels at the left and the right end of the plot.
    first: str
    last: str


_PLOT: Final = Rect(150, 84, WIDTH - 150 - _EDGE, 430)


def render_plot(picture: PlotPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    ground = _ground(600)
    table = ground.drawn.copy()
    levels = [level for level, _ in picture.lines] + [value for curve in picture.curves for value in curve.values]
    low, high = min(levels, default=0.0), max(levels, default=1.0)
    draw = ImageDraw.Draw(table)
    for level, label in picture.lines:
        y = _height(level, low, high)
        draw.line((_PLOT.x, y, _PLOT.right, y), fill=FAINT, width=2)
        mask = text(label, _fitting([label], 28, _PLOT.x - 20))
        _paint(table, mask, MIST, _PLOT.x - 12 - mask.width, y - mask.height // 2)
    for curve in picture.curves:
        _curve(table, curve, low, high)
    _write_left(table, picture.first, 26, _PLOT.x, _PLOT.bottom + 44, MIST)
    last = text(picture.last, 26)
    _paint(table, last, MIST, _PLOT.right - last.width, _PLOT.bottom + 44 - last.height // 2)
    _names(table, picture.curves)
    return encoded(table, ground)


def _height(value: float, low: float, high: float) -> int:
    return _PLOT.bottom - round(_PLOT.height * (value - low) / ((high - low) or 1.0))


def _curve(table: Image.Image, curve: Curve, low: float, high: float) -> None:
    steps = max(1, len(curve.values) - 1)
    points = [
        (_PLOT.x + round(_PLOT.width * index / steps), _height(value, low, high))
        for index, value in enumerate(curve.values)
    ]
    draw = ImageDraw.Draw(table)
    for one, other in pairwise(points):
        draw.line((*one, *other), fill=curve.colour, width=5)
    for x, y in (*points, *points[-1:]):
        draw.ellipse((x - 2, y - 2, x + 2, y + 2), fill=curve.colour)
    for x, y in points[-1:]:
        draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill=curve.colour)


def _names(table: Image.Image, curves: Sequence[Curve]) -> None:
    x = _PLOT.x
    for curve in curves:
        _paint(table, rounded((34, 10), 5), curve.colour, x, 40)
        _write_left(table, curve.name, 30, x + 44, 45)
        x += 44 + text_width(curve.name, 30) + 36
