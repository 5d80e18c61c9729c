"""Counting every way a thing can go: one rule too many or too few, and a count is off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import pytest

from engine.games.blackjack import GAME, BlackjackRound
from engine.games.blackjack import dealer as dealers
from engine.games.blackjack.rule_sets import KITCHEN, VEGAS
from engine.games.blackjack.rules import BlackjackRules, DealerDraws
from engine.games.blackjack.worth import NOTHING, Worth
from engine.games.cards import Card

#: A card of each value.
VALUES = tuple(rank + "s" for rank in "A23456789T")


# -- hands -------------------------------------------------------------------------------------------------------------


def hands(worth: Worth, decks: int, values: tuple[Card, ...] = VALUES, cards: int = 0) -> int:
    """Hands of two or more cards that are not over 21, in whatever order they came."""
    if worth.total > 21:
        return 0
    count = 1 if cards >= 2 else 0
    for place, card in enumerate(values):
        most, ahead = decks * (16 if card[0] == "T" else 4), worth
        for number in range(1, most + 1):
            ahead = ahead.plus[card]
            if ahead.total > 21:
                break
            count += hands(ahead, decks, values[place + 1 :], cards + number)
    return count


@pytest.mark.parametrize(("decks", "count"), [(1, 2008), (2, 2796), (6, 3072), (8, 3072)])
def test_player_hands(decks: int, count: int) -> None:
    assert hands(NOTHING[VEGAS.ace], decks) == count


def test_the_falling_ace_makes_fewer_hands() -> None:
    """A second ace stays 11, and three are over."""
    assert hands(NOTHING[KITCHEN.ace], 1) == 1_085
    assert hands(NOTHING[KITCHEN.ace], 1, VALUES[1:]) == hands(NOTHING[VEGAS.ace], 1, VALUES[1:])


# -- the dealer --------------------------------------------------------------------------------------------------------


def dealer_sequences(rules: BlackjackRules, target: int, worth: Worth, cards: int = 0) -> int:
    """Ways for the dealer to come to his end, card by card."""
    if cards >= 2 and not dealers.draws(rules, worth, target):
        return 1
    return sum(dealer_sequences(rules, target, worth.plus[card], cards + 1) for card in VALUES)


@pytest.mark.parametrize(("draws", "count"), [(DealerDraws.STANDS_ON_17, 54_433), (DealerDraws.HITS_SOFT_17, 70_561)])
def test_dealer_sequences(draws: DealerDraws, count: int) -> None:
    rules = BlackjackRules(dealer_draws=draws)
    assert dealer_sequences(rules, 17, NOTHING[rules.ace]) == count


@pytest.mark.parametrize(("target", "count"), [(0, 100), (12, 1_297), (16, 15_733), (17, 28_720)])
def test_chasing_dealer_sequences(target: int, count: int) -> None:
    assert dealer_sequences(KITCHEN, target, NOTHING[KITCHEN.ace]) == count


# -- rounds ------------------------------------------------------------------------------------------------------------


class OutOfCards(Exception):
    pass


class Growing:
    """A shoe that is written while it is dealt."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, place: int, /) -> Card:
        try:
            return self.cards[place]
        except IndexError:
            raise OutOfCards from None


def after(round: BlackjackRound, shoe: Growing, action: str) -> Iterator[BlackjackRound]:
    """The action with every value that each card it takes may have."""
    ahead = round.fork()
    try:
        ahead.apply(round.asked[0], action)
    except OutOfCards:
        for card in VALUES:
            shoe.cards.append(card)
            yield from after(round, shoe, action)
            shoe.cards.pop()
    else:
        yield ahead


def paths(round: BlackjackRound, shoe: Growing, depth: int) -> int:
    """Count the ways to go on for this many actions, or to the end."""
    if depth == 0 or round.over:
        return 1
    legal = round.legal(round.asked[0])
    return sum(paths(ahead, shoe, depth - 1) for action in legal for ahead in after(round, shoe, action))


def perft(name: str, first: Card, second: Card, dealer: tuple[Card, Card], depth: int) -> Counter[str]:
    """Count the ways by their first action, against a dealer of 17, who takes no card himself."""
    shoe = Growing([first, dealer[0], second, dealer[1]])
    round = BlackjackRound(GAME.rule_sets[name], [{"main": 100}], shoe)
    if round.over:
        return Counter({OVER: 1})
    return Counter(
        {
            action: sum(paths(ahead, shoe, depth - 1) for ahead in after(round, shoe, action))
            for action in round.legal(round.asked[0])
        }
    )


DEALERS = {"7": ("7h", "Th"), "T": ("Th", "7h"), "A": ("Ah", "6h")}

#: The word in place of the first action, where a natural has ended the round.
OVER = "over"

#: Ways by the first action from all 55 pairs of values, after one action and after two. After one by hand: a natural is
#: over (1); the 54 others hit or double (10 cards each), stand or surrender (1 each). Pairs split, and each left half
#: takes 10 cards, but a left ten that gets an ace stands, so the right one gets 10 (19), two aces 10 each (100): 199.
COUNTS: Mapping[tuple[str, str], tuple[Mapping[str, int], Mapping[str, int]]] = {
    ("vegas", "7"): (
        {OVER: 1, "hit": 540, "stand": 54, "double": 540, "split": 199, "surrender": 54},
        {OVER: 1, "hit": 4_570, "stand": 54, "double": 540, "split": 13_194, "surrender": 54},
    ),
    ("vegas", "A"): ({"insure": 55, "decline": 55}, {"insure": 1_388, "decline": 1_388}),
    ("original", "7"): (
        {OVER: 1, "hit": 540, "stand": 54, "double": 540, "swap": 100},
        {OVER: 1, "hit": 4_570, "stand": 54, "double": 540, "swap": 1_080},
    ),
    ("classic", "7"): (
        {OVER: 1, "hit": 540, "stand": 54, "double": 540, "split": 118},
        {OVER: 1, "hit": 4_570, "stand": 54, "double": 540, "split": 14_318},
    ),
    ("classic", "A"): ({"insure": 55, "decline": 55}, {"insure": 1_253, "decline": 1_253}),
    ("kitchen", "T"): ({OVER: 1, "hit": 540, "stand": 54}, {OVER: 1, "hit": 4_550, "stand": 54}),
    ("four-seat", "T"): ({OVER: 1, "hit": 540, "stand": 54}, {OVER: 1, "hit": 4_570, "stand": 54}),
    ("ctrl-alt-bet", "7"): ({OVER: 1, "hit": 540, "stand": 54}, {OVER: 1, "hit": 4_570, "stand": 54}),
}


@pytest.mark.parametrize(("name", "up"), COUNTS)
@pytest.mark.parametrize("depth", [1, 2])
def test_rounds_from_every_two_cards(name: str, up: str, depth: int) -> None:
    found = Counter[str]()
    for one, other in combinations_with_replacement(VALUES, 2):
        found += perft(name, one, other, DEALERS[up], depth)
    assert found == COUNTS[name, up][depth - 1]


@pytest.mark.parametrize(
    ("name", "card", "depth", "counts"),
    [
        ("vegas", "8s", 3, {"hit": 110, "stand": 1, "double": 10, "split": 39_123, "surrender": 1}),
        ("vegas", "As", 3, {"hit": 900, "stand": 1, "double": 10, "split": 100, "surrender": 1}),
        ("classic", "8s", 3, {"hit": 110, "stand": 1, "double": 10, "split": 36_091}),
        ("classic", "As", 3, {"hit": 900, "stand": 1, "double": 10, "split": 25_354}),
        ("original", "8s", 3, {"hit": 110, "stand": 1, "double": 10, "swap": 730}),
        ("kitchen", "As", 3, {"hit": 230, "stand": 1}),
    ],
)
def test_rounds_from_a_pair(name: str, card: Card, depth: int, counts: Mapping[str, int]) -> None:
    assert perft(name, card, card, DEALERS["7"], depth) == counts
