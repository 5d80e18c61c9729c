"""Schemes 2 and 3: one promise for a thousand rounds, or for 256 chains of a thousand.

A secret root leads to one seed, whose SHA-256 is the next one, and so on. The rounds use these seeds in reverse order.
The last hash, the tip, is shown beforehand and promises all of them: the SHA-256 of each revealed seed is the seed of
the round before, and for the first round it is the tip. For many chains, the top of a tree over their tips is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.fairness.shuffle import length_prefixed, shoe, shuffled
from engine.games.cards import PACK, Card

#: The rounds of one chain.
LENGTH: Final = 1_000

#: The chains that one promise can cover, and the levels of the tree of hashes over them.
SLOTS: Final = 256
DEPTH: Final = 8

#: Digits of a tip that people see at the table and in a round's mark.
SHORT: Final = 8

#: Digits of a record's hash that people see in the round's result.
SHOWN_HASH: Final = 16

_MARK: Final = re.compile(rf"([0-9a-f]{{{SHORT}}}(?:-[1-9][0-9]{{0,2}})?)-([1-9][0-9]{{0,3}})")


@dataclass(frozen=True, slots=True)
class Promise:
    """The message that promised one chain or many, and the tip that it shows. Ids are Discord's."""

    tip: str
    guild: int
    channel: int
    message: int

    @property
    def address(self) -> str:
        """The address at which the message can be read."""
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{self.message}"


# -- secrets -----------------------------------------------------------------------------------------------------------


def one_way(secret: bytes, label: str, *parts: object) -> bytes:
    """Derive a secret for the purpose that `label` and `parts` name.

    It reveals nothing about the secret that it comes from, or about those for other purposes.
    """
    return hmac.digest(secret, length_prefixed([label.encode(), *(str(part).encode() for part in parts)]), "sha256")


def seed_of(root: bytes, number: int) -> bytes:
    """Return the seed of round `number` of the chain with this root. Raises ValueError outside 1 to `LENGTH`."""
    if not 1 <= number <= LENGTH:
        raise ValueError(f"a chain has rounds 1 to {LENGTH}, not {number}")
    return _led_to(root, LENGTH - number)


def tip_of(root: bytes) -> str:
    """Return the tip of the chain with this root, in hex."""
    return _led_to(root, LENGTH).hex()


def _led_to(root: bytes, hashes: int) -> bytes:
    """Return the result of hashing the chain's first seed this many times."""
    stone, left = divmod(hashes, _APART)
    return _hashed(_milestones(root)[stone * 32 : (stone + 1) * 32], left)


@lru_cache(maxsize=4_096)
def _milestones(root: bytes) -> bytes:
    """Return the chain's first seed and every 32nd from there, joined. Each other seed is at most 31 hashes further."""
    stones = [one_way(root, "seeds")]
    for _ in range(LENGTH // _APART):
        stones.append(_hashed(stones[-1], _APART))
    return b"".join(stones)


_APART: Final = 32


def lots_of(root: bytes) -> bytes:
    """Return the secret from which lots are drawn: cards at elimination tables, orders in tournaments (R7.4)."""
    return one_way(root, "lots")


def table_root(root: bytes, stage: int, table: int, attempt: int) -> bytes:
    """Return the root of one table of a tournament. Each new attempt at a table's promise has its own."""
    return one_way(root, "table", stage, table, attempt)


# -- many chains under one promise -------------------------------------------------------------------------------------


def slot_root(root: bytes, slot: int) -> bytes:
    """Return the root of the chain in a slot (counted from 1) of the promise whose secret is `root`."""
    return one_way(root, "slot", slot)


def leaf(tip: bytes) -> bytes:
    """Return the hash that stands for the chain with this tip at the bottom of its promise's tree of hashes."""
    return hashlib.sha256(b"\x00" + tip).digest()


def parent(left: bytes, right: bytes) -> bytes:
    """Return the hash above two hashes of the tree."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def slot_tips(root: bytes) -> Iterator[bytes]:
    """Yield the tips of all chains of a promise with this secret, in the order of their slots.

    Each takes about half a millisecond: let the event loop run in between.
    """
    for slot in range(1, SLOTS + 1):
        yield _hashed(one_way(slot_root(root, slot), "seeds"), LENGTH)


def top_of(tips: bytes) -> str:
    """Return the tip, in hex, of the promise that covers the chains with these joined tips: the top of the tree."""
    return _levels(tips)[-1].hex()


def path_to(tips: bytes, slot: int) -> tuple[str, ...]:
    """Return the path from the chain in this slot to the top of the tree, which `folded` follows.

    It has the neighbour of each hash on that way, in hex and from the bottom up. `tips` are the joined tips of all
    chains.
    """
    return tuple(
        level[32 * beside : 32 * (beside + 1)].hex()
        for depth, level in enumerate(_levels(tips)[:-1])
        for beside in [(slot - 1 >> depth) ^ 1]
    )


@lru_cache(maxsize=32)
def _levels(tips: bytes) -> tuple[bytes, ...]:
    """Return the levels of the tree over these tips, each as its joined hashes: 256 leaves, then 128, up to the top."""
    levels = [b"".join(map(leaf, apart(tips)))]
    while len(levels[-1]) > 32:
        below = apart(levels[-1])
        levels.append(b"".join(map(parent, below[::2], below[1::2])))
    return tuple(levels)


def apart(hashes: bytes) -> list[bytes]:
    """Split joined hashes into a list, 32 bytes each."""
    return [hashes[at : at + 32] for at in range(0, len(hashes), 32)]


def folded(tip: str, slot: int, path: Sequence[str]) -> str:
    """Return the tip that a chain's promise shows: the top of the tree, worked out from the chain's own tip and `path`.

    A chain without a path is promised in a message of its own, which shows the chain's tip.
    """
    if not path:
        return tip
    found, place = leaf(bytes.fromhex(tip)), slot - 1
    for beside in map(bytes.fromhex, path):
        found = parent(beside, found) if place % 2 else parent(found, beside)
        place //= 2
    return found.hex()


# -- what is drawn from them -------------------------------------------------------------------------------------------


def tip_from(seed: bytes, number: int) -> str:
    """Return the tip, in hex, to which the seed of round `number` leads when it is hashed `number` times.

    Raises ValueError for a number that no round has.
    """
    if not 1 <= number <= LENGTH:
        raise ValueError(f"a chain has rounds 1 to {LENGTH}, not {number}")
    before, left = seed, number
    while left and (before, left) not in _followed:
        before, left = hashlib.sha256(before).digest(), left - 1
    tip = _followed.get((before, left)) or before.hex()
    while len(_followed) >= FOLLOWED:
        _followed.pop(next(iter(_followed)), None)
    _followed[seed, number] = tip
    return tip


#: The tips of known seeds, so that checking a chain's rounds in order takes one hash each instead of a thousand.
_followed: dict[tuple[bytes, int], str] = {}
#: The most tips that `_followed` keeps.
FOLLOWED: Final = 1_024


def inputs(promise: Promise, number: int, game: str, rules: Mapping[str, Any], phrase: str = "") -> tuple[str, ...]:
    """Return everything that enters the shuffle of a round of scheme 2 apart from its seed.

    `phrase` is the text that the round's only player mixed in, empty if there is none.
    """
    return inputs_by_text(promise, number, game, canonical_rules(rules), phrase)


def inputs_by_text(promise: Promise, number: int, game: str, rules: str, phrase: str) -> tuple[str, ...]:
    """Return what `inputs` returns, for rules given as the text that `canonical_rules` made of them."""
    ids = (str(promise.message), str(number), str(promise.guild), str(promise.channel))
    return "round", *ids, game, rules, phrase


def deal_inputs(promise: Promise, number: int, game: str, decks: int | str, phrase: str) -> tuple[str, ...]:
    """Return everything that enters the shuffle of a round of scheme 3 apart from its seed.

    The only rule that enters is the number of decks, empty for a record whose rules cannot be read. `phrase` is the
    text that the round's only player mixed in, empty if there is none.
    """
    ids = (str(promise.message), str(number), str(promise.guild), str(promise.channel))
    return "deal", *ids, game, str(decks), phrase


def lots_deck(lots: bytes, promise: int, table: int, draw: int) -> tuple[Card, ...]:
    """Return the deck of draw number `draw` at an elimination table.

    `lots` is the secret that `lots_of` returns, `promise` the id of the promise's message, `table` the table's id.
    """
    cards = shoe(lots, (str(promise), str(table), "lots", str(draw)), decks=1)
    return tuple(cards[place] for place in range(len(PACK)))


def by_lot(lots: bytes, promise: str, entrants: str, what: str, names: Sequence[str]) -> list[str]:
    """Return the names in an order that a tournament's lots decide, for the purpose `what`.

    `lots` is the secret that `lots_of` returns. `promise` and `entrants` are the ids of two messages: the tournament's
    promise, and the list of its entrants.
    """
    return shuffled(lots, ("order", promise, entrants, what), names)


#: The canonical JSON of a value: no spaces, and keys are sorted, so their order in the value does not matter.
canonical: Final[Callable[[Any], str]] = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True
).encode


def canonical_rules(rules: Mapping[str, Any]) -> str:
    """Return the canonical text of rules, cached because thousands of rounds share the same few."""
    try:
        return _canonical_rules(tuple(rules), *rules.values())
    except TypeError:  # no rules have a list among them, but a record can come from anywhere
        return canonical(rules)


@lru_cache(256, typed=True)  # 1 and true are written differently
def _canonical_rules(names: tuple[str, ...], *values: Any) -> str:
    return canonical(dict(zip(names, values, strict=True)))


# -- marks -------------------------------------------------------------------------------------------------------------


def mark(tip: str, number: int, slot: int = 0) -> str:
    """Return the mark of a round, its public name: ``1a2b3c4d-17``, or with its chain's slot ``1a2b3c4d-5-17``."""
    return f"{tip[:SHORT]}-{slot}-{number}" if slot else f"{tip[:SHORT]}-{number}"


def read_mark(text: str) -> tuple[str, int] | None:
    """Return the two parts of a round's mark: its chain (``1a2b3c4d`` or ``1a2b3c4d-5``), and its number in the chain.

    Return None for a text that is no mark.
    """
    found = _MARK.fullmatch(text)
    return (found[1], int(found[2])) if found else None


def _hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value
