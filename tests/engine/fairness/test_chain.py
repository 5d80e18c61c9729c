"""Scheme 2's chain: one promise, a thousand seeds, and nothing of them known before its time."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine.fairness import chain
from engine.fairness.chain import LENGTH, Promise
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.cards import PACK

ROOT = bytes(range(32))
PROMISE = Promise(chain.tip_of(ROOT), guild=11, channel=22, message=33)


def test_each_revealed_seed_hashes_to_the_one_before_and_the_first_to_the_tip() -> None:
    before = chain.tip_of(ROOT)
    for number in range(1, LENGTH + 1):
        seed = chain.seed_of(ROOT, number)
        assert hashlib.sha256(seed).hexdigest() == before
        before = seed.hex()


def test_any_seed_alone_proves_itself_against_the_tip() -> None:
    for number in (1, 2, 17, 999, 1000):
        assert chain.tip_from(chain.seed_of(ROOT, number), number) == PROMISE.tip
        assert chain.tip_from(chain.seed_of(ROOT, number), number % LENGTH + 1) != PROMISE.tip


@pytest.mark.parametrize("number", [0, -1, 1001])
def test_a_chain_has_a_thousand_rounds(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 1000"):
        chain.seed_of(ROOT, number)
    with pytest.raises(ValueError, match="1 to 1000"):
        chain.tip_from(bytes(32), number)


def test_the_chain_by_a_second_hand() -> None:
    """The description in docs/fairness.md, written down once more."""
    seed = hmac.new(ROOT, b"\0\0\0\5seeds", "sha256").digest()
    for _ in range(LENGTH - 400):
        seed = hashlib.sha256(seed).digest()
    assert chain.seed_of(ROOT, 400) == seed


def test_rounds_that_follow_one_another_do_not_hash_their_way_through_the_whole_chain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Work, not time: the next round's seed is looked up while its table waits."""
    hashes: list[int] = []
    hashed = chain._hashed
    monkeypatch.setattr(chain, "_hashed", lambda value, times: hashes.append(times) or hashed(value, times))
    root = bytes(reversed(ROOT))
    chain.tip_of(root)
    assert sum(hashes) <= LENGTH
    hashes.clear()
    for number in range(1, LENGTH + 1):
        chain.seed_of(root, number)
    assert max(hashes) < 32


def test_each_purpose_has_a_secret_of_its_own() -> None:
    secrets = [
        ROOT,
        chain.lots_of(ROOT),
        *(chain.seed_of(ROOT, number) for number in range(1, LENGTH + 1)),
        *(chain.table_root(ROOT, stage, table, attempt) for stage in (1, 2) for table in (0, 1) for attempt in (0, 1)),
        chain.table_root(ROOT, 11, 1, 1),
        chain.table_root(ROOT, 1, 11, 1),
    ]
    assert len(set(secrets)) == len(secrets)


def test_everything_that_the_house_could_choose_later_is_mixed_in() -> None:
    base = chain.inputs(PROMISE, 1, "blackjack", VEGAS.as_json())
    others = [
        chain.inputs(PROMISE, 2, "blackjack", VEGAS.as_json()),
        chain.inputs(PROMISE, 1, "war", VEGAS.as_json()),
        chain.inputs(PROMISE, 1, "blackjack", VEGAS.as_json() | {"decks": 8}),
        chain.inputs(PROMISE, 1, "blackjack", VEGAS.as_json(), "seven sevens"),
        *(chain.inputs(Promise(PROMISE.tip, *ids), 1, "blackjack", VEGAS.as_json()) for ids in _other_ids()),
    ]
    assert len({base, *others}) == len(others) + 1


def _other_ids() -> list[tuple[int, int, int]]:
    return [(12, 22, 33), (11, 23, 33), (11, 22, 34)]


def test_rules_enter_the_shuffle_by_value_whatever_their_order() -> None:
    backwards = dict(reversed(VEGAS.as_json().items()))
    assert chain.inputs(PROMISE, 1, "blackjack", backwards) == chain.inputs(PROMISE, 1, "blackjack", VEGAS.as_json())


def test_every_draw_has_a_whole_deck_of_its_own() -> None:
    decks = [chain.lots_deck(chain.lots_of(ROOT), 33, table, draw) for table in (5, 6) for draw in (1, 2)]
    assert len(set(decks)) == 4
    assert all(Counter(deck) == Counter(PACK) for deck in decks)


def test_entrants_are_put_in_order_by_both_messages() -> None:
    names = [str(number) for number in range(30)]
    lots = chain.lots_of(ROOT)
    orders = [
        tuple(chain.by_lot(lots, *ids, what, names))
        for *ids, what in [("33", "44", "seats 1"), ("34", "44", "seats 1"), ("33", "45", "x")]
    ]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert len(set(orders)) == 3


def test_marks_name_a_chain_and_a_round_of_it() -> None:
    assert chain.mark("1a2b3c4d" + "0" * 56, 17) == "1a2b3c4d-17"
    assert chain.read_mark("1a2b3c4d-17") == ("1a2b3c4d", 17)
    assert chain.read_mark(f"1a2b3c4d-{LENGTH}") == ("1a2b3c4d", LENGTH)
    for other in ("1a2b3c4d", "1a2b3c4d-0", "1a2b3c4d-017", "1A2B3C4D-1", "1a2b3c4-1", "1a2b3c4d-10000", ""):
        assert chain.read_mark(other) is None


def test_a_promise_says_where_it_can_be_read() -> None:
    assert PROMISE.address == "https://discord.com/channels/11/22/33"


def test_rules_that_are_equal_to_python_alone_are_told_apart() -> None:
    """For Python 1 is true, and the order of names is nothing; on paper only the order is."""
    told = chain.canonical_rules
    assert (told({"a": 1, "b": 2}), told({"a": True, "b": 2})) == ('{"a":1,"b":2}', '{"a":true,"b":2}')
    assert told({"b": 2, "a": 1}) == told({"a": 1, "b": 2})
    assert told({"a": [1]}) == '{"a":[1]}'
