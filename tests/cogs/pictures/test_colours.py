"""Colours show suits on the pictures, and hands that no longer count."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageStat

from cogs.pictures.badges import veil
from cogs.pictures.cards import card_width, margin, sprite
from cogs.pictures.palette import CARD, FELT_DARK, Colour

HEIGHTS = (210, 60)


def ink(card: str, height: int, *, four_colours: bool = False) -> Colour:
    """Return the colour that most of a card is printed in, apart from its paper."""
    edge = margin(height)
    face = sprite(card, height, four_colours=four_colours).convert("RGB")
    face = face.crop((edge + 4, edge + 4, edge + card_width(height) - 4, edge + height - 4))
    counted = face.getcolors(maxcolors=2**20)
    assert counted is not None
    found: Colour = max((count, colour) for count, colour in counted if colour != CARD)[1]  # type: ignore[type-var]
    return found


def is_red(colour: Colour) -> bool:
    red, green, blue = colour
    return red > 150 and green < 80 and blue < 80


def is_dark(colour: Colour) -> bool:
    return max(colour) < 60


@pytest.mark.parametrize("height", HEIGHTS)
def test_hearts_and_diamonds_are_red_spades_and_clubs_black(height: int) -> None:
    assert all(is_red(ink(card, height)) for card in ("8h", "8d"))
    assert all(is_dark(ink(card, height)) for card in ("8s", "8c"))


@pytest.mark.parametrize("height", HEIGHTS)
def test_with_four_colours_diamonds_are_blue_and_clubs_green(height: int) -> None:
    spade, heart, diamond, club = (ink(f"8{suit}", height, four_colours=True) for suit in "shdc")
    assert is_dark(spade)
    assert is_red(heart)
    assert diamond[2] == max(diamond) > 150
    assert club[1] == max(club) > 100
    assert all(one != other for one, other in combinations((spade, heart, diamond, club), 2))


def test_a_hand_that_no_longer_counts_sinks_into_the_dark_and_can_still_be_read() -> None:
    card = Image.new("RGB", (200, 200), CARD)
    before = ImageStat.Stat(card.convert("L")).mean[0]
    card.paste(FELT_DARK, (0, 0), veil(200, 200, 8))
    light = ImageStat.Stat(card.convert("L")).mean[0] / before
    assert 0.5 < light < 0.75
