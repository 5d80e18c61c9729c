"""Pictures show where people sit, and what lies there in chips."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from cogs.pictures import badges, chips
from cogs.pictures.canvas import Canvas
from cogs.pictures.chips import DENOMINATIONS, Denomination, stacks
from cogs.pictures.inks import INKS, rows_of_ink
from cogs.pictures.lettering import in_two_lines, shortened, text_width
from cogs.pictures.palette import CHIP_GREEN, CHIP_RED, FELT_LIGHT, INK, PLACES, Colour


def worths(cents: int) -> list[tuple[int, int]]:
    return [(kind.worth, count) for kind, count in stacks(cents)]


@pytest.mark.parametrize(
    ("chips_lying", "counted"),
    [
        (0, []),
        (1, [(1, 1)]),
        (25, [(25, 1)]),
        (63, [(25, 2), (5, 2), (1, 3)]),
        (175, [(100, 1), (25, 3)]),
        (12_345, [(5_000, 2), (1_000, 2), (100, 3)]),  # the smallest chips no longer show
        (10_000_000, [(100_000, 9)]),  # a pile stays a pile
    ],
)
def test_a_stake_is_counted_in_the_fewest_chips(chips_lying: int, counted: list[tuple[int, int]]) -> None:
    assert worths(chips_lying * 100) == counted


@pytest.mark.parametrize("worth", [1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000])
def test_a_stake_of_a_chips_worth_is_that_one_chip(worth: int) -> None:
    assert worths(worth * 100) == [(worth, 1)]


def test_every_denomination_has_a_look_of_its_own() -> None:
    assert len({(kind.colour, kind.stripe) for kind in DENOMINATIONS}) == len(DENOMINATIONS)


def colours(sprite: Image.Image) -> set[Colour]:
    counted = sprite.convert("RGB").getcolors(maxcolors=2**24)
    assert counted is not None
    return {colour for _, colour in counted}  # type: ignore[misc]


def test_a_green_chip_is_green_and_lies_on_the_red_ones() -> None:
    table = Canvas(rows_of_ink([INKS.index(FELT_LIGHT)] * 200, 100))
    chips.put_stack(table, Denomination(5, CHIP_RED, INK), 4, 10, 190, 60)
    chips.put_stack(table, Denomination(25, CHIP_GREEN, INK), 1, 10, 190 - 4 * chips.thickness(60), 60)
    seen = Image.open(BytesIO(table.file())).convert("RGB")
    top = 190 - 5 * chips.thickness(60) - chips.lid(60) // 2
    assert seen.getpixel((40, top)) == CHIP_GREEN
    assert CHIP_RED not in colours(seen.crop((0, 0, 100, top + chips.lid(60) // 2)))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ångström", "Ångström"),
        ("Владимир", "Владимир"),
        ("Αλέξανδρος", "Αλέξανδρος"),
        ("Nguyễn", "Nguyễn"),
        # An accent of its own joins its letter, and nobody sees which way a name is written.
        ("Zoe\u0308", "Zoë"),
        ("\u200eMona\u200d", "Mona"),
        ("\u2067Mo\u00adna", "Mona"),
        # The font has no such letters, so the seat's number stands there without a box.
        ("אברהם", ""),
        ("محمد", ""),
        ("अमित", ""),
        ("สมชาย", ""),
        ("王伟", ""),
        ("さくら", ""),
        ("민수", ""),
        ("😀", ""),
        ("Z\u0338a\u0360l", ""),
        ("\u200b", ""),
        ("", ""),
    ],
)
def test_names_are_written_where_the_font_knows_their_letters(name: str, written: str) -> None:
    assert shortened(name, 30, 400) == written


def test_a_long_name_is_cut_to_the_room_there_is() -> None:
    assert shortened("Maximiliane von Hohenfels", 30, 160).startswith("Maximi")
    assert shortened("Maximiliane von Hohenfels", 30, 160).endswith("…")
    assert shortened("Maximiliane", 30, 20) == ""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Marker", ["Marker"]),
        ("DragonSlayer", ["DragonSlayer"]),
        ("Maximilian von Hohenstein", ["Maximilian von", "Hohenstein"]),
        ("Xx_DragonSlayer_2009_xX", ["Xx_DragonSla", "yer_2009_xX"]),
        ("Her Serene Highness Maximiliane von Hohenfels", ["Her Serene", "Highness Max…"]),
    ],
)
def test_a_name_on_the_podium_has_two_lines_before_it_is_cut(name: str, lines: list[str]) -> None:
    assert in_two_lines(name, 208)[0] == lines


def test_a_name_of_one_word_that_fits_on_one_line_is_not_broken() -> None:
    fitting = [name for name in ("n" * letters for letters in range(1, 20)) if text_width(name, 26) <= 208]
    assert len(fitting) > 5
    assert [in_two_lines(name, 208)[0] for name in fitting] == [[name] for name in fitting]


def test_each_place_has_a_colour_of_its_own_and_white_means_asked() -> None:
    plates = [badges.plate(place, "Ada", 40, 300, lit=False, computer=False) for place in range(1, 8)]
    assert [PLACES[at] in colours(plate) for at, plate in enumerate(plates)] == [True] * 7
    lit = badges.plate(2, "Ada", 40, 300, lit=True, computer=False)
    grounds = [max(plate.convert("RGB").getcolors(2**16) or [])[1] for plate in (lit, plates[1])]
    assert grounds == [badges.TURN, INK]


def test_a_computer_player_shows_a_robot_where_people_have_their_number() -> None:
    robots = [badges.plate(place, "", 40, 40, lit=False, computer=True) for place in (2, 9)]
    assert robots[0].tobytes() == robots[1].tobytes()  # the same colour, and no number in it
    assert robots[0].tobytes() != badges.plate(2, "", 40, 40, lit=False, computer=False).tobytes()
