"""The solver equals the engine's own rounds, played out card by card in tiny shoes, under every rule field."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.games.blackjack.actions import DECLINE
from engine.games.blackjack.players import choose
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import RANKS
from engine.solver import Position, decision
from engine.solver.hands import VALUE_OF
from engine.solver.levels import Habits
from engine.solver.solving import CHARTED, solved_deals, value_of
from engine.solver.whole import Against, PlayedOut, insured
from engine.solver.words import read_rules
from tests.engine.solver.brute import Brute

EXACT = {"rel": 0, "abs": 1e-12}

PLAIN = "vegas split=no"
NO_LOOK = "vegas split=no surrender=no dealer_looks=no"
RULES = [
    PLAIN,
    f"{PLAIN} dealer_draws=hits_soft_17",
    f"{PLAIN} dealer_draws=chases",
    f"{PLAIN} dealer_draws=chases ace=one_falls",
    f"{PLAIN} ace=one_falls",
    f"{PLAIN} double=no",
    f"{PLAIN} double=first_action",
    f"{PLAIN} swap=yes",
    f"{PLAIN} swap=yes double=no ace=one_falls",
    f"{PLAIN} insurance=no",
    NO_LOOK,
    f"{NO_LOOK} dealer_draws=hits_soft_17 made_21_against_natural=push",
    f"{NO_LOOK} dealer_draws=chases made_21_against_natural=push",
    f"{NO_LOOK} made_21_against_natural=wins",
    f"{NO_LOOK} made_21_against_natural=push swap=yes",
]


def rules_of(text: str) -> BlackjackRules:
    """`vegas dealer_draws=hits_soft_17`."""
    name, *changes = text.split()
    return read_rules(name, list(map(_spaced, changes)))


def _spaced(change: str) -> str:
    field, _, word = change.partition("=")
    return f"{field}={word.replace('_', ' ')}"


def shoe_of(text: str) -> Counter[str]:
    return Counter(text.split())


def unseen(left: Counter[str]) -> tuple[int, ...]:
    return tuple(left[rank] for rank in RANKS)


@pytest.mark.thinned
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("hand", "up", "left"),
    [
        ("T 6", "T", "A A 5 7 9 T T T T"),
        ("A 6", "A", "A 4 5 8 T T T T"),
        ("5 5", "6", "2 A 6 9 9 T T T"),
        ("8 8", "9", "A 3 5 8 T T T T"),
        ("A 2 4", "T", "A A 4 8 T T T T"),
        ("J Q", "A", "A A 5 6 J J K T"),
        ("A A", "A", "A 6 9 9 T T T T T"),
    ],
)
def test_without_splits_every_action_is_worth_its_optimum(rules: str, hand: str, up: str, left: str) -> None:
    ruled, shoe = rules_of(rules), shoe_of(left)
    brute = Brute(ruled)
    solved = decision(ruled, Position(tuple(hand.split()), up, unseen(shoe)))
    assert solved.actions == pytest.approx(brute.actions(brute.position(hand.split(), up, shoe)), **EXACT)
    assert solved.exact


NATURALS = [
    *(f"{PLAIN} natural_pays={pays}" for pays in ("3:2", "6:5", "1:1")),
    *(f"{PLAIN} natural_against_21={verdict}" for verdict in ("wins", "push", "loses")),
    *(f"{NO_LOOK} natural_against_natural={verdict}" for verdict in ("wins", "push", "loses")),
    f"{NO_LOOK} natural_against_21=push natural_pays=6:5 natural_against_natural=wins",
    f"{NO_LOOK} natural_against_21=loses dealer_draws=chases ace=one_falls",
]


@pytest.mark.parametrize("rules", NATURALS)
@pytest.mark.parametrize(("up", "left"), [("A", "A 5 7 9 T T T"), ("T", "A A 5 7 9 T T"), ("5", "A 5 6 9 T T T")])
def test_a_natural_is_worth_what_it_is_paid(rules: str, up: str, left: str) -> None:
    ruled, shoe = rules_of(rules), shoe_of(left)
    brute = Brute(ruled)
    worlds = brute.worlds(shoe, {0: "A", 1: up, 2: "T"})
    if ruled.insurance and up == "A":
        worlds = brute.after(worlds, DECLINE)
    met = [world for world in worlds if ruled.dealer_looks and world.round.dealer.is_21_in_two()]
    paid = [world for world in worlds if world not in met]
    solved = decision(ruled, Position(("A", "T"), up, unseen(shoe)))
    assert solved.actions["stand"] == pytest.approx(brute.value(paid) / sum(world.weight for world in paid), **EXACT)


SPLITS = [
    "vegas",
    "vegas split_hands=2",
    "vegas split_hands=3 dealer_draws=hits_soft_17",
    "vegas double=first_action",
    "vegas double=no split=equal_rank",
    "vegas split=equal_rank",
    "vegas split_aces=play_on",
    "vegas split_aces=play_on split_hands=3 ace=one_falls",
    "classic",
    "classic split_hands=3 made_21_against_natural=push",
    "classic split=equal_value split_hands=4 made_21_against_natural=wins",
]


@pytest.mark.thinned
@pytest.mark.parametrize("rules", SPLITS)
@pytest.mark.parametrize(
    ("hand", "up", "left"),
    [
        ("8 8", "6", "8 8 9 9 9 T T T T T T T T T T T T"),
        ("8 8", "T", "8 8 3 A T T T T T T T T T T T T"),
        ("6 6", "A", "6 6 9 9 9 9 9 9 T T T T T T T T T T"),
        ("T T", "A", "T J J A 9 9 9 9 9 9 9 9 9 9 9"),
        ("J Q", "7", "J K A 9 9 9 9 9 9 9 9 9 9 9"),
        ("J J", "T", "J J T A 9 9 9 9 9 9 9 9 9 9 9"),
        ("A A", "T", "A A 9 9 9 9 9 9 T T T T T T T T T T T"),
    ],
)
def test_a_split_is_worth_its_halves_played_as_the_unsplit_hand_and_split_again_only_where_that_is_best(
    rules: str, hand: str, up: str, left: str
) -> None:
    ruled, shoe = rules_of(rules), shoe_of(left)
    brute = Brute(ruled)
    pair = hand.split()
    worlds = brute.position(pair, up, shoe)
    solved = decision(ruled, Position(tuple(pair), up, unseen(shoe)))
    assert ("split" in solved.actions) is ("split" in worlds[0].round.legal(0))
    if "split" in solved.actions:
        assert solved.actions["split"] == pytest.approx(brute.split(worlds, up, shoe + Counter(pair[1:])), **EXACT)


# -- whole games -------------------------------------------------------------------------------------------------------

#: Cards that no round can use up, and few enough to play every order of them.
WHOLE_SHOE = "A A 5 8 8 T T J J Q"


@pytest.mark.thinned
@pytest.mark.parametrize(
    "rules", [PLAIN, f"{PLAIN} natural_against_21=push dealer_draws=hits_soft_17", NO_LOOK, "original", "kitchen"]
)
def test_a_whole_game_is_worth_its_optimum_insurance_included(rules: str) -> None:
    ruled, shoe = rules_of(rules), shoe_of(WHOLE_SHOE)
    ranks = unseen(shoe)
    solved = [pair for up in range(10) if ranks[up] or up == 9 for pair in solved_deals(ruled, ranks, up)]
    brute = Brute(ruled)
    assert value_of(solved) + insured(ruled, ranks) == pytest.approx(brute.value(brute.worlds(shoe)), **EXACT)


@pytest.mark.thinned
@pytest.mark.parametrize("level", CHARTED)
@pytest.mark.parametrize("rules", ["vegas", "classic", "original", "kitchen", "ctrl-alt-bet"])
def test_a_level_is_worth_what_its_players_win(level: str, rules: str) -> None:
    ruled, shoe = rules_of(rules), shoe_of("A A 2 2 8 8 9 9 9 T T J J")
    up = {"vegas": "9", "classic": "A"}.get(rules, "8")
    brute = Brute(ruled)
    worlds = brute.worlds(shoe - Counter([up]), {1: up})
    against = Against(ruled, unseen(shoe), VALUE_OF[up])
    habits = Habits(ruled, level, against.up)
    playing = PlayedOut(against, habits)
    value = sum(deal.chance * playing.worth(deal, habits.first(deal)) for deal in against.deals())
    played = brute.value(worlds, lambda round: choose(level, round, 0))
    assert value / against.up_chance == pytest.approx(played, **EXACT)


# -- at a table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", ["vegas", "vegas double=first_action", "classic split_hands=4", "vegas split_aces=play_on"]
)
def test_a_half_is_valued_for_itself(rules: str) -> None:
    """Its siblings are seen, and what becomes of them is not its matter."""
    ruled, shoe = rules_of(rules), shoe_of("8 3 9 T T T T T T T T T T T")
    brute = Brute(ruled)
    split = brute.after(brute.position("88", "6", shoe + Counter("38")), "split")
    first = [world for world in split if world.round.hands[0][0].cards[1][0] == "3"]
    second = [world for world in brute.after(first, "stand") if world.round.hands[0][1].cards[1][0] == "8"]
    position = Position.of_round(second[0].round, 0)
    assert (position.hand, position.hands, position.from_split) == (("8", "8"), 2, True)
    solved = decision(ruled, replace(position, unseen=unseen(shoe)))
    worths = brute.actions(second)
    sibling = worths["stand"] - solved.actions["stand"]
    for action in solved.actions.keys() - {"split"}:
        assert solved.actions[action] + sibling == pytest.approx(worths[action], **EXACT)
    if "split" in solved.actions:
        again = brute.split(second, "6", shoe + Counter("8"))
        assert solved.actions["split"] + sibling == pytest.approx(again, **EXACT)
    alone = decision(ruled, Position(("8", "3"), "6", unseen(shoe), from_split=True, hands=2))
    assert sibling == pytest.approx(alone.actions["stand"], **EXACT)


def test_a_purse_that_is_spent_on_the_split_pays_for_nothing_after_it() -> None:
    ruled, shoe = (
        rules_of("vegas"),
        shoe_of("8 8 3 3 9 T T T T T T T T T T T"),
    )
    brute = Brute(ruled)
    worlds = brute.position("88", "6", shoe)
    halves = brute.halves("6", shoe + Counter("8"), purse=0)
    value = brute.value(brute.after(worlds, "split"), halves) / sum(world.weight for world in worlds)
    pair = Position(("8", "8"), "6", unseen(shoe))
    poor = {stakes: decision(ruled, replace(pair, stakes=stakes)) for stakes in (0, 1, 2, 6, 7)}
    assert poor[1].actions["split"] == pytest.approx(value, **EXACT)
    assert {stakes: solved.exact for stakes, solved in poor.items()} == {0: True, 1: True, 2: False, 6: False, 7: True}
    assert not poor[0].actions.keys() & {"split", "double"}


@pytest.mark.parametrize("rules", ["kitchen", "kitchen ace=normal", "kitchen dealer_looks=no double=first_two_cards"])
@pytest.mark.parametrize(("other", "mine"), [("T 3", "9 2"), ("9 5", "A 2"), ("T 7", "8 5")])
def test_a_chase_looks_at_what_stands_beside_the_hand(rules: str, other: str, mine: str) -> None:
    ruled, shoe = rules_of(rules), shoe_of("A 2 5 6 7 9 T T T")
    brute = Brute(replace(ruled, most_seats=2), seats=2)
    (first, second), (third, fourth) = other.split(), mine.split()
    worlds = brute.worlds(shoe, {0: first, 1: third, 2: "6", 3: second, 4: fourth})
    stood = brute.after(worlds, "stand")
    position = Position.of_round(stood[0].round, 1)
    assert (position.standing, position.others_to_play) == (stood[0].round.hands[0][0].worth.total, False)
    solved = decision(ruled, replace(position, unseen=unseen(shoe)))
    assert solved.actions == pytest.approx(brute.actions(stood), **EXACT)
    assert solved.exact
    assert not decision(ruled, replace(position, unseen=unseen(shoe), others_to_play=True)).exact
