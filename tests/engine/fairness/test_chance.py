"""The stream and the shuffle, against published vectors and by statistics."""

from __future__ import annotations

import contextlib
import hmac
import math
import re
import shutil
import subprocess
from collections import Counter
from itertools import islice, pairwise

import pytest

from engine.fairness import blocks, chain, shoe
from engine.fairness.chain import Promise
from engine.games.cards import PACK
from engine.games.war import RULE_SETS

#: RFC 4231: key, data, HMAC-SHA-256.
RFC_4231 = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
]

INPUTS = chain.inputs(Promise("", 1, 2, 3), 1, "war", RULE_SETS["casino"].as_json())


@pytest.mark.parametrize(("key", "data", "digest"), RFC_4231)
def test_the_stream_is_made_of_the_hmac_of_rfc_4231(key: bytes, data: bytes, digest: str) -> None:
    assert hmac.digest(key, data, "sha256").hex() == digest


def deviations(counts: Counter[object], cells: int, tries: int, freedom: int) -> float:
    """How far chi-square lies from what chance makes it, in standard deviations."""
    expected = tries / cells
    squares = sum((count - expected) ** 2 / expected for count in counts.values())
    squares += (cells - len(counts)) * expected
    return (squares - freedom) / math.sqrt(2 * freedom)


def seeds(count: int) -> list[bytes]:
    return [chain.one_way(bytes(32), "chi-square", number) for number in range(count)]


def places_and_pairs(count: int) -> tuple[float, float]:
    """Count each card at each place, and each card after each other one, in this many one-deck shoes."""
    places: Counter[object] = Counter()
    pairs: Counter[object] = Counter()
    for seed in seeds(count):
        cards = shoe(seed, INPUTS, 1)
        whole = [cards[place] for place in range(52)]
        places.update(enumerate(whole))
        pairs.update(pairwise(whole))
    return deviations(places, 52 * 52, count * 52, 51 * 51), deviations(pairs, 52 * 51, count * 51, 51 * 51)


def test_cards_fall_evenly_on_places_and_behind_each_other() -> None:
    assert all(abs(deviation) < 4 for deviation in places_and_pairs(2_000))


@pytest.mark.long
def test_cards_fall_evenly_in_a_hundred_thousand_shoes() -> None:
    on_places, behind = places_and_pairs(100_000)
    print(f"places {on_places:+.2f}, pairs {behind:+.2f} standard deviations")
    assert abs(on_places) < 4
    assert abs(behind) < 4


def test_a_naive_shuffle_would_be_found_out() -> None:
    """The control: exchanging with any place, not with one of those left."""
    places: Counter[object] = Counter()
    for seed in seeds(2_000):
        numbers = [number for block in islice(blocks(seed, INPUTS), 4) for number in block]
        whole = list(PACK)
        for place in range(52):
            other = numbers[place] % 52
            whole[place], whole[other] = whole[other], whole[place]
        places.update(enumerate(whole))
    assert deviations(places, 52 * 52, 2_000 * 52, 51 * 51) > 10


def stream(megabytes: int) -> bytes:
    return b"".join(islice(blocks(bytes(32), INPUTS), megabytes << 15))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("ent") is None, reason="ent is not installed")
def test_ent_finds_nothing() -> None:
    said = subprocess.run(["ent", "-t"], input=stream(16), capture_output=True, check=True).stdout.decode()
    print(said)
    entropy, chi_square, mean, _, correlation = map(float, said.splitlines()[1].split(",")[2:7])
    assert entropy > 7.9999
    assert 150 < chi_square < 380
    assert abs(mean - 127.5) < 0.1
    assert abs(correlation) < 0.001


@pytest.mark.long
@pytest.mark.skipif(shutil.which("dieharder") is None, reason="dieharder is not installed")
@pytest.mark.parametrize("test", ["1", "2", "8", "10", "15", "100", "101"])
def test_dieharder_finds_nothing(test: str) -> None:
    """With its own numbers of samples, on a stream without end."""
    with subprocess.Popen(
        ["dieharder", "-g", "200", "-d", test], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        endless = blocks(bytes([7]) * 32, INPUTS)
        with contextlib.suppress(BrokenPipeError):
            while True:
                process.stdin.write(b"".join(islice(endless, 1 << 15)))
        said = process.stdout.read().decode()
    print(said)
    assert re.search("PASSED|WEAK", said)
    assert "FAILED" not in said
