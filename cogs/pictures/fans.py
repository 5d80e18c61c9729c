"""The places of a hand's cards, over one another or side by side: pure geometry, from their number and the room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cogs.pictures.cards import COMPACT, HEIGHTS, card_width


class Rect(NamedTuple):
    """A rectangle in a picture, in pixels from the top left corner."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> int:
        return self.x + self.width // 2

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height


class Laid(NamedTuple):
    """The top left corner of one card."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Fan:
    """The places of a hand's cards, and the box around them."""

    height: int  # the size of each card
    places: tuple[Laid, ...]
    box: Rect


def _usual_step(height: int) -> int:
    return round(card_width(height) * (0.60 if height >= COMPACT else 0.66))


def _least_step(height: int) -> int:
    """Return the least step from one card to the next at which the rank of the lower one stays visible."""
    return round(card_width(height) * (0.46 if height >= COMPACT else 0.60))


def _row_step(height: int) -> int:
    return round(height * (0.56 if height >= COMPACT else 0.50))


def fan_width(cards: int, height: int) -> int:
    return card_width(height) + max(0, cards - 1) * _usual_step(height)


def fan(cards: int, box: Rect, height: int) -> Fan:
    """Return the places of cards in a box: as large as they fit, up to `height`, in one to three rows.

    If even the smallest do not fit, they hide one another's ranks.
    """
    for smaller in (size for size in HEIGHTS if size <= height):
        for rows in (1, 2, 3):
            laid = _try_rows(cards, box, smaller, rows)
            if laid is not None:
                return laid
    return _rows(cards, box, HEIGHTS[-1], 3, _step(-(-cards // 3), box, HEIGHTS[-1]))


def side_by_side(cards: int, box: Rect) -> Fan:
    """Return the places of cards next to each other, each as tall as the box. In a narrow box they overlap."""
    apart = card_width(box.height) + 10
    step = min(apart, (box.width - card_width(box.height)) // (cards - 1)) if cards > 1 else apart
    return _rows(cards, box, box.height, 1, step)


def _try_rows(cards: int, box: Rect, height: int, rows: int) -> Fan | None:
    if rows > 1 and (cards <= rows or height + (rows - 1) * _row_step(height) > box.height):
        return None
    step = _step(-(-cards // rows), box, height)
    return _rows(cards, box, height, rows, step) if step >= _least_step(height) else None


def _step(cards: int, box: Rect, height: int) -> int:
    room = box.width - card_width(height)
    return min(_usual_step(height), room // (cards - 1)) if cards > 1 else _usual_step(height)


def _rows(cards: int, box: Rect, height: int, rows: int, step: int) -> Fan:
    longest = max(1, -(-cards // rows))
    width = card_width(height) + (longest - 1) * step if cards else 0
    tall = height + (rows - 1) * _row_step(height)
    left, top = box.x + (box.width - width) // 2, box.y + (box.height - tall) // 2
    places = (Laid(left + index % longest * step, top + index // longest * _row_step(height)) for index in range(cards))
    return Fan(height, tuple(places), Rect(left, top, width, tall))
