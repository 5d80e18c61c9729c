"""The solver beside values that others published: hand by hand, and for whole games."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from engine.games.blackjack.rule_sets import VEGAS
from engine.games.blackjack.rules import Rules
from engine.solver import Position, decision, game, whole
from engine.solver.levels import Habits
from engine.solver.solving import solved_deals
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


@cache
def deals(rules: Rules) -> dict[tuple[tuple[int, int], int], tuple[whole.Deal, dict[str, float]]]:
    solved = [pair for up in range(10) for pair in solved_deals(rules, whole.shoe(rules), up)]
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
                assert solved.actions[play] == pytest.approx(value, abs=1e-6), (cards, up, play)


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
        playing = whole.Playing(against, chart)
        value += sum(deal.chance * playing.worth(deal, chart.first(deal)) for deal in against.deals())
    assert value == pytest.approx(-0.00405922, abs=1e-8)
