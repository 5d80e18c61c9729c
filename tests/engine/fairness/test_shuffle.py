"""The shuffle: what it promises, proved where it can be and pinned where it cannot."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.fairness import below, blocks, commitment, length_prefixed, shoe
from engine.games.cards import PACK, Card, name

SEED = bytes(range(32))
PAGE = (Path(__file__).parents[3] / "docs" / "fairness.md").read_text(encoding="utf-8")
INPUTS = ("1180000000000000001", "1180000000000000002", "seven sevens")


def dealt(count: int, seed: bytes = SEED, inputs: tuple[str, ...] = INPUTS, decks: int = 6) -> list[Card]:
    cards = shoe(seed, inputs, decks)
    return [cards[place] for place in range(count)]


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_same_seed_and_inputs_deal_the_same_cards() -> None:
    assert dealt(312) == dealt(312)


def test_any_other_seed_or_input_deals_other_cards() -> None:
    others = [
        dealt(52, seed=bytes(32)),
        dealt(52, inputs=()),
        dealt(52, inputs=("",)),
        dealt(52, inputs=INPUTS[:2]),
        dealt(52, inputs=(*INPUTS, "")),
        dealt(52, inputs=INPUTS[::-1]),
    ]
    assert len({tuple(cards) for cards in [dealt(52), *others]}) == 7


def test_inputs_cannot_be_shifted_into_each_other() -> None:
    assert length_prefixed([b"ab", b"c"]) != length_prefixed([b"a", b"bc"])
    assert dealt(52, inputs=("ab", "c")) != dealt(52, inputs=("a", "bc"))
    assert length_prefixed([b"ab", b"c"]) == b"\0\0\0\2ab\0\0\0\1c"


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_shoe_holds_every_card_of_its_packs_once(decks: int) -> None:
    assert Counter(dealt(52 * decks, decks=decks)) == Counter(PACK * decks)


@pytest.mark.parametrize("count", [2, 3, 5, 52, 255, 257, 312, 416])
def test_every_bounded_integer_has_equally_many_draws_behind_it(count: int) -> None:
    numbers, share = iter(range(65_536)), 65_536 // count
    assert Counter(below(count, numbers) for _ in range(share * count)) == dict.fromkeys(range(count), share)
    with pytest.raises(StopIteration):  # of the last, short share none is taken
        below(count, numbers)


def test_the_block_stream_is_hmac_of_the_inputs_and_a_counter() -> None:
    stream = blocks(b"key", ["ab", "é"])
    for counter in range(3):
        message = b"\0\0\0\2ab" + b"\0\0\0\2\xc3\xa9" + b"\0\0\0\x08" + counter.to_bytes(8, "big")
        assert next(stream) == hmac.new(b"key", message, hashlib.sha256).digest()


def test_known_answers() -> None:
    assert " ".join(dealt(12)) == "Qd Qd 6h Jc Kh Qh 7s Tc 4h Jh 4d Kc"
    assert " ".join(dealt(12, inputs=(), decks=1)) == "Td Kh Th 9h 9d 6c Jh 8h Qs 8s Ah 6d"
    whole = "".join(dealt(416, decks=8)).encode()
    assert hashlib.sha256(whole).hexdigest() == "7d07fec71354c62fb9215f95a04dc0a86665b48f4cdd9774aad0af11dcfe4c98"


def test_known_answers_by_a_second_hand() -> None:
    """The description in docs/fairness.md, written down once more with nothing shared and nothing lazy."""
    inputs = b"".join(len(text).to_bytes(4, "big") + text.encode() for text in INPUTS)
    stream = b"".join(
        hmac.new(SEED, inputs + b"\0\0\0\x08" + block.to_bytes(8, "big"), "sha256").digest() for block in range(40)
    )
    draws = iter(stream[at] * 256 + stream[at + 1] for at in range(0, len(stream), 2))
    cards = [rank + suit for _ in range(6) for suit in "shdc" for rank in "A23456789TJQK"]
    for place in range(312):
        left = 312 - place
        draw = next(draw for draw in draws if draw < 65_536 // left * left)
        cards[place], cards[place + draw % left] = cards[place + draw % left], cards[place]
    assert dealt(312) == cards


def test_the_published_description_deals_the_same_shoe() -> None:
    """The program in docs/fairness.md knows nothing of this project."""
    program = PAGE.split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["shoe"] == dealt(312)


def test_the_published_example_is_this_one() -> None:
    block = next(blocks(SEED, INPUTS))
    message = length_prefixed([*map(str.encode, INPUTS), bytes(8)])
    assert commitment(SEED) in PAGE
    assert block.hex() in PAGE
    assert message.hex() == "".join(re.findall(r"^\|.*\| `([0-9a-f]{8} [0-9a-f]+)` \|$", PAGE, re.M)).replace(" ", "")
    assert f"begins {' '.join(map(name, dealt(12)))}." in PAGE
    for place, card in enumerate(dealt(5)):
        drawn, left = int.from_bytes(block[2 * place : 2 * place + 2], "big"), 312 - place
        row = f"| {place} | `{drawn:04x}` | {drawn} | {left} | {65_536 - 65_536 % left} | {drawn % left} "
        assert row + f"| {place + drawn % left} | {name(card)} |" in PAGE


def test_cards_asked_for_out_of_order_are_the_same_cards() -> None:
    cards = shoe(SEED, INPUTS, 6)
    assert [cards[place] for place in (30, 2, 0, 30)] == [dealt(31)[place] for place in (30, 2, 0, 30)]


def test_only_the_cards_asked_for_are_worked_out() -> None:
    cards = shoe(SEED, INPUTS, 8)
    assert repr(cards) == "<shoe of 416, 0 turned>"
    cards[9]
    assert repr(cards) == "<shoe of 416, 10 turned>"
    assert len(cards) == 416


@pytest.mark.parametrize("place", [-1, 52, 10_000])
def test_there_is_no_card_outside_the_shoe(place: int) -> None:
    with pytest.raises(IndexError):
        shoe(SEED, (), 1)[place]


@pytest.mark.parametrize("decks", [0, -1, 1261])
def test_impossible_shoes_are_refused(decks: int) -> None:
    with pytest.raises(ValueError, match="decks"):
        shoe(SEED, (), decks)


def test_cards_fall_evenly_on_places() -> None:
    """A smoke test beside the proof above: chi-square over (place, card) of 4,000 one-deck shoes, fixed seeds."""
    rounds = 4_000
    counts: Counter[tuple[int, Card]] = Counter()
    for number in range(rounds):
        cards = shoe(number.to_bytes(32, "big"), ("smoke",), 1)
        counts.update((place, cards[place]) for place in (0, 1, 2, 25, 51))
    expected = rounds / 52
    chi_square = sum((counts[place, card] - expected) ** 2 / expected for place in (0, 1, 2, 25, 51) for card in PACK)
    assert 170 < chi_square < 345  # 255 degrees of freedom, four standard deviations either way
