"""The baccarat table as a picture: two hands, three spots, and a row of the last results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from cogs.pictures import badges, chips
from cogs.pictures.badges import Pill
from cogs.pictures.canvas import Canvas, put, put_cards, put_middle
from cogs.pictures.fans import Rect, side_by_side
from cogs.pictures.felt import SEALED_Y, felt, sealed_cards
from cogs.pictures.lettering import can_write, text
from cogs.pictures.palette import BLUE, GOLD, GREEN, INK, IVORY, LOST, MIST, WIDTH, WON, Colour
from cogs.pictures.shapes import rounded
from engine.games.baccarat import BaccaratHand, BaccaratView, Spot
from engine.games.contract import Cents
from engine.tables.house import ROAD

#: The letters that casinos everywhere use for the results, and their colours.
BEADS: Final[Mapping[Spot, tuple[str, Colour]]] = {
    Spot.PLAYER: ("P", BLUE),
    Spot.TIE: ("T", GREEN),
    Spot.BANKER: ("B", LOST),
}

_MIDDLES: Final = {Spot.PLAYER: 258, Spot.TIE: WIDTH // 2, Spot.BANKER: 702}
_CARDS: Final = Rect(0, 92, 380, 210)
_SPOT: Final = (268, 88)
_SPOTS_Y: Final = 386
_SPOTS_X: Final = {Spot.PLAYER: 180, Spot.TIE: WIDTH // 2, Spot.BANKER: 780}
#: The heights of the middle of the spots' names, and of the row of results below them.
_NAMES_Y: Final = 454
_ROAD_Y: Final = 520
_BEAD: Final = 40
_PITCH: Final = 44


@dataclass(frozen=True, slots=True)
class BaccaratPicture:
    """The round on display (None while stakes are placed), the stakes, and the table's last results, oldest first."""

    view: BaccaratView | None = None
    #: The sum of everybody's chips on each spot, of the round shown or about to be dealt.
    stakes: tuple[tuple[Spot, Cents], ...] = ()
    road: tuple[Spot, ...] = ()
    #: The name of each spot in the reader's language.
    names: tuple[tuple[Spot, str], ...] = ()
    four_colours: bool = False
    #: The decimal sign of the reader's language.
    decimal: str = "."

    def name(self, spot: Spot) -> str:
        """Return the spot's name, or an empty text if the font lacks one of its letters."""
        name = dict(self.names).get(spot, "")
        return name if can_write(name) else ""


@badges.in_its_figures
def render(picture: BaccaratPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    canvas = Canvas(felt(None))
    if picture.view is None:
        put_middle(canvas, sealed_cards(), WIDTH // 2, SEALED_Y)
    else:
        for spot, hand in ((Spot.PLAYER, picture.view.player), (Spot.BANKER, picture.view.banker)):
            _hand(canvas, spot, hand, picture)
    _spots(canvas, dict(picture.stakes), picture.view.result if picture.view else None)
    for spot, x in _SPOTS_X.items():
        if name := picture.name(spot):
            put_middle(canvas, _printed(name, 28, MIST), x, _NAMES_Y)
    _road(canvas, picture.road[-ROAD:])
    return canvas.file()


def _hand(canvas: Canvas, spot: Spot, hand: BaccaratHand, picture: BaccaratPicture) -> None:
    view, middle = picture.view, _MIDDLES[spot]
    assert view is not None
    laid = side_by_side(len(hand.cards), _CARDS._replace(x=middle - _CARDS.width // 2))
    if view.result in (spot, Spot.TIE):
        glow = badges.glow(_CARDS.width + 36, _CARDS.height + 84, WON)
        put_middle(canvas, glow, middle, _CARDS.y + _CARDS.height // 2 - 29)
    put_cards(canvas, hand.cards, laid, four_colours=picture.four_colours)
    _heading(canvas, spot, hand, picture, natural=view.natural and hand.total >= 8)


def _heading(canvas: Canvas, spot: Spot, hand: BaccaratHand, picture: BaccaratPicture, *, natural: bool) -> None:
    """Draw a hand's name and total."""
    total = Pill(str(hand.total), "star", GOLD, INK) if natural else Pill(str(hand.total))
    name = picture.name(spot)
    parts = [bead(spot, 50), *([_printed(name, 40, IVORY)] if name else []), badges.pill(total, 50)]
    left = _MIDDLES[spot] - (sum(part.width for part in parts) + 12 * (len(parts) - 1)) // 2
    for part in parts:
        put(canvas, part, left, 55 - part.height // 2)
        left += part.width + 12


@lru_cache(maxsize=32)
def _printed(name: str, size: int, ink: Colour) -> Image.Image:
    """Return the sprite of a word printed on the felt."""
    letters = text(name, size)
    sheet = Image.new("RGBA", letters.size, (*ink, 0))
    sheet.putalpha(letters)
    return sheet


@lru_cache(maxsize=16)
def bead(spot: Spot, side: int) -> Image.Image:
    letter, colour = BEADS[spot]
    return badges.disc(letter, side, colour, IVORY)


def _spots(canvas: Canvas, stakes: Mapping[Spot, Cents], result: Spot | None) -> None:
    for spot, x in _SPOTS_X.items():
        put_middle(canvas, _spot(spot, won=spot is result), x, _SPOTS_Y)
        stake = stakes.get(spot, 0)
        if stake:
            chips.put_pile(canvas, stake, x - 58, _SPOTS_Y + 34, 52, most=1)
            label = badges.pill(Pill(badges.amount(stake), paint=None), 40)
            put(canvas, label, x + 8, _SPOTS_Y - 20)


@lru_cache(maxsize=8)
def _spot(spot: Spot, *, won: bool) -> Image.Image:
    """Return the sprite of a spot: a printed field with its letter, in a bright frame if it won."""
    width, height = _SPOT
    sheet = Image.new("RGBA", _SPOT, (*(WON if won else MIST), 0))
    line = 4 if won else 2
    frame = rounded(_SPOT, 16).point([v if won else v // 2 for v in range(256)])
    frame.paste(0, (line, line), rounded((width - 2 * line, height - 2 * line), 16 - line))
    sheet.putalpha(frame)
    sheet.alpha_composite(bead(spot, 44), (22, (height - 44) // 2))
    return sheet


def _road(canvas: Canvas, road: tuple[Spot, ...]) -> None:
    left = (WIDTH - ROAD * _PITCH) // 2 + _PITCH // 2
    put_middle(canvas, _rail(), WIDTH // 2, _ROAD_Y)
    for index, spot in enumerate(road):
        put_middle(canvas, bead(spot, _BEAD), left + index * _PITCH, _ROAD_Y)
    if road:
        put_middle(canvas, badges.ring(_BEAD + 6, 3, GOLD), left + (len(road) - 1) * _PITCH, _ROAD_Y)


@lru_cache(maxsize=1)
def _rail() -> Image.Image:
    """Return the sprite of the dark groove that holds the row of results."""
    size = (ROAD * _PITCH + 16, _BEAD + 22)
    sheet = Image.new("RGBA", size, (*INK, 255))
    sheet.putalpha(rounded(size, size[1] // 2))
    hole = badges.ring(_BEAD - 14, 2, (30, 66, 58))
    for index in range(ROAD):
        sheet.alpha_composite(hole, (8 + index * _PITCH + (_PITCH - hole.width) // 2, (size[1] - hole.height) // 2))
    return sheet
