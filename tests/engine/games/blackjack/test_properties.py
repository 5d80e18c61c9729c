"""Properties that hold in every round, with any players and any cards."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack.events import Happening
from engine.games.blackjack.worth import POINTS
from engine.games.cards import PACK, Card
from engine.games.contract import CHIP

seeds = st.integers(0, 2**32)


class WatchedShoe:
    """A shoe that notes each card that a round reads."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards
        self.read: set[int] = set()

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, place: int, /) -> Card:
        self.read.add(place)
        return self.cards[place]


def shuffled(name: str, chance: random.Random) -> list[Card]:
    cards = list(PACK) * GAME.rule_sets[name].decks
    chance.shuffle(cards)
    return cards


def dealt(name: str, chance: random.Random, shoe: Any) -> BlackjackRound:
    rules = GAME.rule_sets[name]
    seats = chance.randint(1, rules.most_seats)
    return BlackjackRound(
        rules, [{"main": rules.fixed_stake or chance.randint(1, 9) * CHIP} for _ in range(seats)], shoe
    )


def step(round: BlackjackRound, chance: random.Random) -> None:
    seat = chance.choice(round.asked)
    round.apply(seat, chance.choice([*round.legal(seat), "time"]))


def cards_on_the_table(round: BlackjackRound) -> Counter[Card]:
    cards = Counter(card for hands in round.hands for hand in hands for card in hand.cards)
    cards.update(round.dealer.cards)
    cards.update(event.card for event in round.events if event.what is Happening.DISCARDED and event.card)
    return cards


@pytest.mark.thinned
@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_cards_are_conserved_after_every_step(name: str, seed: int) -> None:
    """Every card taken lies on the table, once; the only one not seen is the hole card."""
    chance = random.Random(seed)
    cards = shuffled(name, chance)
    round = dealt(name, chance, cards)
    while True:
        taken = Counter(cards[place] for place in round.taken)
        hidden = taken - cards_on_the_table(round)
        assert cards_on_the_table(round) - taken == Counter()
        assert hidden.total() == (0 if round.over else 1)
        if round.over:
            break
        step(round, chance)


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_chips_are_conserved_after_every_step(name: str, seed: int) -> None:
    chance = random.Random(seed)
    round = dealt(name, chance, shuffled(name, chance))
    paid = list(round.stakes)
    while not round.over:
        on_the_felt = [sum(hand.stake for hand in hands) for hands in round.hands]
        assert paid == [stake + (round.insurance[seat] or 0) for seat, stake in enumerate(on_the_felt)]
        seat = chance.choice(round.asked)
        action = chance.choice([*round.legal(seat), "time"])
        paid[seat] += round.cost(seat, action)
        round.apply(seat, action)
    assert paid == [round.settlement().staked(seat) for seat in range(len(paid))]


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_what_is_seen_does_not_depend_on_the_hole_card(name: str, seed: int) -> None:
    """Another hole card, and another shoe behind it, changes nothing before it matters: not a view, not a button."""
    chance = random.Random(seed)
    cards = shuffled(name, chance)
    round = dealt(name, chance, cards)
    hole = 2 * len(round.stakes) + 1
    others = [card for card in cards if (POINTS[card] in (10, 11)) == (POINTS[cards[hole]] in (10, 11))]
    changed = [*cards]
    changed[hole] = chance.choice(others)
    other = BlackjackRound(round.rules, [{"main": stake} for stake in round.stakes], changed)
    if other.over != round.over:
        return  # the look found a natural under one of them
    while not round.over:
        assert round.view() == other.view()
        assert round.events == other.events
        assert [round.legal(seat) for seat in round.asked] == [other.legal(seat) for seat in other.asked]
        seat = chance.choice(round.asked)
        action = chance.choice([*round.legal(seat), "time"])
        round.apply(seat, action)
        other.apply(seat, action)
        if other.over != round.over:
            break


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_no_card_is_read_before_its_time(name: str, seed: int) -> None:
    chance = random.Random(seed)
    shoe = WatchedShoe(shuffled(name, chance))
    round = dealt(name, chance, shoe)
    hole = round.taken[2 * len(round.stakes) + 1]
    while not round.over:
        may_look = round.rules.dealer_looks and round.acting is not None and POINTS[round.up_card] >= 10
        assert (hole in shoe.read) == may_look
        assert shoe.read | {hole} == set(round.taken)
        round.view()
        step(round, chance)
    assert shoe.read == set(round.taken)


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_a_fork_and_its_origin_never_meet_again(name: str, seed: int) -> None:
    chance = random.Random(seed)
    round = dealt(name, chance, shuffled(name, chance))
    while not round.over:
        fork, before, told = round.fork(), round.view(), round.events
        assert fork.view() == before
        step(fork, chance)
        assert (round.view(), round.events) == (before, told)
        round = round.fork() if chance.random() < 0.5 else fork
        if round is not fork:
            step(round, chance)


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(seed=seeds)
def test_a_round_is_rebuilt_from_its_steps(name: str, seed: int) -> None:
    chance = random.Random(seed)
    cards = shuffled(name, chance)
    round = dealt(name, chance, cards)
    while not round.over:
        step(round, chance)
        again = BlackjackRound(round.rules, [{"main": stake} for stake in round.stakes], cards)
        for taken in round.steps:
            again.apply(taken.seat, taken.action, taken.by)
        assert again.view() == round.view()
        assert again.events == round.events
        assert (again.turn, again.asked) == (round.turn, round.asked)
