"""The loss of each step of thinking computer players (`Game.thinkers`, R6.4).

The solver, which needs numpy, works it out.

A step counts as best if it costs no more than `TOLERANCE` of its stake. A player for whom the solver had no answer in
time plays by its chart; that is allowed too, and the check of a round says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Final

from engine.fairness.record import Record, RecordTwo, rules_of
from engine.fairness.replay import dealt, shoe_of
from engine.games import registry
from engine.games.blackjack.actions import INSURE
from engine.games.blackjack.round import BlackjackRound
from engine.games.cards import Shoe
from engine.games.contract import BOTTOMLESS, Cents, IllegalAction, Seat

TOLERANCE: Final = 1e-9

#: The loss of each step compared with the best one, in stakes of its hand, by the step's index; None: unknown.
Losses = Mapping[int, float | None]


def can_be_checked() -> bool:
    """Return whether numpy is installed, without which the solver cannot work."""
    return find_spec("numpy") is not None


def losses(record: Record, cards: Shoe | None = None) -> Losses:
    """Return the loss of each step of thinking players; no losses in scheme 1, or if the round cannot be played again.

    `cards` is a shoe to take instead of the record's own.
    """
    if not isinstance(record, RecordTwo):
        return {}
    try:
        return dict(_losses(record, shoe_of(record) if cards is None else cards))
    except (IllegalAction, ValueError, TypeError, LookupError):
        return {}  # the verification says why


def has_thinkers(record: Record) -> bool:
    """Return whether a thinking computer player took part, whose steps only the solver can check."""
    if not isinstance(record, RecordTwo) or record.game not in registry.GAMES:
        return False
    return any(player.level in registry.game(record.game).thinkers for player in record.players)


def _losses(record: RecordTwo, cards: Shoe) -> Iterator[tuple[int, float | None]]:
    game = registry.game(record.game)
    round = dealt(record, rules_of(record), cards)
    for place, (step, purse) in enumerate(zip(record.steps, record.purses, strict=True)):
        thinks = record.players[step.seat].level in game.thinkers and step.seat in round.asked
        if thinks and isinstance(round, BlackjackRound):
            yield place, _loss(round, step.seat, step.action, BOTTOMLESS if purse is None else purse)
        round.apply(step.seat, step.action, step.by)


def _loss(round: BlackjackRound, seat: Seat, action: str, purse: Cents) -> float | None:
    from engine import solver

    try:
        says = solver.decision(round.rules, solver.Position.of_round(round, seat, purse))
    except (solver.UnknownRule, solver.BadPosition):
        return None
    if round.acting is not None:
        worth = says.actions.get(action)
        return None if worth is None else max(says.actions.values()) - worth
    if says.insurance is None:
        return None
    best = max(says.insurance, 0.0) if round.refusal(seat, INSURE, purse) is None else 0.0
    return best - (says.insurance if action == INSURE else 0.0)
