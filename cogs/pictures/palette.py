"""The colours that all pictures share, and the size of most."""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]

#: The size of every picture of a table, eight to five: the tallest shape that a desktop client shows at full width.
#: They all have it, so an edited message never jumps.
SIZE: Final = (960, 600)
WIDTH, HEIGHT = SIZE

FORMAT: Final = "png"

FELT_LIGHT: Final[Colour] = (36, 116, 90)
FELT_DARK: Final[Colour] = (11, 48, 41)
INK: Final[Colour] = (8, 34, 29)
#: The colour of the rail around the felt.
RAIL: Final[Colour] = (18, 22, 26)
IVORY: Final[Colour] = (250, 248, 242)
#: The colour of details that should only show when looked for.
FAINT: Final[Colour] = (74, 138, 116)
MIST: Final[Colour] = (176, 206, 192)
GOLD: Final[Colour] = (240, 200, 105)
GOLD_DEEP: Final[Colour] = (176, 128, 44)
SILVER: Final[Colour] = (204, 212, 220)
BRONZE: Final[Colour] = (206, 140, 88)

SHADOW: Final[Colour] = (3, 16, 15)

CARD: Final[Colour] = (253, 252, 248)
#: The darkening of a hand that no longer counts, from 0 to 1.
VEIL: Final = 0.45
RED: Final[Colour] = (200, 24, 44)
BLACK: Final[Colour] = (24, 28, 38)
BACK: Final[Colour] = (26, 54, 104)
BACK_LINE: Final[Colour] = (96, 134, 190)

WON: Final[Colour] = (132, 232, 160)
EVEN: Final[Colour] = (216, 222, 228)
LOST: Final[Colour] = (206, 52, 58)
#: The quiet colour of losses.
ROSE: Final[Colour] = (246, 160, 158)

BLUE: Final[Colour] = (38, 88, 168)
GREEN: Final[Colour] = (30, 132, 84)

#: The colours of chips by their worth: the smallest are ivory, the largest gold.
CHIP_RED: Final[Colour] = (190, 44, 52)
CHIP_GREEN: Final[Colour] = (34, 138, 88)
CHIP_BLACK: Final[Colour] = (34, 38, 48)
CHIP_VIOLET: Final[Colour] = (112, 70, 168)

#: A colour for the number of each place at the table, from 1 on.
PLACES: Final[tuple[Colour, ...]] = (
    (248, 196, 84),
    (110, 190, 255),
    (255, 140, 120),
    (140, 222, 150),
    (206, 160, 255),
    (255, 160, 210),
    (120, 220, 215),
)


CARD_BLUE: Final[Colour] = (24, 92, 190)
CARD_GREEN: Final[Colour] = (14, 122, 62)

SUIT_COLOUR: Final = {"s": BLACK, "c": BLACK, "h": RED, "d": RED}
#: The colours of suits for people who tell suits apart by colour rather than shape.
FOUR_COLOURS: Final = {"s": BLACK, "c": CARD_GREEN, "h": RED, "d": CARD_BLUE}


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours with this share of the second."""
    r, g, b = (round(a + (z - a) * share) for a, z in zip(one, other, strict=True))
    return r, g, b


def ramp(one: Colour, other: Colour, steps: int) -> tuple[Colour, ...]:
    return tuple(mix(one, other, step / (steps - 1)) for step in range(steps))


#: The felt's colours, from the lamp to the shade, in steps too small to be seen.
FELT: Final = ramp(FELT_LIGHT, FELT_DARK, 44)
