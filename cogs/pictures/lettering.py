"""Digits and names as masks: digits in the font that Pillow brings along, names in one that knows most alphabets."""

from __future__ import annotations

from functools import cache, lru_cache
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image, ImageDraw, ImageFont

#: A FreeType face is not made for two threads at once.
_pen = Lock()

#: The bundled face has one weight; a fine outline makes it a bold one.
_BOLD = 0.026


@lru_cache(maxsize=128)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow without FreeType has no scalable face
    return font


@lru_cache(maxsize=2048)
def word(text: str, size: int) -> Image.Image:
    """The text as a mask, cut to its own width and to the height of a digit."""
    with _pen:
        font, stroke = _font(size), size * _BOLD
        left, _, right, _ = font.getbbox(text, stroke_width=stroke)
        _, top, _, bottom = font.getbbox("0", stroke_width=stroke)
        mask = Image.new("L", (max(1, round(right - left)), round(bottom - top)), 0)
        ImageDraw.Draw(mask).text((-left, -top), text, font=font, fill=255, stroke_width=stroke)
    return mask


def width(text: str, size: int) -> int:
    return word(text, size).width


# -- names -------------------------------------------------------------------------------------------------------------


@cache
def _noto() -> bytes:
    """Noto Sans Bold: Latin, Greek and Cyrillic. Unpacked when the first name is drawn."""
    from pymupdf_fonts.NotoSans_Bold import fontbuffer

    return bytes(fontbuffer)


@lru_cache(maxsize=32)
def _names(size: int) -> ImageFont.FreeTypeFont:
    plain = ImageFont.Layout.BASIC  # the same letters on every machine, whichever libraries it has besides
    return ImageFont.truetype(BytesIO(_noto()), size, layout_engine=plain)


#: What the font lacks, and what it draws instead.
_STAND_INS: Final = {ord("−"): "–"}


@lru_cache(maxsize=512)
def text(written: str, size: int) -> Image.Image:
    """A name as a mask, as high as its line, so that letters with tails keep their height."""
    written = written.translate(_STAND_INS)
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
    """As much of the name as fits; nothing where the font cannot write it or less than two letters would be left."""
    name = " ".join(name.split())
    if not can_write(name):
        return ""
    if text(name[:40], size).width <= widest and len(name) <= 40:
        return name
    for longest in range(min(len(name) - 1, 24), 1, -1):
        cut = f"{name[:longest].rstrip()}…"
        if text(cut, size).width <= widest:
            return cut
    return ""


#: Heights of a name's letters: in one line, while it fits; then in two.
_ONE_LINE: Final = (42, 36)
_TWO_LINES: Final = (30, 26)


def in_two_lines(name: str, widest: int) -> tuple[list[str], int]:
    """The name in one line, or else two, broken at a space where that is enough, and the height of its letters. Only
    what two lines do not hold is cut."""
    name = " ".join(name.split())
    for size in _ONE_LINE:
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
    """Whether there is a name, and the font has all of its letters."""
    return bool(name) and all(map(_can_write_letter, name))


@lru_cache(maxsize=2048)
def _can_write_letter(letter: str) -> bool:
    """A font draws whatever it lacks as the same empty box."""
    with _pen:
        mask, missing = (_names(24).getmask(glyph) for glyph in (letter, "\uffff"))
    return letter.isspace() or (mask.size, bytes(mask)) != (missing.size, bytes(missing))
