"""A picture of 256 inks as a PNG file, written by ourselves around libdeflate: smaller than Pillow's and sooner."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS: Final = 8
_PALETTE: Final = 3  # the colour type of a picture whose pixels are inks
_EFFORT: Final = 5


def png(picture: Image.Image, inks: bytes) -> bytes:
    """The file of a picture whose pixels are numbers of inks (mode L); `inks` are red, green and blue of each."""
    width, height = picture.size
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    header = size + bytes((_EIGHT_BITS, _PALETTE, 0, 0, 0))
    chunks = (b"IHDR", header), (b"PLTE", inks), (b"IDAT", _squeezer()(_rows(picture))), (b"IEND", b"")
    return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _rows(picture: Image.Image) -> bytes:
    """Every row behind the zero that says it is not filtered: a column of the first ink, left of the picture."""
    wider = Image.new("L", (picture.width + 1, picture.height))
    wider.paste(picture, (1, 0))
    return wider.tobytes()


def _chunk(name: bytes, content: bytes) -> bytes:
    checked = name + content
    return len(content).to_bytes(4, "big") + checked + zlib.crc32(checked).to_bytes(4, "big")


@cache
def _squeezer() -> Callable[[bytes], bytes]:
    """libdeflate, or Python's own zlib where there is no wheel of it: the same pixels in more time."""
    try:
        from deflate import zlib_compress
    except ImportError:
        return lambda raw: zlib.compress(raw, _EFFORT)
    return lambda raw: bytes(zlib_compress(raw, _EFFORT))
