"""Fifty-two cards and a back for each height that a layout asks for, composed of parts that are drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from cogs.pictures.lettering import word
from cogs.pictures.palette import BACK, BACK_LINE, CARD, FOUR_COLOURS, IVORY, SHADOW, SUIT_COLOUR, Colour
from cogs.pictures.shapes import OVERSAMPLING, rounded, sign
from engine.games.cards import Card

#: The heights of cards that layouts may use. There are few, because each is a deck of sprites kept in memory.
HEIGHTS: Final = (210, 184, 160, 140, 122, 106, 92, 80, 70, 60, 50, 42)

#: The height below which a card shows rank and suit only in one corner, but larger.
COMPACT: Final = 100

ASPECT: Final = 0.70


def card_width(height: int) -> int:
    return round(height * ASPECT)


def margin(height: int) -> int:
    """Return how many pixels a sprite leaves for the shadow on every side of a card of this height."""
    return max(3, round(height * 0.055))


@lru_cache(maxsize=1024)
def sprite(card: Card | None, height: int, *, four_colours: bool = False) -> Image.Image:
    """Return a card (None: its back) with its shadow. The card itself begins at `margin(height)` inside the sprite."""
    if card is None:
        return _shaded(_back(height))
    sheet, edge = _empty(height).copy(), margin(height)
    colour = (FOUR_COLOURS if four_colours else SUIT_COLOUR)[card[1]]
    for printed in (_rank(card[0], height), _suit(card[1], height)):
        sheet.paste(colour, (edge, edge), printed)
    return sheet


@lru_cache(maxsize=len(HEIGHTS))
def _empty(height: int) -> Image.Image:
    """Return a blank card with its shadow."""
    return _shaded(_blank(height, CARD))


def _shaded(card: Image.Image) -> Image.Image:
    face = card.reduce(OVERSAMPLING)
    sheet, edge = _shadow(face.height).copy(), margin(face.height)
    sheet.alpha_composite(face, (edge, edge))
    return sheet


@lru_cache(maxsize=32)
def _shadow(height: int) -> Image.Image:
    """Return a card's shadow: soft under a large card, a thin edge around a small one, where softness only
    costs bytes.
    """
    edge, size = margin(height), (card_width(height), height)
    mask = Image.new("L", (size[0] + 2 * edge, height + 2 * edge), 0)
    if height >= COMPACT:
        mask.paste(150, (edge, edge + edge // 3), rounded(size, _radius(height)))
        mask = mask.filter(ImageFilter.GaussianBlur(edge * 0.5))
    else:
        mask.paste(90, (edge - 1, edge), rounded((size[0] + 2, height + 2), _radius(height)))
    shadow = Image.new("RGBA", mask.size, (*SHADOW, 0))
    shadow.putalpha(mask)
    return shadow


def _radius(height: int) -> int:
    return max(4, round(height * 0.075))


def _blank(height: int, colour: Colour) -> Image.Image:
    size = card_width(height) * OVERSAMPLING, height * OVERSAMPLING
    blank = Image.new("RGBA", size, (*colour, 0))
    outline = (*(round(part * 0.84) for part in colour), 255)
    ImageDraw.Draw(blank).rounded_rectangle(
        (0, 0, size[0] - 1, size[1] - 1),
        _radius(height) * OVERSAMPLING,
        fill=(*colour, 255),
        outline=outline,
        width=OVERSAMPLING,
    )
    return blank


# -- what is printed: a mask for each rank and each suit, as large as the card -----------------------------------------


@lru_cache(maxsize=256)
def _rank(rank: str, height: int) -> Image.Image:
    """Return the mask of a rank, in the corner that a fan leaves visible. A ten is squeezed to fit."""
    compact, tall = height < COMPACT, height * OVERSAMPLING
    letters = word("10" if rank == "T" else rank, round(tall * (0.46 if compact else 0.30)))
    widest = round(tall * (0.37 if compact else 0.27))
    if letters.width > widest:
        letters = letters.resize((widest, letters.height), Image.Resampling.LANCZOS)
    left, middle, top = (0.04, 0.225, 0.075) if compact else (0.045, 0.165, 0.06)
    place = max(round(tall * left), round(tall * middle) - letters.width // 2), round(tall * top)
    return _printed(height, [(letters, place)])


@lru_cache(maxsize=96)
def _suit(suit: str, height: int) -> Image.Image:
    """Return the mask of a suit: under the rank, and on a large card again in the opposite corner."""
    tall, wide = height * OVERSAMPLING, card_width(height) * OVERSAMPLING
    if height < COMPACT:
        pip = sign(suit, round(tall * 0.36))
        return _printed(height, [(pip, (round(tall * 0.225) - pip.width // 2, round(tall * 0.535)))])
    small, large, edge = sign(suit, round(tall * 0.20)), sign(suit, round(tall * 0.42)), round(tall * 0.055)
    below = round(tall * 0.165) - small.width // 2, round(tall * 0.325)
    return _printed(height, [(small, below), (large, (wide - large.width - edge, tall - large.height - edge))])


def _printed(height: int, signs: Sequence[tuple[Image.Image, tuple[int, int]]]) -> Image.Image:
    sheet = Image.new("L", (card_width(height) * OVERSAMPLING, height * OVERSAMPLING), 0)
    for mask, place in signs:
        sheet.paste(255, place, mask)
    return sheet.reduce(OVERSAMPLING)


def _back(height: int) -> Image.Image:
    back = _blank(height, IVORY)
    inset = round(height * 0.05) * OVERSAMPLING
    panel = _lattice((back.width - 2 * inset, back.height - 2 * inset))
    back.paste(panel, (inset, inset), rounded((panel.width, panel.height), inset // 2))
    return back


def _lattice(size: tuple[int, int]) -> Image.Image:
    """Return the pattern of a card's back: diagonals that meet the edges evenly at every size."""
    width, height = size
    panel = Image.new("RGBA", size, (*BACK, 255))
    draw = ImageDraw.Draw(panel)
    pitch = width / 5
    for index in range(-12, 24):
        x = index * pitch
        draw.line((x, 0, x + height, height), fill=(*BACK_LINE, 255), width=max(2, width // 60))
        draw.line((x, 0, x - height, height), fill=(*BACK_LINE, 255), width=max(2, width // 60))
    return panel
