"""A position is what a seat can see of a round: nothing more, and nothing of it missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.blackjack.notation import round_of
from engine.games.blackjack.rule_sets import RULE_SETS, VEGAS
from engine.games.cards import RANKS
from engine.games.contract import CHIP
from engine.solver import BadPosition, Position, decision


def position(text: str, seat: int = 0, purse: int | None = None) -> Position:
    round = round_of(text)
    return Position.of_round(round, seat) if purse is None else Position.of_round(round, seat, purse * CHIP)


def seen(position: Position, decks: int) -> str:
    """The cards that are not unseen."""
    return "".join(rank * (4 * decks - count) for rank, count in zip(RANKS, position.unseen, strict=True))


def test_all_open_cards_are_seen_and_the_hole_card_is_not() -> None:
    at = position("vegas  stake 10  |  T 6, 9 9, 5 5 / 6 ?  |  1: hit 2  |  stand", seat=1)
    assert (at.hand, at.up, at.hands) == (("9", "9"), "6", 1)
    assert seen(at, 6) == "2556699T"
    assert sum(at.unseen) == 312 - 8


def test_a_card_that_was_swapped_away_stays_seen() -> None:
    at = position("original  stake 10  |  8 8 / 9 ?  |  swap 3")
    assert (at.hand, at.swapped) == (("8", "3"), True)
    assert seen(at, 6) == "3889"
    assert decision(RULE_SETS["original"], at).actions.keys() == {"stand", "hit"}


def test_a_half_sees_its_siblings_and_how_many_they_are() -> None:
    at = position("vegas  stake 10  |  8 8 / 9 ?  |  split 8  |  split 3  |  stand 5")
    assert (at.hand, at.hands, at.from_split) == (("8", "5"), 3, True)
    assert seen(at, 6) == "358889"
    assert "surrender" not in decision(VEGAS, at).actions


@pytest.mark.parametrize(
    ("purse", "actions"),
    [(9, "stand hit surrender"), (10, "stand hit double split surrender"), (None, "stand hit double split surrender")],
)
def test_what_the_purse_cannot_pay_is_no_action(purse: int | None, actions: str) -> None:
    at = position("vegas  stake 10  |  8 8 / 9 ?", purse=purse)
    assert decision(VEGAS, at).actions.keys() == set(actions.split())


def test_insurance_is_asked_of_every_seat_from_the_same_cards() -> None:
    for seat in (0, 1):
        at = position("vegas  stake 10  |  T 6, 9 9 / A ?", seat=seat)
        assert decision(VEGAS, at).insurance == pytest.approx((3 * 95 / 307 - 1) / 2)


def test_a_chase_counts_those_who_stand_and_takes_those_who_wait_to_stand() -> None:
    first = position("kitchen  stake 10  |  T 6, 9 3 / 6 ?", seat=0)
    assert (first.standing, first.others_to_play) == (12, True)
    second = position("kitchen  stake 10  |  T 6, 9 3 / 6 ?  |  stand", seat=1)
    assert (second.standing, second.others_to_play) == (16, False)
    busted = position("kitchen  stake 10  |  T 6, 9 3 / 6 ?  |  hit K", seat=1)
    assert (busted.standing, busted.others_to_play) == (0, False)
    assert not decision(RULE_SETS["kitchen"], first).exact
    assert decision(RULE_SETS["kitchen"], second).exact


@pytest.mark.parametrize(
    ("hand", "unseen", "says"),
    [
        (("A",), (4,) * 13, "two cards or more"),
        (("9", "9", "9"), (4,) * 13, "over 21"),
        (("1", "9"), (4,) * 13, "cards are ranks"),
        (("8", "9"), (4,) * 12, "cards are ranks"),
        (("8", "9"), (4,) * 12 + (-1,), "no count is less than none"),
        (("2", "3"), (3,) + (0,) * 12, "too few cards"),
    ],
)
def test_positions_that_cannot_be_are_refused(hand: tuple[str, ...], unseen: tuple[int, ...], says: str) -> None:
    with pytest.raises(BadPosition, match=says):
        decision(VEGAS, Position(hand, "6", unseen))


def test_where_twos_alone_are_left_a_swapped_ten_draws_five_and_too_few_remain_for_the_dealer() -> None:
    tens = Position(("T", "T"), "T", (0, 8) + (0,) * 11)
    with pytest.raises(BadPosition, match="too few cards"):
        decision(RULE_SETS["original"], tens)
    assert decision(RULE_SETS["original"], replace(tens, swapped=True)).actions.keys() == {"stand", "hit"}
    assert "swap" in decision(RULE_SETS["original"], replace(tens, unseen=(0, 10) + (0,) * 11)).actions


def test_positions_that_are_worth_the_same_are_worked_out_once() -> None:
    shoe = (20,) * 13
    first = decision(VEGAS, Position(("T", "6"), "9", shoe, stakes=9))
    assert decision(VEGAS, Position(("6", "T"), "9", shoe, standing=18, others_to_play=True)) is first


@pytest.mark.parametrize("stakes", [1, 2, 3])
def test_aces_that_get_one_card_each_cost_one_stake_and_are_exact_for_every_purse(stakes: int) -> None:
    rich = decision(VEGAS, Position.fresh(VEGAS, ("A", "A"), "6"))
    poor = decision(VEGAS, replace(Position.fresh(VEGAS, ("A", "A"), "6"), stakes=stakes))
    assert (poor.exact, poor.actions) == (True, rich.actions)
    assert not decision(VEGAS, replace(Position.fresh(VEGAS, ("8", "8"), "6"), stakes=2)).exact


def test_eights_may_cost_three_further_hands_and_a_double_on_each_of_four() -> None:
    eights = Position.fresh(VEGAS, ("8", "8"), "6")
    assert [decision(VEGAS, replace(eights, stakes=stakes)).exact for stakes in (6, 7)] == [False, True]
