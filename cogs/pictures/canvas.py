"""What lies on a table, and the file of it.

Most of a picture is what the one before it was. So things that touch one another are drawn together, in a patch of
their own, which is kept; a row of patches is packed together, in a strip, and kept as well. What a press changes is
drawn and packed anew, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image

from cogs.pictures import rims
from cogs.pictures.cards import margin, sprite
from cogs.pictures.fans import Fan
from cogs.pictures.inks import Box, Ground, inks_as_bytes
from cogs.pictures.kept import kept
from cogs.pictures.palette import Colour
from cogs.pictures.png import Strip, pack, png
from engine.games.cards import Card


class Thing(NamedTuple):
    """A sprite, or a colour in the shape of a mask, and where it lies."""

    what: Image.Image | Colour
    mask: Image.Image
    box: Box


class Table:
    """Things on a ground, later ones on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground: Final = ground
        self.things: Final[list[Thing]] = []

    def lay(self, what: Image.Image | Colour, mask: Image.Image, x: int, y: int) -> None:
        width, height = mask.size
        self.things.append(Thing(what, mask, (x, y, x + width, y + height)))

    def file(self) -> bytes:
        """The picture as the bytes of a file."""
        patches = [_patch(self.ground, heap) for heap in _heaps(self.things, self.ground.size)]
        strips = (_strip(self.ground, *rows) for rows in _rows(patches, self.ground.inked.height))
        return png(self.ground.size, inks_as_bytes(), strips)


def put(table: Table, sprite: Image.Image, x: int, y: int) -> None:
    table.lay(sprite, sprite, x, y)


def put_middle(table: Table, sprite: Image.Image, x: int, y: int) -> None:
    put(table, sprite, x - sprite.width // 2, y - sprite.height // 2)


def paint(table: Table, mask: Image.Image, colour: Colour, x: int, y: int) -> None:
    table.lay(colour, mask, x, y)


def put_cards(table: Table, cards: Sequence[Card | None], fan: Fan, *, four_colours: bool = False) -> None:
    """Lay a hand; None is a card face down."""
    edge = margin(fan.height)
    for card, place in zip(cards, fan.places, strict=True):
        put(table, sprite(card, fan.height, four_colours=four_colours), place.x - edge, place.y - edge)


# -- heaps, patches and strips -----------------------------------------------------------------------------------------


class _Heap:
    """Things that touch one another, in the order of laying. Heaps of the same things in the same places are equal."""

    __slots__ = ("_hash", "_key", "box", "things")

    def __init__(self, things: Sequence[Thing], box: Box) -> None:
        self.things = things
        self.box = box
        # A sprite is itself as long as anybody has it, and whoever keeps the heap has it.
        self._key = tuple([(id(what), id(mask), *where) for what, mask, where in things])
        self._hash = hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Heap) and self._key == other._key


def _heaps(things: Sequence[Thing], size: tuple[int, int]) -> Iterator[_Heap]:
    """All things, those in one heap that touch one another."""
    runs: list[_Run] = []
    for index, thing in enumerate(things):
        box = thing.box
        if _touching(runs[-1:], box):
            runs[-1] = _round(runs[-1][0], box), [*runs[-1][1], index]
        else:
            runs.append((box, [index]))
    for box, order in _apart(runs):
        left, top, right, bottom = box
        within = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
        yield _Heap([things[index] for index in sorted(order)], within)


#: The box round some things, and their places in the order of laying.
_Run = tuple[Box, list[int]]


def _apart(runs: list[_Run]) -> list[_Run]:
    """Runs that touch one another are made one, until none do."""
    apart: list[_Run] = []
    for box, order in sorted(runs):
        while touching := _touching(apart, box):
            for run in touching:
                apart.remove(run)
                box, order = _round(box, run[0]), order + run[1]
        apart.append((box, order))
    return apart


def _touching(runs: list[_Run], box: Box) -> list[_Run]:
    """Those that the box touches. Most that were found from left to right end before it, which is asked first."""
    left, top, right, bottom = box
    return [run for run in runs if run[0][2] > left and run[0][3] > top and run[0][1] < bottom and run[0][0] < right]


def _round(one: Box, other: Box) -> Box:
    """The smallest box round both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


@dataclass(frozen=True, eq=False, slots=True)
class _Patch:
    """A heap in inks, with what of the ground lies between and around its things."""

    inked: Image.Image
    left: int
    top: int
    bottom: int


def _size(patch: _Patch) -> int:
    return patch.inked.width * patch.inked.height


@kept(40 * 2**20, _size)
def _patch(ground: Ground, heap: _Heap) -> _Patch:
    left, top, _, bottom = heap.box
    drawing = ground.drawn.crop(heap.box)
    for what, mask, (x, y, _, _) in heap.things:
        if what is mask:
            rims.lay(drawing, mask, x - left, y - top)
        else:
            drawing.paste(what, (x - left, y - top), mask)
    return _Patch(ground.with_inks(drawing, heap.box), left, top, bottom)


#: How many patches beside one another are many: they seldom change together, so few rows are packed with each.
_MANY: Final = 8
_ROWS: Final = 100


def _rows(patches: Sequence[_Patch], height: int) -> Iterator[tuple[int, int, tuple[_Patch, ...]]]:
    """Which rows are packed together, and the patches there: no patch is cut, but where many lie beside one another."""
    top = 0
    for beside in _beside(patches):
        bottom = max(patch.bottom for patch in beside)
        cuts = [top, bottom] if len(beside) < _MANY else [*range(top, bottom, _ROWS), bottom]
        for start, end in pairwise(cuts):
            yield start, end, tuple([patch for patch in beside if patch.top < end and patch.bottom > start])
        top = bottom
    yield top, height, ()


def _beside(patches: Sequence[_Patch]) -> Iterator[list[_Patch]]:
    """From above: those that share rows with one another."""
    beside: list[_Patch] = []
    bottom = 0
    for patch in sorted(patches, key=lambda patch: patch.top):
        if beside and patch.top >= bottom:
            yield beside
            beside = []
        beside.append(patch)
        bottom = max(bottom, patch.bottom)
    if beside:
        yield beside


def _length(strip: Strip) -> int:
    return len(strip.packed)


# Whoever keeps a strip keeps its patches, so there is room for no more strips than those patches make.
@kept(4 * 2**20, _length)
def _strip(ground: Ground, top: int, bottom: int, patches: tuple[_Patch, ...]) -> Strip:
    rows = ground.inked.crop((-1, top, ground.inked.width, bottom))
    for patch in patches:
        rows.paste(patch.inked, (patch.left + 1, patch.top - top))
    return pack(rows)


def encoded(drawing: Image.Image, ground: Ground) -> bytes:
    """The file of what was drawn on the ground in other ways."""
    inked = ground.with_inks(drawing, (0, 0, *drawing.size))
    return png(inked.size, inks_as_bytes(), [pack(inked.crop((-1, 0, *inked.size)))])
