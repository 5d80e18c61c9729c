"""The file of a picture: the pixels that were drawn, no larger than Pillow's own, and no more work than there is."""

from __future__ import annotations

import zlib
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from bench.picture import PLAY, STATES, as_before, forget
from cogs.pictures import badges, canvas, inks, png, rims
from cogs.pictures.blackjack import TablePicture, render
from cogs.pictures.canvas import Canvas, put
from cogs.pictures.cards import sprite
from cogs.pictures.felt import felt
from cogs.pictures.inks import INKS, Ground, rows_of_ink
from cogs.pictures.palette import WON

PIXELS = bytes(range(200)) * 3


def read(file: bytes) -> Image.Image:
    image = Image.open(BytesIO(file))
    image.load()
    return image


def file(pixels: bytes, width: int, *, strip: int, inks: bytes = bytes(768)) -> bytes:
    """Return the file of these pixels, packed in strips of this many rows."""
    height = len(pixels) // width
    picture = Image.frombytes("L", (width, height), pixels)
    strips = (png.pack(picture.crop((-1, top, width, min(top + strip, height)))) for top in range(0, height, strip))
    return png.png(picture.size, inks, strips)


# -- the file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strip", [1, 4, 15])
def test_a_file_has_the_pixels_and_the_inks_that_were_given(strip: int) -> None:
    inks = bytes(part % 256 for part in range(3 * 256))
    image = read(file(PIXELS, 40, strip=strip, inks=inks))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (40, 15))
    assert image.tobytes() == PIXELS
    assert bytes(image.getpalette() or ()) == inks


def test_without_the_faster_packer_the_pixels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "packer", zlib)
    assert read(file(PIXELS, 40, strip=4)).tobytes() == PIXELS


@pytest.mark.parametrize("state", STATES)
def test_every_picture_is_what_drawing_it_in_one_go_makes_and_no_larger_than_pillows(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()
    ours = render(STATES[state])
    monkeypatch.setattr(Canvas, "file", in_one_go)
    pillows = render(STATES[state])
    assert read(ours).convert("RGB").tobytes() == read(pillows).convert("RGB").tobytes()
    assert len(ours) <= len(pillows)


def test_a_hand_in_play_is_packed_in_a_hurry_and_its_file_still_no_larger_than_pillows() -> None:
    pictures = PLAY["one hand"]()[:60]
    with as_before():
        pillows = [len(render(picture)) for picture in pictures]
    ours = [len(render(picture)) for picture in pictures]
    assert [at for at, (our, pillow) in enumerate(zip(ours, pillows, strict=True)) if our > pillow] == []


def in_one_go(table: Canvas) -> bytes:
    """No patches, no strips, and Pillow's own file."""
    drawing = table.ground.drawn.copy()
    for what, mask, box in table.things:
        drawing.paste(what, box[:2], mask)
    inked = table.ground.with_inks(drawing, (0, 0, *drawing.size))
    inked.putpalette(inks.inks_as_bytes())
    pillows = BytesIO()
    inked.save(pillows, "PNG", compress_level=5)
    return pillows.getvalue()


def test_pictures_that_follow_one_another_are_what_each_would_be_alone() -> None:
    for pictures in PLAY.values():
        some = pictures()[:12]
        forget()
        following = [render(picture) for picture in some]
        for picture, file in zip(some, following, strict=True):
            forget()
            assert render(picture) == file


def test_things_that_touch_lie_on_one_another_as_they_were_laid() -> None:
    def middle(*order: tuple[str, int]) -> tuple[int, ...]:
        table = Canvas(felt(None))
        for card, x in order:
            put(table, sprite(card, 140), x, 300)
        return tuple(read(table.file()).convert("RGB").crop((200, 300, 420, 460)).tobytes())

    assert middle(("As", 200), ("Kh", 250)) != middle(("Kh", 250), ("As", 200))
    # The middle one joins the outer ones, which do not touch each other.
    assert middle(("As", 200), ("2c", 320), ("Kh", 260)) != middle(("Kh", 260), ("As", 200), ("2c", 320))


def test_what_lies_half_beyond_the_edge_is_cut_off() -> None:
    table = Canvas(felt(None))
    put(table, sprite("As", 140), 900, 540)
    put(table, sprite("As", 140), -40, -40)
    assert read(table.file()).size == (960, 600)


# -- the work, not the time: a slip is noticed on any machine ----------------------------------------------------------


class Work:
    """The cost of pictures: pixels whose nearest ink was searched for, and strips that were packed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.searched: list[int] = []
        #: Whether each strip was packed as one that the next press changes.
        self.packed: list[bool] = []
        search, pack = inks._nearest, png.pack

        def packed(rows: Image.Image, *, fleeting: bool) -> png.Strip:
            self.packed.append(fleeting)
            return pack(rows, fleeting=fleeting)

        patch.setattr(inks, "_nearest", lambda part: self.searched.append(part.width * part.height) or search(part))
        patch.setattr(canvas, "pack", packed)

    def of(self, picture: TablePicture) -> tuple[int, int, int]:
        """Searches, pixels, strips."""
        self.searched.clear()
        self.packed.clear()
        render(picture)
        return len(self.searched), sum(self.searched), len(self.packed)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    for picture in STATES.values():
        render(picture)  # what is drawn once for all pictures is drawn now
    forget()
    return Work(monkeypatch)


def test_inks_are_searched_for_only_where_something_was_drawn(work: Work) -> None:
    searches, pixels, strips = work.of(STATES["one hand"])
    assert searches <= 5
    assert pixels < 0.35 * 960 * 600
    assert strips <= 3


def test_the_same_picture_is_put_together_from_what_is_kept(work: Work) -> None:
    render(STATES["seven seats of four hands"])
    assert work.of(STATES["seven seats of four hands"]) == (0, 0, 0)


def test_many_hands_that_nobody_has_seen_are_brought_down_to_inks_on_one_sheet(work: Work) -> None:
    searches, pixels, strips = work.of(STATES["seven seats of four hands"])
    assert searches <= 3  # one for each of its eighty-three heaps was more work than drawing it in one go
    assert pixels < 960 * 600
    assert strips <= 8


def test_a_hand_that_changes_leaves_the_others_as_they_are(work: Work) -> None:
    """Of twenty-eight hands one is drawn again, and what touches it."""
    first, second, *_ = PLAY["the fullest table"]()
    render(first)
    searches, pixels, strips = work.of(second)
    assert searches <= 4
    assert pixels < 0.05 * 960 * 600
    assert strips <= 3


def test_a_hit_packs_one_hand_in_a_hurry_and_the_dealer_not_again(work: Work) -> None:
    pictures = PLAY["one hand"]()
    dealt, hit = next((one, other) for one, other in pairwise(pictures) if (_cards(one), _cards(other)) == (2, 3))
    work.of(dealt)
    assert sorted(work.packed) == [False, False, True]  # the dealer, what is below the hand, and the hand
    searches, pixels, _ = work.of(hit)
    assert (searches, work.packed) == (1, [True])
    assert pixels < 0.35 * 960 * 600


def _cards(picture: TablePicture) -> int:
    """Return the number of cards of the hand that is asked."""
    assert picture.view is not None
    return len(picture.view.seats[0].hands[0].cards) if picture.view.acting else 0


def test_what_many_look_at_is_packed_with_care(work: Work) -> None:
    for state in ("four hands", "seven seats of four hands", "seven seats of four hands, settled"):
        work.of(STATES[state])
        assert not any(work.packed)


def test_another_name_draws_its_plate_and_nothing_else(work: Work) -> None:
    picture = STATES["one hand, settled"]
    render(picture)
    searches, pixels, strips = work.of(replace(picture, names=((1, "Ada"),)))
    assert searches == 1
    assert pixels < 0.03 * 960 * 600
    assert strips == 1


@pytest.mark.parametrize(
    ("large", "most"), [(sprite("As", 210), 0.35), (sprite(None, 160), 0.35), (badges.glow(253, 287, WON), 0.3)]
)
def test_of_a_large_sprite_only_the_rim_is_blended_and_looks_the_same(large: Image.Image, most: float) -> None:
    pieces = rims._pieces(rims._Same(large))
    assert (
        sum(piece.mask.width * piece.mask.height for piece in pieces if piece.mask) < most * large.width * large.height
    )
    in_pieces, whole = felt(210).drawn.copy(), felt(210).drawn.copy()
    for x, y in ((300, 200), (340, 220)):
        rims.lay(in_pieces, large, x, y)
        whole.paste(large, (x, y), large)
    assert in_pieces.tobytes() == whole.tobytes()


def test_a_sprite_that_is_neither_all_nor_nothing_in_its_middle_is_laid_whole() -> None:
    faint = Image.new("RGBA", (200, 200), (240, 200, 105, 90))
    assert rims._pieces(rims._Same(faint)) == ((faint, faint, 0, 0),)


# -- the ground --------------------------------------------------------------------------------------------------------


def test_where_nothing_was_drawn_the_soft_light_is_untouched() -> None:
    ground = felt(None)
    drawing = ground.drawn.copy()
    drawing.paste(INKS[-1], (100, 100, 140, 140))
    inked = ground.with_inks(drawing, (0, 0, *drawing.size))
    assert inked.getpixel((120, 120)) == len(INKS) - 1
    inked.paste(ground.inked.crop((100, 100, 140, 140)), (100, 100))
    assert inked.tobytes() == ground.inked.tobytes()


def test_the_same_things_on_another_ground_are_another_picture() -> None:
    def on(ground: Ground) -> bytes:
        table = Canvas(ground)
        put(table, sprite("As", 140), 200, 100)
        return table.file()

    assert len({on(rows_of_ink([ink] * 300, 960)) for ink in (0, 20)}) == 2
