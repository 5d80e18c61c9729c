"""Large sprites laid sooner: most of a card hides what lies below, most of a glow is nothing, and only the rim of
either must be blended pixel by pixel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

#: Pixels. A smaller sprite is blended in one go as soon as in pieces.
_LARGE: Final = 15_000


class Piece(NamedTuple):
    """A part of a sprite, and where in the sprite it lies. Without a mask it hides what is below."""

    image: Image.Image
    mask: Image.Image | None
    x: int
    y: int


class _Same:
    """A sprite as a key: it is itself and no other."""

    __slots__ = ("sprite",)

    def __init__(self, sprite: Image.Image) -> None:
        self.sprite = sprite

    def __hash__(self) -> int:
        return id(self.sprite)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.sprite is self.sprite


def lay(drawing: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    """Paste the sprite there, by its own mask."""
    if sprite.width * sprite.height < _LARGE:
        drawing.paste(sprite, (x, y), sprite)
        return
    for image, mask, right, down in _pieces(_Same(sprite)):
        drawing.paste(image, (x + right, y + down), mask)


@lru_cache(maxsize=128)
def _pieces(same: _Same) -> tuple[Piece, ...]:
    sprite = same.sprite
    alpha = sprite.getchannel("A")
    width, height = sprite.size
    middle = alpha.getpixel((width // 2, height // 2))
    rim = _rim(alpha.point([level != middle for level in range(256)]))
    if rim is None or middle not in (0, 255):
        return (Piece(sprite, sprite, 0, 0),)
    return tuple(_cut(sprite, rim, hidden=middle == 255))


def _rim(other: Image.Image) -> int | None:
    """How far in from every side the sprite is no longer what it is in its middle."""
    width, height = other.size
    insets = range(1, min(other.size) // 2)
    boxes = ((inset, inset, width - inset, height - inset) for inset in insets)
    return next((box[0] for box in boxes if other.crop(box).getbbox() is None), None)


def _cut(sprite: Image.Image, rim: int, *, hidden: bool) -> Iterator[Piece]:
    width, height = sprite.size
    sides = (
        (0, 0, width, rim),
        (0, rim, rim, height - rim),
        (width - rim, rim, width, height - rim),
        (0, height - rim, width, height),
    )
    for box in sides:
        side = sprite.crop(box)
        yield Piece(side.convert("RGB"), side.getchannel("A"), *box[:2])
    if hidden:
        middle = sprite.crop((rim, rim, width - rim, height - rim))
        yield Piece(middle.convert("RGB"), None, rim, rim)
