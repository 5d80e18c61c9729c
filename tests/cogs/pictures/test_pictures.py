"""The blackjack table's picture: what it shows, what it must not, and what it costs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import combinations, product
from random import Random

import pytest
from PIL import Image, ImageChops

from cogs.pictures import FILE_NAME, FORMAT, SIZE, TablePicture
from cogs.pictures.badges import amount, number, pill, result
from cogs.pictures.blackjack import _columns, _plates, render
from cogs.pictures.canvas import Canvas, _touch
from cogs.pictures.cards import HEIGHTS, sprite
from cogs.pictures.fans import Rect, fan
from cogs.pictures.felt import felt
from cogs.pictures.inks import INKS, Box
from cogs.pictures.layout import plan
from cogs.pictures.palette import BLACK, CARD, EVEN, FELT_DARK, FELT_LIGHT, INK, IVORY, LOST, RED, WON, Colour
from engine.games.blackjack import GAME
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, RoundPhase, SeatView
from engine.games.cards import PACK
from engine.games.contract import Line, Outcome

MOST_BYTES = 60 * 1024


def hand(
    cards: str,
    state: HandState = HandState.WAITING,
    *,
    net: int | None = None,
    stake: int = 1000,
    doubled: bool = False,
) -> HandView:
    dealt = tuple(cards.split())
    line = None if net is None else Line(0, "hand", stake, stake + net, Outcome.WIN)
    return HandView(dealt, 12, soft="A" in cards, stake=stake, state=state, doubled=doubled, result=line)


def table(*seats: SeatView, dealer: str = "9h ?", acting: tuple[int, int] | None = None) -> TablePicture:
    cards = tuple(None if card == "?" else card for card in dealer.split())
    shown = BlackjackView(RoundPhase.TURNS, DealerView(cards, 9, soft=False), seats, (), acting, turn=1)
    return TablePicture(shown, tuple(range(1, len(seats) + 1)))


def seat(*hands: HandView, insurance: int | None = None) -> SeatView:
    return SeatView(hands, insurance)


def pixels(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file)).convert("RGB")


ONE_AT_19 = seat(HandView(("Th", "9c"), 19, soft=False, stake=1000, state=HandState.ACTING))
ONE = table(seat(hand("As 6d", HandState.ACTING)), acting=(0, 0))
FULL = table(
    *(seat(*(hand("Th 9c 2d", stake=125_000, doubled=at == 2) for at in range(4))) for _ in range(7)), acting=(3, 2)
)

STATES = {
    "before the first deal": TablePicture(waiting=(1,), empty=(2, 3, 4, 5, 6, 7)),
    "stakes before the first deal": TablePicture(waiting=(1, 4), empty=(2, 3), staked=((1, 1000), (4, 1_000_000))),
    "nobody at all": TablePicture(),
    "one hand": ONE,
    "company coming": replace(ONE, waiting=(3,), empty=(2, 4, 5, 6, 7)),
    "natural": table(seat(hand("As Kd", HandState.NATURAL, net=1500)), dealer="9h Kc"),
    "bust": table(seat(hand("Ts 6d 9c", HandState.BUST, net=-1000)), dealer="9h Kc"),
    "surrendered": table(seat(hand("Ts 6d", HandState.SURRENDERED, net=-500)), dealer="9h Kc"),
    "push": table(seat(hand("Ts 9d", HandState.STANDING, net=0)), dealer="9h Kc"),
    "insurance": table(seat(hand("9s 2d"), insurance=500), seat(hand("Ts 2c"), insurance=0), seat(hand("5s 5d"))),
    "insurance refused beside three hands": table(
        seat(hand("8h 2h 7d"), hand("8d"), hand("8s"), insurance=0),
        *(seat(hand("7s Ad"), insurance=0) for _ in range(2)),
    ),
    "four hands": table(seat(*(hand(f"8{suit} 3c 9s") for suit in "shdc")), acting=(0, 2)),
    "a very long hand": table(seat(hand("As 2d Ac 2h 3c As 2s 3h 2d 3s")), dealer="2h As Ac 2d 3d 2c As 3s"),
    "two very long hands": table(seat(hand("As 2d Ac 2h 3c As 2s 3h 2d")), seat(hand("As 2d Ac 2h 3c As 2s 3h"))),
    "seven seats": table(*(seat(hand("Th 9c")) for _ in range(7))),
    "seven seats of four hands": FULL,
    "seven seats of four settled hands": table(
        *(seat(*(hand("Th 2c 2d 2s 5h", HandState.STANDING, net=-125_050) for _ in range(4))) for _ in range(7))
    ),
    "more than any table holds": table(
        *(seat(*(hand("As 2d Ac 2h 3c As 2s 3h 2d 3s") for _ in range(4))) for _ in range(7))
    ),
    "a seat without cards": table(seat(), seat(hand(""))),
    "a round without seats": table(),
}


@pytest.mark.parametrize("picture", STATES.values(), ids=STATES)
def test_every_state_is_one_picture_of_one_size(picture: TablePicture) -> None:
    file = render(picture)
    image = Image.open(BytesIO(file))
    assert (image.size, image.format) == (SIZE, FORMAT.upper())
    assert len(file) <= MOST_BYTES


@pytest.mark.parametrize("picture", STATES.values(), ids=STATES)
def test_the_same_input_gives_the_same_bytes(picture: TablePicture) -> None:
    assert render(picture) == render(picture)


def test_the_file_is_named_after_what_it_is() -> None:
    assert FILE_NAME.endswith(f".{FORMAT}")


def test_threads_draw_what_one_thread_draws() -> None:
    pictures = [*STATES.values()] * 3
    alone = [render(picture) for picture in pictures]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(render, pictures)) == alone


@pytest.mark.parametrize("height", HEIGHTS)
def test_all_cards_can_be_told_apart(height: int) -> None:
    """By far more than a shade: any two cards differ in more than 1 pixel of 250."""
    faces = {card: sprite(card, height).convert("RGB") for card in (*PACK, None)}
    for one, other in combinations(faces, 2):
        difference = ImageChops.difference(faces[one], faces[other]).convert("L")
        changed = sum(difference.histogram()[64:])
        assert changed > 0.004 * height * height * 0.7, (one, other)


def test_the_picture_is_the_same_whatever_lies_face_down() -> None:
    """Dealt by the game itself: Th 9c against 6h, and any card of the pack that nobody has seen."""
    rules = GAME.rule_sets["vegas"]
    dealt = [GAME.deal(rules, [{"main": 1000}], ("Th", "6h", "9c", hole, *PACK)) for hole in PACK]
    assert len({render(TablePicture(each.view(), (1,))) for each in dealt}) == 1


def test_turning_the_hole_card_is_seen() -> None:
    assert render(table(ONE_AT_19)) != render(table(ONE_AT_19, dealer="9h Kc"))


@pytest.mark.parametrize("name", GAME.rule_sets)
def test_every_step_of_a_round_has_its_picture(name: str) -> None:
    """Four seats that do whatever comes to mind."""
    mind = Random(name)
    rules = GAME.rule_sets[name]
    shoe = tuple(mind.sample(PACK * rules.decks, 52 * rules.decks))
    dealt = GAME.deal(rules, [{"main": 100}] * 4, shoe)
    while True:
        file = render(TablePicture(dealt.view(), (1, 3, 4, 7), waiting=(2,), empty=(5, 6)))
        assert len(file) <= MOST_BYTES
        assert Image.open(BytesIO(file)).size == SIZE
        if dealt.over:
            break
        asked = mind.choice(dealt.asked)
        dealt.apply(asked, mind.choice(dealt.legal(asked)))


@pytest.mark.parametrize("insurance", [None, 0, 500, 100_000_000])
def test_names_and_shields_stay_on_the_table_and_off_each_other(insurance: int | None) -> None:
    """Whoever splits into up to four hands, and however many sit beside them."""
    for seats, hands in product(range(1, 8), range(1, 5)):
        for wide in range(seats):
            sitting = (
                seat(*[hand("8d 3c 9s")] * (hands if at == wide else 1), insurance=insurance) for at in range(seats)
            )
            names = tuple((at, "W" * 32) for at in range(1, seats + 1))
            picture = replace(table(*sitting, dealer="Ad ?"), names=names)
            boxes = plates_of(picture)
            assert len(boxes) == seats * (1 if insurance is None else 2)
            assert min(left for left, *_ in boxes) >= 0, (seats, hands, wide)
            assert max(right for _, _, right, _ in boxes) <= SIZE[0], (seats, hands, wide)
            for one, other in combinations(boxes, 2):
                assert not _touch(one, other), (seats, hands, wide)


def plates_of(picture: TablePicture) -> list[Box]:
    """Return the boxes of the nameplates and of the shields beside them."""
    assert picture.view is not None
    columns = _columns(picture, picture.view)
    where = plan(2, tuple(tuple(len(hand.cards) for hand in column.hands) for column in columns))
    canvas = Canvas(felt(None))
    _plates(canvas, picture, columns, where)
    return [thing.box for thing in canvas.things]


def test_the_cards_of_a_hand_are_laid_no_wider_than_the_room_that_there_is() -> None:
    for cards, width, height in product(range(2, 13), range(60, 400, 20), (80, 160, 300)):
        room = fan(cards, Rect(0, 0, width, height), HEIGHTS[0]).box
        assert 0 <= room.x < room.right <= width, (cards, width, height)


def test_nobody_is_drawn_at_another_place_than_their_own() -> None:
    picture = replace(table(ONE_AT_19, ONE_AT_19), numbers=(5, 1), waiting=(7, 3))
    assert picture.view is not None
    assert [column.place for column in _columns(picture, picture.view)] == [1, 3, 5, 7]


CHANGES = {
    "another card": table(seat(hand("As 7d", HandState.ACTING)), acting=(0, 0)),
    "nobody's turn": table(seat(hand("As 6d", HandState.STANDING))),
    "another stake": table(seat(hand("As 6d", HandState.ACTING, stake=1100)), acting=(0, 0)),
    "doubled": table(seat(hand("As 6d", HandState.ACTING, doubled=True)), acting=(0, 0)),
    "insured": table(seat(hand("As 6d", HandState.ACTING), insurance=500), acting=(0, 0)),
    "declined": table(seat(hand("As 6d", HandState.ACTING), insurance=0), acting=(0, 0)),
    "another number": replace(ONE, numbers=(5,)),
    "a place taken": replace(ONE, waiting=(2,)),
    "won": table(seat(hand("As 6d", HandState.STANDING, net=1000))),
    "lost": table(seat(hand("As 6d", HandState.STANDING, net=-1000))),
    "even": table(seat(hand("As 6d", HandState.STANDING, net=0))),
    "over 21": table(seat(hand("As 6d", HandState.BUST))),
    "surrendered": table(seat(hand("As 6d", HandState.SURRENDERED))),
    "natural": table(seat(hand("As 6d", HandState.NATURAL))),
}


def test_whatever_happens_is_seen() -> None:
    files = [render(picture) for picture in (ONE, *CHANGES.values())]
    assert len(set(files)) == len(files)


# -- to be read by everybody -------------------------------------------------------------------------------------------


def _luminance(colour: Colour) -> float:
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("letters", "ground"),
    [
        (BLACK, CARD),
        (RED, CARD),
        (IVORY, INK),
        (IVORY, FELT_LIGHT),
        (IVORY, FELT_DARK),
        (INK, WON),
        (INK, EVEN),
        (IVORY, LOST),
    ],
)
def test_letters_stand_out_from_their_ground(letters: Colour, ground: Colour) -> None:
    assert _contrast(letters, ground) >= 4.5


def test_results_differ_in_shape_where_colours_look_alike() -> None:
    shapes = [pill(result(net)._replace(text=""), 40).convert("L").tobytes() for net in (1500, 0, -1500)]
    assert len(set(shapes)) == 3


def test_a_rank_is_seen_on_the_picture_in_its_own_colour() -> None:
    colours = pixels(render(ONE)).getcolors(maxcolors=2**24)
    assert colours is not None
    seen = {colour for _, colour in colours}
    assert {CARD, RED, BLACK} <= seen


def test_there_are_no_more_inks_than_a_png_holds() -> None:
    assert len(INKS) <= 256


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0"),
        (100, "1"),
        (750, "7.5"),
        (1005, "10.05"),
        (1_000_000, "10000"),
        (12_345_000, "123k"),
        (99_999_999, "1M"),
        (125_000_000, "1.25M"),
        (2**62, "46117T"),
    ],
)
def test_chips_are_put_briefly(cents: int, text: str) -> None:
    assert amount(cents) == text


def test_seat_numbers_look_different_when_free_taken_and_asked() -> None:
    looks = [
        number(3, 30, lit=lit, taken=taken).tobytes() for lit, taken in ((False, False), (False, True), (True, True))
    ]
    assert len(set(looks)) == 3
