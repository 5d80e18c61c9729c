"""Suits and signs as masks: curves on a unit square, drawn too large and then reduced, so that edges are smooth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageDraw

#: The factor by which everything is drawn larger before it is reduced.
OVERSAMPLING: Final = 4

Point = tuple[float, float]


class Sheet:
    """A unit square to draw white shapes on."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.mask = Image.new("L", (side, side), 0)
        self._draw = ImageDraw.Draw(self.mask)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.side, y * self.side) for x, y in points]

    def polygon(self, *points: Point, fill: int = 255) -> None:
        self._draw.polygon(self._scaled(points), fill=fill)

    def disc(self, x: float, y: float, radius: float, fill: int = 255) -> None:
        self._draw.ellipse(self._scaled([(x - radius, y - radius), (x + radius, y + radius)]), fill=fill)

    def stroke(self, *points: Point, width: float, fill: int = 255) -> None:
        """Draw a line with round joints and ends."""
        self._draw.line(self._scaled(points), fill=fill, width=round(width * self.side))
        for x, y in points:
            self.disc(x, y, width / 2, fill)


def curve(start: Point, *beziers: tuple[Point, Point, Point]) -> list[Point]:
    """Return points on cubic Bezier curves, each of which begins where the one before it ends."""
    points, here = [start], start
    for first, second, end in beziers:
        points += [_bezier(here, first, second, end, step / 24) for step in range(1, 25)]
        here = end
    return points


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    return (
        sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
        sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
    )


def _mirrored(half: list[Point]) -> list[Point]:
    return half + [(1 - x, y) for x, y in reversed(half)]


_HEART = _mirrored(
    curve(
        (0.5, 0.97),
        ((0.42, 0.82), (0.03, 0.60), (0.03, 0.31)),
        ((0.03, 0.15), (0.14, 0.05), (0.27, 0.05)),
        ((0.38, 0.05), (0.46, 0.12), (0.5, 0.23)),
    )
)
_DIAMOND = _mirrored(
    curve((0.5, 0.01), ((0.41, 0.20), (0.26, 0.38), (0.11, 0.5)), ((0.26, 0.62), (0.41, 0.80), (0.5, 0.99)))
)
_STEM = _mirrored(curve((0.5, 0.50), ((0.49, 0.72), (0.43, 0.90), (0.27, 0.97))))


def _heart(sheet: Sheet) -> None:
    sheet.polygon(*_HEART)


def _diamond(sheet: Sheet) -> None:
    sheet.polygon(*_DIAMOND)


def _spade(sheet: Sheet) -> None:
    sheet.polygon(*((x, 0.83 - 0.84 * (y - 0.03)) for x, y in _HEART))
    sheet.polygon(*_STEM)


def _club(sheet: Sheet) -> None:
    for x, y in ((0.5, 0.255), (0.255, 0.575), (0.745, 0.575)):
        sheet.disc(x, y, 0.225)
    sheet.polygon((0.40, 0.40), (0.60, 0.40), (0.70, 0.70), (0.55, 0.80), (0.45, 0.80), (0.30, 0.70))
    sheet.polygon(*_STEM)


def _tick(sheet: Sheet) -> None:
    sheet.stroke((0.14, 0.54), (0.40, 0.80), (0.87, 0.22), width=0.19)


def _cross(sheet: Sheet) -> None:
    sheet.stroke((0.19, 0.19), (0.81, 0.81), width=0.19)
    sheet.stroke((0.19, 0.81), (0.81, 0.19), width=0.19)


def _equals(sheet: Sheet) -> None:
    sheet.stroke((0.16, 0.34), (0.84, 0.34), width=0.18)
    sheet.stroke((0.16, 0.68), (0.84, 0.68), width=0.18)


def _star(sheet: Sheet) -> None:
    turns = [(index, -pi / 2 + index * pi / 5) for index in range(10)]
    sheet.polygon(*((0.5 + r * cos(a), 0.53 + r * sin(a)) for i, a in turns for r in ((0.23, 0.5)[i % 2 == 0],)))


def _flag(sheet: Sheet) -> None:
    sheet.stroke((0.22, 0.08), (0.22, 0.94), width=0.11)
    sheet.polygon(
        *curve((0.26, 0.08), ((0.5, -0.02), (0.6, 0.22), (0.92, 0.12))),
        *curve((0.92, 0.58), ((0.6, 0.68), (0.5, 0.44), (0.26, 0.54))),
    )


_SHIELD = _mirrored(
    curve((0.5, 0.99), ((0.22, 0.86), (0.09, 0.66), (0.09, 0.18)), ((0.27, 0.17), (0.4, 0.12), (0.5, 0.02)))
)


def _shield(sheet: Sheet) -> None:
    sheet.polygon(*_SHIELD)


def _shield_open(sheet: Sheet) -> None:
    sheet.polygon(*_SHIELD)
    sheet.polygon(*((0.5 + (x - 0.5) * 0.72, 0.49 + (y - 0.5) * 0.72) for x, y in _SHIELD), fill=0)


def _swap(sheet: Sheet) -> None:
    sheet.stroke((0.10, 0.32), (0.70, 0.32), width=0.13)
    sheet.polygon((0.62, 0.08), (0.98, 0.32), (0.62, 0.56))
    sheet.stroke((0.30, 0.72), (0.90, 0.72), width=0.13)
    sheet.polygon((0.38, 0.48), (0.02, 0.72), (0.38, 0.96))


def _lock(sheet: Sheet) -> None:
    sheet.disc(0.5, 0.34, 0.29)
    sheet.disc(0.5, 0.34, 0.17, fill=0)
    sheet.polygon((0.12, 0.44), (0.88, 0.44), (0.88, 0.97), (0.12, 0.97))
    sheet.disc(0.5, 0.65, 0.085, fill=0)
    sheet.polygon((0.46, 0.66), (0.54, 0.66), (0.56, 0.84), (0.44, 0.84), fill=0)


def _crown(sheet: Sheet) -> None:
    sheet.polygon((0.10, 0.86), (0.04, 0.30), (0.29, 0.54), (0.5, 0.14), (0.71, 0.54), (0.96, 0.30), (0.90, 0.86))
    for x, y in ((0.06, 0.26), (0.5, 0.12), (0.94, 0.26)):
        sheet.disc(x, y, 0.06)


def _down(sheet: Sheet) -> None:
    sheet.polygon((0.08, 0.24), (0.92, 0.24), (0.5, 0.90))


def _computer(sheet: Sheet) -> None:
    """Draw a robot's head."""
    sheet.stroke((0.5, 0.10), (0.5, 0.30), width=0.09)
    sheet.disc(0.5, 0.10, 0.09)
    sheet.polygon((0.14, 0.30), (0.86, 0.30), (0.86, 0.90), (0.14, 0.90))
    sheet.polygon((0.02, 0.48), (0.12, 0.48), (0.12, 0.72), (0.02, 0.72))
    sheet.polygon((0.88, 0.48), (0.98, 0.48), (0.98, 0.72), (0.88, 0.72))
    for x in (0.34, 0.66):
        sheet.disc(x, 0.53, 0.095, fill=0)
    sheet.polygon((0.32, 0.71), (0.68, 0.71), (0.68, 0.78), (0.32, 0.78), fill=0)


_SIGNS: Final[dict[str, Callable[[Sheet], None]]] = {
    "s": _spade,
    "h": _heart,
    "d": _diamond,
    "c": _club,
    "tick": _tick,
    "cross": _cross,
    "equals": _equals,
    "star": _star,
    "flag": _flag,
    "shield": _shield,
    "shield open": _shield_open,
    "swap": _swap,
    "lock": _lock,
    "crown": _crown,
    "down": _down,
    "computer": _computer,
}


@lru_cache(maxsize=512)
def sign(name: str, side: int) -> Image.Image:
    """Return a suit (a letter of `shdc`) or a sign (a name of `_SIGNS`) as a square mask."""
    sheet = Sheet(side * OVERSAMPLING)
    _SIGNS[name](sheet)
    return sheet.mask.resize((side, side), Image.Resampling.LANCZOS)


@lru_cache(maxsize=256)
def rounded(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a rectangle with round corners as a mask."""
    width, height = (max(1, side) * OVERSAMPLING for side in size)
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), radius * OVERSAMPLING, fill=255)
    return mask.reduce(OVERSAMPLING)
