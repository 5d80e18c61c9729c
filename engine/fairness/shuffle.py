"""A shoe that a seed and its inputs determine, and that anyone can deal again.

The stream of blocks, bounded integers drawn from it, and the exchange of cards: `docs/fairness.md`, byte by byte.
Both schemes shuffle like this; they differ in where the seed comes from and what is mixed in.
"""

from __future__ import annotations

import hashlib
import hmac
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, count
from sys import byteorder
from typing import Final

from engine.games.cards import PACK, Card, Shoe

_RANGE: Final = 1 << 16  # integers are read from two bytes


def commitment(seed: bytes) -> str:
    """What scheme 1 shows before the stakes: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shoe(seed: bytes, inputs: Sequence[str], decks: int) -> Shoe:
    """The shuffled shoe of a round. Cards are worked out when they are first asked for."""
    return _LazyShoe(seed, inputs, decks)


def shuffled(seed: bytes, inputs: Sequence[str], things: Sequence[str]) -> list[str]:
    """A whole list in shuffled order, by the same exchange as cards."""
    if len(things) > _RANGE:
        raise ValueError(f"{len(things)} things cannot be shuffled")
    left, integers = list(things), _Integers(seed, inputs)
    for place in range(len(left)):
        other = place + integers.below(len(left) - place)
        left[place], left[other] = left[other], left[place]
    return left


def length_prefixed(parts: Sequence[bytes]) -> bytes:
    """Each part behind its length, so that ``ab, c`` never reads like ``a, bc``."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def blocks(seed: bytes, inputs: Sequence[str]) -> Iterator[bytes]:
    """The endless stream of 32-byte blocks that seed and inputs determine."""
    return _counted(seed, length_prefixed([text.encode() for text in inputs]) + (8).to_bytes(4, "big"))


def _counted(seed: bytes, mixed: bytes) -> Iterator[bytes]:
    """Of what was mixed in only the bytes are kept. The counter is itself eight bytes behind their length."""
    for counter in count():
        yield hmac.digest(seed, mixed + counter.to_bytes(8, "big"), "sha256")


def fair_share(drawn: int, count: int) -> int | None:
    """A number below `count` from one of 65,536 equally likely ones; None where the last, short share begins.

    Every answer has exactly ``65536 // count`` draws behind it, so none is likelier than another.
    """
    return drawn % count if drawn < _RANGE - _RANGE % count else None


def _sixteen_numbers(block: bytes) -> array[int]:
    """What a block says, the larger byte first; no larger than the block, for a shoe may stay open for long."""
    numbers = array("H", block)
    if byteorder == "little":
        numbers.byteswap()
    return numbers


class _Integers:
    """Bounded integers from the block stream, two bytes a try."""

    __slots__ = ("_numbers",)

    def __init__(self, seed: bytes, inputs: Sequence[str]) -> None:
        self._numbers = chain.from_iterable(map(_sixteen_numbers, blocks(seed, inputs)))

    def below(self, count: int) -> int:
        while (share := fair_share(next(self._numbers), count)) is None:
            pass
        return share


class _LazyShoe:
    """Fisher-Yates from the top over the packs in their written order, one swap for each card asked for."""

    __slots__ = ("_dealt", "_integers", "_moved", "_size")

    def __init__(self, seed: bytes, inputs: Sequence[str], decks: int) -> None:
        self._size = decks * len(PACK)
        if not 0 < self._size <= _RANGE:
            raise ValueError(f"a shoe cannot have {decks} decks")
        self._integers = _Integers(seed, inputs)
        self._dealt: list[Card] = []
        self._moved: dict[int, Card] = {}  # what swaps left at places that are not dealt yet

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int, /) -> Card:
        dealt = self._dealt
        if not 0 <= place < len(dealt):
            if not 0 <= place < self._size:
                raise IndexError(f"no card at place {place} of {self._size}")
            moved = self._moved
            for top in range(len(dealt), place + 1):
                chosen = top + self._integers.below(self._size - top)
                dealt.append(moved.get(chosen) or PACK[chosen % len(PACK)])
                if chosen != top:
                    moved[chosen] = moved.get(top) or PACK[top % len(PACK)]
        return dealt[place]

    def __repr__(self) -> str:
        return f"<shoe of {self._size}, {len(self._dealt)} turned>"
