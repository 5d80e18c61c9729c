"""Tiny shoes played out through the engine's own rounds: every card that can come, and every choice.

A *world* is a round with the cards that its shoe has shown and those that are left. The player sees the table, not the
world, so worlds that look alike choose alike: where the dealer has looked, his hole card is fixed and yet unseen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules, Double
from engine.games.cards import Card
from engine.games.contract import BOTTOMLESS, CHIP, Cents

#: The plays in the order in which one of equals is chosen, as in the solver.
ORDER = (DECLINE, INSURE, STAND, HIT, DOUBLE, SPLIT)
EQUAL = 1e-12


class Unseen(Exception):
    """The round asks for a card that is not chosen yet."""


class Shoe:
    """One for all rounds: it shows the cards of the world that is being played."""

    def __init__(self) -> None:
        self.shown: Mapping[int, Card] = {}

    def __len__(self) -> int:
        return 416

    def __getitem__(self, place: int) -> Card:
        if place not in self.shown:
            raise Unseen(place)
        return self.shown[place]


@dataclass(frozen=True)
class World:
    weight: float
    round: BlackjackRound
    shown: Mapping[int, Card]
    left: Counter[str]


#: A player's choice at a table, or None for the best one.
Policy = Callable[[BlackjackRound], "str | None"]


def best(_: BlackjackRound) -> None:
    return None


@dataclass
class Brute:
    """A game under some rules. `seat` is ours; the others do what the policy says."""

    rules: BlackjackRules
    seats: int = 1
    shoe: Shoe = field(default_factory=Shoe)

    @property
    def seat(self) -> int:
        return self.seats - 1

    # -- worlds --------------------------------------------------------------------------------------------------------

    def worlds(self, left: Counter[str], dealt: Mapping[int, str] | None = None) -> list[World]:
        """All rounds that can be dealt; `dealt` fixes some places of the shoe, by rank."""
        shown = {place: rank + "s" for place, rank in (dealt or {}).items()}
        stakes = [{"main": CHIP}] * self.seats
        return list(self._branches(lambda: BlackjackRound(self.rules, stakes, self.shoe), 1.0, shown, left))

    def after(self, worlds: Iterable[World], action: str) -> list[World]:
        return [branch for world in worlds for branch in self._after(world, action)]

    def _after(self, world: World, action: str) -> Iterator[World]:
        def acted() -> BlackjackRound:
            round = world.round.fork()
            round.apply(round.asked[0], action)
            return round

        return self._branches(acted, world.weight, world.shown, world.left)

    def _branches(
        self, play: Callable[[], BlackjackRound], weight: float, shown: Mapping[int, Card], left: Counter[str]
    ) -> Iterator[World]:
        self.shoe.shown = shown
        try:
            round = play()
        except Unseen as unseen:
            place = unseen.args[0]
        else:
            yield World(weight, round, shown, left)
            return
        total = left.total()
        for rank in [rank for rank, count in left.items() if count]:
            less = left.copy()
            less[rank] -= 1
            yield from self._branches(play, weight * left[rank] / total, {**shown, place: rank + "s"}, less)

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, worlds: Iterable[World], policy: Policy = best) -> float:
        """Return what our seat wins in these worlds, in stakes, times their weight."""
        tables: dict[object, list[World]] = defaultdict(list)
        value = 0.0
        for world in worlds:
            if world.round.over:
                value += world.weight * world.round.settlement().net(self.seat) / CHIP
            else:
                tables[_table(world.round)].append(world)
        return value + sum(self._chosen(alike, policy) for alike in tables.values())

    def _chosen(self, alike: list[World], policy: Policy) -> float:
        action = policy(alike[0].round)
        if action is not None:
            return self.value(self.after(alike, action), policy)
        round = alike[0].round
        return max(self.value(self.after(alike, action), policy) for action in round.legal(round.asked[0]))

    def actions(self, worlds: list[World], policy: Policy = best) -> dict[str, float]:
        """Return the value of each legal action, given that the round is played."""
        round, weight = worlds[0].round, sum(world.weight for world in worlds)
        legal = round.legal(round.asked[0])
        return {action: self.value(self.after(worlds, action), policy) / weight for action in legal}

    # -- positions -----------------------------------------------------------------------------------------------------

    def position(self, hand: Sequence[str], up: str, unseen: Counter[str]) -> list[World]:
        """The worlds in which one seat has drawn this hand, the look behind it and insurance declined."""
        worlds = self.worlds(unseen + Counter(hand[2:]), {0: hand[0], 1: up, 2: hand[1]})
        if self.rules.insurance and up == "A":
            worlds = self.after(worlds, DECLINE)
        worlds = [world for world in worlds if not world.round.over]
        for rank in hand[2:]:
            drawn = self.after(worlds, HIT)
            worlds = [world for world in drawn if world.round.hands[0][0].cards[-1][0] == rank]
        return worlds

    def split(self, worlds: list[World], up: str, unseen: Counter[str], purse: Cents = BOTTOMLESS) -> float:
        """Value a split whose pairs are split again only where splitting beats every other play of a half.

        `unseen` is what is unseen beside the first card of the pair: the other one is in it.
        """
        weight = sum(world.weight for world in worlds)
        after = self.after(worlds, SPLIT)
        again = self.value(after, self.halves(up, unseen, purse)) / weight
        plays = [HIT, STAND, *([DOUBLE] if self._doubles_halves(purse) else [])]
        unsplit = max(self.value(self.after(worlds, play), best) / weight for play in plays)
        if again > unsplit + EQUAL:
            return again
        return self.value(after, self.halves(up, unseen, purse, again=False)) / weight

    def _doubles_halves(self, purse: Cents) -> bool:
        return self.rules.double is Double.FIRST_TWO_CARDS and purse > 0

    def halves(self, up: str, unseen: Counter[str], purse: Cents = BOTTOMLESS, *, again: bool = True) -> Policy:
        """Play each half as the unsplit hand would best be, and split it again whenever that is allowed, or never.

        `unseen` is what is unseen beside the first card of the pair: the other one is in it.
        """
        known: dict[object, str] = {}

        def play(round: BlackjackRound) -> str:
            assert round.acting is not None
            legal = round.legal(0, purse)
            if SPLIT in legal and again:
                return SPLIT
            hand = [card[0] for card in round.hands[0][round.acting[1]].cards]
            key = tuple(hand), tuple(legal)
            if key not in known:
                known[key] = self._unsplit(hand, up, unseen - Counter(hand[1:]), legal)
            return known[key]

        return play

    def _unsplit(self, hand: Sequence[str], up: str, unseen: Counter[str], legal: Sequence[str]) -> str:
        worlds = self.position(hand, up, unseen)
        weight = sum(world.weight for world in worlds)
        chosen, most = "", 0.0
        for action in [action for action in (STAND, HIT, DOUBLE) if action in legal]:
            value = self.value(self.after(worlds, action), best) / weight
            if not chosen or value > most + EQUAL:
                chosen, most = action, value
        return chosen


def _table(round: BlackjackRound) -> object:
    """All that lies face up."""
    return (
        round.acting,
        round.asked,
        tuple(round.insurance),
        tuple((tuple(hand.cards), hand.state, hand.stake) for hands in round.hands for hand in hands),
        round.up_card,
    )
