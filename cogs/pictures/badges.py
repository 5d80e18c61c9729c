"""Sprites of labels, chips, seat numbers, nameplates and glows, which show how a hand stands and whose it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Final, NamedTuple, Protocol, TypeVar

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cogs.pictures.canvas import Canvas, put
from cogs.pictures.lettering import can_write, in_two_lines, shortened, text, word
from cogs.pictures.palette import EVEN, FAINT, GOLD, GOLD_DEEP, INK, IVORY, PLACES, ROSE, VEIL, WON, Colour
from cogs.pictures.shapes import OVERSAMPLING, rounded, sign
from engine.games.contract import Cents

#: The colour of the light on the player who is asked.
TURN: Final = IVORY


class Pill(NamedTuple):
    """A label with round ends: a sign, a text such as digits, or both."""

    text: str = ""
    sign: str = ""  # a name that `shapes.sign` knows
    paint: Colour | None = INK  # the background's; None: no background, and no round ends
    ink: Colour = IVORY
    chip: bool = False  # whether it begins with a small chip


class Figured(Protocol):
    """The content of a picture with numbers on it, and the decimal sign for them."""

    @property
    def decimal(self) -> str: ...


F = TypeVar("F", bound=Figured)

#: The decimal sign of the picture that is being drawn.
_decimal: Final[ContextVar[str]] = ContextVar("decimal", default=".")


def in_its_figures(render: Callable[[F], bytes]) -> Callable[[F], bytes]:
    """Return a function like `render` that writes all numbers with the decimal sign of the picture it draws."""

    @wraps(render)
    def drawn(picture: F) -> bytes:
        before = _decimal.set(picture.decimal)
        try:
            return render(picture)
        finally:
            _decimal.reset(before)

    return drawn


_UNITS: Final = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


def amount(cents: Cents, digits: int = 5) -> str:
    """Return an amount of chips, without its sign, in about `digits` characters: ``10``, ``7.5``, ``123k``.

    It is exact to the cent if that fits, otherwise to the chip or less. The decimal sign is that of the picture.
    """
    return _plain(cents, digits).replace(".", _decimal.get())


@lru_cache(maxsize=1024)
def _plain(cents: Cents, digits: int) -> str:
    chips, rest = divmod(abs(cents), 100)
    exact = f"{chips}.{rest:02}".rstrip("0") if rest else str(chips)
    if len(exact) <= digits:
        return exact
    rounded_off = round(abs(cents) / 100)
    if rounded_off < 10**digits:
        return str(rounded_off)
    unit, letter = next(each for each in _UNITS if rounded_off >= 0.9995 * each[0])
    share = rounded_off / unit
    decimals = 0 if share >= 10 else 1 if digits < 4 else 2
    brief = f"{share:.{decimals}f}"
    return (brief.rstrip("0").rstrip(".") if decimals else brief) + letter


def result(net: Cents, digits: int = 5) -> Pill:
    """Return the label of a net result. Won, lost and even differ in their signs as well as in their colours."""
    if net > 0:
        return Pill(f"+{amount(net, digits)}", "tick", WON, INK)
    if net < 0:
        return Pill(f"-{amount(net, digits)}", "cross", INK, ROSE)
    return Pill("0", "equals", EVEN, INK)


def stake(cents: Cents, digits: int = 5) -> Pill:
    return Pill(amount(cents, digits), paint=None, chip=True)


@lru_cache(maxsize=768)
def pill(label: Pill, height: int) -> Image.Image:
    """Return the sprite of a label. Without paint it has no background and no round ends."""
    parts = list(_parts(label, height))
    gap, ends = round(height * 0.16), round(height * (0.30 if label.text else 0.22)) if label.paint else 0
    inner = sum(part.width for part in parts) + gap * (len(parts) - 1)
    width = max(inner + 2 * ends, height) if label.paint else max(1, inner)
    sheet = Image.new("RGBA", (width, height), (*(label.paint or label.ink), 0))
    if label.paint:
        sheet.putalpha(rounded(sheet.size, height // 2))
    x = (width - inner) // 2
    for part in parts:
        sheet.alpha_composite(part, (x, (height - part.height) // 2))
        x += part.width + gap
    return sheet


def _parts(label: Pill, height: int) -> Iterator[Image.Image]:
    if label.chip:
        yield chip(round(height * 0.86))
    if label.sign:
        yield _inked(sign(label.sign, round(height * 0.56)), label.ink)
    if label.text:
        yield _inked(word(label.text, round(height * 0.80)), label.ink)


def _inked(mask: Image.Image, ink: Colour) -> Image.Image:
    layer = Image.new("RGBA", mask.size, (*ink, 0))
    layer.putalpha(mask)
    return layer


def row_width(labels: Sequence[Pill], height: int) -> int:
    return _row_width([pill(label, height) for label in labels], _gap(height))


def _row_width(sprites: Sequence[Image.Image], gap: int) -> int:
    return sum([sprite.width for sprite in sprites]) + gap * (len(sprites) - 1)


def row(canvas: Canvas, labels: Sequence[Pill], x: int, y: int, height: int) -> None:
    """Draw labels side by side, centred on x and y."""
    sprites, gap = [pill(label, height) for label in labels], _gap(height)
    left = x - _row_width(sprites, gap) // 2
    for sprite in sprites:
        put(canvas, sprite, left, y - height // 2)
        left += sprite.width + gap


def _gap(height: int) -> int:
    return max(4, height // 5)


@lru_cache(maxsize=32)
def chip(side: int) -> Image.Image:
    """Return a gold chip with notches, seen from above."""
    full = side * OVERSAMPLING
    sheet = Image.new("RGBA", (full, full), (*GOLD_DEEP, 0))
    draw = ImageDraw.Draw(sheet)
    draw.ellipse((0, 0, full - 1, full - 1), fill=(*GOLD_DEEP, 255))
    for notch in range(6):
        draw.pieslice((0, 0, full - 1, full - 1), notch * 60 - 14, notch * 60 + 14, fill=(*IVORY, 255))
    _ring(draw, full, 0.17, GOLD)
    _ring(draw, full, 0.28, GOLD_DEEP)
    _ring(draw, full, 0.33, GOLD)
    return sheet.reduce(OVERSAMPLING)


def _ring(draw: ImageDraw.ImageDraw, side: int, inset: float, colour: Colour) -> None:
    edge = side * inset
    draw.ellipse((edge, edge, side - edge, side - edge), fill=(*colour, 255))


def number(value: int, side: int, *, lit: bool, taken: bool) -> Image.Image:
    """Return the sprite of a seat's number.

    A free seat has a faint ring. A `taken` one has a disc: light if its player is asked (`lit`), else dark.
    """
    if not taken:
        return disc(str(value), side, None, FAINT)
    return disc(str(value), side, TURN if lit else INK, INK if lit else IVORY)


@lru_cache(maxsize=256)
def disc(text: str, side: int, paint: Colour | None, ink: Colour) -> Image.Image:
    """Return a letter or a number in a disc of this paint. Without paint, it is in a ring of the ink's colour."""
    sheet = Image.new("RGBA", (side, side), (*(paint or ink), 0))
    sheet.putalpha(rounded((side, side), side // 2) if paint else _ring_mask(side, 2))
    letters = word(text, round(side * 0.62))
    sheet.alpha_composite(_inked(letters, ink), ((side - letters.width) // 2, (side - letters.height) // 2))
    return sheet


@lru_cache(maxsize=64)
def ring(side: int, width: int, colour: Colour) -> Image.Image:
    sheet = Image.new("RGBA", (side, side), (*colour, 0))
    sheet.putalpha(_ring_mask(side, width))
    return sheet


def _ring_mask(side: int, width: int) -> Image.Image:
    mask = rounded((side, side), side // 2).copy()
    mask.paste(0, (width, width), rounded((side - 2 * width, side - 2 * width), side // 2 - width))
    return mask


@lru_cache(maxsize=64)
def veil(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask that dims a hand that no longer counts."""
    return rounded((width, height), radius).point([round(v * VEIL) for v in range(256)])


# -- nameplates --------------------------------------------------------------------------------------------------------


def colour_of(place: int) -> Colour:
    return PLACES[(place - 1) % len(PLACES)]


@lru_cache(maxsize=256)  # enough for many tables, each name with and without light
def plate(place: int, name: str, side: int, widest: int, *, lit: bool, computer: bool) -> Image.Image:
    """Return a player's nameplate: the seat's number in its own colour, and the name if it is known and can be written.

    The plate is light while the player is asked (`lit`). A computer player has a robot's head instead of the number.
    """
    disc_part = _robot(side, colour_of(place)) if computer else disc(str(place), side, colour_of(place), INK)
    rest = list(_plate_parts(name, side, widest - disc_part.width, lit=lit))
    if not rest:
        return disc(str(place), side, TURN, INK) if lit and not computer else disc_part
    gap = round(side * 0.22)
    width = disc_part.width + sum(part.width + gap for part in rest) + gap
    sheet = Image.new("RGBA", (width, side), (*(TURN if lit else INK), 0))
    sheet.putalpha(rounded(sheet.size, side // 2))
    sheet.alpha_composite(disc_part, (0, 0))
    x = disc_part.width + gap
    for part in rest:
        sheet.alpha_composite(part, (x, (side - part.height) // 2))
        x += part.width + gap
    return sheet


def _plate_parts(name: str, side: int, room: int, *, lit: bool) -> Iterator[Image.Image]:
    size = round(side * 0.64)
    written = shortened(name, size, room - 2 * round(side * 0.22))
    if written:
        yield _inked(text(written, size), INK if lit else IVORY)


@lru_cache(maxsize=96)
def tag(name: str, size: int) -> Image.Image:
    """Return the sprite of a name on a dark background, without a seat's number or a robot's head."""
    letters = text(name, size)
    sheet = Image.new("RGBA", (letters.width + size, round(size * 1.34)), (*INK, 0))
    sheet.putalpha(rounded(sheet.size, sheet.height // 2))
    sheet.alpha_composite(_inked(letters, IVORY), (size // 2, (sheet.height - letters.height) // 2))
    return sheet


@lru_cache(maxsize=64)
def nameplate(name: str, widest: int, seat: int, *, computer: bool) -> Image.Image | None:
    """Return the sprite of a name on the podium or in a duel, or None if the font lacks one of its letters.

    A long name takes two lines before it is cut. A computer player has a robot's head in the colour of its seat.
    """
    if not can_write(name):
        return None
    head = _robot(_HEAD, colour_of(seat)) if computer else None
    ends, gap = 16, 8
    taken = head.width + gap if head is not None else 0
    lines, size = in_two_lines(name, widest - 2 * ends - taken)
    parts = [_inked(text(line, size), IVORY) for line in lines]
    high = sum(part.height for part in parts)
    tall = max(high + 14, 66)
    wide = taken + max(part.width for part in parts)
    sheet = Image.new("RGBA", (wide + 2 * ends, tall), (*INK, 0))
    sheet.putalpha(rounded(sheet.size, 33))
    if head is not None:
        sheet.alpha_composite(head, (ends, (tall - head.height) // 2))
    y, middle = (tall - high) // 2, ends + taken + (wide - taken) // 2
    for part in parts:
        sheet.alpha_composite(part, (middle - part.width // 2, y))
        y += part.height
    return sheet


#: The height of a robot's head on such a nameplate.
_HEAD: Final = 44


@lru_cache(maxsize=64)
def _robot(side: int, colour: Colour) -> Image.Image:
    head = disc("", side, colour, INK).copy()
    inner = round(side * 0.62)
    head.alpha_composite(_inked(sign("computer", inner), INK), ((side - inner) // 2, (side - inner) // 2))
    return head


# -- light -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def sunburst(side: int) -> Image.Image:
    """Return golden rays that fade outwards, for the background of a remarkable hand."""
    full = side * 2
    rays = Image.new("L", (full, full), 0)
    draw = ImageDraw.Draw(rays)
    for ray in range(20):
        draw.pieslice((0, 0, full - 1, full - 1), ray * 18, ray * 18 + 9, fill=235)
    fade = Image.radial_gradient("L").resize((full, full)).point([max(0, 255 - round(v * 1.42)) for v in range(256)])
    sheet = Image.new("RGBA", (full, full), (*GOLD, 0))
    sheet.putalpha(ImageChops.multiply(rays, fade))
    return sheet.reduce(2)


GLOW: Final = 16


@lru_cache(maxsize=48)  # kept, because a new sprite would force its whole hand to be drawn and packed again
def glow(width: int, height: int, colour: Colour) -> Image.Image:
    """Return a light around a hand of this size: a fine line, and a halo that reaches `GLOW` pixels further."""
    outer = (width + 2 * GLOW, height + 2 * GLOW)
    line = Image.new("L", outer, 0)
    line.paste(255, (GLOW, GLOW), rounded((width, height), 12))
    halo = line.filter(ImageFilter.GaussianBlur(GLOW * 0.45)).point([round(v * 0.62) for v in range(256)])
    inside = rounded((width - 6, height - 6), 10)
    halo.paste(255, (0, 0), line)
    halo.paste(0, (GLOW + 3, GLOW + 3), inside)
    sheet = Image.new("RGBA", outer, (*colour, 0))
    sheet.putalpha(halo)
    return sheet
