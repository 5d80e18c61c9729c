"""Sprites onto a table, a table into a file.

The file is a PNG of 256 inks that we choose: cards, letters and felt need no more, edges stay crisp where a lossy
file would blur red on white, and it takes a third of the time of WebP's quickest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops

from cogs.pictures import palette as p
from cogs.pictures.cards import margin, sprite
from cogs.pictures.fans import Fan
from cogs.pictures.palette import Colour, mix, ramp
from cogs.pictures.png import png
from engine.games.cards import Card


def put(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    table.paste(sprite, (x, y), sprite)


def put_middle(table: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    put(table, sprite, x - sprite.width // 2, y - sprite.height // 2)


def paint(table: Image.Image, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    table.paste(colour, (x, y), mask)


def put_cards(table: Image.Image, cards: Sequence[Card | None], fan: Fan, *, four_colours: bool = False) -> None:
    """Lay a hand; None is a card face down."""
    edge = margin(fan.height)
    for card, place in zip(cards, fan.places, strict=True):
        put(table, sprite(card, fan.height, four_colours=four_colours), place.x - edge, place.y - edge)


class Ground(NamedTuple):
    """What a picture is drawn on: copy `drawn`. The same in inks of our own choosing is kept beside it, because
    Pillow's search for the nearest ink takes colours alike for the same one, and a soft light would go in steps."""

    drawn: Image.Image
    #: Of mode L, like all that is in inks here: the numbers of the inks.
    inked: Image.Image
    #: What Pillow's search makes of the ground: where it finds the same in a drawing, nothing was drawn.
    found: Image.Image

    @classmethod
    def of(cls, drawn: Image.Image, inked: Image.Image) -> Ground:
        return cls(drawn, inked, _nearest(drawn))

    def with_inks(self, drawing: Image.Image) -> Image.Image:
        """A drawing in inks: searched for where it differs from the ground, the ground's own elsewhere."""
        inked = self.inked.copy()
        for box in _boxes(ImageChops.difference(drawing, self.drawn)):
            found = _nearest(drawing.crop(box))
            changed = ImageChops.difference(found, self.found.crop(box)).point(_CHANGED)
            inked.paste(found, box, changed)
        return inked


#: How high the bands are that are looked through one by one: cards lie in rows, and beside them nothing.
_BAND: Final = 100


def _boxes(difference: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """Where a difference is, in a box for each band."""
    for top in range(0, difference.height, _BAND):
        box = difference.crop((0, top, difference.width, min(top + _BAND, difference.height))).getbbox()
        if box is not None:
            left, upper, right, lower = box
            yield left, top + upper, right, top + lower


_CHANGED: Final = [0] + [255] * 255


def _nearest(drawing: Image.Image) -> Image.Image:
    """The ink nearest to each pixel, as Pillow finds it."""
    found = drawing.quantize(palette=_palette(), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes())


def encoded(drawing: Image.Image, ground: Ground) -> bytes:
    """The drawing's file."""
    return png(ground.with_inks(drawing), _inks_as_bytes())


def rows_of_ink(inks: Sequence[int], width: int) -> Ground:
    """A ground of which every row is of one ink."""
    column = Image.new("L", (1, len(inks)))
    column.putdata(inks)
    inked = column.resize((width, len(inks)), Image.Resampling.NEAREST)
    drawn = inked.copy()
    drawn.putpalette(_inks_as_bytes())
    return Ground.of(drawn.convert("RGB"), inked)


def _veiled(colour: Colour) -> Colour:
    return mix(colour, p.FELT_DARK, p.VEIL)


#: Which colours meet on a table, and in how many steps one passes into the other.
_RAMPS: Final = (
    (p.FELT_DARK, p.SHADOW, 6),
    (p.CARD, p.BLACK, 11),
    (p.CARD, p.RED, 11),
    (p.CARD, p.CARD_BLUE, 7),
    (p.CARD, p.CARD_GREEN, 7),
    (p.CARD, p.FELT_LIGHT, 8),
    (_veiled(p.CARD), _veiled(p.BLACK), 7),
    (_veiled(p.CARD), _veiled(p.RED), 7),
    (p.IVORY, p.INK, 10),
    (p.GOLD, p.INK, 10),
    (p.GOLD, mix(p.FELT_LIGHT, p.FELT_DARK, 0.4), 16),
    (p.GOLD, p.GOLD_DEEP, 8),
    (p.GOLD_DEEP, p.IVORY, 8),
    (p.WON, p.INK, 10),
    (p.LOST, p.IVORY, 6),
    (p.ROSE, p.INK, 6),
    (p.LOST, p.FELT_DARK, 8),
    (p.EVEN, p.INK, 8),
    (p.BLUE, p.IVORY, 8),
    (p.GREEN, p.IVORY, 6),
    (p.SILVER, p.INK, 3),
    (p.BRONZE, p.INK, 4),
    (p.FAINT, p.FELT_DARK, 4),
    (p.BACK, p.BACK_LINE, 10),
    (p.BACK, p.IVORY, 8),
    (p.MIST, p.FELT_DARK, 6),
    (p.CHIP_RED, p.IVORY, 4),
    (p.CHIP_RED, p.INK, 3),
    (p.CHIP_GREEN, p.IVORY, 4),
    (p.CHIP_GREEN, p.INK, 3),
    (p.CHIP_BLACK, p.IVORY, 4),
    (p.CHIP_VIOLET, p.IVORY, 4),
    (p.CHIP_VIOLET, p.INK, 3),
    (p.GOLD_DEEP, p.INK, 4),
    *((colour, p.INK, 3) for colour in p.PLACES),
)


#: The felt's come first, from light to dark.
INKS: Final = tuple(dict.fromkeys((*p.FELT, *(ink for one, other, steps in _RAMPS for ink in ramp(one, other, steps)))))


@cache
def _inks_as_bytes() -> bytes:
    return bytes(part for ink in INKS for part in ink)


@cache
def _palette() -> Image.Image:
    inks = Image.new("P", (1, 1))
    inks.putpalette(_inks_as_bytes())
    return inks
