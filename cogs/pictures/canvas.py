"""Sprites onto a table, a table into a file.

The file is a PNG of 256 inks that we choose: cards, letters and felt need no more, edges stay crisp where a lossy
file would blur red on white, and it takes a third of the time of WebP's quickest.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from cogs.pictures import palette as p
from cogs.pictures.palette import Colour

_COMPRESSION: Final = 6


def put(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    table.paste(sprite, (x, y), sprite)


def put_middle(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    put(table, sprite, x - sprite.width // 2, y - sprite.height // 2)


def paint(table: Image.Image, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    table.paste(colour, (x, y), mask)


def encoded(table: Image.Image) -> bytes:
    file = BytesIO()
    inked = table.quantize(palette=_palette(), dither=Image.Dither.NONE)
    inked.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the other in the one."""
    r, g, b = (round(a + (z - a) * share) for a, z in zip(one, other, strict=True))
    return r, g, b


#: Which colours meet on a table, and in how many steps one passes into the other.
_RAMPS: Final = (
    (p.FELT_LIGHT, p.FELT_DARK, 48),
    (p.FELT_DARK, p.SHADOW, 8),
    (p.CARD, p.BLACK, 20),
    (p.CARD, p.RED, 20),
    (p.CARD, p.FELT_LIGHT, 10),
    (p.DIM, mix(p.BLACK, p.FELT_DARK, 0.5), 12),
    (p.DIM, mix(p.RED, p.FELT_DARK, 0.5), 10),
    (p.IVORY, p.INK, 16),
    (p.GOLD, p.INK, 12),
    (p.GOLD, mix(p.FELT_LIGHT, p.FELT_DARK, 0.4), 18),
    (p.GOLD, p.GOLD_DEEP, 8),
    (p.GOLD_DEEP, p.IVORY, 8),
    (p.WON, p.INK, 12),
    (p.LOST, p.IVORY, 10),
    (p.LOST, p.FELT_DARK, 8),
    (p.EVEN, p.INK, 8),
    (p.BACK, p.BACK_LINE, 10),
    (p.BACK, p.IVORY, 8),
    (p.MIST, p.FELT_DARK, 10),
)


INKS: Final = tuple(mix(one, other, step / (steps - 1)) for one, other, steps in _RAMPS for step in range(steps))


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    inks = Image.new("P", (1, 1))
    inks.putpalette([part for ink in INKS for part in ink])
    return inks
