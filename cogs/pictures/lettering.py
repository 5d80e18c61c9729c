"""Digits and names as masks: digits in the font that Pillow includes, names in a Latin, Greek and Cyrillic one."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image, ImageDraw, ImageFont

#: The lock of the FreeType faces, which two threads may not use at once.
_pen = Lock()

#: The width of the outline, as a share of the size, that makes Pillow's own font look bold: it has one weight only.
_BOLD = 0.026


@lru_cache(maxsize=128)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow without FreeType has no scalable face
    return font


@lru_cache(maxsize=2048)
def word(text: str, size: int) -> Image.Image:
    """Return the text as a mask, cut to its width and to the height of a digit."""
    with _pen:
        font, stroke = _font(size), size * _BOLD
        left, _, right, _ = font.getbbox(text, stroke_width=stroke)
        _, top, _, bottom = font.getbbox("0", stroke_width=stroke)
        mask = Image.new("L", (max(1, round(right - left)), round(bottom - top)), 0)
        ImageDraw.Draw(mask).text((-left, -top), text, font=font, fill=255, stroke_width=stroke)
    return mask


# -- names -------------------------------------------------------------------------------------------------------------


@cache
def _noto() -> bytes:
    """Return the font Noto Sans Bold (Latin, Greek and Cyrillic), which is unpacked when the first name is drawn."""
    from pymupdf_fonts.NotoSans_Bold import fontbuffer

    return bytes(fontbuffer)


@lru_cache(maxsize=32)
def _names(size: int) -> ImageFont.FreeTypeFont:
    plain = ImageFont.Layout.BASIC  # the same letters on every machine, whichever libraries it has
    return ImageFont.truetype(BytesIO(_noto()), size, layout_engine=plain)


#: The letters that the font lacks, and those that are drawn instead.
_STAND_INS: Final = {ord("−"): "–"}


def _drawn(written: str) -> str:
    """Return a text as it is drawn: each letter is one sign with its accent, and invisible characters are left out.

    The font would show invisible characters, for example marks of direction.
    """
    whole = unicodedata.normalize("NFC", written.translate(_STAND_INS))
    return "".join(sign for sign in whole if unicodedata.category(sign) != "Cf")


@lru_cache(maxsize=512)
def text(written: str, size: int) -> Image.Image:
    """Return a text in the font for names as a mask. All texts of a size are equally high, with room for tails."""
    written = _drawn(written)
    with _pen:
        font = _names(size)
        left, _, right, _ = font.getbbox(written)
        _, top, _, bottom = font.getbbox("Ág")
        mask = Image.new("L", (max(1, round(right - left)), round(bottom - top)), 0)
        ImageDraw.Draw(mask).text((-left, -top), written, font=font, fill=255)
    return mask


def text_width(written: str, size: int) -> int:
    return text(written, size).width


@lru_cache(maxsize=512)
def shortened(name: str, size: int, widest: int) -> str:
    """Return the name, cut with `…` if it is wider than `widest` pixels or has more than 40 letters.

    Return an empty text if the font cannot write it or fewer than two letters fit.
    """
    name = " ".join(_drawn(name).split())
    if not can_write(name):
        return ""
    if text(name[:40], size).width <= widest and len(name) <= 40:
        return name
    for longest in range(min(len(name) - 1, 24), 1, -1):
        cut = f"{name[:longest].rstrip()}…"
        if text(cut, size).width <= widest:
            return cut
    return ""


#: The sizes of a name's letters that are tried: on one line first, then on two. A single word may have all on one line.
_ONE_LINE: Final = (42, 36)
_TWO_LINES: Final = (30, 26)


def in_two_lines(name: str, widest: int) -> tuple[list[str], int]:
    """Return the lines of a name, one or two, and the height of its letters.

    Two lines are broken at the last space that fits. A name without a space is broken only if no size holds it on one
    line. If the second line cannot hold the rest of the name, it is cut.
    """
    name = " ".join(_drawn(name).split())
    for size in _ONE_LINE if " " in name else (*_ONE_LINE, *_TWO_LINES):
        if text(name[:40], size).width <= widest and len(name) <= 40:
            return [name], size
    for size in _TWO_LINES:
        breaks = [at for at in range(1, min(len(name), 40)) if text(name[:at], size).width <= widest]
        at = max((at for at in breaks if name[at] == " "), default=max(breaks, default=1))
        first, second = name[:at], name[at:].strip()
        rest = shortened(second, size, widest)
        if rest == second:
            break
    return [first, rest], size


def can_write(name: str) -> bool:
    """Return whether there is a name and the font has all of its letters."""
    drawn = _drawn(name)
    return bool(drawn) and all(map(_can_write_letter, drawn))


@lru_cache(maxsize=2048)
def _can_write_letter(letter: str) -> bool:
    """Return whether the font has the letter: it draws every letter that it lacks as the same empty box.

    An accent that is not part of a letter counts as missing, because it would be drawn beside the letter.
    """
    if unicodedata.category(letter).startswith("M"):
        return False
    with _pen:
        mask, missing = (_names(24).getmask(glyph) for glyph in (letter, "\uffff"))
    return letter.isspace() or (mask.size, bytes(mask)) != (missing.size, bytes(missing))
