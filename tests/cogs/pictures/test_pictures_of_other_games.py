"""Pictures of every game, stacks, standings and podium: each is of one size, and shows what changed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO

import pytest
from PIL import Image

from cogs.pictures import FORMAT, SIZE, baccarat, bars, blackjack
from cogs.pictures.baccarat import BEADS, BaccaratPicture
from cogs.pictures.bars import PodiumPicture, Stack, StacksPicture, StandingsPicture, Winner, danger
from cogs.pictures.blackjack import TablePicture
from cogs.table.presentation import presented
from engine.games.baccarat import Baccarat, BaccaratRules, Spot
from engine.tables.house import ROAD
from tests.cogs.pages.tables import TABLES

MOST_BYTES = 60 * 1024
STAKES = ((Spot.PLAYER, 5000), (Spot.BANKER, 200_000), (Spot.TIE, 100))


def coup(cards: str, *road: Spot) -> BaccaratPicture:
    view = Baccarat(BaccaratRules(), [{"player": 5000}], tuple(cards.split())).view()
    return BaccaratPicture(view, STAKES, (*road, view.result))


FOUR = (
    Stack(1, 40_000, danger=True),
    Stack(2, 125_000, computer=True),
    Stack(3, 61_000, acting=True),
    Stack(4, 0, out=True),
)

DRAWN: dict[str, Callable[[], bytes]] = {
    "baccarat, nothing yet": partial(baccarat.render, BaccaratPicture()),
    "baccarat, stakes placed": partial(baccarat.render, BaccaratPicture(None, STAKES)),
    "baccarat, player wins": partial(baccarat.render, coup("9s 2d Kh 4c")),
    "baccarat, banker wins with three cards": partial(baccarat.render, coup("2s 3d Kh Kc 3h 5s")),
    "baccarat, a tie": partial(baccarat.render, coup("4s 4d 4h 4c")),
    "baccarat, a long road": partial(baccarat.render, coup("9s 2d Kh 4c", *[Spot.TIE, Spot.BANKER] * 40)),
    "stacks": partial(bars.render_stacks, StacksPicture(FOUR, stay=2, round=5)),
    "stacks, before the first round": partial(bars.render_stacks, StacksPicture(FOUR, stay=3, round=0)),
    "stacks, all even": partial(bars.render_stacks, StacksPicture((Stack(1, 100), Stack(2, 100)), stay=1, round=9)),
    "stacks, nobody": partial(bars.render_stacks, StacksPicture((), stay=3, round=1)),
    "stacks, everybody broke": partial(bars.render_stacks, StacksPicture((Stack(1, 0), Stack(2, 0)), stay=1, round=3)),
    "standings": partial(bars.render_standings, StandingsPicture(FOUR)),
    "standings, more than there is room for": partial(
        bars.render_standings, StandingsPicture(tuple(Stack(place, 10**9 // place) for place in range(1, 65)))
    ),
    "standings, nobody": partial(bars.render_standings, StandingsPicture(())),
    "podium": partial(bars.render_podium, PodiumPicture((Winner("Ada", 500_000), Winner("Ben"), Winner("Dot")))),
    "podium, one title and no chips": partial(bars.render_podium, PodiumPicture((Winner(),))),
    "podium, nobody": partial(bars.render_podium, PodiumPicture(())),
    "elimination, before the deal": partial(blackjack.render, TablePicture(waiting=(1, 2, 3), stacks=FOUR, stay=2)),
}


#: Every picture of every game's scenes, and those above.
ALL = DRAWN | {
    f"{kind}, {name}": page.picture.draw
    for kind, scenes in TABLES.items()
    for name, seen in scenes.items()
    if (page := presented(seen).page_of(seen)).picture is not None
}


@pytest.mark.parametrize("draw", ALL.values(), ids=ALL)
def test_every_state_is_one_picture_of_one_size(draw: Callable[[], bytes]) -> None:
    file = draw()
    image = Image.open(BytesIO(file))
    assert (image.size, image.format) == (SIZE, FORMAT.upper())
    assert len(file) <= MOST_BYTES
    assert draw() == file


def test_every_state_looks_different() -> None:
    nothing_shown = {"standings, nobody", "podium, nobody"}
    files = {draw() for name, draw in DRAWN.items() if name not in nothing_shown}
    assert len(files) == len(DRAWN) - len(nothing_shown)


def test_threads_draw_what_one_thread_draws() -> None:
    alone = [draw() for draw in ALL.values()]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda draw: draw(), ALL.values())) == alone


def test_the_road_keeps_the_newest_coups() -> None:
    shown = coup("9s 2d Kh 4c", *[Spot.TIE] * 5, *[Spot.BANKER] * (ROAD - 1))
    forgotten = coup("9s 2d Kh 4c", *[Spot.BANKER] * (ROAD - 1))
    assert baccarat.render(shown) == baccarat.render(forgotten)


def test_beads_differ_in_letter_and_not_in_colour_alone() -> None:
    assert len({letter for letter, _ in BEADS.values()}) == len(Spot) == len({colour for _, colour in BEADS.values()})


@pytest.mark.parametrize(
    ("chips", "stay", "line"),
    [
        ([900, 400, 300, 100], 3, 200),
        ([100, 900, 400, 300], 2, 350),
        ([500, 500], 1, 500),
        ([500], 1, None),
        ([500, 300], 2, None),
    ],
)
def test_r7_2_the_line_lies_between_who_stays_and_who_goes(chips: list[int], stay: int, line: int | None) -> None:
    assert danger([Stack(place, stack) for place, stack in enumerate(chips)], stay) == line


def test_r7_2_who_is_out_already_moves_no_line() -> None:
    assert danger([Stack(1, 900), Stack(2, 0, out=True), Stack(3, 300)], 1) == 600


def test_r7_2_who_is_in_danger_is_marked_also_beside_an_equal_stack() -> None:
    level, marked = (
        bars.render_stacks(StacksPicture((Stack(1, 900), Stack(2, 900, danger=lower)), stay=1, round=9))
        for lower in (False, True)
    )
    assert level != marked
