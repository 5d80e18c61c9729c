"""Sprites onto a table, a table into a file.

The file is a PNG of 256 inks that we choose: cards, letters and felt need no more, edges stay crisp where a lossy
file would blur red on white, and it takes a third of the time of WebP's quickest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from cogs.pictures import palette as p
from cogs.pictures.cards import margin, sprite
from cogs.pictures.layout import Fan
from cogs.pictures.palette import Colour, mix, ramp
from engine.games.cards import Card

_COMPRESSION: Final = 5


def put(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    table.paste(sprite, (x, y), sprite)


def put_middle(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    put(table, sprite, x - sprite.width // 2, y - sprite.height // 2)


def paint(table: Image.Image, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    table.paste(colour, (x, y), mask)


def put_cards(table: Image.Image, cards: Sequence[Card | None], fan: Fan) -> None:
    """Lay a hand; None is a card face down."""
    edge = margin(fan.height)
    for card, place in zip(cards, fan.places, strict=True):
        put(table, sprite(card, fan.height), place.x - edge, place.y - edge)


def encoded(table: Image.Image) -> bytes:
    file = BytesIO()
    inked = table.quantize(palette=_palette(), dither=Image.Dither.NONE)
    inked.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def _veiled(colour: Colour) -> Colour:
    return mix(colour, p.FELT_DARK, p.VEIL)


#: Which colours meet on a table, and in how many steps one passes into the other.
_RAMPS: Final = (
    (p.FELT_DARK, p.SHADOW, 8),
    (p.CARD, p.BLACK, 18),
    (p.CARD, p.RED, 18),
    (p.CARD, p.FELT_LIGHT, 8),
    (_veiled(p.CARD), _veiled(p.BLACK), 12),
    (_veiled(p.CARD), _veiled(p.RED), 10),
    (p.IVORY, p.INK, 14),
    (p.GOLD, p.INK, 12),
    (p.GOLD, mix(p.FELT_LIGHT, p.FELT_DARK, 0.4), 16),
    (p.GOLD, p.GOLD_DEEP, 8),
    (p.GOLD_DEEP, p.IVORY, 8),
    (p.WON, p.INK, 10),
    (p.LOST, p.IVORY, 10),
    (p.LOST, p.FELT_DARK, 8),
    (p.EVEN, p.INK, 8),
    (p.BLUE, p.IVORY, 8),
    (p.GREEN, p.IVORY, 6),
    (p.SILVER, p.INK, 3),
    (p.BRONZE, p.INK, 4),
    (p.FAINT, p.FELT_DARK, 4),
    (p.BACK, p.BACK_LINE, 10),
    (p.BACK, p.IVORY, 8),
    (p.MIST, p.FELT_DARK, 8),
)


INKS: Final = tuple(dict.fromkeys((*p.FELT, *(ink for one, other, steps in _RAMPS for ink in ramp(one, other, steps)))))


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    inks = Image.new("P", (1, 1))
    inks.putpalette([part for ink in INKS for part in ink])
    return inks
