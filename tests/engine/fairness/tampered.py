"""Forty ways to tamper with a record of scheme 3 that is one of many under its promise, each by its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from engine.fairness import chain
from engine.fairness.record import Player, RecordThree
from engine.fairness.replay import stakes_back
from engine.games.cards import PACK
from engine.games.contract import By, Outcome, Step

from . import made

_Change = Callable[[RecordThree], dict[str, Any]]


@cache
def honest() -> RecordThree:
    """A hand of blackjack with people and a computer player, whose chain has a slot and whose root is known."""
    for number in range(1_000):
        record = made.three(number)
        people = [player.person for player in record.players]
        whole = record.slot and record.root and record.previous and len(record.cards) > 8
        company = people.count(True) == 1 < len(people) and {By.MEMBER, By.COMPUTER} <= {
            step.by for step in record.steps
        }
        if whole and company and record.game == "blackjack":
            return record
    raise AssertionError("none of a thousand")


def _other_card(record: RecordThree) -> tuple[str, ...]:
    first, *rest = record.cards
    return (PACK[(PACK.index(first) + 1) % len(PACK)], *rest)


def _line(record: RecordThree, **other: Any) -> dict[str, Any]:
    return {"payments": (record.payments[0]._replace(**other), *record.payments[1:])}


def _step(record: RecordThree, place: int, **other: Any) -> dict[str, Any]:
    steps = list(record.steps)
    steps[place] = steps[place]._replace(**other)
    return {"steps": tuple(steps)}


def _promise(record: RecordThree, **other: Any) -> dict[str, Any]:
    return {"promise": replace(record.promise, **other)}


def _steps(record: RecordThree, chosen: slice) -> dict[str, Any]:
    return {"steps": record.steps[chosen], "purses": record.purses[chosen]}


def _without(record: RecordThree, place: int) -> tuple[int | None, ...]:
    """The purses without the one of a step."""
    return (*record.purses[:place], None, *record.purses[place + 1 :])


def _seed(record: RecordThree, number: int) -> bytes:
    return chain.seed_of(bytes.fromhex(record.root), number)


def _of(record: RecordThree, by: By) -> int:
    return next(place for place, step in enumerate(record.steps) if step.by is by)


def _players(record: RecordThree, change: Callable[[Player], Player]) -> dict[str, Any]:
    return {"players": tuple(map(change, record.players))}


#: Each agrees with its own hash, which is worked out again.
SEALED_AGAIN: Final[Mapping[str, _Change]] = {
    "another tip": lambda record: _promise(record, tip="ab" * 32),
    "the chain's tip for the promise's": lambda record: _promise(
        record, tip=chain.tip_from(record.seed, record.number)
    ),
    "another server": lambda record: _promise(record, guild=7),
    "another channel": lambda record: _promise(record, channel=7),
    "another message": lambda record: _promise(record, message=7),
    "the next slot": lambda record: {"slot": record.slot % chain.SLOTS + 1},
    "the slot beside it": lambda record: {"slot": (record.slot - 1 ^ 1) + 1},
    "no slot": lambda record: {"slot": 0, "path": ()},
    "no slot, and the chain's own tip": lambda record: {
        "slot": 0, "path": (), **_promise(record, tip="00" + chain.tip_from(record.seed, record.number)[2:]),
    },
    "another lowest hash": lambda record: {"path": ("ab" * 32, *record.path[1:])},
    "another highest hash": lambda record: {"path": (*record.path[:-1], "ab" * 32)},
    "two hashes exchanged": lambda record: {"path": (record.path[1], record.path[0], *record.path[2:])},
    "the path from above": lambda record: {"path": record.path[::-1]},
    "another seed": lambda record: {"seed": bytes(32)},
    "the seed of the round before": lambda record: {"seed": _seed(record, record.number - 1)},
    "the round before by its number": lambda record: {"number": record.number - 1},
    "the next round by its number": lambda record: {"number": record.number + 1},
    "another round of the chain": lambda record: {
        "number": record.number + 1, "seed": _seed(record, record.number + 1),
    },
    "another root": lambda record: {"root": "00" * 32},
    "the root of the next slot": lambda record: {"root": chain.slot_root(bytes.fromhex(record.root), 2).hex()},
    "a phrase": lambda record: {"phrase": f"{record.phrase}!"},
    "another game": lambda record: {"game": "war"},
    "another number of decks": lambda record: {"rules": {**record.rules, "decks": 9 - record.rules["decks"]}},
    "the dealer from the other end": lambda record: {
        "rules": {
            **record.rules,
            "dealer_cards": "in order" if record.rules["dealer_cards"] == "from the far end" else "from the far end",
        }
    },
    "another version of the game": lambda record: {"build": record.build + 1},
    "another version of the level": lambda record: _players(
        record, lambda who: replace(who, version=2) if who.level else who
    ),
    "a person for the computer player": lambda record: _players(record, lambda _: Player()),
    "computer players for people": lambda record: _players(record, lambda _: Player("expert", 1)),
    "one player too many": lambda record: {"players": (*record.players, Player())},
    "one step too few": lambda record: _steps(record, slice(-1)),
    "the first step left out": lambda record: _steps(record, slice(1, None)),
    "one step too many": lambda record: {
        "steps": (*record.steps, Step(0, "stand")), "purses": (*record.purses, None),
    },
    "another seat's step": lambda record: _step(record, 0, seat=6),
    "a person's step for the computer player's": lambda record: {
        **_step(record, _of(record, By.COMPUTER), by=By.MEMBER),
        "purses": _without(record, _of(record, By.COMPUTER)),
    },
    "a step that there is not": lambda record: _step(record, _of(record, By.MEMBER), action="fold"),
    "the cards in another order": lambda record: {"cards": record.cards[::-1]},
    "another card": lambda record: {"cards": _other_card(record)},
    "a card too few": lambda record: {"cards": record.cards[:-1]},
    "a card that was not dealt": lambda record: {"cards": (*record.cards, "As")},
    "a payment too few": lambda record: {"payments": record.payments[:-1]},
    "a payment too high": lambda record: _line(record, returned=record.payments[0].returned + 100),
    "another end": lambda record: _line(
        record, outcome=Outcome.PUSH if record.payments[0].outcome is not Outcome.PUSH else Outcome.LOSE
    ),
    "all stakes back": lambda record: {"payments": stakes_back(record)},
    "another stake": lambda record: {"stakes": ({"main": record.stakes[0]["main"] + 100}, *record.stakes[1:])},
}  # fmt: skip

#: Each keeps the hash of the honest record.
NOT_SEALED_AGAIN: Final[Mapping[str, _Change]] = {
    "another hash": lambda _: {"hash": "ab" * 32},
    "another hash before it": lambda _: {"previous": "ab" * 32},
    "another name of the rules": lambda _: {"rules_name": "mine"},
}

#: Each changes the text, which can then not be read.
UNREADABLE: Final[Mapping[str, Callable[[dict[str, Any]], object]]] = {
    "a path of seven hashes": lambda fields: fields["path"].pop(),
    "a path of nine hashes": lambda fields: fields["path"].append("ab" * 32),
    "slot 257": lambda fields: fields.update(slot=257),
    "a slot below nothing": lambda fields: fields.update(slot=-1),
    "a slot in words": lambda fields: fields.update(slot="5"),
    "a slot without its path": lambda fields: fields.update(path=[]),
    "a path without its slot": lambda fields: fields.update(slot=0),
    "no build": lambda fields: fields.pop("build"),
    "the version before": lambda fields: fields.update(version=2),
    "the scheme before": lambda fields: fields.update(scheme="2"),
    "a field more": lambda fields: fields.update(promise="5"),
}

KINDS: Final = (*SEALED_AGAIN, *NOT_SEALED_AGAIN, *UNREADABLE)


def tampered(kind: str) -> str:
    """The text of the honest record after somebody did this to it."""
    record = honest()
    if kind in UNREADABLE:
        fields = json.loads(record.to_json())
        UNREADABLE[kind](fields)
        return json.dumps(fields)
    forged = replace(record, **{**SEALED_AGAIN, **NOT_SEALED_AGAIN}[kind](record))
    return (replace(forged, hash=forged.hashed()) if kind in SEALED_AGAIN else forged).to_json()


def expected(kind: str) -> str:
    """The verdict that it must get."""
    return "cannot be read" if kind in UNREADABLE else "does not fit"
