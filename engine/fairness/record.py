"""A round as it is stored: everything that rebuilds it. Restarts, histories, checks and tests all read this form.

Version 1 is a round of scheme 1, version 2 one of scheme 2, version 3 one of scheme 3. All of them stay readable.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final, Self

from engine.fairness import chain, reading
from engine.fairness.chain import Promise
from engine.fairness.reading import BadRecord, each, only
from engine.games import registry
from engine.games.cards import PACK, Card
from engine.games.contract import By, Cents, Line, Outcome, Rules, Seat, Stakes, Step

#: The word for a person among the players of a record, from version 2 on.
PERSON: Final = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(ABC):
    """The facts that rebuild a round, whatever its scheme."""

    game: str
    rules_name: str
    rules: Mapping[str, Any]
    stakes: tuple[Stakes, ...]  # one for each seat
    seed: bytes = field(repr=False)
    steps: tuple[Step, ...] = ()

    version: ClassVar[int]
    scheme: ClassVar[str]

    #: The version of the game's dealing and playing (`Game.build`).
    build: int = 1

    @property
    def rules_text(self) -> str:
        """The rules as canonical JSON, from which a round is played again.

        In schemes 2 and 3 it is part of the record's hash, and in scheme 2 of the shuffle too.
        """
        return chain.canonical_rules(self.rules)

    @property
    @abstractmethod
    def mixed_in(self) -> tuple[str, ...]:
        """The inputs of the shuffle apart from the seed."""

    @abstractmethod
    def to_json(self) -> str:
        """Return compact JSON with its fields in a fixed order. Equal records give the same text."""

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a record from JSON. Any text that is not a record raises BadRecord, and nothing else."""
        return read(reading.parse(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOne(Record):
    """A round of scheme 1, which had a promise of its own."""

    inputs: tuple[str, ...] = ()
    outcome: str = ""  # the hash of its settlement; empty while the round is open
    commitment: str = ""  # the seed's hash, shown before anybody staked; empty if unknown

    version: ClassVar[int] = 1
    scheme: ClassVar[str] = "1"

    @property
    def mixed_in(self) -> tuple[str, ...]:
        return self.inputs

    def to_json(self) -> str:
        return _compact(
            {
                "version": self.version,
                "scheme": self.scheme,
                "game": self.game,
                "rules_name": self.rules_name,
                "rules": _sorted(self.rules),
                "stakes": list(map(_sorted, self.stakes)),
                "commitment": self.commitment,
                "seed": self.seed.hex(),
                "inputs": list(self.inputs),
                "steps": [[step.seat, step.action, step.by.value] for step in self.steps],
                "outcome": self.outcome,
            }
        )

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        only(fields, _FIELDS_ONE)
        get = reading.field
        return cls(
            game=get(fields, "game", reading.text),
            rules_name=get(fields, "rules_name", reading.text),
            rules=get(fields, "rules", reading.mapping(reading.plain)),
            stakes=get(fields, "stakes", each(reading.mapping(reading.whole))),
            seed=bytes.fromhex(get(fields, "seed", reading.digits())),
            inputs=get(fields, "inputs", each(reading.text)),
            steps=get(fields, "steps", each(_step)),
            outcome=get(fields, "outcome", reading.text),
            commitment=reading.text(fields.get("commitment", "")),
        )


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a seat: a person, or a computer player with its level and the version of that level."""

    level: str = ""
    version: int = 0

    @property
    def person(self) -> bool:
        return not self.level


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTwo(Record):
    """A round of scheme 2, dealt from a chain under `promise`. Once it is over, `hash` covers all but the root."""

    promise: Promise
    number: int  # the round's number in its chain, from 1
    players: tuple[Player, ...]  # one for each seat
    phrase: str = ""  # words that the only player mixed in
    #: The purse of the computer player at each of its steps; None if it was larger than anything could cost, and for
    #: steps of people.
    purses: tuple[Cents | None, ...] = ()
    previous: str = ""  # the hash of the round before at the same place; empty for the first
    cards: tuple[Card, ...] = ()  # every card dealt, in dealing order
    payments: tuple[Line, ...] = ()
    hash: str = ""  # empty while the round is open
    root: str = ""  # the chain's root, once the chain has ended; it is not hashed

    version: ClassVar[int] = 2
    scheme: ClassVar[str] = "2"

    @property
    def mixed_in(self) -> tuple[str, ...]:
        return chain.inputs_by_text(self.promise, self.number, self.game, self.rules_text, self.phrase)

    @property
    def mark(self) -> str:
        return chain.mark(self.promise.tip, self.number)

    def promised(self, tip: str) -> str:
        """Return what the promise must show if the chain ends in this tip."""
        return tip

    def hashed(self, cards: Sequence[Card] | None = None) -> str:
        """Return the SHA-256 of the record's canonical JSON, which leaves out this hash, the root and the path.

        The JSON is put together by hand because an audit hashes every round. `cards` are the dealt cards of a record
        that a journal keeps without them.
        """
        promise, quote = self.promise, _quote
        dealt = ",".join(map(quote, self.cards if cards is None else cards))
        payments = ",".join(map(_payment_text, self.payments))
        players = ",".join(map(_player_text, self.players))
        stakes = ",".join(map(_stakes_text, self.stakes))
        steps = ",".join(map(_step_text, zip(self.steps, self.purses, strict=True)))
        build, slot = self._more_hashed()
        text = (
            f'{{{build}"cards":[{dealt}],"channel":"{promise.channel}","game":{quote(self.game)},"guild":"{promise.guild}",'
            f'"message":"{promise.message}","number":{self.number},"payments":[{payments}],'
            f'"phrase":{quote(self.phrase)},"players":[{players}],"previous":{quote(self.previous)},'
            f'"rules":{self.rules_text},"rules_name":{quote(self.rules_name)},"scheme":"{self.scheme}",'
            f'"seed":"{self.seed.hex()}",{slot}"stakes":[{stakes}],"steps":[{steps}],"tip":{quote(promise.tip)},'
            f'"version":{self.version}}}'
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def _more_hashed(self) -> tuple[str, str]:
        """Return two texts to add to the hashed JSON: at its front, and before the stakes. Version 2 adds nothing."""
        return "", ""

    def to_json(self) -> str:
        fields = {**self._fields(), "hash": self.hash}
        return _compact(fields | {"root": self.root} if self.root else fields)

    def _fields(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "scheme": self.scheme,
            "tip": self.promise.tip,
            "guild": str(self.promise.guild),
            "channel": str(self.promise.channel),
            "message": str(self.promise.message),
            "number": self.number,
            "game": self.game,
            "rules_name": self.rules_name,
            "rules": _sorted(self.rules),
            "phrase": self.phrase,
            "seed": self.seed.hex(),
            "previous": self.previous,
            "players": [[who.level, who.version] if who.level else [PERSON] for who in self.players],
            "stakes": list(map(_sorted, self.stakes)),
            "steps": [_step_fields(step, purse) for step, purse in zip(self.steps, self.purses, strict=True)],
            "cards": list(self.cards),
            "payments": [[pay.seat, pay.what, pay.staked, pay.returned, pay.outcome.value] for pay in self.payments],
        }

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        only(fields, _FIELDS_TWO)
        return cls(**_read_two(fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordThree(RecordTwo):
    """A round of scheme 3: only what the deal needs enters its shuffle, and its promise may cover many chains."""

    #: The chain's slot under its promise, from 1, and the path from the chain to what the promise shows
    #: (`chain.path_to`), which is not hashed. Where the promise covers no other chain, they are 0 and empty.
    slot: int = 0
    path: tuple[str, ...] = ()

    version: ClassVar[int] = 3
    scheme: ClassVar[str] = "3"

    @property
    def mixed_in(self) -> tuple[str, ...]:
        try:
            decks: int | str = rules_of(self).decks
        except (ValueError, TypeError, LookupError):
            decks = ""  # it cannot be dealt, and playing it again says why
        return chain.deal_inputs(self.promise, self.number, self.game, decks, self.phrase)

    @property
    def mark(self) -> str:
        return chain.mark(self.promise.tip, self.number, self.slot)

    def promised(self, tip: str) -> str:
        return chain.folded(tip, self.slot, self.path)

    def _more_hashed(self) -> tuple[str, str]:
        return f'"build":{self.build},', f'"slot":{self.slot},'

    def _fields(self) -> dict[str, Any]:
        fields = super(RecordThree, self)._fields()
        return {**fields, "slot": self.slot, "path": list(self.path), "build": self.build}

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        only(fields, _FIELDS_THREE)
        slot, path = place_under_promise(fields)
        return cls(**_read_two(fields), slot=slot, path=path, build=reading.field(fields, "build", reading.whole))


def place_under_promise(fields: Mapping[str, Any]) -> tuple[int, tuple[str, ...]]:
    """Return a chain's slot and path from the fields of a record.

    Slot 0 has an empty path, any other slot a path of `DEPTH` hashes. Raises BadRecord for anything else.
    """
    get = reading.field
    slot, path = get(fields, "slot", reading.whole), get(fields, "path", each(reading.digits(64)))
    if not (1 <= slot <= chain.SLOTS and len(path) == chain.DEPTH) and (slot or path):
        raise BadRecord(f"not a chain's place under its promise: slot {slot}, {len(path)} hashes")
    return slot, path


def _read_two(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that versions 2 and 3 have in common, as arguments of their classes."""
    get = reading.field
    steps = get(fields, "steps", each(_step_and_purse))
    ids = [get(fields, name, reading.identity) for name in ("guild", "channel", "message")]
    return {
        "promise": Promise(get(fields, "tip", reading.digits(64)), *ids),
        "number": get(fields, "number", _place_in_chain),
        "game": get(fields, "game", reading.text),
        "rules_name": get(fields, "rules_name", reading.text),
        "rules": get(fields, "rules", reading.mapping(reading.plain)),
        "phrase": get(fields, "phrase", reading.text),
        "seed": bytes.fromhex(get(fields, "seed", reading.digits(64))),
        "previous": get(fields, "previous", reading.digits(0, 64)),
        "players": get(fields, "players", each(_player)),
        "stakes": get(fields, "stakes", each(reading.mapping(reading.whole))),
        "steps": tuple(step for step, _ in steps),
        "purses": tuple(purse for _, purse in steps),
        "cards": get(fields, "cards", each(card)),
        "payments": get(fields, "payments", each(_payment)),
        "hash": get(fields, "hash", reading.digits(64)),
        "root": reading.field(fields, "root", reading.digits(64)) if "root" in fields else "",
    }


_FIELDS_ONE: Final = (
    "version", "scheme", "game", "rules_name", "rules", "stakes", "commitment", "seed", "inputs", "steps", "outcome",
)  # fmt: skip
_FIELDS_TWO: Final = (
    "version", "scheme", "tip", "guild", "channel", "message", "number", "game", "rules_name", "rules", "phrase",
    "seed", "previous", "players", "stakes", "steps", "cards", "payments", "hash", "root",
)  # fmt: skip

_FIELDS_THREE: Final = (*_FIELDS_TWO, "slot", "path", "build")

KINDS: Final[Mapping[int, type[RecordOne] | type[RecordTwo]]] = {1: RecordOne, 2: RecordTwo, 3: RecordThree}


def read(fields: Mapping[str, Any]) -> Record:
    """Return the record that a JSON object describes, or raise BadRecord."""
    version = reading.field(fields, "version", reading.whole)
    if version not in KINDS:
        raise BadRecord(f"the record has version {version}; this release reads up to {max(KINDS)}")
    kind = KINDS[version]
    scheme = reading.field(fields, "scheme", reading.text)
    if scheme != kind.scheme:
        raise BadRecord(f"a record of version {version} has scheme {kind.scheme}, not {scheme!r}")
    return kind.read(fields)


# -- rules of records --------------------------------------------------------------------------------------------------


def rules_of(record: Record) -> Rules:
    """Return the rules that a record was played by.

    Raises ValueError for impossible rules, LookupError for an unknown game.
    """
    return _rules(record.game, record.rules_text)


def rules_from(game: str, rules: Mapping[str, Any]) -> Rules:
    """Return the rules of a game from their fields in a record, cached because thousands of rounds share them.

    Raises ValueError for impossible rules, LookupError for an unknown game.
    """
    return _rules(game, chain.canonical_rules(rules))


@lru_cache(256)
def _rules(game: str, text: str) -> Rules:
    rules: Rules = registry.game(game).rules_from_json(json.loads(text))
    return rules


# -- parts of records --------------------------------------------------------------------------------------------------


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))


def _compact(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _step_fields(step: Step, purse: Cents | None) -> list[Any]:
    return [step.seat, step.action, step.by.value, *([purse] if step.by is By.COMPUTER else [])]


#: Returns a text as a JSON string, in quotes.
_quote: Final = json.encoder.encode_basestring


def _step_text(taken: tuple[Step, Cents | None]) -> str:
    (seat, action, by), purse = taken
    if by is not By.COMPUTER:
        return f'[{seat},{_quote(action)},"{by}"]'
    return f'[{seat},{_quote(action)},"{by}",{"null" if purse is None else purse}]'


def _player_text(who: Player) -> str:
    return f"[{_quote(who.level)},{who.version}]" if who.level else f'["{PERSON}"]'


def _stakes_text(stakes: Stakes) -> str:
    return f"{{{','.join([f'{_quote(spot)}:{staked}' for spot, staked in sorted(stakes.items())])}}}"


def _payment_text(payment: Line) -> str:
    seat, what, staked, returned, outcome = payment
    return f'[{seat},{_quote(what)},{staked},{returned},"{outcome}"]'


def _step(value: Any) -> Step:
    seat, action, by = _parts(value, 3)
    return Step(_seat(seat), reading.text(action), _word(By, by))


def _step_and_purse(value: Any) -> tuple[Step, Cents | None]:
    if type(value) is list and len(value) == 4:
        step = _step(value[:3])
        if step.by is By.COMPUTER:
            return step, None if value[3] is None else reading.whole(value[3])
    step = _step(value)
    if step.by is By.COMPUTER:
        raise BadRecord("a computer player's step without its purse")
    return step, None


def _player(value: Any) -> Player:
    if value == [PERSON]:
        return Player()
    level, version = _parts(value, 2)
    if level in ("", PERSON):
        raise BadRecord(f"not a level: {level!r}")
    return Player(reading.text(level), reading.whole(version))


def _payment(value: Any) -> Line:
    seat, what, staked, returned, outcome = _parts(value, 5)
    money = reading.whole(staked), reading.whole(returned)
    return Line(_seat(seat), reading.text(what), *money, _word(Outcome, outcome))


def card(value: Any) -> Card:
    """Return a value from a file as a card, or raise BadRecord if it is none."""
    if value not in PACK:
        raise BadRecord(f"not a card: {reading.shortened(value)}")
    return str(value)


def _seat(value: Any) -> Seat:
    seat = reading.whole(value)
    if seat < 0:
        raise BadRecord(f"not a seat: {seat}")
    return seat


def _place_in_chain(value: Any) -> int:
    number = reading.whole(value)
    if not 1 <= number <= chain.LENGTH:
        raise BadRecord(f"not from 1 to {chain.LENGTH}: {number}")
    return number


def _word(kind: type[Any], value: Any) -> Any:
    try:
        return kind(reading.text(value))
    except ValueError:
        raise BadRecord(f"unknown word {reading.shortened(value)}") from None


def _parts(value: Any, count: int) -> list[Any]:
    if type(value) is not list or len(value) != count:
        raise BadRecord(f"not {count} things: {reading.shortened(value)}")
    return value
