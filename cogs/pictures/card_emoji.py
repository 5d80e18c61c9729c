"""Cards as emoji: small squares for texts, white so that every suit shows on a dark background too."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from cogs.pictures import palette as p
from cogs.pictures.lettering import word
from cogs.pictures.shapes import OVERSAMPLING, rounded, sign
from engine.games.cards import Card

#: The height and width of an emoji in pixels. Discord shows emoji 22 pixels high in a text, and up to three times as
#: sharp on a phone.
SIDE: Final = 96
_WIDTH: Final = 78
_RADIUS: Final = 14
#: The width of the edge around a card, which makes the card stand out on a light background too.
_LINE: Final = 3
_EDGE: Final = (176, 178, 182)


def render_emoji(card: Card | None, *, four_colours: bool = False) -> bytes:
    """Return the file of a card, or of a card face down for None. The same input gives the same bytes."""
    sheet = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    face = _back() if card is None else _face(card, (p.FOUR_COLOURS if four_colours else p.SUIT_COLOUR)[card[1]])
    left = (SIDE - _WIDTH) // 2
    sheet.paste(_EDGE, (left, 0), rounded((_WIDTH, SIDE), _RADIUS))
    inside = rounded((_WIDTH - 2 * _LINE, SIDE - 2 * _LINE), _RADIUS - _LINE)
    sheet.paste(face.crop((_LINE, _LINE, _WIDTH - _LINE, SIDE - _LINE)), (left + _LINE, _LINE), inside)
    file = BytesIO()
    sheet.save(file, "PNG", optimize=True)
    return file.getvalue()


def _face(card: Card, colour: p.Colour) -> Image.Image:
    """Return the face of a card: rank over suit, each as large as possible, because at 22 pixels nothing else is
    visible.
    """
    face = Image.new("RGB", (_WIDTH, SIDE), p.CARD)
    rank = word("10" if card[0] == "T" else card[0], 56)
    if rank.width > _WIDTH - 12:
        rank = rank.resize((_WIDTH - 12, rank.height), Image.Resampling.LANCZOS)
    face.paste(colour, ((_WIDTH - rank.width) // 2, 6), rank)
    suit = sign(card[1], 42)
    face.paste(colour, ((_WIDTH - suit.width) // 2, SIDE - suit.height - 5), suit)
    return face


def _back() -> Image.Image:
    size = _WIDTH * OVERSAMPLING, SIDE * OVERSAMPLING
    back = Image.new("RGB", size, p.IVORY)
    draw, edge, pitch = ImageDraw.Draw(back), 7 * OVERSAMPLING, size[0] // 4
    draw.rounded_rectangle((edge, edge, size[0] - edge, size[1] - edge), edge, fill=p.BACK)
    for x in range(-size[1], size[0] + size[1], pitch):
        for end in (x + size[1], x - size[1]):
            draw.line((x, 0, end, size[1]), fill=p.BACK_LINE, width=OVERSAMPLING * 2)
    frame = Image.new("L", size, 255)
    ImageDraw.Draw(frame).rounded_rectangle((edge, edge, size[0] - edge, size[1] - edge), edge, fill=0)
    back.paste(p.IVORY, (0, 0), frame)
    return back.resize((_WIDTH, SIDE), Image.Resampling.LANCZOS)
