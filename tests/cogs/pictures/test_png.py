"""The file of a picture: the pixels that were drawn, no larger than Pillow's own, and no more work than there is."""

from __future__ import annotations

import sys
from io import BytesIO

import pytest
from PIL import Image

from bench.picture import STATES
from cogs.pictures import blackjack, canvas, png
from cogs.pictures.canvas import INKS
from cogs.pictures.felt import felt

PIXELS = bytes(range(200)) * 3


def read(file: bytes) -> Image.Image:
    image = Image.open(BytesIO(file))
    image.load()
    return image


def test_a_file_has_the_pixels_and_the_inks_that_were_given() -> None:
    picture = Image.frombytes("L", (40, 15), PIXELS)
    inks = bytes(part % 256 for part in range(3 * 256))
    image = read(png.png(picture, inks))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (40, 15))
    assert image.tobytes() == PIXELS
    assert bytes(image.getpalette() or ()) == inks


def test_without_libdeflate_the_pixels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Image.frombytes("L", (40, 15), PIXELS)
    usual = png.png(picture, bytes(768))
    monkeypatch.setitem(sys.modules, "deflate", None)
    png._squeezer.cache_clear()
    try:
        assert read(png.png(picture, bytes(768))).tobytes() == read(usual).tobytes()
    finally:
        png._squeezer.cache_clear()


@pytest.mark.parametrize("state", STATES)
def test_no_picture_takes_more_bytes_than_in_pillows_own_file(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Image.Image, canvas.Ground]] = []
    monkeypatch.setattr(blackjack, "encoded", lambda drawing, ground: drawn.append((drawing, ground)) or b"")
    blackjack.render(STATES[state])
    drawing, ground = drawn[0]
    inked = ground.with_inks(drawing)
    inked.putpalette(canvas._inks_as_bytes())
    pillows = BytesIO()
    inked.save(pillows, "PNG", compress_level=5)
    assert len(canvas.encoded(drawing, ground)) <= len(pillows.getvalue())


def test_inks_are_searched_for_only_where_something_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work, not time: a slip is noticed on any machine."""
    blackjack.render(STATES["one hand"])  # what is drawn once for all pictures is drawn now
    searched: list[int] = []
    search = canvas._nearest
    monkeypatch.setattr(canvas, "_nearest", lambda part: searched.append(part.width * part.height) or search(part))
    blackjack.render(STATES["one hand"])
    assert len(searched) <= 6
    assert sum(searched) < 0.4 * 960 * 600


def test_where_nothing_was_drawn_the_soft_light_is_untouched() -> None:
    ground = felt(None)
    drawing = ground.drawn.copy()
    drawing.paste(INKS[-1], (100, 100, 140, 140))
    inked = ground.with_inks(drawing)
    assert inked.getpixel((120, 120)) == len(INKS) - 1
    inked.paste(ground.inked.crop((100, 100, 140, 140)), (100, 100))
    assert inked.tobytes() == ground.inked.tobytes()
