"""Grades the play of a seat in a finished round: what its decisions cost, and its expected result.

Luck is the difference between the result and the expected one. It is zero on average for every player, however they
play and whatever they can pay (`tests/engine/coach/test_luck.py`). In company and after splits it is a trace above
zero: the game's value does not know other seats' open cards, nor what the halves of a split show each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Final

from engine import solver
from engine.coach.house_edge import house_edges
from engine.games.blackjack.actions import DECLINE, INSURE, STAND, TIME
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules, DealerDraws
from engine.games.cards import Card
from engine.games.contract import By, Cents, Round, Seat, Stakes, Step
from engine.games.war import Answer, WarRules
from engine.solver import BadPosition, Position, UnknownRule

#: The version of the way in which grades are worked out. Raise it with every change that changes grades: those of an
#: older version are then worked out again.
VALUATION: Final = 3

#: Two actions whose values differ by no more than this part of the stake count as equally good.
TOLERANCE: Final = 1e-9

#: The least and the most by which the best two plays of a close decision differ, as parts of the stake (R14.1).
CLOSEST: Final = 0.003
WIDEST: Final = 0.15


@dataclass(frozen=True, slots=True)
class PlayedChoice:
    """A player's decision in a round of blackjack, with everything that its value depends on besides the rules."""

    place: int  # index among the round's steps
    action: str
    stake: Cents  # the hand's own
    position: Position
    hand: tuple[Card, ...]
    up: Card
    #: Whether the player could pay for insurance; None where insurance was not the question.
    may_insure: bool | None = None
    #: Whether the player's time ran out. What this cost is counted, but not as a decision.
    timed_out: bool = False

    @property
    def is_first(self) -> bool:
        """Whether the decision was about the two cards that the seat was dealt, before any split or swap."""
        position = self.position
        return len(position.hand) == 2 and not position.from_split and not position.swapped

    def with_a_full_purse(self) -> PlayedChoice:
        """Return the same choice for a player who can pay for everything."""
        insures = None if self.may_insure is None else True
        return replace(self, position=replace(self.position, stakes=None), may_insure=insures)


@dataclass(frozen=True, slots=True)
class TieAnswer:
    """A player's answer to a tie at war."""

    action: str
    may_go: bool  # whether the player could pay the second stake
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """One seat of a finished round, with everything from which its grade is worked out."""

    game: str
    rules: Any
    stakes: Stakes
    #: The decisions in a round of blackjack, except those where it is unknown what the seat could pay.
    choices: tuple[PlayedChoice, ...] = ()
    #: Whether no other seat had cards.
    alone: bool = True
    #: The answer to a tie at war, if there was one and it is known what the seat could pay.
    war: TieAnswer | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that was not the best one."""

    choice: PlayedChoice
    best: str  # the action that was worth most
    worths: Mapping[str, float]  # the value of each action, in units of the hand's stake
    loss: float  # the cost of the choice, in cents


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of one seat of a round: its expected result, and how good the play was. Amounts are in cents."""

    #: The expected result with these choices; None where the solver does not know it exactly, so that luck is unknown
    #: too. Choices that could not be graded count as the best ones.
    expected: float | None
    #: The cost of the choices compared with the best ones, including choices at time-outs.
    given_away: float = 0.0
    #: The number of decisions between at least two affordable actions of different value, without time-outs; and the
    #: number of right ones.
    decisions: int = 0
    right: int = 0
    #: The close decisions of blackjack among them, and the number of right ones.
    close: int = 0
    close_right: int = 0
    #: The wrong decisions, in the order of play. Choices at time-outs are not among them.
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class HowWellWasItPlayed:
    """The question for the grade of a seat. The answer is None if the value of the rules or of a spot is not known."""

    sitting: PlayedSeat

    def answer(self) -> Grade | None:
        return graded(self.sitting)


# -- from a round to what is asked -------------------------------------------------------------------------------------


def sitting(
    game: str, dealt: Round, steps: Sequence[Step], purses: Sequence[Cents | None], seat: Seat, stakes: Stakes
) -> PlayedSeat:
    """Return what a seat, with these stakes on its spots, was asked and did in a round.

    `dealt` is the round before its first step. `purses` has one entry for each step: the chips that the seat had
    besides its stakes, or None if they are unknown or the step is another seat's. Steps of this seat with an unknown
    purse are left out, and so count as best play.
    """
    rules = dealt.rules  # type: ignore[attr-defined]
    if isinstance(dealt, BlackjackRound):
        choices = tuple(_choices(dealt.fork(), steps, purses, seat))
        return PlayedSeat(game, rules, stakes, choices, alone=len(dealt.hands) == 1)
    wars = [
        TieAnswer(step.action, may_go=purse >= sum(stakes.values()), timed_out=step.by is By.CLOCK)
        for step, purse in zip(steps, purses, strict=True)
        if purse is not None
    ]
    return PlayedSeat(game, rules, stakes, war=wars[0] if wars else None)


def _choices(
    round: BlackjackRound, steps: Sequence[Step], purses: Sequence[Cents | None], seat: Seat
) -> Iterator[PlayedChoice]:
    for place, (step, purse) in enumerate(zip(steps, purses, strict=True)):
        if step.seat == seat and purse is not None:
            silent = step.action == TIME and round.acting is not None
            for asked in round.silences(seat) if silent else [round]:
                yield _choice(asked, place, step, purse)
        round.apply(step.seat, step.action, step.by)


def _choice(round: BlackjackRound, place: int, step: Step, purse: Cents) -> PlayedChoice:
    hand = round.hands[step.seat][round.acting[1] if round.acting else 0]
    silence = DECLINE if round.acting is None else STAND
    return PlayedChoice(
        place=place,
        action=silence if step.action == TIME else step.action,
        stake=hand.stake,
        position=Position.of_round(round, step.seat, purse),
        hand=tuple(hand.cards),
        up=round.up_card,
        may_insure=round.refusal(step.seat, INSURE, purse) is None if round.acting is None else None,
        timed_out=step.by is By.CLOCK,
    )


# -- grading, in the coach's process -----------------------------------------------------------------------------------


def graded(sitting: PlayedSeat) -> Grade | None:
    """Return the grade of a seat, or None if the solver does not know the rules, or the edge of a spot with a stake.

    A choice at blackjack is left out if the solver refuses its position.
    """
    try:
        if sitting.game == "blackjack":
            return _blackjack(sitting)
        edges = house_edges(sitting.game, sitting.rules)
    except UnknownRule:
        return None
    if sitting.game == "war":
        return _war(sitting, edges)
    if not sitting.stakes.keys() <= edges.keys():
        return None
    return Grade(-fsum(edges[spot] * stake for spot, stake in sitting.stakes.items()))


def worths(rules: BlackjackRules, choice: PlayedChoice) -> Mapping[str, float]:
    """Return the value of each action that the player could choose and pay for, in units of the hand's stake.

    Raises UnknownRule or BadPosition where the solver has no answer.
    """
    says = solver.decision(rules, choice.position)
    if choice.may_insure is None:
        return says.actions
    assert says.insurance is not None
    return {DECLINE: 0.0, INSURE: says.insurance} if choice.may_insure else {DECLINE: 0.0}


def _blackjack(sitting: PlayedSeat) -> Grade:
    decisions = right = close = close_right = 0
    given_away, out_of_reach = list[float](), list[float]()
    mistakes = []
    for choice in sitting.choices:
        try:
            worth = worths(sitting.rules, choice)
            out_of_reach.append(_out_of_reach(sitting.rules, choice, worth))
        except BadPosition:
            continue
        best = max(worth, key=lambda action: worth[action])
        loss = worth[best] - worth[choice.action]
        given_away.append(loss * choice.stake)
        if choice.timed_out or worth[best] - min(worth.values()) <= TOLERANCE:
            continue
        is_close, is_right = _is_close(worth), loss <= TOLERANCE
        decisions, right = decisions + 1, right + is_right
        close, close_right = close + is_close, close_right + (is_close and is_right)
        if not is_right:
            mistakes.append(Mistake(choice, best, worth, loss * choice.stake))
    lost, game = fsum(given_away), solver.game(sitting.rules)
    expected = game.value * sum(sitting.stakes.values()) - fsum(out_of_reach) - lost
    is_known = game.exact and (sitting.alone or sitting.rules.dealer_draws is not DealerDraws.CHASES)
    known = expected if is_known else None
    return Grade(known, lost, decisions, right, close=close, close_right=close_right, mistakes=tuple(mistakes))


def _is_close(worth: Mapping[str, float]) -> bool:
    """Return whether the best two actions differ by little, but by enough to matter: from `CLOSEST` to `WIDEST`."""
    best, second, *_ = sorted(worth.values(), reverse=True)
    return CLOSEST <= best - second <= WIDEST


def _out_of_reach(rules: BlackjackRules, choice: PlayedChoice, worth: Mapping[str, float]) -> float:
    """Return by how many cents a first choice would be worth more if the player could pay for everything.

    The value of the whole game assumes such a player, so this difference is subtracted from it. For a choice that is
    not about the first two cards it is 0.
    """
    if not choice.is_first:
        return 0.0
    rich = worths(rules, choice.with_a_full_purse())
    return (max(rich.values()) - max(worth.values())) * choice.stake


def _war(sitting: PlayedSeat, edges: Mapping[str, float]) -> Grade:
    """Grade a round of war, given the house's edge for each answer to a tie.

    The rank of the tied cards does not matter: whichever it is, the shoe lacks two cards of that rank. If there was a
    tie but it is unknown what the seat could pay, its answer counts as the best one.
    """
    rules: WarRules = sitting.rules
    stake, war = sum(sitting.stakes.values()), sitting.war
    best = min(edges.values())
    if war is None:
        return Grade(-best * stake)
    equal = (4 * rules.decks - 1) / (52 * rules.decks - 1)
    payable = min(edges.values()) if war.may_go else edges[Answer.SURRENDER]
    out_of_reach, lost = ((worth / equal) * stake for worth in (payable - best, edges[war.action] - payable))
    differ = war.may_go and not war.timed_out and abs(edges[Answer.WAR] - edges[Answer.SURRENDER]) > TOLERANCE
    return Grade(-best * stake - out_of_reach - lost, lost, int(differ), int(differ and lost <= TOLERANCE))
