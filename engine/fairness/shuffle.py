"""A shoe that a seed and its inputs determine, and that anyone can deal again.

HMAC blocks become a stream of numbers, which choose the cards to exchange: `docs/fairness.md` has it byte by byte. All
schemes shuffle like this; they differ in where the seed comes from and what is mixed in.
"""

from __future__ import annotations

import hashlib
import hmac
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, count
from sys import byteorder
from typing import Final

from engine.games.cards import PACK, Card

_RANGE: Final = 1 << 16  # numbers are read from two bytes


def commitment(seed: bytes) -> str:
    """Return what scheme 1 shows before the stakes: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shoe(seed: bytes, inputs: Sequence[str], decks: int) -> LazyShoe:
    """Return the shuffled shoe of a round. Each card is calculated when it is first asked for.

    Raises ValueError for no decks, and for more than 65,536 cards.
    """
    return LazyShoe(seed, inputs, decks)


def shuffled(seed: bytes, inputs: Sequence[str], things: Sequence[str]) -> list[str]:
    """Return a list in the order that seed and inputs determine. Raises ValueError for more than 65,536 things."""
    if len(things) > _RANGE:
        raise ValueError(f"{len(things)} things cannot be shuffled")
    left, numbers = list(things), _numbers(seed, inputs)
    for place in range(len(left)):
        other = place + below(len(left) - place, numbers)
        left[place], left[other] = left[other], left[place]
    return left


def length_prefixed(parts: Sequence[bytes]) -> bytes:
    """Join parts, each after its length, so that ``ab, c`` never reads like ``a, bc``."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def blocks(seed: bytes, inputs: Sequence[str]) -> Iterator[bytes]:
    """Yield the blocks of 32 bytes that seed and inputs determine, without end."""
    return _counted(seed, length_prefixed([text.encode() for text in inputs]) + (8).to_bytes(4, "big"))


def _counted(seed: bytes, mixed: bytes) -> Iterator[bytes]:
    """Yield a block for each number from 0 on: the HMAC of `mixed` and the number, keyed by the seed."""
    for counter in count():
        yield hmac.digest(seed, mixed + counter.to_bytes(8, "big"), "sha256")


def below(count: int, numbers: Iterator[int]) -> int:
    """Return a number from 0 to `count - 1`, each equally likely.

    `numbers` are equally likely from 0 to 65,535. Those in the last, incomplete multiple of `count` are skipped, so
    that exactly ``65536 // count`` of them lead to each answer.
    """
    short = _RANGE - _RANGE % count
    while (number := next(numbers)) >= short:
        pass
    return number % count


def _sixteen_numbers(block: bytes) -> array[int]:
    """Return the sixteen numbers of a block: two bytes each, the larger byte first."""
    numbers = array("H", block)
    if byteorder == "little":
        numbers.byteswap()
    return numbers


def _numbers(seed: bytes, inputs: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of two bytes in all `blocks`, without end."""
    return chain.from_iterable(map(_sixteen_numbers, blocks(seed, inputs)))


class LazyShoe:
    """A shoe that is shuffled only as far as its cards have been read.

    It is a Fisher-Yates shuffle from the top of the shoe, over decks in the order of `PACK`.
    """

    __slots__ = ("_dealt", "_moved", "_numbers", "_size")

    def __init__(self, seed: bytes, inputs: Sequence[str], decks: int) -> None:
        self._size = decks * len(PACK)
        if not 0 < self._size <= _RANGE:
            raise ValueError(f"a shoe cannot have {decks} decks")
        self._numbers = _numbers(seed, inputs)
        self._dealt: list[Card] = []
        self._moved: dict[int, Card] = {}  # cards that swaps left at places that are not dealt yet

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int, /) -> Card:
        dealt = self._dealt
        if not 0 <= place < len(dealt):
            if not 0 <= place < self._size:
                raise IndexError(f"no card at place {place} of {self._size}")
            moved = self._moved
            for top in range(len(dealt), place + 1):
                chosen = top + below(self._size - top, self._numbers)
                dealt.append(moved.get(chosen) or PACK[chosen % len(PACK)])
                if chosen != top:
                    moved[chosen] = moved.get(top) or PACK[top % len(PACK)]
            if len(dealt) == self._size:
                moved.clear()
        return dealt[place]

    def __repr__(self) -> str:
        return f"<shoe of {self._size}, {len(self._dealt)} turned>"
