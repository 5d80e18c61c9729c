"""The empty table: felt in a soft light, a rail, a printed arc, the shoe."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from cogs.pictures.cards import card_width, margin, sprite
from cogs.pictures.inks import Ground, rows_of_ink
from cogs.pictures.palette import FELT, GOLD, GOLD_DEEP, HEIGHT, INK, RAIL, SHADOW, WIDTH, Colour, mix
from cogs.pictures.shapes import rounded, sign

_RAIL_WIDTH: Final = 7
_CORNER: Final = 30
#: The height at which the felt is brightest, from the top, as a share of the picture's.
_BRIGHTEST: Final = 0.46
#: The rounding offset of successive rows, which hides the step between two colours.
_DITHER: Final = (0.125, 0.625, 0.375, 0.875)


def _lit() -> Ground:
    """Return the felt under a long lamp. Every row has one colour, which looks calm and takes almost no bytes."""
    return rows_of_ink([_ink(y) for y in range(HEIGHT)], WIDTH)


def _ink(y: int) -> int:
    away = abs(y / HEIGHT - _BRIGHTEST) / (1 - _BRIGHTEST)
    return int(away**1.8 * (len(FELT) - 1) + _DITHER[y % 4])


@lru_cache(maxsize=1)
def _railed() -> Ground:
    """Return the lit felt inside its rail."""
    lit = _lit()
    table = Image.new("RGB", (WIDTH, HEIGHT), RAIL)
    for outset, colour in ((2, mix(GOLD, RAIL, 0.45)), (0, SHADOW)):
        size = (WIDTH - 2 * (_RAIL_WIDTH - outset), HEIGHT - 2 * (_RAIL_WIDTH - outset))
        table.paste(colour, (_RAIL_WIDTH - outset,) * 2, rounded(size, _CORNER + outset))
    inner = (WIDTH - 2 * _RAIL_WIDTH, HEIGHT - 2 * _RAIL_WIDTH)
    cut = lit.drawn.crop((_RAIL_WIDTH, _RAIL_WIDTH, WIDTH - _RAIL_WIDTH, HEIGHT - _RAIL_WIDTH))
    table.paste(cut, (_RAIL_WIDTH, _RAIL_WIDTH), rounded(inner, _CORNER))
    return Ground(table, lit.with_inks(table, (0, 0, *table.size)))


@lru_cache(maxsize=16)
def felt(arc: int | None, *, shoe: bool = False, far_end: bool = False) -> Ground:
    """Return the felt inside its rail, with a printed arc whose middle lies at the height `arc`; None: without an arc.

    `shoe` adds a shoe in the dealer's corner, with a card at its mouth; without an arc there is none. `far_end` adds
    a card at the other end of the shoe, from which the dealer's cards then come (R1.9).
    """
    railed = _railed()
    if arc is None:
        return railed
    table = railed.drawn.copy()
    for offset, width, strength in ((0, 2.0, 90), (9, 1.0, 60)):
        table.paste(GOLD, (0, 0), _arc(arc + offset, width, strength))
    if shoe:
        sprite_of = _shoe(far_end=far_end)
        table.paste(sprite_of, (WIDTH - _SHOE - 26, 20), sprite_of)
    return Ground(table, railed.with_inks(table, (0, 0, *table.size)))


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

#: The height at which the middle of the sealed cards lies.
SEALED_Y: Final = 172

_SHOE_BODY: Final[Colour] = (30, 34, 42)
_SHOE_LID: Final[Colour] = (52, 58, 68)
_SHOE: Final = 104


@lru_cache(maxsize=2)
def _shoe(*, far_end: bool) -> Image.Image:
    """Return the sprite of the shoe as seen from above, with a card at its mouth.

    With `far_end` there is a card at the other end, too.
    """
    sheet = Image.new("RGBA", (_SHOE, _SHOE), (*SHADOW, 0))
    card = sprite(None, 60)
    left, top = (_SHOE - card_width(60)) // 2 - margin(60), 20 if far_end else 2
    if far_end:
        sheet.alpha_composite(card, (left, 0))
    sheet.alpha_composite(card, (left, _SHOE - card.height))
    for height, colour in ((78 - top, _SHOE_BODY), (26 - top, _SHOE_LID) if not far_end else (16, _SHOE_LID)):
        sheet.paste((*colour, 255), (11, top), rounded((82, height), 10))
    spade = sign("s", 30)
    sheet.paste((*GOLD, 255), ((_SHOE - 30) // 2, 36), spade)
    return sheet


@lru_cache(maxsize=1)
def sealed_cards() -> Image.Image:
    """Return the sprite of a table before its first deal: cards face down, under a seal."""
    sheet = Image.new("RGBA", (460, 300), (*SHADOW, 0))
    back = sprite(None, 184)
    for step in range(-3, 4):
        turned = back.rotate(-9 * step, Image.Resampling.BICUBIC, expand=True)
        sheet.alpha_composite(turned, (230 + step * 34 - turned.width // 2, 120 + step * step * 5 - turned.height // 2))
    _seal(sheet, 230, 214, 84)
    return sheet


def _seal(sheet: Image.Image, x: int, y: int, side: int) -> None:
    disc = rounded((side, side), side // 2)
    halo = Image.new("L", sheet.size, 0)
    halo.paste(150, (x - side // 2, y - side // 2 + 2), disc)
    sheet.alpha_composite(_coloured(halo.filter(ImageFilter.GaussianBlur(side / 14)), SHADOW))
    for inset, colour in ((0, GOLD), (5, GOLD_DEEP), (7, GOLD)):
        ring = rounded((side - 2 * inset, side - 2 * inset), side // 2 - inset)
        sheet.paste((*colour, 255), (x - side // 2 + inset, y - side // 2 + inset), ring)
    lock = sign("lock", round(side * 0.5))
    sheet.paste((*INK, 255), (x - lock.width // 2, y - lock.height // 2 - 2), lock)


def _coloured(mask: Image.Image, colour: Colour) -> Image.Image:
    layer = Image.new("RGBA", mask.size, (*colour, 0))
    layer.putalpha(mask)
    return layer
