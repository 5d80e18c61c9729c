"""Records of finished rounds in each scheme, played by an expert, without the cards: as a journal stores them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.fairness import chain
from engine.fairness.record import Player, RecordOne, RecordThree, RecordTwo
from engine.fairness.replay import outcome_hash, replay, sealed
from engine.fairness.shuffle import commitment
from engine.games.blackjack import GAME
from engine.games.blackjack.players import choose
from engine.games.blackjack.round import BlackjackRound
from engine.games.computer import Level
from engine.games.contract import CHIP

_RULES = "vegas"
_STAKES = ({"main": 10 * CHIP},)


def of_scheme_one(count: int) -> list[RecordOne]:
    """Return records of scheme 1, each with a seed of its own."""
    return [_one(secrets.token_bytes(32)) for _ in range(count)]


def _one(seed: bytes) -> RecordOne:
    rules, inputs = GAME.rule_sets[_RULES].as_json(), ("1", "press/1", "")
    dealt = RecordOne(
        game=GAME.name, rules_name=_RULES, rules=rules, stakes=_STAKES, seed=seed, inputs=inputs,
        commitment=commitment(seed),
    )  # fmt: skip
    round = _played(dealt)
    return replace(dealt, steps=tuple(round.steps), outcome=outcome_hash(round))


def of_scheme_two(count: int, root: bytes = b"") -> list[RecordTwo]:
    """Return the first records of a chain with this root, else with a random one. Each is sealed with the hash of the
    one before.
    """
    return list(_chained(RecordTwo, root or secrets.token_bytes(32), count))


def of_scheme_three(count: int) -> list[RecordTwo]:
    """Return the first records of a chain of scheme 3, which is one of many under its promise, as tables deal them."""
    above = secrets.token_bytes(32)
    tips, slot = b"".join(chain.slot_tips(above)), 1 + secrets.randbelow(chain.SLOTS)
    place: dict[str, Any] = {"slot": slot, "path": chain.path_to(tips, slot)}
    return list(_chained(RecordThree, chain.slot_root(above, slot), count, chain.top_of(tips), **place))


def _chained(kind: type[RecordTwo], root: bytes, count: int, shown: str = "", **place: Any) -> Iterator[RecordTwo]:
    promise, previous = chain.Promise(shown or chain.tip_of(root), 10**18, 10**18 + 1, 10**18 + 2), ""
    rules = GAME.rule_sets[_RULES].as_json()
    for number in range(1, count + 1):
        dealt = kind(
            promise=promise, number=number, game=GAME.name, rules_name=_RULES, rules=rules, stakes=_STAKES,
            seed=chain.seed_of(root, number), players=(Player(),), previous=previous, **place,
        )  # fmt: skip
        steps = tuple(_played(dealt).steps)
        whole = sealed(replace(dealt, steps=steps, purses=(None,) * len(steps)))
        yield replace(whole, cards=())
        previous = whole.hash


def _played(dealt: RecordOne | RecordTwo) -> BlackjackRound:
    round = replay(dealt)
    assert isinstance(round, BlackjackRound)
    while round.asked:
        (seat,) = round.asked
        round.apply(seat, choose(Level.EXPERT, round, seat))
    return round
