"""Luck is zero on average for every player, however they play, whatever they can pay, and with others or alone."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import pytest

from engine import solver
from engine.coach.grading import graded, sitting
from engine.games.blackjack.actions import ACTIONS, SPLIT, TIME
from engine.games.blackjack.players import choose
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import PACK, Card
from engine.games.computer import Level
from engine.games.contract import CHIP, By, Cents, Step
from engine.games.war import RULE_SETS as WAR_SETS
from engine.games.war import Answer, War, WarRules
from engine.solver import Position
from engine.solver.known import one_seat

STAKE: Final = 10 * CHIP
STAKES: Final = {"main": STAKE}
RICH: Final = 100 * STAKE

#: A player's answer, given the round, the seat and the purse.
Play = Callable[[BlackjackRound, int, Cents, random.Random], str]


@dataclass(frozen=True)
class Player:
    play: Play
    purse: Cents = RICH
    by: By = By.MEMBER


def level(name: Level) -> Play:
    return lambda round, seat, purse, _chance: choose(name, round, seat, purse)


def at_random(round: BlackjackRound, seat: int, purse: Cents, chance: random.Random) -> str:
    return chance.choice([action for action in ACTIONS if action in round.legal(seat, purse)])


def always_splitting(round: BlackjackRound, seat: int, purse: Cents, chance: random.Random) -> str:
    return SPLIT if SPLIT in round.legal(seat, purse) else choose(Level.EXPERT, round, seat, purse)


def splitting_once(round: BlackjackRound, seat: int, purse: Cents, chance: random.Random) -> str:
    first = len(round.hands[seat]) == 1
    return always_splitting(round, seat, purse if first else 0, chance)


def silent(round: BlackjackRound, seat: int, purse: Cents, chance: random.Random) -> str:
    return TIME


def splitting_then_silent(round: BlackjackRound, seat: int, purse: Cents, chance: random.Random) -> str:
    return SPLIT if SPLIT in round.legal(seat, purse) else TIME


PLAYERS: Final[Mapping[str, Player]] = {
    "amateur": Player(level(Level.AMATEUR)),
    "expert": Player(level(Level.EXPERT)),
    "random": Player(at_random),
    "always splitting": Player(always_splitting),
    "splitting once": Player(splitting_once),
    "all-in": Player(level(Level.EXPERT), purse=0),
    "one stake left": Player(at_random, purse=STAKE),
    "silent": Player(silent, by=By.CLOCK),
    "silent after a split": Player(splitting_then_silent, by=By.CLOCK),
}


def lucks(
    rules: BlackjackRules, player: Player, rounds: int, *, seats: int = 1, first: tuple[Card, ...] = ()
) -> Iterator[float | None]:
    """Yield the luck of the last seat in each round, in stakes; the shuffles are always the same.

    `first` are cards that every round begins with. What they bring under best play is then no luck.
    """
    rules, chance = replace(one_seat(rules), most_seats=seats), random.Random(f"{rules} {rounds} {seats} {first}")
    shoe = list(PACK * rules.decks)
    for card in first:
        shoe.remove(card)
    for _ in range(rounds):
        chance.shuffle(shoe)
        dealt = BlackjackRound(rules, [STAKES] * seats, (*first, *shoe[:80]))
        if not (first and dealt.over):  # a natural that the look finds is no hand of these
            yield luck(dealt, player, chance, known=bool(first))


def luck(dealt: BlackjackRound, player: Player, chance: random.Random, *, known: bool) -> float | None:
    """Play a round to its end, and return what it brought the last seat beyond what its grade says."""
    seat, purse = len(dealt.hands) - 1, player.purse
    round, steps, purses = dealt.fork(), list[Step](), list[Cents | None]()
    while not round.over:
        asked = round.asked[0]
        mine = asked == seat
        action = player.play(round, seat, purse, chance) if mine else choose(Level.EXPERT, round, asked)
        by = player.by if mine and (action == TIME or player.by is By.MEMBER) else By.MEMBER
        steps.append(Step(asked, action, by))
        purses.append(purse if mine else None)
        if mine:
            purse -= round.cost(seat, action)
        round.apply(asked, action, by)
    grade = graded(sitting("blackjack", dealt, steps, purses, seat, STAKES))
    assert grade is not None
    if grade.expected is None:
        return None
    start = _worth(dealt, seat) - solver.game(dealt.rules).value if known else 0.0
    return (round.settlement().net(seat) - grade.expected) / STAKE - start


def _worth(dealt: BlackjackRound, seat: int) -> float:
    """Return what the cards of a fresh deal are worth under best play, the look behind them."""
    assert dealt.acting is not None
    return max(solver.decision(dealt.rules, Position.of_round(dealt, seat)).actions.values())


def is_zero(found: list[float], *, errors: float = 4.0) -> bool:
    """Return whether the mean is no further from zero than this many of its standard errors."""
    return abs(statistics.fmean(found)) < errors * statistics.stdev(found) / len(found) ** 0.5


def known(found: Iterator[float | None]) -> list[float]:
    return [luck for luck in found if luck is not None]


# -- blackjack ---------------------------------------------------------------------------------------------------------


@pytest.mark.thinned
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("rules", "seats"), [("vegas", 1), ("classic", 4)])
def test_luck_is_zero_for_every_player(rules: str, seats: int, player: str) -> None:
    assert is_zero(known(lucks(RULE_SETS[rules], PLAYERS[player], 100, seats=seats)))


#: Two cards of the player and the dealer's, in dealing order: where what is told wrong of a play would show.
HANDS: Final[Mapping[str, tuple[Card, ...]]] = {
    "tens against a ten": ("Ts", "Td", "Th"),
    "tens against a six": ("Ts", "6d", "Th"),
    "eights against a six": ("8s", "6d", "8h"),
    "aces against a six": ("As", "6d", "Ah"),
    "eleven against a six": ("6s", "6d", "5h"),
}


@pytest.mark.parametrize(
    ("player", "hand"),
    [
        ("splitting once", "tens against a ten"),
        ("always splitting", "tens against a ten"),
        ("one stake left", "eights against a six"),
        ("all-in", "eleven against a six"),
        ("silent after a split", "eights against a six"),
    ],
)
def test_luck_is_zero_in_each_hand(player: str, hand: str) -> None:
    """What a hand itself is worth is not luck either: deal it again and again, and luck is still zero on average."""
    assert is_zero(known(lucks(RULE_SETS["vegas"], PLAYERS[player], 200, first=HANDS[hand])))


def test_luck_is_not_told_where_others_change_what_a_chasing_dealer_does() -> None:
    kitchen = RULE_SETS["kitchen"]
    assert set(lucks(kitchen, PLAYERS["expert"], 20, seats=2)) == {None}
    assert is_zero(known(lucks(kitchen, PLAYERS["expert"], 100)))


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_luck_is_zero_for_every_player_in_many_rounds(rules: str, player: str) -> None:
    assert is_zero(known(lucks(RULE_SETS[rules], PLAYERS[player], 60_000)))


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("rules", "seats"), [("vegas", 7), ("classic", 3), ("four-seat", 4)])
def test_luck_is_zero_in_company_in_many_rounds(rules: str, seats: int, player: str) -> None:
    assert is_zero(known(lucks(RULE_SETS[rules], PLAYERS[player], 10_000, seats=seats)))


@pytest.mark.long
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", ["vegas", "original"])
def test_luck_is_zero_in_each_hand_in_many_rounds(rules: str, player: str, hand: str) -> None:
    assert is_zero(known(lucks(RULE_SETS[rules], PLAYERS[player], 20_000, first=HANDS[hand])))


# -- the other games ---------------------------------------------------------------------------------------------------


def at_war(rules: WarRules, answer: str, purse: Cents, by: By, rounds: int) -> list[float]:
    """Return the luck of this many battles in stakes, with the same answer to every equal card."""
    chance, shoe = random.Random(f"{rules} {answer}"), list(PACK * rules.decks)
    found = []
    for _ in range(rounds):
        dealt = War(rules, [STAKES], tuple(chance.sample(shoe, 10)))
        steps = [] if dealt.over else [Step(0, answer, by)]
        found.append(_luck_at_war(dealt, steps, purse))
    return found


def _luck_at_war(dealt: War, steps: list[Step], purse: Cents) -> float:
    grade = graded(sitting("war", dealt, steps, [purse for _ in steps], 0, STAKES))
    assert grade is not None
    assert grade.expected is not None
    round = dealt.fork()
    for step in steps:
        round.apply(0, step.action, step.by, purse)
    return (round.settlement().net(0) - grade.expected) / STAKE


@pytest.mark.parametrize("rules", ["casino", "ctrl-alt-bet"])
@pytest.mark.parametrize(
    ("answer", "purse", "by"),
    [
        (Answer.WAR, RICH, By.MEMBER),
        (Answer.SURRENDER, RICH, By.MEMBER),
        (Answer.SURRENDER, RICH, By.CLOCK),
        (Answer.SURRENDER, 0, By.MEMBER),
        (Answer.SURRENDER, 0, By.CLOCK),
    ],
)
def test_luck_is_zero_at_war(rules: str, answer: str, purse: Cents, by: By) -> None:
    assert is_zero(at_war(WAR_SETS[rules], answer, purse, by, 4_000))
