"""A second, naive blackjack: it knows the finished hands only, counts by trying, and must agree on every chip."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.worth import NOTHING, POINTS
from engine.games.cards import PACK, Card
from engine.games.contract import CHIP

PIPS = {**{str(pip): pip for pip in range(2, 10)}, **dict.fromkeys("TJQK", 10)}

#: What each rule set pays: a natural, a natural against another 21, another 21 against a natural (in half stakes won).
MEETINGS = {
    "vegas": (3, 3, -2),
    "original": (3, 3, 0),
    "classic": (3, 3, -2),
    "kitchen": (2, 2, -2),
    "four-seat": (3, 3, -2),
    "ctrl-alt-bet": (3, 0, 0),
}


def best_total(cards: list[Card]) -> int:
    """R1.1: the best of all ways to count the aces, or the least bad one."""
    ways = product(*[(1, 11) if card[0] == "A" else (PIPS[card[0]],) for card in cards])
    totals = [sum(way) for way in ways]
    good = [total for total in totals if total <= 21]
    return max(good) if good else min(totals)


def kitchen_total(cards: list[Card]) -> int:
    """R3.1."""
    total = sum(11 if card[0] == "A" else PIPS[card[0]] for card in cards)
    return total - 10 if total > 21 and any(card[0] == "A" for card in cards) else total


def total_of(name: str, cards: list[Card]) -> int:
    return kitchen_total(cards) if name == "kitchen" else best_total(cards)


hands_of_cards = st.lists(st.sampled_from(PACK), min_size=1, max_size=9)


@given(hands_of_cards)
def test_r1_1_totals_by_trying_every_ace(cards: list[Card]) -> None:
    for name in ("vegas", "kitchen"):
        worth = NOTHING[GAME.rule_sets[name].ace]
        taken: list[Card] = []
        for card in cards:
            worth = worth.plus[card]
            taken.append(card)
            assert worth.total == total_of(name, taken)
            if worth.total > 21:
                break


@given(hands_of_cards)
def test_r1_1_soft_is_what_a_ten_cannot_bust(cards: list[Card]) -> None:
    for worth in NOTHING.values():
        for count, card in enumerate(cards, start=1):
            worth = worth.plus[card]
            if worth.total > 21:
                break
            assert worth.soft == (worth.total >= 12 and worth.plus["Ts"].total <= 21) or count == 1


def half_stakes_won(name: str, round: BlackjackRound, seat: int, index: int) -> int:
    """Return what a finished hand wins in halves of its stake, from its cards and the dealer's only."""
    hand, his_cards = round.hands[seat][index], round.dealer.cards
    ours, his = total_of(name, hand.cards), total_of(name, his_cards)
    natural_pays, against_21, made_21 = MEETINGS[name]
    if any(step.seat == seat and step.action == "surrender" for step in round.steps):
        return -1
    if ours > 21:
        return -2
    has_natural = len(his_cards) == 2 and his == 21
    if is_natural(name, hand):
        if has_natural:
            return 0
        return against_21 if his == 21 else natural_pays
    if has_natural:
        return made_21 if ours == 21 else -2
    return 2 if his > 21 or ours > his else 0 if ours == his else -2


def is_natural(name: str, hand: Hand) -> bool:
    return len(hand.cards) == 2 and total_of(name, hand.cards) == 21 and not (hand.from_split or hand.swapped)


def dealer_is_right(name: str, round: BlackjackRound) -> bool:
    """R1.6, R3.2, R3.3: he took every card that he had to take, and no other."""
    surrendered = {step.seat for step in round.steps if step.action == "surrender"}
    hands = [hand for seat, hands in enumerate(round.hands) if seat not in surrendered for hand in hands]
    live = [total_of(name, hand.cards) for hand in hands if name == "ctrl-alt-bet" or not is_natural(name, hand)]
    highest = max((total for total in live if total <= 21), default=0)
    goal = min(17, highest) if name == "kitchen" else 17 if highest else 0
    totals = [total_of(name, round.dealer.cards[:count]) for count in range(2, len(round.dealer.cards) + 1)]
    return all(total < goal for total in totals[:-1]) and totals[-1] >= goal


@pytest.mark.parametrize("name", GAME.rule_sets)
@given(data=st.data())
def test_settlement_by_hand(name: str, data: st.DataObject) -> None:
    rules = GAME.rule_sets[name]
    seats = data.draw(st.integers(1, min(3, rules.most_seats)))
    chance = data.draw(st.randoms(use_true_random=True))
    cards = list(PACK) * rules.decks
    chance.shuffle(cards)
    # Aces and tens first, now and then, for naturals and splits.
    if chance.random() < 0.5:
        cards.sort(key=lambda card: POINTS[card] < 10 and chance.random() < 0.5)
    stakes = [rules.fixed_stake or chance.randint(1, 100) * CHIP for _ in range(seats)]
    round = BlackjackRound(rules, [{"main": stake} for stake in stakes], cards)
    while not round.over:
        seat = round.asked[0]
        round.apply(seat, chance.choice(round.legal(seat)))
    assert dealer_is_right(name, round)
    for seat, stake in enumerate(stakes):
        won = 0
        for index, hand in enumerate(round.hands[seat]):
            times = 2 if hand.doubled or hand.swapped else 1
            won += half_stakes_won(name, round, seat, index) * stake * times // 2
        if round.insurance[seat]:
            has_natural = len(round.dealer.cards) == 2 and best_total(round.dealer.cards) == 21
            won += stake if has_natural else -stake // 2
        assert round.settlement().net(seat) == won
