"""People read what was agreed on: every phase of every game is written down in `tests/golden/pages`.

After an intended change, `make golden` writes all of them again; read the difference before you commit it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cogs.pictures import card_emoji, coach, duel, palette
from cogs.pictures.blackjack import TablePicture
from cogs.table import components
from cogs.table.page import Accent, Picture
from cogs.table.presentation import presentation, presented, rules_text
from cogs.tournament import pages
from cogs.words import READER, _, reading, speaking
from engine.games.registry import GAMES
from engine.tables.snapshot import Snapshot
from tests.cogs.pictures.test_coach import CHART, ODDS, PLOT
from tests.cogs.pictures.test_duel import DRAW, WON

from . import blackjack, tournament, writing
from .blackjack import dealt
from .languages import FOLDERS, WHOLE
from .scenes import computer, person
from .tables import TABLES

GOLDEN = Path(__file__).parents[2] / "golden"

#: Ids that simcord counts up: one more command or person would change them on every page.
COUNTED = re.compile(r"\b145607444398\d{7}\b")


def page(scene: str, seen: Snapshot) -> list[str]:
    """The message as its table sends it."""
    shown = presented(seen).page_of(seen)
    return [f"== {scene}", *writing.message(components.build(shown, seen)), ""]


def picture(scene: str, seen: Snapshot) -> list[str]:
    shown = presented(seen).page_of(seen).picture
    return [f"== {scene}", *(writing.drawn(shown) if shown is not None else []), ""]


def pixels(scene: str, shown: Picture) -> str:
    """A picture as it is, to the last pixel; how it came about is in the other files."""
    image = Image.open(BytesIO(shown.draw())).convert("RGB")
    return f"{zlib.crc32(image.tobytes()):08x}  {scene}"


def rules(game: str) -> Iterator[str]:
    for name, rule_set in GAMES[game].rule_sets.items():
        yield f"== {name}"
        yield from (f"{heading} · {text}" for heading, text in rules_text(game, rule_set))
        yield ""
    yield "== what the editor offers"
    for field in presentation(game).fields.values():
        yield f"{_(field.label)}: {' | '.join(map(field.shown, field.values))}"
    yield ""


def told(tables: dict[str, Snapshot], way: Callable[[str, Snapshot], list[str]]) -> list[str]:
    return [line for scene, seen in tables.items() for line in way(scene, seen)]


def agrees(request: pytest.FixtureRequest, file: str, lines: list[str]) -> None:
    path, text = GOLDEN / file, COUNTED.sub("(id)", "\n".join(lines))
    if request.config.getoption("--golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", TABLES)
def test_every_phase_of_every_table_reads_as_agreed(request: pytest.FixtureRequest, kind: str) -> None:
    agrees(request, f"pages/{kind}.txt", told(TABLES[kind], page))


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("kind", TABLES)
def test_every_phase_of_every_table_reads_as_agreed_in_other_languages(
    request: pytest.FixtureRequest, kind: str, language: str
) -> None:
    with speaking(language):
        agrees(request, f"pages/{language}/{kind}.txt", told(TABLES[kind], page))


@pytest.mark.parametrize("kind", TABLES)
def test_pictures_draw_what_was_agreed_where_it_was_agreed(request: pytest.FixtureRequest, kind: str) -> None:
    agrees(request, f"pictures/{kind}.txt", told(TABLES[kind], picture))


def test_every_pixel_is_where_it_was_agreed(request: pytest.FixtureRequest) -> None:
    """A list cannot show the shape of a chip, the rim of a card, or the shadow under it."""
    shown = {
        f"{kind}, {scene}": presented(seen).page_of(seen).picture
        for kind, scenes in TABLES.items()
        for scene, seen in scenes.items()
    }
    shown |= {f"tournament, {scene}": picture for scene, picture in tournament.pictures().items()}
    lines = [pixels(scene, picture) for scene, picture in shown.items() if picture is not None]
    agrees(request, "pictures/pixels.txt", [*lines, ""])


def test_every_pixel_of_the_other_pictures_is_where_it_was_agreed(request: pytest.FixtureRequest) -> None:
    files = {
        "duel, won": duel.render(WON),
        "duel, equal": duel.render(DRAW),
        "odds": coach.render_odds(ODDS),
        "chart": coach.render_chart(CHART),
        "plot": coach.render_plot(PLOT),
        **{f"emoji, {card or 'face down'}": card_emoji.render_emoji(card) for card in ("As", "Th", None)},
        "emoji, 9d of four colours": card_emoji.render_emoji("9d", four_colours=True),
    }
    lines = [f"{zlib.crc32(Image.open(BytesIO(file)).tobytes()):08x}  {scene}" for scene, file in files.items()]
    agrees(request, "pictures/others.txt", [*lines, ""])


@pytest.mark.parametrize(
    ("kind", "scene", "line"),
    [
        ("blackjack", "company, the first is asked", "-# 🤖 Dot `5♠ 6♦` **11**"),
        ("blackjack", "the second of two hands", "<@101> · `8♠ 3♠` **11** | ▸ `8♥ 10♠` **18** · stake 20"),
        ("blackjack", "insured, and the hand goes on", "<@101> · `10♠ 6♠` **16** | insurance −5 · stake 10"),
        ("blackjack", "company, the next stake lies", "**1** · <@101> · `10♠ Q♠` **20** · next stake 10"),
        ("war", "the war is won", "Dealer · `10♦ 9♣`"),
        ("baccarat", "Player wins", "Banker · `K♥ 7♣` **7**"),
        ("elimination", "cards, all are equal", "-# 🤖 Dot `9♠ 9♥` **18** · Bit `5♠ 6♦` **11** · Pip `10♥ Q♠` **20**"),
    ],
)
def test_a_table_in_words_alone_says_what_its_picture_would(kind: str, scene: str, line: str) -> None:
    with reading(replace(READER.get(), pictures=False)):
        lines = page(scene, TABLES[kind][scene])
    assert line in lines
    assert not any(each.startswith("picture: ") for each in lines)


def test_only_a_persons_own_blackjack_makes_the_edge_golden() -> None:
    seen = blackjack.dealt("vegas stake 10 | T Q, A K / 9 8 | stand | dealer 9 8", person(), computer())
    assert presented(seen).page_of(seen).accent is Accent.WON


def test_a_double_that_lost_is_not_praised_although_the_other_hands_won_more() -> None:
    split = "split 8 | split 8 | split 3 | double 2 T | stand T | stand T | stand"
    seen = blackjack.dealt(f"vegas stake 10 | 8 8 / 6 T | {split} | dealer 6 T A")
    assert presented(seen).page_of(seen).headline == "<@101> +10"


def test_who_has_left_a_table_of_stacks_has_none_in_its_picture() -> None:
    seen = TABLES["blackjack"]["four-seat: the round is over"]
    first, second, *others = seen.sitters
    picture = presented(seen).page_of(replace(seen, sitters=(first, replace(second, member=None), *others))).picture
    assert picture is not None
    assert isinstance(picture.key, TablePicture)
    assert [stack.number for stack in picture.key.stacks] == [1, 3, 4]


def test_a_podium_shows_no_prize_of_nothing() -> None:
    without, paid = (pages.podium_picture(tournament.over(2, buy_in)).places for buy_in in (0, 100))
    assert {winner.won for winner in without} == {None}
    assert {winner.won for winner in paid} == {None, 20_000}


def test_those_behind_the_last_line_are_counted() -> None:
    view = tournament.over(2, 0)
    rest = [pages.rest(replace(view, lines=view.lines[:1] * lines)) for lines in (16, 17, 18)]
    assert rest == [[], ["1 more behind them"], ["2 more behind them"]]


@pytest.mark.parametrize(("language", "lost"), [("en", "-2.5"), ("fr", "-2,5")])
def test_pictures_write_parts_of_a_chip_as_the_language_does(language: str, lost: str) -> None:
    with speaking(language):
        assert f"pill '{lost}'" in "\n".join(picture("", TABLES["blackjack"]["surrendered"]))


@pytest.mark.parametrize(
    ("line", "rays"),
    [
        ("vegas stake 10 | A K / T 9", True),
        ("vegas stake 10 | A K / T A", False),
        ("vegas stake 10 | 2 3 / 6 T | hit 4 | hit 5 | hit 7 | dealer 6 T 5", False),
    ],
)
def test_a_hand_that_only_ties_has_no_golden_rays(line: str, rays: bool) -> None:  # noqa: FBT001
    assert ("sunburst" in "\n".join(picture("", dealt(line)))) is rays


def test_every_colour_is_the_agreed_one(request: pytest.FixtureRequest) -> None:
    colours = {name: value for name, value in vars(palette).items() if name.isupper() and isinstance(value, tuple)}
    singles = {name: value for name, value in colours.items() if isinstance(value[0], int) and len(value) == 3}
    singles |= {f"PLACES {at + 1}": value for at, value in enumerate(palette.PLACES)}
    agrees(request, "pictures/colours.txt", [f"{name} #{bytes(value).hex()}" for name, value in singles.items()] + [""])


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_rule_set_read_as_agreed(request: pytest.FixtureRequest, game: str) -> None:
    agrees(request, f"rules/{game}.txt", list(rules(game)))


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_every_message_of_a_tournament_reads_as_agreed(
    request: pytest.FixtureRequest, language: str, folder: str
) -> None:
    with speaking(language):
        views = tournament.scenes()
    lines = [line for scene, view in views.items() for line in (f"== {scene}", *writing.message(view), "")]
    agrees(request, f"{folder}/tournament.txt", lines)


def test_the_pictures_of_a_tournament_draw_what_was_agreed(request: pytest.FixtureRequest) -> None:
    lines = [
        line for scene, shown in tournament.pictures().items() for line in (f"== {scene}", *writing.drawn(shown), "")
    ]
    agrees(request, "pictures/tournament.txt", lines)


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_rule_set_read_as_agreed_in_other_languages(
    request: pytest.FixtureRequest, game: str, language: str
) -> None:
    with speaking(language):
        agrees(request, f"rules/{language}/{game}.txt", list(rules(game)))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_golden_pages(game: str) -> None:
    assert game in TABLES
