"""The exact house edge of baccarat and war, from all possible deals played by the games' own rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import Final, TypeAlias, TypeVar

from engine.games.baccarat import BaccaratRules, Spot, coup, settle, value
from engine.games.cards import PACK, Card, Shoe
from engine.games.contract import CHIP
from engine.games.war import War, WarRules

R = TypeVar("R", bound=Hashable)

#: Groups of cards that play alike, each named by one of its cards, with their number in a pack.
Kinds = Mapping[Card, int]

#: The number of ways to deal each result, by the result and the number of cards that are seen on the way.
Ways: TypeAlias = Mapping[tuple[R, int], int]

RANKS: Final[Kinds] = dict.fromkeys(PACK[:13], 4)
BACCARAT_VALUES: Final[Kinds] = {card: 16 if value(card) == 0 else 4 for card in PACK[:10]}

#: Pairs of places in the shoe, the later one first, whose cards can be swapped without changing the result: the first
#: two cards of the Player, and those of the Banker. So only one of both orders has to be dealt.
_BACCARAT_TWINS: Final[Mapping[int, int]] = {2: 0, 3: 1}


class _Unseen(Exception):
    """Raised when the game asks for a card that is not chosen yet."""


class _PartialShoe:
    """A shoe in which some cards are chosen. To ask for any other card raises `_Unseen` with the place of that card.

    Cards that the game never reads (burnt ones) are never chosen.
    """

    def __init__(self, size: int, cards: dict[int, Card]) -> None:
        self.size = size
        self.cards = cards

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: int, /) -> Card:
        try:
            return self.cards[place]
        except KeyError:
            raise _Unseen(place) from None


def chances(
    play: Callable[[Shoe], R], kinds: Kinds, decks: int, twins: Mapping[int, int] | None = None
) -> dict[R, Fraction]:
    """Return the chance of each result of a game, over all shoes of this many decks.

    `play` deals and plays one round, and returns its result. `twins` maps a place of the shoe to an earlier one; if
    the two swap their cards, the result stays the same.
    """
    return _added_up((_ways(play, kinds, decks, first, twins or {}) for first in kinds), decks * sum(kinds.values()))


def _added_up(parts: Iterable[Ways[R]], size: int) -> dict[R, Fraction]:
    odds: dict[R, Fraction] = {}
    for part in parts:
        for (result, seen), count in part.items():
            odds[result] = odds.get(result, Fraction(0)) + Fraction(count, perm(size, seen))
    return odds


def _ways(play: Callable[[Shoe], R], kinds: Kinds, decks: int, first: Card, twins: Mapping[int, int]) -> Ways[R]:
    """Return the number of ways to deal each result, by the result and the number of cards that are seen on the way.

    The first card is of kind `first`. The other arguments are as in `chances`.
    """
    left = {card: decks * count for card, count in kinds.items()}
    shoe = _PartialShoe(sum(left.values()), {0: first})
    ways, firsts = dict[tuple[R, int], int](), left[first]
    left[first] -= 1
    for result, seen, count in _deals(play, shoe, left, twins):
        ways[result, seen] = ways.get((result, seen), 0) + count * firsts
    return ways


def _deals(
    play: Callable[[Shoe], R], shoe: _PartialShoe, left: dict[Card, int], twins: Mapping[int, int]
) -> Iterator[tuple[R, int, int]]:
    """Yield each result to which the cards chosen so far can lead.

    Each comes with the number of cards seen by then, and the number of ways to choose the further cards that lead to
    it. The game is played again from its start for each result. `left` counts the cards not chosen, by kind, and
    `twins` is as in `chances`.
    """
    try:
        yield play(shoe), len(shoe.cards), 1
    except _Unseen as unseen:
        place = unseen.args[0]
    else:
        return
    twin = shoe.cards.get(twins.get(place, -1))
    for card, count in _choices(left, twin):
        left[card] -= 1
        shoe.cards[place] = card
        for result, seen, ways in _deals(play, shoe, left, twins):
            yield result, seen, ways * count
        del shoe.cards[place]
        left[card] += 1


def _choices(left: dict[Card, int], twin: Card | None) -> list[tuple[Card, int]]:
    """Return the kinds of card that can come next, with the number of ways for each.

    `twin` is an earlier card with which the next one could swap places without changing the result, or None. With a
    twin, only one of both orders is returned: kinds before the twin's are left out, and those after it count twice.
    """
    cards = list(left)
    first = cards.index(twin) if twin else 0
    doubled = 2 if twin else 1
    return [(card, left[card] * (1 if card == twin else doubled)) for card in cards[first:] if left[card]]


def baccarat_chances(rules: BaccaratRules) -> dict[Spot, Fraction]:
    """Return the chance that each spot wins."""
    parts = (keep_coups(rules, first) for first in range(len(BACCARAT_VALUES)))
    return _added_up(parts, rules.decks * sum(BACCARAT_VALUES.values()))


def keep_coups(rules: BaccaratRules, first: int) -> Ways[Spot]:
    """Return the number of ways to deal each result with a first card of one kind.

    `first` is the place of that kind in `BACCARAT_VALUES`, from 0. The answer is cached for `baccarat_chances`. Rules
    that differ only in what the spots pay share it.
    """
    return _coups(BaccaratRules(decks=rules.decks, naturals=rules.naturals), list(BACCARAT_VALUES)[first])


@lru_cache(maxsize=8 * 2 * len(BACCARAT_VALUES))
def _coups(rules: BaccaratRules, first: Card) -> Ways[Spot]:
    return _ways(lambda shoe: coup(rules, shoe).result, BACCARAT_VALUES, rules.decks, first, _BACCARAT_TWINS)


def baccarat_edges(rules: BaccaratRules) -> dict[Spot, Fraction]:
    """Return the part of a stake that the house keeps on each spot."""
    odds = baccarat_chances(rules)
    return {
        spot: -sum((odds[result] * settle(rules, result, 0, spot, CHIP).net for result in Spot), Fraction(0)) / CHIP
        for spot in Spot
    }


def war_edge(rules: WarRules, answer: str) -> Fraction:
    """Return the part of the first stake that the house keeps if the player gives this answer to every tie."""

    def battle(shoe: Shoe) -> int:
        war = War(rules, [{"main": CHIP}], shoe)
        if not war.over:
            war.apply(0, answer)
        return war.settlement().net(0)

    odds = chances(battle, RANKS, rules.decks)
    return -sum((chance * net for net, chance in odds.items()), Fraction(0)) / CHIP
