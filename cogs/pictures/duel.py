"""The picture of a duel that was played: both names, what mistakes cost each, and the hand that decided."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cogs.pictures import badges
from cogs.pictures.badges import Pill
from cogs.pictures.canvas import Canvas, paint, put, put_cards, put_middle
from cogs.pictures.cards import card_width
from cogs.pictures.fans import Rect, fan
from cogs.pictures.felt import felt
from cogs.pictures.lettering import can_write, shortened, text, text_width
from cogs.pictures.palette import FAINT, GOLD, INK, IVORY, MIST, WIDTH, Colour
from cogs.pictures.shapes import rounded
from engine.games.cards import Card


@dataclass(frozen=True, slots=True)
class Duellist:
    """One of the two players of a duel."""

    name: str
    mistakes: str  # their cost in the reader's number format
    won: bool
    computer: bool = False


@dataclass(frozen=True, slots=True)
class DuelPicture:
    """The content of the picture. Without a hand that decided, the panel below the costs has only the sentences."""

    sides: tuple[Duellist, Duellist]
    terms: str
    #: The words below the two numbers of what mistakes cost.
    label: str
    sentences: tuple[str, ...]
    hand: tuple[Card, ...] = ()  # that decided
    up: Card | None = None  # the dealer's card against it
    four_colours: bool = False


_MIDDLES: Final = (WIDTH // 4 + 8, WIDTH * 3 // 4 - 8)
_ROOM: Final = 400
_PANEL: Final = Rect(28, 306, WIDTH - 56, 268)
_INSIDE: Final = Rect(_PANEL.x + 28, _PANEL.y + 20, _PANEL.width - 56, _PANEL.height - 40)
_CARDS: Final = 184
_CROWN: Final = 64
_SIZES: Final = range(42, 20, -2)
#: The width in pixels of the longest name in a sentence, in the largest letters.
_BRIEF: Final = 320


def render(picture: DuelPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    canvas = Canvas(felt(None))
    _write(canvas, picture.terms, _fitting(picture.terms, 34, WIDTH - 120), WIDTH // 2, 44, MIST)
    for side, x in zip(picture.sides, _MIDDLES, strict=True):
        _side(canvas, side, x, picture.label)
    if not any(side.won for side in picture.sides):
        put_middle(canvas, badges.pill(Pill(sign="equals", paint=GOLD, ink=INK), 72), WIDTH // 2, 196)
    else:
        paint(canvas, rounded((3, 190), 1), FAINT, WIDTH // 2 - 1, 90)
    paint(canvas, rounded((_PANEL.width, _PANEL.height), 24), INK, _PANEL.x, _PANEL.y)
    _sentences(canvas, picture.sentences, _beside(canvas, picture))
    return canvas.file()


def writable(name: str, place: int) -> str:
    """Return the letters of a name that the font has. If it has none of them, return `#1` for place 0, `#2` for 1."""
    return " ".join(_written(name).split()) or f"#{place + 1}"


def brief(name: str) -> str:
    """Return the name, cut if it is too long for a sentence of the picture."""
    return shortened(name, _SIZES[0], _BRIEF)


def _written(told: str) -> str:
    return "".join(filter(can_write, unicodedata.normalize("NFC", told)))


def _side(canvas: Canvas, side: Duellist, x: int, label: str) -> None:
    crown = badges.pill(Pill(sign="crown", paint=None, ink=GOLD), _CROWN) if side.won else None
    beside = crown.width + 10 if crown is not None else 0
    plate = badges.nameplate(side.name, _ROOM - beside, 1, computer=side.computer)
    assert plate is not None  # `writable` has left out what cannot be written
    left = x - (plate.width + beside) // 2
    if crown is not None:
        put(canvas, crown, left, 118 - crown.height // 2)
    put(canvas, plate, left + beside, 118 - plate.height // 2)
    _write(canvas, side.mistakes, 84, x, 206, GOLD if side.won else IVORY)
    _write(canvas, label, _fitting(label, 34, _ROOM), x, 270, MIST)


def _beside(canvas: Canvas, picture: DuelPicture) -> Rect:
    """Lay the hand that decided and the dealer's card beside it, and return the room left for sentences.

    If no hand decided, lay nothing and return the whole panel.
    """
    if picture.up is None:
        return _INSIDE
    dealers = card_width(_CARDS)
    hand = fan(len(picture.hand), _INSIDE._replace(width=_INSIDE.width * 2 // 5 - dealers - 24), _CARDS)
    put_cards(canvas, picture.hand, hand, four_colours=picture.four_colours)
    place = Rect(hand.box.right + 24, _INSIDE.y, dealers, _INSIDE.height)
    put_cards(canvas, (picture.up,), fan(1, place, hand.height), four_colours=picture.four_colours)
    left = place.right + 32
    return _INSIDE._replace(x=left, width=_INSIDE.right - left)


def _sentences(canvas: Canvas, sentences: Sequence[str], room: Rect) -> None:
    """Write sentences below one another, as large as they fit. The first one is brighter than the others."""
    for size in _SIZES:
        lines = [
            (line, IVORY if at == 0 else MIST) for at, told in enumerate(sentences) for line in _lines(told, size, room)
        ]
        pitch, gap = round(size * 1.3), size // 2 if len(sentences) > 1 else 0
        if len(lines) * pitch + gap <= room.height:
            break
    y = room.y + (room.height - len(lines) * pitch - gap) // 2 + pitch // 2
    before = IVORY
    for line, colour in lines:
        y += gap if colour is not before else 0
        before = colour
        mask = text(line, size)
        paint(canvas, mask, colour, room.x, y - mask.height // 2)
        y += pitch


def _lines(told: str, size: int, room: Rect) -> Iterator[str]:
    """Yield the lines of a sentence, broken at its spaces, without the letters that the font lacks."""
    line = ""
    for word in _written(told).split(" "):
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > room.width:
            yield line
            longer = word
        line = longer
    yield line


def _write(canvas: Canvas, written: str, size: int, x: int, y: int, colour: Colour) -> None:
    mask = text(_written(written), size)
    paint(canvas, mask, colour, x - mask.width // 2, y - mask.height // 2)


def _fitting(written: str, size: int, widest: int) -> int:
    """Return the largest size of letters, from `size` down in steps of two, at which the words fit, else 16."""
    return next((each for each in range(size, 16, -2) if text_width(written, each) <= widest), 16)
