"""The table itself: felt in a soft light, a rail, a printed arc, the shoe."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from cogs.pictures.canvas import mix, put
from cogs.pictures.cards import card_width, margin, sprite
from cogs.pictures.palette import CARD, FELT_DARK, FELT_LIGHT, GOLD, HEIGHT, INK, RAIL, SHADOW, WIDTH, Colour
from cogs.pictures.shapes import rounded, sign

_RAIL_WIDTH: Final = 7
_CORNER: Final = 30
#: Where the lamp hangs, as a share of the height.
_BRIGHTEST: Final = 0.46


@lru_cache(maxsize=1)
def _lit() -> Image.Image:
    """Felt under a long lamp. Every row is of one colour: that is calm to look at, and costs almost no bytes."""
    column = Image.new("RGB", (1, HEIGHT))
    for y in range(HEIGHT):
        away = abs(y / HEIGHT - _BRIGHTEST) / (1 - _BRIGHTEST)
        column.putpixel((0, y), mix(FELT_LIGHT, FELT_DARK, min(1.0, away**1.6 * 0.86)))
    return column.resize((WIDTH, HEIGHT))


@lru_cache(maxsize=1)
def _railed() -> Image.Image:
    table = Image.new("RGB", (WIDTH, HEIGHT), RAIL)
    inner = (WIDTH - 2 * _RAIL_WIDTH, HEIGHT - 2 * _RAIL_WIDTH)
    for inset, colour in ((0, mix(GOLD, RAIL, 0.45)), (2, SHADOW)):
        table.paste(
            colour,
            (_RAIL_WIDTH + inset - 2,) * 2,
            rounded((inner[0] + 4 - 2 * inset, inner[1] + 4 - 2 * inset), _CORNER + 2 - inset),
        )
    lit = _lit().crop((0, 0, *inner))
    table.paste(lit, (_RAIL_WIDTH, _RAIL_WIDTH), rounded(inner, _CORNER))
    return table


@lru_cache(maxsize=32)
def felt(arc: int) -> Image.Image:
    """The felt with its arc printed so that it meets the middle at `arc`. Copy it before drawing."""
    table = _railed().copy()
    for offset, width, strength in ((0, 2.0, 90), (9, 1.0, 60)):
        table.paste(GOLD, (0, 0), _arc(arc + offset, width, strength))
    return table


def _arc(bottom: int, width: float, strength: int) -> Image.Image:
    mask = Image.new("L", (WIDTH * 2, HEIGHT * 2), 0)
    radius = 2 * 1500
    left, top = WIDTH - radius, 2 * (bottom - radius)
    ImageDraw.Draw(mask).ellipse(
        (left, top, left + 2 * radius, top + 2 * radius), outline=strength, width=round(2 * width)
    )
    mask = mask.reduce(2)
    inner = Image.new("L", mask.size, 0)
    inset = _RAIL_WIDTH + 2
    inner.paste(mask.crop((inset, inset, WIDTH - inset, HEIGHT - inset)), (inset, inset))
    return inner


# -- the shoe ----------------------------------------------------------------------------------------------------------

_SHOE_BODY: Final[Colour] = (30, 34, 42)
_SHOE_LID: Final[Colour] = (52, 58, 68)


def place_shoe(table: Image.Image) -> None:
    """In the dealer's corner, a card showing at its mouth."""
    sheet = shoe(104, sealed=False)
    put(table, sheet, WIDTH - sheet.width - 26, 20)


@lru_cache(maxsize=4)
def shoe(side: int, *, sealed: bool) -> Image.Image:
    """Seen from above: the box, the edges of its cards, and at the mouth the next card, or the seal."""
    sheet = Image.new("RGBA", (side, side), (*SHADOW, 0))
    if not sealed:
        _mouth(sheet, side)
    width, height = round(side * 0.80), round(side * 0.70)
    left, radius = (side - width) // 2, round(side * 0.09)
    _block(sheet, (left, 2, width, height), radius, _SHOE_BODY)
    _block(sheet, (left, 2, width, round(height * 0.30)), radius, _SHOE_LID)
    _edges(sheet, (left + round(width * 0.14), round(height * 0.44), round(width * 0.72), round(height * 0.36)))
    if sealed:
        _seal(sheet, side // 2, round(height * 0.98), round(side * 0.34))
    return sheet


def _block(sheet: Image.Image, box: tuple[int, int, int, int], radius: int, colour: Colour) -> None:
    left, top, width, height = box
    sheet.paste((*colour, 255), (left, top), rounded((width, height), radius))


def _mouth(sheet: Image.Image, side: int) -> None:
    tall = round(side * 0.62)
    card = sprite(None, tall)
    sheet.alpha_composite(card, ((side - card_width(tall)) // 2 - margin(tall), side - card.height))


def _edges(sheet: Image.Image, box: tuple[int, int, int, int]) -> None:
    left, top, width, height = box
    _block(sheet, box, 3, SHADOW)
    draw = ImageDraw.Draw(sheet)
    pitch = max(3, width // 16)
    for x in range(left + pitch, left + width - pitch, pitch):
        draw.line((x, top + 3, x, top + height - 4), fill=(*mix(CARD, INK, 0.25), 255), width=max(1, pitch // 2))


def _seal(sheet: Image.Image, x: int, y: int, side: int) -> None:
    disc = rounded((side, side), side // 2)
    halo = Image.new("L", sheet.size, 0)
    halo.paste(150, (x - side // 2, y - side // 2), disc)
    sheet.paste((*SHADOW, 255), (0, 0), halo.filter(ImageFilter.GaussianBlur(side / 14)))
    sheet.paste((*GOLD, 255), (x - side // 2, y - side // 2), disc)
    lock = sign("lock", round(side * 0.56))
    sheet.paste((*INK, 255), (x - lock.width // 2, y - lock.height // 2 - side // 40), lock)
