"""Three pictures: the stacks of an elimination table, the standings of a tournament as bars, and a podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from cogs.pictures import badges, chips
from cogs.pictures.badges import Pill
from cogs.pictures.canvas import Canvas, put, put_middle
from cogs.pictures.fans import Rect
from cogs.pictures.felt import felt
from cogs.pictures.palette import (
    BRONZE,
    CHIP_BLACK,
    CHIP_RED,
    EVEN,
    FAINT,
    FELT_DARK,
    GOLD,
    INK,
    IVORY,
    LOST,
    MIST,
    SILVER,
    WIDTH,
    Colour,
)
from cogs.pictures.shapes import rounded
from engine.games.contract import Cents


@dataclass(frozen=True, slots=True)
class Stack:
    """One player's chips. `number` is that of the seat, or of the player's line in the text beside the picture."""

    number: int
    chips: Cents
    out: bool = False  # plays no more
    computer: bool = False
    acting: bool = False  # whether the table waits for this player
    danger: bool = False  # would go if nothing changes, or draws a card to avoid it
    name: str = ""


# -- the elimination table ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StacksPicture:
    """The content of the picture of an elimination table without cards."""

    stacks: tuple[Stack, ...]
    #: The number of players who stay at the next elimination.
    stay: int
    #: The number of the round to come or in play, of `rounds`. An elimination follows every `heat` rounds.
    round: int
    rounds: int = 9
    heat: int = 3
    #: The decimal sign of the reader's language.
    decimal: str = "."


_FIELD: Final = Rect(70, 100, WIDTH - 140, 470)


@badges.in_its_figures
def render_stacks(picture: StacksPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    canvas = Canvas(felt(None))
    _pips(canvas, picture)
    draw_bars(canvas, _FIELD, picture.stacks, picture.stay)
    return canvas.file()


def _pips(canvas: Canvas, picture: StacksPicture) -> None:
    """Draw a dot for each round, with a gap after each elimination."""
    heats = -(-picture.rounds // picture.heat)
    left = WIDTH // 2 - (picture.rounds * 40 + (heats - 1) * 28) // 2 + 20
    for index in range(picture.rounds):
        played, now = index < picture.round - 1, index == picture.round - 1
        pip = badges.disc("", 30 if now else 22, GOLD if now else MIST if played else None, FAINT)
        put_middle(canvas, pip, left + index * 40 + index // picture.heat * 28, 58)


def danger(stacks: Sequence[Stack], stay: int) -> Cents | None:
    """Return the chips halfway between the lowest stack that would stay and the highest that would go.

    Return None if nobody would go or nobody would stay.
    """
    ranked = sorted((stack.chips for stack in stacks if not stack.out), reverse=True)
    return (ranked[stay - 1] + ranked[stay]) // 2 if 0 < stay < len(ranked) else None


def draw_bars(canvas: Canvas, field: Rect, stacks: Sequence[Stack], stay: int) -> None:
    """Draw a pile of chips for each stack, in this order, and across them a line below which players would go.

    `stay` is the number of players who would stay. The line is left out if nobody would go or nobody would stay.
    """
    if not stacks:
        return
    highest = max(1, *(stack.chips for stack in stacks))
    pitch = field.width // len(stacks)
    side = min(52, pitch * 2 // 5)
    ground = field._replace(height=field.height - 2 * side - 8)
    line = danger(stacks, stay)
    for index, stack in enumerate(stacks):
        middle = field.x + pitch * index + pitch // 2
        _bar(canvas, stack, middle, min(116, pitch * 3 // 5), ground, stack.chips / highest)
        _foot(canvas, stack, middle, ground.bottom + 4 + side // 2, side, pitch - 8)
    if line is not None:
        put(canvas, _dashes(field.width), field.x, ground.bottom - round(ground.height * line / highest) - 2)


def _bar(canvas: Canvas, stack: Stack, middle: int, width: int, ground: Rect, share: float) -> None:
    """Draw a player's chips as a tower whose height is `share` of the full one.

    It has at least one chip, but none for a player who is out and has no chips. Red chips mark a player in danger.
    """
    tall = max(chips.thickness(width), round((ground.height - chips.lid(width)) * share))
    colour, stripe = (FAINT, FELT_DARK) if stack.out else (CHIP_RED, IVORY) if stack.danger else (GOLD, CHIP_BLACK)
    count = 0 if stack.out and not stack.chips else max(1, round(tall / chips.thickness(width)))
    chips.put_stack(canvas, chips.Denomination(0, colour, stripe), count, middle - width // 2, ground.bottom, width)


def _foot(canvas: Canvas, stack: Stack, middle: int, y: int, side: int, widest: int) -> None:
    if stack.out:
        who = badges.number(stack.number, side, lit=False, taken=False)
    else:
        name = stack.name if side > 30 else ""
        computer = stack.computer and side > 30
        who = badges.plate(stack.number, name, side, widest, lit=stack.acting, computer=computer)
    put_middle(canvas, who, middle, y)
    sign = "cross" if stack.out else "down" if stack.danger else ""
    label = Pill(badges.amount(stack.chips), sign, LOST if stack.danger else INK)
    put_middle(canvas, badges.pill(label, side * 5 // 6), middle, y + side + 2)


@lru_cache(maxsize=256)
def _pillar(width: int, tall: int, colour: Colour) -> Image.Image:
    sheet = Image.new("RGBA", (width, tall), (*colour, 0))
    sheet.putalpha(rounded((width, tall + 12), min(12, width // 4)).crop((0, 0, width, tall)))
    return sheet


@lru_cache(maxsize=8)
def _dashes(width: int) -> Image.Image:
    sheet = Image.new("RGBA", (width, 4), (*IVORY, 0))
    draw = ImageDraw.Draw(sheet)
    for x in range(0, width, 22):
        draw.rectangle((x, 0, x + 12, 3), fill=(*IVORY, 255))
    return sheet


# -- standings and podium ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StandingsPicture:
    """A tournament's standings, best first: a numbered bar for each line of the text, up to `_MOST_LINES`."""

    lines: tuple[Stack, ...]
    #: The decimal sign of the reader's language.
    decimal: str = "."


_MOST_LINES: Final = 16
_MEDALS: Final = (GOLD, SILVER, BRONZE)


@badges.in_its_figures
def render_standings(picture: StandingsPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    canvas = Canvas(felt(None))
    lines = picture.lines[:_MOST_LINES]
    columns = 1 if len(lines) <= 8 else 2
    rows = max(1, -(-len(lines) // columns))
    pitch = min(66, 544 // rows)
    highest = max([1, *(line.chips for line in lines)])
    width = (WIDTH - 60) // columns
    top = (600 - rows * pitch) // 2
    for index, line in enumerate(lines):
        box = Rect(30 + index // rows * width, top + index % rows * pitch, width, pitch)
        _line(canvas, line, box, line.chips / highest, _MEDALS[index] if index < 3 else None)
    return canvas.file()


def _line(canvas: Canvas, line: Stack, box: Rect, share: float, medal: Colour | None) -> None:
    side = min(48, box.height - 12)
    y = box.y + box.height // 2
    colour = FAINT if line.out else medal or EVEN
    disc = badges.disc(str(line.number), side, medal or INK, INK if medal else IVORY)
    put(canvas, disc, box.x + 8, y - side // 2)
    label = badges.pill(Pill(badges.amount(line.chips), "cross" if line.out else ""), side * 4 // 5)
    room = box.width - side - 40 - 150
    bar = _lying(max(10, round(room * share)), side * 3 // 5, colour)
    put(canvas, bar, box.x + side + 20, y - bar.height // 2)
    put(canvas, label, box.x + side + 30 + bar.width, y - label.height // 2)


@lru_cache(maxsize=256)
def _lying(width: int, tall: int, colour: Colour) -> Image.Image:
    sheet = Image.new("RGBA", (width, tall), (*colour, 0))
    sheet.putalpha(rounded((width, tall), min(8, tall // 3)))
    return sheet


class Winner(NamedTuple):
    """A player on the podium, with the name if it is known."""

    name: str = ""
    #: The prize, or None for a title without chips.
    won: Cents | None = None
    seat: int = 0
    computer: bool = False


@dataclass(frozen=True, slots=True)
class PodiumPicture:
    """The best players, at most three, the winner first."""

    places: tuple[Winner, ...]
    #: The decimal sign of the reader's language.
    decimal: str = "."


#: The steps of the podium from left to right: the place on each (from 0), the middle, and the height.
_STEPS: Final = ((1, 230, 170), (0, 480, 250), (2, 730, 120))
_FLOOR: Final = 540


def has_steps(places: Sequence[int]) -> bool:
    """Return whether a podium can show people with these places.

    It can if the places are 1, 2, 3 and so on. It cannot if there are none, or if two people share a place, because
    each step is for one person.
    """
    return bool(places) and list(places) == list(range(1, len(places) + 1))


@badges.in_its_figures
def render_podium(picture: PodiumPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    canvas = Canvas(felt(None))
    for place, x, tall in _STEPS:
        if place < len(picture.places):
            _step(canvas, place, x, tall, picture.places[place])
    return canvas.file()


def _step(canvas: Canvas, place: int, x: int, tall: int, winner: Winner) -> None:
    put(canvas, _pillar(230, tall, _MEDALS[place]), x - 115, _FLOOR - tall)
    put_middle(canvas, badges.disc(str(place + 1), 84, INK, _MEDALS[place]), x, _FLOOR - tall + 60)
    plate = badges.nameplate(winner.name, 240, winner.seat, computer=winner.computer)
    if plate is not None:
        put_middle(canvas, plate, x, _FLOOR - tall - 48)
    if place == 0:
        crown = badges.pill(Pill(sign="crown", paint=None, ink=GOLD), 110)
        put_middle(canvas, crown, x, _FLOOR - tall - 118)
    if winner.won is not None:
        put_middle(canvas, badges.pill(badges.stake(winner.won)._replace(paint=INK), 46), x, _FLOOR + 26)
