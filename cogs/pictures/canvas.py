"""What lies on a table, and the file of it.

Most of a picture is what the one before it was. So things that touch one another are drawn together, in a patch of
their own, which is kept; a row of patches is packed together, in a strip, and kept as well. What a press changes is
drawn and packed anew, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Protocol, TypeVar

from PIL import Image

from cogs.pictures import rims
from cogs.pictures.cards import margin, sprite
from cogs.pictures.fans import Fan
from cogs.pictures.inks import Box, Ground, inks_as_bytes
from cogs.pictures.kept import Kept
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
        patches = _patches(self.ground, _heaps(self.things, self.ground.size))
        return png(self.ground.size, inks_as_bytes(), _strips(self.ground, patches))


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


# -- heaps -------------------------------------------------------------------------------------------------------------


class _Heap(NamedTuple):
    """Things that touch one another, in the order of laying, and the box round them that lies on the picture."""

    things: Sequence[Thing]
    box: Box

    @property
    def key(self) -> tuple[tuple[int, ...], ...]:
        """The same of the same things in the same places: a sprite is itself as long as anybody has it."""
        return tuple([(id(what), id(mask), *where) for what, mask, where in self.things])


#: The box round some things, and their places in the order of laying.
_Run = tuple[Box, list[int]]


def _heaps(things: Sequence[Thing], size: tuple[int, int]) -> list[_Heap]:
    """All things, those in one heap that touch one another."""
    heaps = []
    for (left, top, right, bottom), order in _apart(_runs(things)):
        within = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
        heaps.append(_Heap([things[index] for index in sorted(order)], within))
    return heaps


def _runs(things: Sequence[Thing]) -> list[_Run]:
    """Those laid one after the other that touch: most of what touches at all."""
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
    """Runs that touch one another are made one, until none do."""
    apart: list[_Run] = []
    near = apart
    for run in sorted(runs):
        left, top, _, bottom = run[0]
        near = [other for other in near if other[0][2] > left]  # from left to right: most others have ended
        touching = [other for other in near if other[0][1] < bottom and other[0][3] > top]
        while touching:
            for other in touching:
                apart.remove(other)
                run = _round(run[0], other[0]), run[1] + other[1]
            near = apart  # it reaches further than it did
            touching = [other for other in apart if _touch(other[0], run[0])]
        apart.append(run)
        if near is not apart:
            near.append(run)
    return apart


def _touch(one: Box, other: Box) -> bool:
    return one[3] > other[1] and one[1] < other[3] and one[2] > other[0] and one[0] < other[2]


def _round(one: Box, other: Box) -> Box:
    """The smallest box round both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _round_all(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


# -- patches -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _Patch:
    """A heap in inks, with what of the ground lies between and around its things."""

    inked: Image.Image
    box: Box
    #: Whoever keeps the patch keeps them, so that no other sprite is ever taken for one of them.
    things: Sequence[Thing]


def _area(patch: _Patch) -> int:
    return patch.inked.width * patch.inked.height


#: How many heaps beside one another are many.
_MANY: Final = 8

_kept_patches: Final = Kept(24 * 2**20, _area)


def _patches(ground: Ground, heaps: Sequence[_Heap]) -> list[_Patch]:
    """Of each heap its patch. Of heaps that were never drawn before, many beside one another share a sheet."""
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
    """All on one sheet, which is brought down to inks in one go."""
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
    """From above: those that share rows with one another."""
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
    """From above, and from the left."""
    return boxed.box[1], boxed.box[0]


# -- strips ------------------------------------------------------------------------------------------------------------

#: Of many patches beside one another few change together, so no more rows than these are packed at once.
_ROWS: Final = 100
#: Pixels of a hand or two in play. Every press makes another of it, and where no more than that lies below the dealer,
#: the file has bytes to spare.
_IN_PLAY: Final = range(50_000, 200_000)


def _strips(ground: Ground, patches: Sequence[_Patch]) -> Iterator[Strip]:
    """The whole picture from above: no patch is cut, but where many lie beside one another."""
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


# Whoever keeps a strip keeps its patches, so there is room for no more strips than those patches make.
_kept_strips: Final = Kept(4 * 2**20, _length)


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
    """The file of what was drawn on the ground in other ways."""
    inked = ground.with_inks(drawing, (0, 0, *drawing.size))
    return png(inked.size, inks_as_bytes(), [pack(inked.crop((-1, 0, *inked.size)))])
