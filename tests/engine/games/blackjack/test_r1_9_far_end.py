"""R1.9: the dealer's cards come from the far end of the shoe, and nothing else changes."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import solver
from engine.fairness import shoe
from engine.games.blackjack.notation import play, positions
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules, DealerCards
from engine.games.cards import PACK, RANKS, Card

FAR = DealerCards.FROM_FAR_END
BOTH = tuple(DealerCards)


def played(rules: BlackjackRules, cards: object, chance: random.Random, seats: int = 1) -> BlackjackRound:
    round = BlackjackRound(rules, [{"main": rules.fixed_stake or 1000}] * seats, cards)  # type: ignore[arg-type]
    while round.asked:
        seat = chance.choice(round.asked)
        round.apply(seat, chance.choice(round.legal(seat)))
    return round


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULE_SETS)))
def test_r1_9_the_dealers_cards_are_the_last_ones_whatever_players_take(seed: int, name: str) -> None:
    rules, cards = replace(RULE_SETS[name], dealer_cards=FAR), shoe(seed.to_bytes(32), ("x",), RULE_SETS[name].decks)
    last = [cards[place] for place in reversed(range(len(cards)))]
    for way in range(3):
        chance = random.Random(f"{seed} {way}")
        round = played(rules, cards, chance, chance.randint(1, min(3, rules.most_seats)))
        assert round.dealer.cards == last[: len(round.dealer.cards)]
        players = [place for place in round.taken if place < len(cards) - len(round.dealer.cards)]
        assert players == list(range(len(players)))


def test_r1_9_up_card_and_hole_card_lie_at_the_last_two_places() -> None:
    round = BlackjackRound(BlackjackRules(dealer_cards=FAR), [{"main": 1000}] * 2, shoe(bytes(32), (), 6))
    assert round.taken == (0, 1, 311, 2, 3, 310)
    assert round.open_cards == (0, 1, 311, 2, 3)


def test_r1_9_a_line_of_notation_says_the_same_hand() -> None:
    near = play("vegas  stake 10  |  A 6 / 9 ?  |  hit 5  |  hit 9  |  dealer 9 8")
    far = play("vegas dealer_cards=from_far_end stake 10  |  A 6 / 9 ?  |  hit 5  |  hit 9  |  dealer 9 8")
    assert near == far


def test_r1_9_another_hit_leaves_the_dealer_his_cards() -> None:
    line = "vegas dealer_cards=from_far_end stake 10 | 5 6 / 9 ? | hit 2 | {} dealer 9 3 K"
    assert play(line.format("stand |")) == "13 stands; dealer 22; +10"
    assert play(line.format("hit 7 | stand |")) == "20 stands; dealer 22; +10"


def test_r1_9_where_the_two_ends_meet_nothing_has_happened() -> None:
    cards: tuple[Card, ...] = ("5s", "6s", "2s", "3h", "9c", "9d")
    round = BlackjackRound(BlackjackRules(dealer_cards=FAR), [{"main": 1000}], cards)
    round.apply(0, "hit")
    round.apply(0, "hit")
    before = round.view(), round.taken
    with pytest.raises(IndexError):
        round.apply(0, "hit")
    assert (round.view(), round.taken) == before
    assert sorted(round.taken) == list(range(6))


def test_r1_9_the_view_says_where_they_come_from() -> None:
    (dealt, *_) = positions("vegas dealer_cards=from_far_end stake 10 | 5 6 / 9 ?")
    assert dealt.view().dealer.from_far_end
    (dealt, *_) = positions("vegas stake 10 | 5 6 / 9 ?")
    assert not dealt.view().dealer.from_far_end


# -- no effect on what a hand is worth ---------------------------------------------------------------------------------


@settings(max_examples=6)
@given(st.lists(st.sampled_from("A256789TK"), min_size=7, max_size=7), st.sampled_from([12, 15, 17]), st.booleans())
def test_r1_9_over_all_orders_of_a_small_shoe_every_end_comes_as_often(
    ranks: list[str],
    stands: int,
    looks: bool,  # noqa: FBT001
) -> None:
    """With every order of seven cards dealt both ways, a player who stands on a total has the same ends as often."""
    cards = [rank + suit for rank, suit in zip(ranks, "shdcshd", strict=True)]
    ends: dict[DealerCards, Counter[int | None]] = {end: Counter() for end in BOTH}
    for order in permutations(cards):
        for end in BOTH:
            ends[end][
                net(
                    BlackjackRules(dealer_cards=end, dealer_looks=looks, surrender=False, insurance=False),
                    order,
                    stands,
                )
            ] += 1
    assert ends[BOTH[0]] == ends[BOTH[1]]


def net(rules: BlackjackRules, cards: tuple[Card, ...], stands: int) -> int | None:
    """The result; None where the shoe has too few cards."""
    try:
        round = BlackjackRound(rules, [{"main": 1000}], cards)
        while round.asked:
            round.apply(0, "stand" if round.hands[0][0].worth.total >= stands else "hit")
    except IndexError:
        return None
    return round.settlement().net(0)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_r1_9_charts_and_odds_are_those_of_the_same_rules_in_order(name: str) -> None:
    rules = RULE_SETS[name]
    unseen = tuple(4 * rules.decks - (rank in "97T") for rank in RANKS)
    position = solver.Position(("9", "7"), "T", unseen)
    assert solver.decision(rules, position) == solver.decision(replace(rules, dealer_cards=FAR), position)


@pytest.mark.slow
def test_r1_9_dealt_many_times_both_ends_come_to_the_same() -> None:
    """The same player, 20,000 hands each way: the means differ by less than four standard errors."""
    means = []
    for end in BOTH:
        rules = BlackjackRules(dealer_cards=end, insurance=False)
        nets = [net(rules, shuffled(number), 16) or 0 for number in range(20_000)]
        means.append(sum(nets) / len(nets))
    assert abs(means[0] - means[1]) < 4 * 1000 * (2 / 20_000) ** 0.5


def shuffled(number: int) -> tuple[Card, ...]:
    return tuple(random.Random(number).sample(PACK * 6, 40))
