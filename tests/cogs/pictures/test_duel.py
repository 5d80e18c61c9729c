"""The picture of a duel: who won, what mistakes cost, and the cards of the hand that decided."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from cogs.pictures import SIZE
from cogs.pictures.duel import Duellist, DuelPicture, brief, render, writable
from cogs.pictures.palette import GOLD, RED, Colour

ADA, BEN = Duellist("Ada", "2.1%", won=True), Duellist("Ben", "6.4%", won=False)
WON = DuelPicture(
    (ADA, BEN), "10 hands of vegas", "lost to mistakes", ("Ben stood.", "Ada had luck."), ("Th", "6h"), "7d"
)
DRAW = replace(WON, sides=(replace(ADA, won=False), BEN), hand=(), up=None)
LEFT, RIGHT, PANEL = (0, 80, 430, 240), (530, 80, 960, 240), (30, 310, 930, 570)


def count(file: bytes, box: tuple[int, int, int, int], colour: Colour) -> int:
    """The pixels of about this colour inside a box."""
    image = Image.open(BytesIO(file)).convert("RGB")
    assert image.size == SIZE
    near = image.crop(box).getcolors(maxcolors=2**20)
    assert near is not None
    return sum(many for many, found in near if sum(abs(a - b) for a, b in zip(found, colour, strict=True)) < 24)  # type: ignore[arg-type, misc]


def test_only_the_winners_side_is_golden() -> None:
    for picture, golden in (
        (WON, (True, False)),
        (replace(WON, sides=(BEN, ADA)), (False, True)),
        (DRAW, (False,) * 2),
    ):
        file = render(picture)
        assert tuple(count(file, side, GOLD) > 500 for side in (LEFT, RIGHT)) == golden


def test_sentences_stand_in_the_middle_of_the_panel() -> None:
    for told in (("Hog.",), ("Hog.", "Hog."), ("Hog.",) * 4):
        image = Image.open(BytesIO(render(replace(DRAW, sentences=told)))).convert("L").crop(PANEL)
        box = image.point(lambda level: 255 if level > 90 else 0).getbbox()
        assert box is not None
        assert box[1] == pytest.approx(image.height - box[3], abs=12)


def test_the_cards_of_the_hand_that_decided_lie_beside_the_words() -> None:
    """All three cards are red; without a hand there is only ink."""
    assert count(render(WON), PANEL, RED) > 1_000
    assert count(render(DRAW), PANEL, RED) == 0


@pytest.mark.parametrize("picture", [WON, DRAW])
def test_the_same_duel_gives_the_same_bytes(picture: DuelPicture) -> None:
    assert render(picture) == render(picture)
    assert len(render(picture)) < 60 * 1024


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ada 🎲", "Ada"),
        ("数学", "#2"),
        ("  ", "#2"),
        ("Ольга", "Ольга"),
        ("🎲 Ada 🎲 B", "Ada B"),
        ("\u200e", "#2"),
        ("Rene\u0301", "René"),
    ],
)
def test_a_name_is_written_as_far_as_the_font_goes(name: str, written: str) -> None:
    assert writable(name, 1) == written
    assert brief(written) == written


def test_a_loss_keeps_its_sign_though_the_font_has_no_minus() -> None:
    drawn = [render(replace(DRAW, sentences=(told,))) for told in ("Equal cards: −2.", "Equal cards: 2.")]
    assert drawn[0] != drawn[1]


def test_a_long_name_is_cut_in_sentences() -> None:
    assert brief("Maximilian Alexander von und zu Stein").endswith("…")
