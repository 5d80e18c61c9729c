"""What lies on a table, and the file of it.

Most of a picture is what the one before it was. So things that touch one another are drawn together, in a patch of
their own, which is kept; a row of patches is packed together, in a strip, and kept as well. What a press changes is
drawn and packed anew, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from cogs.pictures.cards import margin, sprite
from cogs.pictures.fans import Fan
from cogs.pictures.inks import Box, Ground, inks_as_bytes
from cogs.pictures.palette import Colour
from cogs.pictures.png import Strip, pack, png
from engine.games.cards import Card


class Thing(NamedTuple):
    """A sprite, or a colour in the shape of a mask, and where its top left corner lies."""

    what: Image.Image | Colour
    mask: Image.Image
    x: int
    y: int

    @property
    def box(self) -> Box:
        return self.x, self.y, self.x + self.mask.width, self.y + self.mask.height


class Table:
    """Things on a ground, later ones on earlier ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground: Final = ground
        self.things: Final[list[Thing]] = []

    def lay(self, what: Image.Image | Colour, mask: Image.Image, x: int, y: int) -> None:
        self.things.append(Thing(what, mask, x, y))

    def file(self) -> bytes:
        """The picture as the bytes of a file."""
        rows: list[list[_Patch]] = [[] for _ in range(0, self.ground.inked.height, _STRIP)]
        for heap in _heaps(self.things, self.ground.inked.size):
            patch = _patch(self.ground, heap)
            for row in rows[patch.top // _STRIP : (patch.bottom - 1) // _STRIP + 1]:
                row.append(patch)
        strips = (_strip(self.ground, at * _STRIP, tuple(row)) for at, row in enumerate(rows))
        return png(self.ground.inked.size, inks_as_bytes(), strips)


#: How many rows of pixels are packed together: a hand of small cards touches two strips or three.
_STRIP: Final = 50


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

    __slots__ = ("_key", "box", "things")

    def __init__(self, things: Sequence[Thing], box: Box) -> None:
        self.things = things
        self.box = box
        # A sprite is itself as long as anybody has it, and whoever keeps the heap has it.
        self._key = tuple((id(thing.what), id(thing.mask), thing.x, thing.y) for thing in things)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Heap) and self._key == other._key


def _heaps(things: Sequence[Thing], size: tuple[int, int]) -> Iterator[_Heap]:
    """All things, those in one heap that touch one another."""
    runs: list[tuple[Box, list[int]]] = []
    for at, thing in enumerate(things):
        box = thing.box
        if runs and _touch(runs[-1][0], box):
            runs[-1] = _round(runs[-1][0], box), [*runs[-1][1], at]
        else:
            runs.append((box, [at]))
    for box, order in _apart(runs):
        left, top, right, bottom = box
        within = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
        yield _Heap([things[at] for at in sorted(order)], within)


def _apart(runs: list[tuple[Box, list[int]]]) -> list[tuple[Box, list[int]]]:
    """Runs that touch one another are made one, until none do."""
    apart: list[tuple[Box, list[int]]] = []
    for box, order in runs:
        while touching := [run for run in apart if _touch(run[0], box)]:
            for run in touching:
                apart.remove(run)
                box, order = _round(box, run[0]), order + run[1]
        apart.append((box, order))
    return apart


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


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


@lru_cache(maxsize=512)
def _patch(ground: Ground, heap: _Heap) -> _Patch:
    left, top, _, bottom = heap.box
    drawing = ground.drawn.crop(heap.box)
    for what, mask, x, y in heap.things:
        drawing.paste(what, (x - left, y - top), mask)
    return _Patch(ground.with_inks(drawing, heap.box), left, top, bottom)


@lru_cache(maxsize=1024)
def _strip(ground: Ground, top: int, patches: tuple[_Patch, ...]) -> Strip:
    rows = _rows(ground.inked, top)
    for patch in patches:
        rows.paste(patch.inked, (patch.left + 1, patch.top - top))
    return pack(rows)


def _rows(inked: Image.Image, top: int) -> Image.Image:
    """A strip of the picture, and left of it the column of zeros that a file has there: a crop beyond the edge."""
    return inked.crop((-1, top, inked.width, min(top + _STRIP, inked.height)))


def encoded(drawing: Image.Image, ground: Ground) -> bytes:
    """The file of what was drawn on the ground in other ways."""
    inked = ground.with_inks(drawing, (0, 0, *drawing.size))
    return png(inked.size, inks_as_bytes(), (pack(_rows(inked, top)) for top in range(0, inked.height, _STRIP)))
