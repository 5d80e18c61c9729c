"""How well a seat of a finished round was played: what each of its decisions gave away, and what it could expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

from engine import solver
from engine.coach import keeping
from engine.games.blackjack.actions import DECLINE, INSURE, STAND, TIME
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import Rules
from engine.games.cards import Card
from engine.games.contract import By, Cents, Round, Seat, Stakes, Step
from engine.games.war import Answer, WarRules
from engine.solver import BadPosition, Position, UnknownRule

#: Actions that differ by less are equally good.
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody did when asked, and all that its worth depends on."""

    place: int  # among the round's steps
    action: str
    stake: Cents  # of the hand
    position: Position
    hand: tuple[Card, ...]
    up: Card
    #: Where insurance was the question: whether it could be paid.
    may_insure: bool | None = None
    #: A time-out gives away what it gives away, and says nothing of how well somebody plays.
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """One seat of a finished round."""

    game: str
    rules: Any
    stakes: Stakes
    #: Those of which it is known what the seat could pay.
    choices: tuple[Choice, ...] = ()
    #: The answer to equal cards at war, if there was one and another could be paid.
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that was not the best one. Worths are in units of the hand's stake, the loss in cents."""

    choice: Choice
    best: str
    worths: Mapping[str, float]
    loss: float


@dataclass(frozen=True, slots=True)
class Grade:
    """Of a sitting, in cents: what it was worth before a card fell less what was given away, and how it was played."""

    expected: float
    given_away: float = 0.0
    #: Of decisions at which at least two affordable actions differ, time-outs apart; and how many were right.
    decisions: int = 0
    right: int = 0
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class HowWellWasItPlayed:
    """The question for the coach. The answer is None where nobody can say."""

    sitting: Sitting

    def answer(self) -> Grade | None:
        return graded(self.sitting)


# -- from a round to what is asked -------------------------------------------------------------------------------------


def sitting(
    game: str, dealt: Round, steps: Sequence[Step], purses: Sequence[Cents | None], seat: Seat, stakes: Stakes
) -> Sitting:
    """One seat of a round, from the round as it was dealt. `purses` are what the seat had beside its stakes before
    each step; None where nobody knows."""
    rules = dealt.rules  # type: ignore[attr-defined]
    if isinstance(dealt, BlackjackRound):
        return Sitting(game, rules, stakes, tuple(_choices(dealt.fork(), steps, purses, seat)))
    answers = [
        step.action
        for step, purse in zip(steps, purses, strict=True)
        if step.by is By.MEMBER and purse is not None and purse >= sum(stakes.values())
    ]
    return Sitting(game, rules, stakes, answer=answers[0] if answers else "")


def _choices(
    round: BlackjackRound, steps: Sequence[Step], purses: Sequence[Cents | None], seat: Seat
) -> Iterator[Choice]:
    for place, (step, purse) in enumerate(zip(steps, purses, strict=True)):
        if step.seat == seat and purse is not None:
            yield _choice(round, place, step, purse)
        round.apply(step.seat, step.action, step.by)


def _choice(round: BlackjackRound, place: int, step: Step, purse: Cents) -> Choice:
    hand = round.hands[step.seat][round.acting[1] if round.acting else 0]
    position = Position.of_round(round, step.seat, purse)
    silence = DECLINE if round.acting is None else STAND
    return Choice(
        place=place,
        action=silence if step.action == TIME else step.action,
        stake=hand.stake,
        position=position,
        hand=tuple(hand.cards),
        up=round.up_card,
        may_insure=round.refusal(step.seat, INSURE, purse) is None if round.acting is None else None,
        timed_out=step.by is By.CLOCK,
    )


# -- grading, in the coach's process -----------------------------------------------------------------------------------


def graded(sitting: Sitting) -> Grade | None:
    """None for rules that nobody has worked out."""
    try:
        if sitting.game == "blackjack":
            return _blackjack(sitting)
        kept = keeping.kept(sitting.game, sitting.rules)
    except UnknownRule:
        return None
    if sitting.game == "war":
        return _war(sitting, kept)
    if not sitting.stakes.keys() <= kept.keys():
        return None
    return Grade(-fsum(kept[spot] * stake for spot, stake in sitting.stakes.items()))


def worths(rules: Rules, choice: Choice) -> Mapping[str, float]:
    """What each action was worth, in units of the hand's stake. Raises BadPosition where there is no answer."""
    says = solver.decision(rules, choice.position)
    if choice.may_insure is None:
        return says.actions
    assert says.insurance is not None
    return {DECLINE: 0.0, INSURE: says.insurance} if choice.may_insure else {DECLINE: 0.0}


def _blackjack(sitting: Sitting) -> Grade:
    decisions = right = 0
    given_away: list[float] = []
    mistakes = []
    for choice in sitting.choices:
        try:
            worth = worths(sitting.rules, choice)
        except BadPosition:
            continue
        best = max(worth, key=lambda action: worth[action])
        loss = worth[best] - worth[choice.action]
        given_away.append(loss * choice.stake)
        if choice.timed_out or worth[best] - min(worth.values()) <= TOLERANCE:
            continue
        decisions += 1
        if loss <= TOLERANCE:
            right += 1
        else:
            mistakes.append(Mistake(choice, best, worth, loss * choice.stake))
    lost = fsum(given_away)
    expected = solver.game(sitting.rules).value * sum(sitting.stakes.values()) - lost
    return Grade(expected, lost, decisions, right, tuple(mistakes))


def _war(sitting: Sitting, kept: Mapping[str, float]) -> Grade:
    """To go to war is worth the same whatever the rank of the equal cards: the shoe lacks two of one kind."""
    rules: WarRules = sitting.rules
    stake = sum(sitting.stakes.values())
    best = min(kept, key=lambda answer: kept[answer])
    equal = (4 * rules.decks - 1) / (52 * rules.decks - 1)
    lost = 0.0
    if sitting.answer:
        lost = (kept[sitting.answer] - kept[best]) / equal * stake
    differ = bool(sitting.answer) and abs(kept[Answer.WAR] - kept[Answer.SURRENDER]) > TOLERANCE
    return Grade(-kept[best] * stake - lost, lost, int(differ), int(differ and lost <= TOLERANCE))
