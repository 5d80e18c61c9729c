"""Puts the things that lie on a table into a picture, and encodes the picture as a file.

Most of a picture is the same as the one before. So things that touch are drawn together in a *patch*, and a row of
patches is packed together in a *strip*. Both are kept. Only what a press changes is drawn and packed again. Where many
people play this is worth it: it halves the processor time of a press.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Protocol, TypeVar

from PIL import Image

from cogs.pictures import rims
from cogs.pictures.cache import SizedCache
from cogs.pictures.cards import margin, sprite
from cogs.pictures.fans import Fan
from cogs.pictures.inks import Box, Ground, inks_as_bytes
from cogs.pictures.palette import Colour
from cogs.pictures.png import Strip, pack, png
from engine.games.cards import Card


class Thing(NamedTuple):
    """A sprite, or a colour in the shape of a mask, and its position."""

    what: Image.Image | Colour
    mask: Image.Image
    box: Box


class Canvas:
    """The things of a picture on its background (`ground`), later ones on top of earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground: Final = ground
        self.things: Final[list[Thing]] = []

    def lay(self, what: Image.Image | Colour, mask: Image.Image, x: int, y: int) -> None:
        width, height = mask.size
        self.things.append(Thing(what, mask, (x, y, x + width, y + height)))

    def file(self) -> bytes:
        """Return the picture as the bytes of a file."""
        patches = _patches(self.ground, _heaps(self.things, self.ground.size))
        return png(self.ground.size, inks_as_bytes(), _strips(self.ground, patches))


def put(canvas: Canvas, sprite: Image.Image, x: int, y: int) -> None:
    canvas.lay(sprite, sprite, x, y)


def put_middle(canvas: Canvas, sprite: Image.Image, x: int, y: int) -> None:
    put(canvas, sprite, x - sprite.width // 2, y - sprite.height // 2)


def paint(canvas: Canvas, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    canvas.lay(colour, mask, x, y)


def put_cards(canvas: Canvas, cards: Sequence[Card | None], fan: Fan, *, four_colours: bool = False) -> None:
    """Lay the cards of a hand; None is a card face down."""
    edge = margin(fan.height)
    for card, place in zip(cards, fan.places, strict=True):
        put(canvas, sprite(card, fan.height, four_colours=four_colours), place.x - edge, place.y - edge)


# -- heaps -------------------------------------------------------------------------------------------------------------


class _Heap(NamedTuple):
    """Things that touch, in the order in which they were laid, and the box around them."""

    things: Sequence[Thing]
    box: Box

    @property
    def key(self) -> tuple[tuple[int, ...], ...]:
        """The key of the heap: equal for the same sprites in the same places, laid in the same order.

        It is made of ids. Code that keeps the key must keep the things too, so that no id is used again.
        """
        return tuple([(id(what), id(mask), *where) for what, mask, where in self.things])


#: The box around some things, and their indices, which count in the order of laying.
_Run = tuple[Box, list[int]]


def _heaps(things: Sequence[Thing], size: tuple[int, int]) -> list[_Heap]:
    """Return all things grouped into heaps of those that touch. Their boxes are cut to the size of the picture."""
    heaps = []
    for (left, top, right, bottom), order in _apart(_runs(things)):
        within = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
        heaps.append(_Heap([things[index] for index in sorted(order)], within))
    return heaps


def _runs(things: Sequence[Thing]) -> list[_Run]:
    """Return the things in runs: each joins the newest run if it touches the box of that run, else it begins one."""
    runs: list[_Run] = []
    for index, (_, _, box) in enumerate(things):
        if runs and _touch(runs[-1][0], box):
            before, order = runs[-1]
            order.append(index)
            runs[-1] = _round(before, box), order
        else:
            runs.append((box, [index]))
    return runs


def _apart(runs: list[_Run]) -> list[_Run]:
    """Merge runs whose boxes touch, until none do, and return them."""
    apart: list[_Run] = []
    near = apart
    for run in sorted(runs):
        left, top, _, bottom = run[0]
        near = [
            other for other in near if other[0][2] > left
        ]  # sorted from left to right, so most earlier ones have ended
        touching = [other for other in near if other[0][1] < bottom and other[0][3] > top]
        while touching:
            for other in touching:
                apart.remove(other)
                run = _round(run[0], other[0]), run[1] + other[1]
            near = apart  # the merged box reaches further than before
            touching = [other for other in apart if _touch(other[0], run[0])]
        apart.append(run)
        if near is not apart:
            near.append(run)
    return apart


def _touch(one: Box, other: Box) -> bool:
    return one[3] > other[1] and one[1] < other[3] and one[2] > other[0] and one[0] < other[2]


def _round(one: Box, other: Box) -> Box:
    """Return the smallest box around both boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _round_all(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


# -- patches -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _Patch:
    """A heap (things that touch), drawn on its part of the ground. A pixel is its colour's number in the palette."""

    inked: Image.Image
    box: Box
    #: The sprites of the patch, held here so that their ids are not reused while the patch is kept.
    things: Sequence[Thing]


def _area(patch: _Patch) -> int:
    return patch.inked.width * patch.inked.height


#: The fewest heaps side by side that are drawn on one sheet together, and packed in several strips.
_MANY: Final = 8

_kept_patches: Final = SizedCache(24 * 2**20, _area)


def _patches(ground: Ground, heaps: Sequence[_Heap]) -> list[_Patch]:
    """Return the patches of these heaps, in any order, from the cache if it has them.

    Patches that the cache lacks are drawn. If `_MANY` or more of them lie side by side, they share one sheet.
    """
    patches, new = [], []
    for heap in heaps:
        patch = _kept_patches.get((ground, heap.key))
        if patch is None:
            new.append(heap)
        else:
            patches.append(patch)
    for beside in _beside(new):
        for sheet in [beside] if len(beside) >= _MANY else [[heap] for heap in beside]:
            patches += _drawn(ground, sheet)
    return patches


def _drawn(ground: Ground, heaps: Sequence[_Heap]) -> Iterator[_Patch]:
    """Draw the heaps on one sheet, convert it to the palette at once, and cut out, cache and yield each patch."""
    sheet = _round_all([heap.box for heap in heaps])
    left, top, _, _ = sheet
    drawing = ground.drawn.crop(sheet)
    for heap in heaps:
        for what, mask, (x, y, _, _) in heap.things:
            if what is mask:
                rims.lay(drawing, mask, x - left, y - top)
            else:
                drawing.paste(what, (x - left, y - top), mask)
    inked = ground.with_inks(drawing, sheet)
    for heap in heaps:
        x, y, right, bottom = heap.box
        part = inked if heap.box == sheet else inked.crop((x - left, y - top, right - left, bottom - top))
        patch = _Patch(part, heap.box, heap.things)
        _kept_patches.put((ground, heap.key), patch)
        yield patch


class _Boxed(Protocol):
    @property
    def box(self) -> Box: ...


_B = TypeVar("_B", bound=_Boxed)


def _beside(boxed: Iterable[_B]) -> Iterator[list[_B]]:
    """Yield groups of heaps or patches that share rows of pixels, from top to bottom."""
    beside: list[_B] = []
    bottom = 0
    for each in sorted(boxed, key=_place):
        if beside and each.box[1] >= bottom:
            yield beside
            beside = []
        beside.append(each)
        bottom = max(bottom, each.box[3])
    if beside:
        yield beside


def _place(boxed: _Boxed) -> tuple[int, int]:
    """Return the key that sorts boxes from top to bottom, then from left to right."""
    return boxed.box[1], boxed.box[0]


# -- strips ------------------------------------------------------------------------------------------------------------

#: The most rows of pixels in a strip where many patches lie side by side, because few of them change together.
_ROWS: Final = 100
#: The pixels that the patches below the dealer cover at a table with a hand or two in play. Every press changes such a
#: strip, so it is packed faster; it may take more bytes, because the picture is small.
_IN_PLAY: Final = range(50_000, 200_000)


def _strips(ground: Ground, patches: Sequence[_Patch]) -> Iterator[Strip]:
    """Yield the strips of the picture from top to bottom.

    A patch lies in a single strip, except where many patches are side by side: strips there have at most `_ROWS` rows.
    """
    top = 0
    for beside in _beside(patches):
        bottom = max(patch.box[3] for patch in beside)
        if len(beside) < _MANY:
            fleeting = top > 0 and sum(map(_area, beside)) in _IN_PLAY
            yield _strip(ground, top, bottom, beside, fleeting=fleeting)
        else:
            for start, end in pairwise([*range(top, bottom, _ROWS), bottom]):
                there = [patch for patch in beside if patch.box[1] < end and patch.box[3] > start]
                yield _strip(ground, start, end, there)
        top = bottom
    yield _strip(ground, top, ground.inked.height, [])


def _length(strip: Strip) -> int:
    return len(strip.packed)


#: The kept strips. A strip's key holds its patches, which take more bytes than the strip, so there is room for few.
_kept_strips: Final = SizedCache(4 * 2**20, _length)


def _strip(ground: Ground, top: int, bottom: int, patches: Sequence[_Patch], *, fleeting: bool = False) -> Strip:
    key = ground, top, bottom, fleeting, tuple(patches)
    strip = _kept_strips.get(key)
    if strip is None:
        rows = ground.inked.crop((-1, top, ground.inked.width, bottom))
        for patch in patches:
            rows.paste(patch.inked, (patch.box[0] + 1, patch.box[1] - top))
        strip = pack(rows, fleeting=fleeting)
        _kept_strips.put(key, strip)
    return strip


def encoded(drawing: Image.Image, ground: Ground) -> bytes:
    """Return the file of a drawing that was made on a copy of this ground, without a `Canvas`."""
    inked = ground.with_inks(drawing, (0, 0, *drawing.size))
    return png(inked.size, inks_as_bytes(), [pack(inked.crop((-1, 0, *inked.size)))])
