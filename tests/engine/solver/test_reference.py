"""The solver beside values that others published: hand by hand, and for whole games."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from engine.games.blackjack.rule_sets import VEGAS
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import Position, decision, game, whole
from engine.solver.hands import VALUE_OF
from engine.solver.levels import Habits
from engine.solver.solving import value_of
from engine.solver.styles import Best
from engine.solver.words import read_rules

REFERENCE = Path(__file__).with_name("reference")
RANKS = {1: "A", 10: "T", **{number: str(number) for number in range(2, 10)}}


def rows(decks: int) -> Iterator[tuple[tuple[int, int], int, dict[str, float]]]:
    with (REFERENCE / f"ev_{decks}D_S17_DAS_SPL3_NRSA_peek_CDZ.csv").open(newline="") as file:
        head = file.readline()
        assert head.startswith("# EV in units of the initial bet")
        for row in csv.DictReader(file):
            values = {play: float(row[play]) for play in ("stand", "hit", "double", "split") if row[play]}
            yield (int(row["card1"]), int(row["card2"])), int(row["up"]), values


class AllTheWay(Best):
    """Halves that are pairs are split again, well or ill: what published tables say of a split."""

    def splits_again(self, split: float, unsplit: float) -> bool:
        return True


def all_the_way(rules: BlackjackRules) -> list[tuple[whole.StartingHand, dict[str, float]]]:
    """Every deal of the game, with the values that the convention of the published tables gives."""
    return [
        (deal, playing.worths(deal))
        for up in range(10)
        for playing in [whole.PlayedOut(whole.Against(rules, whole.shoe(rules), up), AllTheWay(rules))]
        for deal in playing.against.deals()
    ]


@cache
def deals(rules: BlackjackRules) -> dict[tuple[tuple[int, int], int], tuple[whole.StartingHand, dict[str, float]]]:
    solved = all_the_way(rules)
    return {((deal.cards[0] + 1, deal.cards[1] + 1), deal.up + 1): (deal, worths) for deal, worths in solved}


@pytest.mark.parametrize("decks", [1, 6])
def test_every_hand_of_the_reference_is_worth_what_it_says(decks: int) -> None:
    rules = read_rules("vegas", [f"decks={decks}"])
    solved = deals(rules)
    seen = 0
    for cards, up, values in rows(decks):
        deal, worths = solved[cards, up]
        found = {play: (worth - deal.ended) / deal.alive for play, worth in worths.items()}
        if deal.natural:
            found = dict(decision(rules, Position.fresh(rules, ("A", "T"), RANKS[up])).actions)
        for play, value in values.items():
            assert found[play] == pytest.approx(value, abs=1e-6), (cards, up, play)
            seen += 1
    assert seen == 1750


@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("up", [1, 6, 10])
def test_a_decision_agrees_with_the_reference_on_pairs(decks: int, up: int) -> None:
    rules = read_rules("vegas", [f"decks={decks}"])
    for cards, column, values in rows(decks):
        if column == up and cards[0] == cards[1]:
            solved = decision(rules, Position.fresh(rules, [RANKS[card] for card in cards], RANKS[up]))
            for play, value in values.items():
                if play != "split" or solved.best == "split":
                    assert solved.actions[play] == pytest.approx(value, abs=1e-6), (cards, up, play)
                else:  # charged with no more than there, but for what pair cards gone say of one deck
                    assert solved.actions[play] > value - 5e-4, (cards, up)


@pytest.mark.parametrize(("up", "loss"), [("T", 0.5071), ("6", 0.1361)])
def test_splitting_tens_is_charged_with_one_split_and_not_with_those_that_need_not_follow(up: str, loss: float) -> None:
    """A player who splits once and never again loses no more than this, whatever the published convention says."""
    solved = decision(VEGAS, Position.fresh(VEGAS, ("T", "T"), up))
    once = decision(read_rules("vegas", ["split_hands=2"]), Position.fresh(VEGAS, ("T", "T"), up))
    assert solved.loss("split") == pytest.approx(loss, abs=1e-4)
    assert solved.actions["split"] == once.actions["split"]


@pytest.mark.thinned
@pytest.mark.parametrize(
    "changes", [[], ["decks=1"], ["double=first action"], ["split_aces=play on"], ["surrender=no"]]
)
@pytest.mark.parametrize("name", ["vegas", "classic"])
def test_no_game_is_worth_more_or_less_because_bad_pairs_are_not_split_again(name: str, changes: list[str]) -> None:
    if name == "classic":
        changes = ["split_hands=4", *(change for change in changes if change != "surrender=no")]
    rules = read_rules(name, changes)
    assert value_of(all_the_way(rules)) + whole.insured(rules, whole.shoe(rules)) == game(rules).value


@pytest.mark.parametrize(
    ("changes", "percent"),
    [
        (["decks=1", "surrender=no"], 0.181934),
        (["surrender=no"], -0.402870),
        ([], -0.330268),
        (["decks=8", "dealer_draws=hits soft 17", "surrender=no"], -0.644554),
    ],
)
def test_whole_games_are_worth_what_is_published(changes: list[str], percent: float) -> None:
    solved = game(read_rules("vegas", changes))
    assert solved.value == pytest.approx(percent / 100, abs=1e-8)
    assert solved.exact
    assert solved.split_convention == "CDZ-"


def test_a_table_of_seven_seats_is_one_players_game() -> None:
    assert game(VEGAS).value == game(read_rules("vegas", ["turns=rotating", "most_seats=3"])).value


class Published(Habits):
    """The chart of the books, which differs from our expert's in two cells."""

    def _asked(self, cards: Sequence[int], *, hands: int = 1, swapped: bool = False) -> str:
        hard = sum(card + 1 for card in cards) if len(cards) == 2 and 0 not in cards and cards[0] != cards[1] else 0
        if (hard, self.up) in {(9, 5), (10, 9)}:
            return "double" if hard == 9 else "hit"
        return super()._asked(cards, hands=hands, swapped=swapped)


def test_the_published_chart_played_to_the_letter_is_worth_what_is_published() -> None:
    rules = read_rules("vegas", ["surrender=no"])
    value = 0.0
    for up in range(10):
        chart = Published(rules, "expert", up)
        against = whole.Against(rules, whole.shoe(rules), up)
        playing = whole.PlayedOut(against, chart)
        value += sum(deal.chance * playing.worth(deal, chart.first(deal)) for deal in against.deals())
    assert value == pytest.approx(-0.00405922, abs=1e-8)


#: 17, 18, 19, 20, 21, natural, bust, by up card: the Wizard of Odds' appendix 2b, one deck, all 17s stood on.
DEALER = {
    "A": (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654),
    "2": (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973),
    "3": (0.130313, 0.130946, 0.123761, 0.123345, 0.116047, 0, 0.375588),
    "4": (0.130973, 0.114163, 0.120679, 0.116286, 0.115096, 0, 0.402803),
    "5": (0.119687, 0.123483, 0.116909, 0.104694, 0.106321, 0, 0.428905),
    "6": (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823),
    "7": (0.372345, 0.138583, 0.0773344, 0.0788967, 0.072987, 0, 0.259854),
    "8": (0.130857, 0.362989, 0.129445, 0.0682898, 0.0697914, 0, 0.238627),
}


@pytest.mark.parametrize("up", DEALER)
def test_the_dealers_totals_are_the_published_ones(up: str) -> None:
    """With no card seen but his own: what a hand of none has before it."""
    rules = read_rules("vegas", ["decks=1", "surrender=no", "dealer_looks=no"])
    outlook = whole.Against(rules, whole.shoe(rules), VALUE_OF[up]).outlook
    totals, natural = outlook.totals[17:, 0].tolist(), float(outlook.natural[0])
    found = (*totals, natural, 1 - sum(totals) - natural)
    assert found == pytest.approx(DEALER[up], abs=1e-6)


@pytest.mark.parametrize(
    ("name", "changes", "value"),
    [
        ("vegas", ["decks=1", "double=first action"], 0.000423),
        ("vegas", ["decks=2", "dealer_draws=hits soft 17"], -0.003797),
        ("vegas", ["decks=2", "dealer_draws=hits soft 17", "double=first action"], -0.005252),
        ("vegas", ["dealer_looks=no", "dealer_draws=hits soft 17"], -0.0072705),
        ("vegas", ["dealer_looks=no", "dealer_draws=hits soft 17", "double=first action"], -0.0086975),
    ],
)
def test_whole_games_come_close_to_an_author_who_plays_halves_otherwise(
    name: str, changes: list[str], value: float
) -> None:
    """The Wizard of Odds' appendix 9 lets a half know how many pair cards went."""
    assert game(read_rules(name, ["surrender=no", *changes])).value == pytest.approx(value, abs=2e-5)
