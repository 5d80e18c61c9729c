"""A picture of 256 inks as a PNG file, written by ourselves around zlib-ng: smaller than Pillow's and sooner.

Each strip of rows is packed by itself, so that one which was packed before need not be packed again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image

try:
    from zlib_ng import zlib_ng as packer

    _EFFORT, _LESS = 5, 3
except ImportError:  # there is no wheel of it for this machine: Python's own makes the same pixels in more time
    packer = zlib  # type: ignore[misc]
    _EFFORT, _LESS = 6, 6

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS: Final = 8
_PALETTE: Final = 3  # the colour type of a picture whose pixels are inks
_BEGIN: Final = b"\x78\x9c"  # of a zlib stream
_END: Final = b"\x03\x00"  # a last block with nothing in it
_BASE: Final = 65521  # Adler's


class Strip(NamedTuple):
    """Rows of a picture, packed: what they become in the stream, and their checksum and length before."""

    packed: bytes
    adler: int
    length: int


def pack(rows: Image.Image, *, fleeting: bool = False) -> Strip:
    """Their first column is no part of the picture: its zeros say of each row that it is not filtered. What is fleeting
    takes two thirds of the time, and a tenth more bytes."""
    raw = rows.tobytes()
    stream = packer.compressobj(_LESS if fleeting else _EFFORT, zlib.DEFLATED, -zlib.MAX_WBITS)
    # A packer of its own knows nothing of other strips, and a flushed one ends at a byte: they follow in any picture.
    return Strip(stream.compress(raw) + stream.flush(zlib.Z_SYNC_FLUSH), packer.adler32(raw), len(raw))


def png(size: tuple[int, int], inks: bytes, strips: Iterable[Strip]) -> bytes:
    """The file of a picture whose pixels are numbers of inks (mode L); `inks` are red, green and blue of each."""
    header = b"".join(side.to_bytes(4, "big") for side in size) + bytes((_EIGHT_BITS, _PALETTE, 0, 0, 0))
    chunks = (b"IHDR", header), (b"PLTE", inks), (b"IDAT", _stream(strips)), (b"IEND", b"")
    return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _stream(strips: Iterable[Strip]) -> bytes:
    parts, low, high = [_BEGIN], 1, 0
    for strip in strips:
        parts.append(strip.packed)
        low, high = _added(low, high, strip)
    checksum = (high << 16 | low).to_bytes(4, "big")
    return b"".join((*parts, _END, checksum))


def _added(low: int, high: int, strip: Strip) -> tuple[int, int]:
    """Adler's two sums over what came before and this strip: the second one sums up the first at every byte."""
    return (
        (low + (strip.adler & 0xFFFF) - 1) % _BASE,
        (high + (strip.adler >> 16) + strip.length * (low - 1)) % _BASE,
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    checked = name + content
    return len(content).to_bytes(4, "big") + checked + packer.crc32(checked).to_bytes(4, "big")
