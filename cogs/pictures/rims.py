"""Fast pasting of large sprites: only the rim of a card or a glow has to be blended pixel by pixel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from cogs.pictures.inks import Box

#: The fewest pixels for which pasting in pieces is faster than blending the whole sprite.
_LARGE: Final = 15_000


class Piece(NamedTuple):
    """A part of a sprite, and its position in the sprite. Without a mask the part is opaque."""

    image: Image.Image
    mask: Image.Image | None
    x: int
    y: int


class _Same:
    """A sprite as a key of a cache, compared by identity."""

    __slots__ = ("sprite",)

    def __init__(self, sprite: Image.Image) -> None:
        self.sprite = sprite

    def __hash__(self) -> int:
        return id(self.sprite)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.sprite is self.sprite


def lay(drawing: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    """Paste a sprite into a drawing at a position, by its own mask."""
    if sprite.width * sprite.height < _LARGE:
        drawing.paste(sprite, (x, y), sprite)
        return
    for image, mask, right, down in _pieces(_Same(sprite)):
        drawing.paste(image, (x + right, y + down), mask)


@lru_cache(maxsize=96)
def _pieces(same: _Same) -> tuple[Piece, ...]:
    sprite = same.sprite
    alpha = sprite.getchannel("A")
    width, height = sprite.size
    middle = alpha.getpixel((width // 2, height // 2))
    rim = _rim(sprite.size, alpha.point([level != middle for level in range(256)]).tobytes())
    if rim is None or middle not in (0, 255):
        return (Piece(sprite, sprite, 0, 0),)
    return tuple(_cut(sprite, *rim, hidden=middle == 255))


@lru_cache(maxsize=64)
def _rim(size: tuple[int, int], outside: bytes) -> tuple[int, int] | None:
    """Return how far a sprite's rim reaches in from the sides, and from above and below; None if it has no middle.

    `outside` marks the pixels whose transparency differs from that of the pixel in the middle.

    Corners count as above and below, which keeps the sides narrow. All cards of a height share one shape and one rim.
    """
    width, height = size
    other = Image.frombytes("L", size, outside)
    across = _inset(other, [(x, height // 2, width - x, height // 2 + 1) for x in range(1, width // 2)])
    if across is None:
        return None
    down = _inset(other, [(across, y, width - across, height - y) for y in range(1, height // 2)])
    return None if down is None else (across, down)


def _inset(other: Image.Image, boxes: Sequence[Box]) -> int | None:
    """Return the number (from 1) of the first of these boxes in which no pixel is marked, or None.

    Each box lies one pixel further in than the one before it, so the number is the width of the rim.
    """
    return next((inset for inset, box in enumerate(boxes, 1) if other.crop(box).getbbox() is None), None)


def _cut(sprite: Image.Image, across: int, down: int, *, hidden: bool) -> Iterator[Piece]:
    width, height = sprite.size
    sides = (
        (0, 0, width, down),
        (0, down, across, height - down),
        (width - across, down, width, height - down),
        (0, height - down, width, height),
    )
    for box in sides:
        side = sprite.crop(box)
        yield Piece(side.convert("RGB"), side.getchannel("A"), *box[:2])
    if hidden:
        middle = sprite.crop((across, down, width - across, height - down))
        yield Piece(middle.convert("RGB"), None, across, down)
