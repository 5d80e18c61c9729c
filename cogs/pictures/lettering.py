"""Digits and signs as masks, from the one font that Pillow brings along."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

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
