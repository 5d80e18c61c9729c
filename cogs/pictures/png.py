"""An encoder of 256-colour PNG files around zlib-ng: its files are smaller than Pillow's and made faster.

Each strip of rows is packed separately, so that a strip can be reused in the next picture.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image

try:
    from zlib_ng import zlib_ng as packer

    _EFFORT, _LESS = 5, 3
except ImportError:  # no wheel for this machine: Python's own zlib makes the same pixels in more time
    packer = zlib  # type: ignore[misc]
    _EFFORT, _LESS = 6, 6

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS: Final = 8
_PALETTE: Final = 3  # the colour type of a palette picture
_BEGIN: Final = b"\x78\x9c"  # the header of a zlib stream
_END: Final = b"\x03\x00"  # an empty last block
_BASE: Final = 65521  # Adler's


class Strip(NamedTuple):
    """Packed rows of a picture: their part of the stream, and the checksum and length of the raw bytes."""

    packed: bytes
    adler: int
    length: int


def pack(rows: Image.Image, *, fleeting: bool = False) -> Strip:
    """Return rows of a picture, compressed. `fleeting` ones take two thirds of the time and a tenth more bytes.

    The first column is not part of the picture: its zeros mark each row as unfiltered.
    """
    raw = rows.tobytes()
    stream = packer.compressobj(_LESS if fleeting else _EFFORT, zlib.DEFLATED, -zlib.MAX_WBITS)
    # Each strip has a compressor of its own and is flushed to a whole byte, so strips can follow one another in any
    # picture.
    return Strip(stream.compress(raw) + stream.flush(zlib.Z_SYNC_FLUSH), packer.adler32(raw), len(raw))


def png(size: tuple[int, int], inks: bytes, strips: Iterable[Strip]) -> bytes:
    """Return the file of a picture whose pixels are ink numbers (mode L); `inks` has red, green and blue of each."""
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
    """Return the two sums of an Adler-32 checksum after a strip, from those before it."""
    return (
        (low + (strip.adler & 0xFFFF) - 1) % _BASE,
        (high + (strip.adler >> 16) + strip.length * (low - 1)) % _BASE,
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    checked = name + content
    return len(content).to_bytes(4, "big") + checked + packer.crc32(checked).to_bytes(4, "big")
