"""A round as it is kept: everything that rebuilds it, and nothing that was worked out from it.

Restarts, histories, checks of fairness, statistics and tests all read this one form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.fairness.shuffle import SCHEME, shoe
from engine.games import registry
from engine.games.cards import Shoe
from engine.games.contract import By, Line, Round, Rules, Seat, Stakes, Step

#: Raised when a field is added or read differently. Older records stay readable, and stay test fixtures.
VERSION: Final = 1


class BadRecord(ValueError):
    """A text that is not the record of a round. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Record:
    """(rules, seed, inputs, stakes, steps) rebuild the round; `outcome` says whether it was rebuilt right."""

    game: str
    rules_name: str
    rules: Mapping[str, Any]
    stakes: tuple[Stakes, ...]  # by seat
    seed: bytes
    inputs: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    outcome: str = ""  # empty while the round is open
    commitment: str = ""  # as it was shown before the stakes
    version: int = VERSION
    scheme: str = SCHEME

    def to_json(self) -> str:
        """Compact, in reading order, and the same text for the same record."""
        return json.dumps(
            {
                "version": self.version,
                "scheme": self.scheme,
                "game": self.game,
                "rules_name": self.rules_name,
                "rules": dict(sorted(self.rules.items())),
                "stakes": [dict(sorted(stakes.items())) for stakes in self.stakes],
                "commitment": self.commitment,
                "seed": self.seed.hex(),
                "inputs": list(self.inputs),
                "steps": [[step.seat, step.action, step.by.value] for step in self.steps],
                "outcome": self.outcome,
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> Record:
        try:
            return _read(json.loads(text))
        except json.JSONDecodeError as error:
            raise BadRecord(f"not JSON: {error}") from None
        except KeyError as error:
            raise BadRecord(f"the record has no {error.args[0]!r}") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise BadRecord(f"not the record of a round: {error}") from None


def _read(fields: Mapping[str, Any]) -> Record:
    if fields["version"] not in range(1, VERSION + 1):
        raise BadRecord(f"the record has version {fields['version']}; this release reads up to {VERSION}")
    return Record(
        game=str(fields["game"]),
        rules_name=str(fields["rules_name"]),
        rules=dict(fields["rules"]),
        stakes=tuple({str(spot): int(cents) for spot, cents in stakes.items()} for stakes in fields["stakes"]),
        seed=bytes.fromhex(fields["seed"]),
        inputs=tuple(map(str, fields["inputs"])),
        steps=tuple(_step(*step) for step in fields["steps"]),
        outcome=str(fields["outcome"]),
        commitment=str(fields.get("commitment", "")),
        version=int(fields["version"]),
        scheme=str(fields["scheme"]),
    )


def _step(seat: Seat, action: str, by: str) -> Step:
    return Step(int(seat), str(action), By(by))


def rules_of(record: Record) -> Rules:
    rules: Rules = registry.game(record.game).rules_from_json(record.rules)
    return rules


def shoe_of(record: Record) -> Shoe:
    """The shoe that the round was dealt from."""
    return shoe(record.seed, record.inputs, rules_of(record).decks, record.scheme)


def replay(record: Record, steps: int | None = None, cards: Shoe | None = None) -> Round:
    """The round again: dealt, and all its steps taken, or the first few. `cards` stands in for its own shoe."""
    cards = shoe_of(record) if cards is None else cards
    again: Round = registry.game(record.game).deal(rules_of(record), record.stakes, cards)
    for step in record.steps[:steps]:
        again.apply(step.seat, step.action, step.by)
    return again


def outcome_hash(finished: Round) -> str:
    """The fingerprint of a settlement."""
    return lines_hash(finished.settlement().lines)


def lines_hash(lines: Sequence[Line]) -> str:
    """SHA-256 of the settlement's lines, written one under the other with tabs between their words."""
    return hashlib.sha256("".join(map(_written, lines)).encode()).hexdigest()


def _written(line: Line) -> str:
    return f"{line.seat}\t{line.what}\t{line.staked}\t{line.returned}\t{line.outcome.value}\n"
