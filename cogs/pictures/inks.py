"""The palette of the pictures, and the conversion of a drawing to it.

The file is a PNG of at most 256 colours that we choose, called *inks*. Cards, letters and felt need no more. Edges
stay crisp, where a lossy file would blur red on white. Writing a PNG takes a third of the time of the fastest WebP.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from PIL import Image, ImageChops

from cogs.pictures import palette as p
from cogs.pictures.palette import Colour, mix, ramp

Box = tuple[int, int, int, int]  # left, top, right, bottom, in Pillow's order


class Ground:
    """The background of a picture, in true colours and in inks of our own choosing.

    Its inks are given, because Pillow's search for the nearest ink merges similar colours: soft light would have steps.
    """

    def __init__(self, drawn: Image.Image, inked: Image.Image) -> None:
        self.drawn: Final = drawn
        #: The ground as ink numbers, in mode L like everything in inks here.
        self.inked: Final = inked
        #: The ground as Pillow's search converts it. Where a drawing converts to the same ink, nothing was drawn.
        self._found: Final = _nearest(drawn)

    @property
    def size(self) -> tuple[int, int]:
        return self.inked.size

    def with_inks(self, drawing: Image.Image, box: Box) -> Image.Image:
        """Convert a drawing on this part of the ground to inks.

        Pixels where the ground shows get the ground's own inks, all others the nearest.
        """
        found = _nearest(drawing)
        inked = self.inked.crop(box)
        inked.paste(found, (0, 0), _differ(found, self._found.crop(box)))
        return inked


def _differ(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return a mask of the pixels that differ.

    If two bytes `a` and `b` differ, `a - b` or `b - a`, modulo 256, is at least 128. `convert` sets the pixels with
    such values.
    """
    most = ImageChops.lighter(ImageChops.subtract_modulo(one, other), ImageChops.subtract_modulo(other, one))
    return most.convert("1", dither=Image.Dither.NONE)


def _nearest(drawing: Image.Image) -> Image.Image:
    """Return the number of the ink nearest to each pixel, as Pillow finds it."""
    found = drawing.quantize(palette=_palette(), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes())


def rows_of_ink(inks: Sequence[int], width: int) -> Ground:
    """Return a ground in which every row has one ink."""
    column = Image.new("L", (1, len(inks)))
    column.putdata(inks)
    inked = column.resize((width, len(inks)), Image.Resampling.NEAREST)
    drawn = inked.copy()
    drawn.putpalette(inks_as_bytes())
    return Ground(drawn.convert("RGB"), inked)


def _veiled(colour: Colour) -> Colour:
    return mix(colour, p.FELT_DARK, p.VEIL)


#: The pairs of colours that meet on a table, and the number of inks from the one to the other, with both.
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


#: All inks. The felt's come first, from light to dark.
INKS: Final = tuple(dict.fromkeys((*p.FELT, *(ink for one, other, steps in _RAMPS for ink in ramp(one, other, steps)))))


@cache
def inks_as_bytes() -> bytes:
    """Return red, green and blue of each ink."""
    return bytes(part for ink in INKS for part in ink)


@cache
def _palette() -> Image.Image:
    inks = Image.new("P", (1, 1))
    inks.putpalette(inks_as_bytes())
    return inks
