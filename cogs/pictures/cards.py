"""Fifty-two cards and a back, drawn once for each height that a layout asks for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from cogs.pictures.lettering import word
from cogs.pictures.palette import BACK, BACK_LINE, CARD, FOUR_COLOURS, IVORY, SHADOW, SUIT_COLOUR, Colour
from cogs.pictures.shapes import OVERSAMPLING, rounded, sign
from engine.games.cards import PACK, Card

#: The heights that cards come in. Few, because each is a pack of sprites kept in memory.
HEIGHTS: Final = (210, 184, 160, 140, 122, 106, 92, 80, 70, 60, 50, 42)

#: Below this a card is all rank and suit: no pip, larger letters.
COMPACT: Final = 100

ASPECT: Final = 0.70


def card_width(height: int) -> int:
    return round(height * ASPECT)


def margin(height: int) -> int:
    """How far the shadow reaches beyond the card, on every side."""
    return max(3, round(height * 0.055))


@lru_cache(maxsize=1024)
def sprite(card: Card | None, height: int, *, four_colours: bool = False) -> Image.Image:
    """The card (None: its back) with its shadow. The card itself begins `margin(height)` inside the picture."""
    face = (
        _back(height) if card is None else _face(card, height, FOUR_COLOURS if four_colours else SUIT_COLOUR)
    ).reduce(OVERSAMPLING)
    sheet = _shadow(height).copy()
    edge = margin(height)
    sheet.alpha_composite(face, (edge, edge))
    return sheet


@lru_cache(maxsize=32)
def _shadow(height: int) -> Image.Image:
    """Soft under a large card; a thin edge round a small one, where softness is not seen and only costs bytes."""
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


def _face(card: Card, height: int, colours: Mapping[str, Colour]) -> Image.Image:
    face = _blank(height, CARD)
    (_compact if height < COMPACT else _full)(face, card, height * OVERSAMPLING, colours[card[1]])
    return face


def _full(face: Image.Image, card: Card, height: int, colour: Colour) -> None:
    """Rank over suit in the corner that a fan leaves free, a large suit opposite."""
    rank, suit = card[0], card[1]
    letters = _rank(rank, round(height * 0.30), round(height * 0.27))
    middle = round(height * 0.165)
    face.paste(colour, (max(round(height * 0.045), middle - letters.width // 2), round(height * 0.06)), letters)
    small = sign(suit, round(height * 0.20))
    face.paste(colour, (middle - small.width // 2, round(height * 0.325)), small)
    large = sign(suit, round(height * 0.42))
    face.paste(
        colour, (face.width - large.width - round(height * 0.055), height - large.height - round(height * 0.055)), large
    )


def _compact(face: Image.Image, card: Card, height: int, colour: Colour) -> None:
    rank, suit = card[0], card[1]
    letters = _rank(rank, round(height * 0.46), round(height * 0.37))
    middle = round(height * 0.225)
    face.paste(colour, (max(round(height * 0.04), middle - letters.width // 2), round(height * 0.075)), letters)
    pip = sign(suit, round(height * 0.36))
    face.paste(colour, (middle - pip.width // 2, round(height * 0.535)), pip)


def _rank(rank: str, size: int, widest: int) -> Image.Image:
    """A ten is made as narrow as a fan leaves room for."""
    letters = word("10" if rank == "T" else rank, size)
    if letters.width <= widest:
        return letters
    return letters.resize((widest, letters.height), Image.Resampling.LANCZOS)


def _back(height: int) -> Image.Image:
    back = _blank(height, IVORY)
    inset = round(height * 0.05) * OVERSAMPLING
    panel = _lattice((back.width - 2 * inset, back.height - 2 * inset))
    back.paste(panel, (inset, inset), rounded((panel.width, panel.height), inset // 2))
    return back


def _lattice(size: tuple[int, int]) -> Image.Image:
    """Diagonals that meet the edges evenly, whatever the size."""
    width, height = size
    panel = Image.new("RGBA", size, (*BACK, 255))
    draw = ImageDraw.Draw(panel)
    pitch = width / 5
    for index in range(-12, 24):
        x = index * pitch
        draw.line((x, 0, x + height, height), fill=(*BACK_LINE, 255), width=max(2, width // 60))
        draw.line((x, 0, x - height, height), fill=(*BACK_LINE, 255), width=max(2, width // 60))
    return panel


def warm(heights: tuple[int, ...] = HEIGHTS) -> None:
    """Draw every sprite now rather than at the first table."""
    for height in heights:
        for card in (None, *PACK):
            sprite(card, height)
