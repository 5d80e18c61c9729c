"""Best play of the same cards: exact ends on shoes that are laid out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import solver
from engine.coach.best_play import BestEnd, HowWouldBestPlayEnd
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules, DealerCards
from engine.games.contract import BOTTOMLESS, CHIP, Step
from tests.cards import LaidOut

VEGAS = RULE_SETS["vegas"]
FAR = replace(VEGAS, dealer_cards=DealerCards.FROM_FAR_END)


def ended(
    cards: str, *actions: str, rules: BlackjackRules = VEGAS, seats: int = 1, seat: int = 0, purse: int = BOTTOMLESS,
) -> BestEnd | None:  # fmt: skip
    """What best play makes of these cards with a stake of ten chips. Actions of other seats begin with their number."""
    shuffle = LaidOut()
    shuffle.lay(cards)
    steps = [Step(int(taken[0]), taken[1:]) if taken[0].isdigit() else Step(seat, taken) for taken in actions]
    stakes = ({"main": 10 * CHIP},) * seats
    shoe = tuple(shuffle(b"seed", [], rules.decks))
    return HowWouldBestPlayEnd(rules, stakes, tuple(steps), shoe, seat, purse).answer()


@pytest.mark.parametrize(
    ("cards", "actions", "chips", "differs"),
    [
        ("T 6 / 6 T | K", ["stand"], 10, False),
        ("T 6 / 6 T | 5 K", ["stand"], -10, False),  # the dealer draws to 21
        ("T 6 / 6 T | 5 K", ["hit"], -10, True),  # the worse play has won here
        ("T 6 / 6 T | K 5", ["hit"], 10, True),
        ("6 5 / 6 T | T 9", ["hit"], 20, True),  # eleven is doubled
        ("8 8 / 6 T | 3 T T K", ["stand"], 30, True),  # split; eleven is doubled, and eighteen stands
        ("A K / 6 T", [], 15, False),  # nobody decides a natural
        ("9 7 / A K", ["insure"], -10, True),
        ("9 7 / A K", ["decline"], -10, False),
        ("T 6 / 6 T | K", ["time"], 10, False),  # silence stands
        ("T 2 / T T | 9", ["time"], 10, True),
        ("T 2 / A 6 | 9", ["time", "hit"], 10, False),  # silence declines insurance, and the seat plays on (R0.5)
    ],
)
def test_what_best_play_makes_of_the_same_cards(cards: str, actions: list[str], chips: int, *, differs: bool) -> None:
    assert ended(cards, *actions) == BestEnd(chips * CHIP, differs=differs)


def test_from_the_far_end_the_dealer_has_the_same_cards_whatever_a_player_takes() -> None:
    """The player who hit sixteen took a five.

    Best play stands; only where the dealer draws in order, he then takes that five.
    """
    assert ended("T 6 // 6 T 9 | 5", "hit", rules=FAR) == BestEnd(10 * CHIP, differs=True)
    assert ended("T 6 / 6 T | 5 9", "hit") == BestEnd(-10 * CHIP, differs=True)


def test_what_could_not_be_paid_is_not_played() -> None:
    assert ended("6 5 / 6 T | T 9", "hit", purse=10 * CHIP) == BestEnd(20 * CHIP, differs=True)
    assert ended("6 5 / 6 T | T 9", "hit", purse=10 * CHIP - 1) == BestEnd(10 * CHIP, differs=False)


def test_a_second_bet_leaves_less_for_a_third() -> None:
    """The purse pays for the split, and the eleven that comes of it is hit."""
    cards = "8 8 / 6 T | 3 T T K"
    assert ended(cards, "stand", purse=20 * CHIP) == BestEnd(30 * CHIP, differs=True)
    assert ended(cards, "stand", purse=19 * CHIP) == BestEnd(20 * CHIP, differs=True)


def test_the_others_play_as_they_did_as_far_as_their_cards_let_them() -> None:
    assert ended("T 2, 6 5 / 6 T | T 9 8", "0hit", "hit", "stand", seats=2, seat=1) == BestEnd(20 * CHIP, differs=True)
    # sixteen stands, so the neighbour's eleven becomes 21 at once, and asks for no second card
    assert ended("T 6, 6 5 / 6 T | T 9 K", "hit", "1hit", "1stand", seats=2) == BestEnd(10 * CHIP, differs=True)


def test_r0_5_another_seat_that_missed_insurance_still_takes_its_cards() -> None:
    """The neighbour hits twelve and takes the nine, so the dealer draws the seven: 20 against 19."""
    steps = ["0time", "decline", "0hit", "stand"]
    assert ended("T 2, T 9 / A 2 | 9 7", *steps, seats=2, seat=1) == BestEnd(-10 * CHIP, differs=False)


def test_rules_that_nobody_has_worked_out_have_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_asked: object) -> None:
        raise solver.UnknownRule("no")

    monkeypatch.setattr(solver, "decision", unknown)
    assert ended("T 6 / 6 T", "stand") is None
