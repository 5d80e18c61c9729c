"""Chips as they stand on a table: round, striped at the edge, stacked, and coloured by their worth."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from cogs.pictures.canvas import Canvas, put
from cogs.pictures.palette import (
    CHIP_BLACK,
    CHIP_GREEN,
    CHIP_RED,
    CHIP_VIOLET,
    GOLD,
    GOLD_DEEP,
    IVORY,
    Colour,
    mix,
)
from cogs.pictures.shapes import OVERSAMPLING
from engine.games.contract import CHIP, Cents


class Denomination(NamedTuple):
    """A kind of chip: its worth in chips, its colour and the colour of its stripes."""

    worth: int
    colour: Colour
    stripe: Colour


#: The denominations in the colours that casinos use, gold from a thousand on.
DENOMINATIONS: Final = (
    Denomination(100_000, GOLD, CHIP_VIOLET),
    Denomination(25_000, GOLD, CHIP_GREEN),
    Denomination(5_000, GOLD, CHIP_RED),
    Denomination(1_000, GOLD_DEEP, IVORY),
    Denomination(500, CHIP_VIOLET, IVORY),
    Denomination(100, CHIP_BLACK, IVORY),
    Denomination(25, CHIP_GREEN, IVORY),
    Denomination(5, CHIP_RED, IVORY),
    Denomination(1, IVORY, CHIP_RED),
)

#: The most stacks side by side in a pile, and the most chips in each.
_MOST_STACKS: Final = 3
_HIGHEST: Final = 9


@lru_cache(maxsize=256)
def stacks(cents: Cents) -> tuple[tuple[Denomination, int], ...]:
    """Return the numbers of chips by denomination that make an amount with the fewest chips, large ones first.

    Parts of a chip are left out, and so are chips that would not fit into the picture.
    """
    left, counted = cents // CHIP, []
    for kind in DENOMINATIONS:
        count, left = divmod(left, kind.worth)
        if count:
            counted.append((kind, min(count, _HIGHEST)))
    return tuple(counted[:_MOST_STACKS])


def pile_width(cents: Cents, side: int) -> int:
    return max(1, len(stacks(cents))) * _pitch(side)


def put_pile(canvas: Canvas, cents: Cents, x: int, bottom: int, side: int, most: int = _MOST_STACKS) -> None:
    """Draw an amount as at most `most` stacks of chips of width `side`, from `x` to the right, standing on `bottom`."""
    for index, (kind, count) in enumerate(stacks(cents)[:most]):
        put_stack(canvas, kind, count, x + index * _pitch(side), bottom, side)


def put_stack(canvas: Canvas, kind: Denomination, count: int, x: int, bottom: int, side: int) -> None:
    """Draw a stack of this many chips, each turned a little."""
    for index in range(count):
        sprite = chip_from_the_side(side, kind.colour, kind.stripe, index * 2 % 3)
        put(canvas, sprite, x, bottom - sprite.height - index * thickness(side))


def _pitch(side: int) -> int:
    return side + max(3, side // 12)


def thickness(side: int) -> int:
    return max(4, round(side * 0.17))


def lid(side: int) -> int:
    """Return the height in pixels of a chip's round face, which players see as an ellipse `side` pixels wide."""
    return max(6, round(side * 0.40))


@lru_cache(maxsize=256)
def chip_from_the_side(side: int, colour: Colour, stripe: Colour, turn: int) -> Image.Image:
    """Return a chip lying on the felt, turned by `turn` steps: an edge with stripes and a face with a ring."""
    full, edge, face = (part * OVERSAMPLING for part in (side, thickness(side), lid(side)))
    sheet = Image.new("RGBA", (full, face + edge), (*colour, 0))
    draw = ImageDraw.Draw(sheet)
    dark = mix(colour, (0, 0, 0), 0.28)
    draw.ellipse((0, edge, full - 1, face + edge - 1), fill=(*dark, 255))
    draw.rectangle((0, face // 2, full - 1, face // 2 + edge), fill=(*dark, 255))
    _stripe_edge(sheet, stripe, turn, edge, face)
    seam = (0, edge, full - 1, face + edge - 1)
    draw.arc(seam, 0, 180, fill=(*mix(colour, (0, 0, 0), 0.6), 255), width=OVERSAMPLING)
    draw.ellipse((0, 0, full - 1, face - 1), fill=(*colour, 255))
    for notch in range(6):
        start = notch * 60 + turn * 12
        draw.pieslice((0, 0, full - 1, face - 1), start - 11, start + 11, fill=(*stripe, 255))
    for inset, paint in ((0.17, colour), (0.22, stripe), (0.26, colour)):
        box = (full * inset, face * inset, full * (1 - inset), face * (1 - inset))
        draw.ellipse(box, fill=(*paint, 255))
    return sheet.reduce(OVERSAMPLING)


def _stripe_edge(sheet: Image.Image, stripe: Colour, turn: int, edge: int, face: int) -> None:
    """Draw stripes on a chip's edge, narrower towards its left and right ends.

    `turn` is as in `chip_from_the_side`. `edge` and `face` are the heights of these parts on the sheet, in pixels.
    """
    layer = Image.new("RGBA", sheet.size, (*stripe, 0))
    draw = ImageDraw.Draw(layer)
    half = sheet.width / 2
    for index in range(4):
        angles = [pi * (index / 3.4 + turn * 0.05 + offset) for offset in (-0.035, 0.035)]
        left, right = sorted(half - half * cos(max(0.0, min(pi, angle))) for angle in angles)
        draw.rectangle((left, 0, right, sheet.height), fill=(*mix(stripe, (0, 0, 0), 0.12), 255))
    edge_only = Image.new("L", sheet.size, 0)
    mask = ImageDraw.Draw(edge_only)
    mask.ellipse((0, edge, sheet.width - 1, face + edge - 1), fill=255)
    mask.rectangle((0, face // 2, sheet.width - 1, face // 2 + edge), fill=255)
    mask.ellipse((0, 0, sheet.width - 1, face - 1), fill=0)
    sheet.paste(layer, (0, 0), Image.composite(edge_only, Image.new("L", sheet.size, 0), layer.getchannel("A")))
