"""Hands to ask about, dealt by chance or for one cell of the chart; and the names of the chart's rows and cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.games.blackjack.actions import SPLIT, SWAP
from engine.games.blackjack.rules import BlackjackRules
from engine.games.blackjack.worth import NOTHING, POINTS, Worth
from engine.games.cards import PACK, SUITS, Card
from engine.solver.position import may

#: A source of chance: it returns a whole number from 0 that is below its argument.
Below = Callable[[int], int]

#: One of this many deals, on average, draws more than two cards. It is dropped if it reaches 21.
_LONGER: Final = 3
#: The largest total at which a hand with more than two cards draws another one.
_DRAWS_TO: Final = 11

#: The up cards of a chart.
UPS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
#: A card for each of these values, all of one suit.
_CARDS: Final = {up: ("T" if up == "10" else up) + SUITS[0] for up in UPS}
#: Two tens that are no pair where only equal ranks are.
_UNLIKE: Final = ("T" + SUITS[0], "J" + SUITS[0])


class DealtHand(NamedTuple):
    """A hand and the dealer's up card."""

    hand: tuple[Card, ...]
    up: Card


class Cell(NamedTuple):
    """A cell of the chart: the row of a hand (`hard 16`, `soft 18`, `8,8`) and an up card (`2` to `10`, `A`)."""

    row: str
    up: str


def cell_of(rules: BlackjackRules, deal: DealtHand) -> Cell:
    """Return the cell of the chart that a hand belongs to."""
    return Cell(row_of(rules, deal.hand), pip(deal.up))


def row_of(rules: BlackjackRules, hand: Sequence[Card]) -> str:
    """Return the row of the chart that a hand belongs to. A pair has its own row if the rules let it split or swap."""
    if len(hand) == 2 and POINTS[hand[0]] == POINTS[hand[1]] and _parts(rules, hand):
        return f"{pip(hand[0])},{pip(hand[1])}"
    worth = worth_of(rules, hand)
    return f"{'soft' if worth.soft else 'hard'} {worth.total}"


def _parts(rules: BlackjackRules, pair: Sequence[Card]) -> bool:
    ranks = [card[0] for card in pair]
    return may(rules, SPLIT, ranks) or may(rules, SWAP, ranks)


def worth_of(rules: BlackjackRules, hand: Sequence[Card]) -> Worth:
    """Return the total of a hand that is not over 21, and whether it is soft."""
    worth = NOTHING[rules.ace]
    for card in hand:
        worth = worth.plus[card]
    return worth


def pip(card: Card) -> str:
    """Return a card as a chart names it: `2` to `10`, or `A`. A jack, queen or king is `10`."""
    points = POINTS[card]
    return "A" if points == 11 else str(points)


@lru_cache(64)
def rows(rules: BlackjackRules) -> tuple[str, ...]:
    """Return the rows of a chart that two cards can belong to, except a natural: hard totals, soft totals, pairs."""
    return tuple(_hands(rules))


def cells(rules: BlackjackRules) -> list[Cell]:
    """Return all cells of a chart, row by row."""
    return [Cell(row, up) for row in rows(rules) for up in UPS]


@lru_cache(64)
def _hands(rules: BlackjackRules) -> dict[str, tuple[tuple[Card, Card], ...]]:
    """Return the two-card hands of each row, all in one suit, without naturals. Rows come in the chart's order.

    A ten stands for tens, jacks, queens and kings. Where only equal ranks are pairs, there is one more hand: a ten and
    a jack, for two tens of different ranks.
    """
    found: dict[str, list[tuple[Card, Card]]] = {}
    for one, two in combinations_with_replacement(_CARDS.values(), 2):
        if POINTS[one] + POINTS[two] != 21:
            found.setdefault(row_of(rules, (one, two)), []).append((one, two))
    found.setdefault(row_of(rules, _UNLIKE), [_UNLIKE])
    return {row: tuple(found[row]) for row in sorted(found, key=_order)}


def _order(row: str) -> tuple[int, int]:
    kind, _, total = row.replace(",", " ").rpartition(" ")
    return ("hard", "soft").index(kind) if kind in ("hard", "soft") else 2, 11 if total == "A" else int(total)


# -- by chance ---------------------------------------------------------------------------------------------------------


def any_deals(rules: BlackjackRules, below: Below, count: int, but: Collection[Cell] = ()) -> tuple[DealtHand, ...]:
    """Return `count` hands dealt by chance, all with less than 21 and none of a cell in `but`.

    Some have three cards or more. `below` is the source of chance.
    """
    found: list[DealtHand] = []
    while len(found) < count:
        deal = _dealt(rules, below)
        if deal is not None and cell_of(rules, deal) not in but:
            found.append(deal)
    return tuple(found)


def _dealt(rules: BlackjackRules, below: Below) -> DealtHand | None:
    """Return a hand dealt by chance (`below`), or None if it has 21 or more, so that there is nothing to decide."""
    cards = [*_drawn(rules, below, 3)]
    up, hand = cards.pop(), cards
    longer = not below(_LONGER)
    while longer and (len(hand) == 2 or worth_of(rules, hand).total <= _DRAWS_TO):
        more = _drawn(rules, below, 1, [*hand, up])[0]
        if more not in worth_of(rules, hand).plus or worth_of(rules, hand).plus[more].total > 21:
            return None
        hand.append(more)
    return None if worth_of(rules, hand).total >= 21 else DealtHand(tuple(hand), up)


def _drawn(rules: BlackjackRules, below: Below, count: int, gone: Sequence[Card] = ()) -> list[Card]:
    """Return `count` cards drawn by chance from a full shoe without the cards in `gone`."""
    out = list(gone)
    while len(out) < len(gone) + count:
        card = PACK[below(len(PACK))]
        if out.count(card) < rules.decks:
            out.append(card)
    return out[len(gone) :]


def deals_of(rules: BlackjackRules, cell: Cell, below: Below, count: int) -> tuple[DealtHand, ...]:
    """Return `count` two-card hands of one cell of the chart, some perhaps equal. Chance picks hands and suits."""
    hands = _hands(rules)[cell.row]
    return tuple(_in_suits(hands[below(len(hands))], cell.up, below) for _ in range(count))


def _in_suits(hand: tuple[Card, Card], up: str, below: Below) -> DealtHand:
    """Return the hand and the up card, each card in a different suit, so that one deck is enough.

    All tens among these three cards get the same rank: ten, jack, queen or king. A jack stays one.
    """
    others = "TJQK" if hand != _UNLIKE else "TQK"
    suits, tens = list(SUITS), others[below(len(others))]
    ranks = [tens if card[0] == "T" else card[0] for card in (*hand, _CARDS[up])]
    one, two, three = (rank + suits.pop(below(len(suits))) for rank in ranks)
    return DealtHand((one, two), three)
