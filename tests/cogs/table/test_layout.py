"""The largest table there can be, within what Discord takes."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from discord import ui
from PIL import ImageFont
from pymupdf_fonts.NotoSans_Bold import fontbuffer

from cogs.blackjack.page import action_rows, page_of
from cogs.elimination.page import page_of as page_of_elimination
from cogs.table import components
from cogs.table.keys import KeyRows
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT
from cogs.table.play import TableButton
from cogs.table.presentation import presented
from cogs.words import LANGUAGES, Reader, reading, speaking
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, RoundPhase, SeatView
from engine.games.cards import PACK
from engine.games.contract import Line, Outcome, Settlement
from engine.tables.snapshot import GameSnapshot, SealsShown, Sitter, Snapshot, TablePhase

from ..pages import blackjack, elimination
from ..pages.test_golden import TABLES

USER = 1_234_567_890_123_456_789
FORTUNE = 10**12

#: The most cards that a hand of 21 takes from six decks, when all hands do.
LONG_HAND = ("Ah", "As", "2d", "2c", "2h", "3s", "3d", "3c", "4h")
WORST = Line(0, "hand", FORTUNE, 0, Outcome.DEALER_NATURAL)

SEALS = SealsShown(
    code="ffffffff-1000", next_code="ffffffff-1000", hash="f" * 64, promise="https://discord.com/channels/" + "9" * 60
)


def hand(result: Line | None, state: HandState) -> HandView:
    return HandView(LONG_HAND, 21, soft=True, stake=FORTUNE, state=state, doubled=True, result=result)


def seat(*, over: bool) -> SeatView:
    one = hand(WORST if over else None, HandState.STANDING)
    insured = Line(0, "insurance", FORTUNE, 0, Outcome.INSURANCE_LOST) if over else None
    return SeatView((one,) * 4, insurance=FORTUNE, insurance_result=insured)


def crowded(*, over: bool) -> Snapshot:
    dealer = DealerView(LONG_HAND, 21, soft=True, natural=over)
    view = BlackjackView(
        RoundPhase.OVER if over else RoundPhase.TURNS,
        dealer,
        tuple(seat(over=over) for _ in range(7)),
        () if over else (0,),
        None if over else (6, 3),
        99,
    )
    sitters = tuple(
        Sitter(place, USER + place, place, balance=FORTUNE, last_stakes={"main": FORTUNE}, seat=place - 1)
        for place in range(1, 8)
    )
    return GameSnapshot(
        table=2**63 - 1, guild=USER, channel=USER, message=USER, version=1, game="blackjack",
        rules_name="a-name-of-thirty-two-characters-", rules=RULE_SETS["vegas"], solo=False, opener=USER,
        phase=TablePhase.BETTING if over else TablePhase.PLAYING, round=999_999_999, sitters=sitters, view=view,
        legal=() if over else (("hit", "stand"),) * 7, turn=999_999_999, deadline=4e9,
        settlement=Settlement(tuple(Line(n, "hand", FORTUNE, 0, Outcome.DEALER_NATURAL) for n in range(7)))
        if over else None,
        seals=SEALS,
    )  # fmt: skip


def parts(tree: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for top in tree for part in (top, *parts(top.get("components", [])))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("over", [False, True])
def test_seven_seats_of_four_hands_fit_one_message(over: bool, language: str) -> None:  # noqa: FBT001
    snapshot = crowded(over=over)
    with speaking(language):
        view = components.build(page_of(snapshot), snapshot)
    sent = parts(view.to_components())
    assert len(sent) <= 40
    assert view.content_length() <= TEXT_LIMIT
    text = "".join(part["content"] for part in sent if part["type"] == 10)
    assert text.count("**21**") == 29, "every hand and the dealer are told"
    assert all(len(part["custom_id"]) <= 100 for part in sent if "custom_id" in part)


@pytest.mark.parametrize("over", [False, True])
def test_the_picture_of_a_full_table_is_told_within_the_alt_texts_limit(over: bool) -> None:  # noqa: FBT001
    picture = page_of(crowded(over=over)).picture
    assert picture is not None
    assert len(picture.alt) <= ALT_LIMIT
    assert "Seat 7" in picture.alt


def test_the_same_snapshot_gives_the_same_page() -> None:
    first, second = page_of(crowded(over=True)), page_of(crowded(over=True))
    assert first.picture is not None
    assert second.picture is not None
    assert (first.headline, first.groups, first.rows) == (second.headline, second.groups, second.rows)
    assert first.picture.key == second.picture.key


#: The widths on a phone of 390 points: of a row of a message, and of a key besides its letters.
PHONE, ROUND_A_LABEL, BETWEEN = 285, 24, 8
#: Wider than Discord's own.
LETTERS = ImageFont.truetype(BytesIO(fontbuffer), 14)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TABLES)
def test_no_row_of_keys_wraps_on_a_phone(kind: str, language: str) -> None:
    with speaking(language):
        for seen in TABLES[kind].values():
            for row in presented(seen).page_of(seen).rows:
                labels = [button_label(TableButton.of(1, key)) for key in row]
                taken = sum(ROUND_A_LABEL + LETTERS.getlength(label) for label in labels) + BETWEEN * (len(row) - 1)
                assert taken <= PHONE or len(row) == 1, labels


def button_label(button: TableButton) -> str:
    assert isinstance(button.item, ui.Button)
    return button.item.label or ""


def test_a_large_price_takes_a_row_of_its_own_and_no_key_moves_when_it_goes() -> None:
    seen = TABLES["blackjack"]["a pair that may be split"]
    large = replace(
        seen,
        view=replace(seen.view, seats=(replace(seen.view.seats[0], hands=(replace(one_hand(seen), stake=10**8),)),)),
    )
    priced, plain = (action_rows(replace(large, costs=costs)) for costs in ({"double": 10**8, "split": 10**8}, {}))
    assert words(priced) == words(plain)
    assert [len(row) for row in priced] == [2, 1, 1, 1]


def test_no_key_moves_with_the_turn_from_a_large_stake_to_a_small_one() -> None:
    seen = TABLES["blackjack"]["a pair that may be split"]
    (first, *others), hand = seen.view.seats, one_hand(seen)
    large = replace(first, hands=(replace(hand, stake=10**8),))
    seats = replace(seen, view=replace(seen.view, seats=(large, first, *others)))
    priced, plain = (
        action_rows(replace(seats, costs=costs))
        for costs in ({"double": 10**8, "split": 10**8}, {"double": hand.stake})
    )
    assert words(priced) == words(plain)


@pytest.mark.parametrize("budget", [20_000, 10**6])
def test_no_key_of_a_large_elimination_table_moves_when_its_stakes_are_offered(budget: int) -> None:
    tables = (elimination.asked(elimination.begun(budget=budget), seat) for seat in (0, 1))
    offered, waiting = (page_of_elimination(elimination.seen(table)).rows for table in tables)
    assert (bool(offered[0][0].amount), bool(waiting[0][0].amount)) == (True, False)
    assert words(offered) == words(waiting)


def one_hand(seen: Snapshot) -> HandView:
    return next(hand for seat in seen.view.seats for hand in seat.hands)


def test_a_full_table_of_cards_as_emoji_still_fits_one_message() -> None:
    """Each takes forty letters of a text that has room for four thousand."""
    tags = dict.fromkeys((*PACK, None), f"<:10_diamonds_000000:{2**63}>")
    snapshot = crowded(over=False)
    with reading(Reader(cards=tags)):
        assert components.build(page_of(snapshot), snapshot).content_length() <= TEXT_LIMIT
        few = TABLES["blackjack"]["the first two cards"]
        assert "<:10_diamonds" in "\n".join(line for group in page_of(few).groups for line in group)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_costs_more_chips_stands_below_what_does_not(language: str) -> None:
    twelve_and_a_half = blackjack.dealt("vegas stake 25 | 8 8 / 6 ?")
    with speaking(language):
        free, dear = ["hit", "stand"], ["double", "split"]
        # "Aufgeben +12,50" has no room beside the others
        assert words(action_rows(twelve_and_a_half)) in ([[*free, "surrender"], dear], [free, dear, ["surrender"]])
        assert words(action_rows(TABLES["blackjack"]["a swap is offered"])) == [["hit", "stand"], ["double", "swap"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_small_stakes_of_a_usual_elimination_table_stand_above_the_large_ones(language: str) -> None:
    usual = elimination.seen(elimination.asked(elimination.begun(budget=1_000), 0))
    with speaking(language):
        assert words(presented(usual).page_of(usual).rows)[:2] == [["smallest", "twice"], ["half", "all-in", "other"]]


def words(rows: KeyRows) -> list[list[str]]:
    return [[key.cap.word for key in row] for row in rows]
