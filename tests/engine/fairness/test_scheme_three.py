"""Scheme 3: nothing is left to choose that matters to a shuffle, and a round is proved against its promise at once."""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.fairness import chain, shoe
from engine.fairness.chain import Promise
from engine.fairness.cli import main
from engine.fairness.reading import BadRecord, parse
from engine.fairness.record import RecordThree, RecordTwo, read
from engine.fairness.verify import What, verify
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules, Turns

from . import made, tampered

ROOT = bytes(range(32))
PROMISE = Promise(chain.tip_of(ROOT), 1, 2, 3)


def begun(kind: type[RecordTwo], rules: BlackjackRules, number: int = 1, phrase: str = "") -> RecordTwo:
    return kind(
        promise=PROMISE, number=number, game="blackjack", rules_name="own", rules=rules.as_json(), phrase=phrase,
        stakes=({"main": 1000},), seed=chain.seed_of(ROOT, number), players=(made.Player(),),
    )  # fmt: skip


# -- nothing to choose -------------------------------------------------------------------------------------------------


def fifty_rule_sets() -> list[BlackjackRules]:
    """Rule sets of six decks that differ in what does not matter to a deal."""
    found = [replace(rules, decks=6) for rules in RULE_SETS.values()]
    found += [
        BlackjackRules(most_seats=seats, turns=turns, computers_fill=fill)
        for seats in range(1, 8)
        for turns in Turns
        for fill in (False, True)
    ]
    found += [BlackjackRules(fixed_stake=100 * stake, stack=100_000) for stake in range(1, 20)]
    return found


def test_fifty_rule_sets_that_differ_in_what_does_not_matter_to_a_deal_give_one_shoe() -> None:
    found = fifty_rule_sets()
    assert len(set(found)) >= 50
    shoes = set()
    for rules in found:
        record = begun(RecordThree, rules)
        cards = shoe(record.seed, record.mixed_in, 6)
        shoes.add(tuple(cards[place] for place in range(len(cards))))
    assert len(shoes) == 1
    assert len({begun(RecordTwo, rules).mixed_in for rules in found}) == len(set(found)), "scheme 2 had one each"


def test_decks_game_phrase_number_and_promise_matter_and_the_scheme_too() -> None:
    record = begun(RecordThree, BlackjackRules())
    others = [
        begun(RecordTwo, BlackjackRules()), begun(RecordThree, BlackjackRules(decks=8)),
        begun(RecordThree, BlackjackRules(), phrase="x"), begun(RecordThree, BlackjackRules(), number=2),
        replace(record, promise=replace(PROMISE, message=4)),
        replace(record, promise=replace(PROMISE, guild=4)), replace(record, promise=replace(PROMISE, channel=4)),
        replace(record, game="war", rules={"decks": 6}),
    ]  # fmt: skip
    assert len({record.mixed_in, *(other.mixed_in for other in others)}) == 9
    assert record.mixed_in == ("deal", "3", "1", "1", "2", "blackjack", "6", "")


def net(record: RecordTwo) -> int:
    """Return what a player wins who stands on 17."""
    round = BlackjackRound(BlackjackRules(), [{"main": 1000}], shoe(record.seed, record.mixed_in, 6))
    while round.asked:
        total = round.hands[0][0].worth.total
        round.apply(0, "decline" if "decline" in round.legal(0) else "stand" if total >= 17 else "hit")
    return round.settlement().net(0)


def chosen_by_who_knows_the_seeds(kind: type[RecordTwo], choose: Callable[[list[int]], int]) -> float:
    """The mean result of a stake, if somebody picks each round among seven rule sets that play alike."""
    return statistics.mean(
        choose([net(begun(kind, BlackjackRules(most_seats=seats), number)) for seats in range(1, 8)]) / 1000
        for number in range(1, 301)
    )


def test_whoever_knows_the_seeds_gains_nothing_by_choosing_among_rule_sets() -> None:
    worst, best = (chosen_by_who_knows_the_seeds(RecordThree, choose) for choose in (min, max))
    assert worst == best
    assert abs(worst) < 0.3


def test_the_same_search_finds_the_fault_of_scheme_two() -> None:
    """The control: against the player and for a friend, with the same seeds and the same play."""
    assert chosen_by_who_knows_the_seeds(RecordTwo, min) < -0.8
    assert chosen_by_who_knows_the_seeds(RecordTwo, max) > 0.8


# -- many chains under one promise -------------------------------------------------------------------------------------


def tree(tips: list[bytes]) -> list[list[bytes]]:
    """The levels of the tree, written from docs/fairness.md."""
    levels = [[hashlib.sha256(b"\x00" + tip).digest() for tip in tips]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([hashlib.sha256(b"\x01" + below[at] + below[at + 1]).digest() for at in range(0, len(below), 2)])
    return levels


@pytest.mark.parametrize("slot", [1, 2, 3, 100, 128, 129, 255, 256])
def test_a_chains_tip_folds_to_its_promise_along_its_path_and_along_no_other(slot: int) -> None:
    tips = [hashlib.sha256(bytes([number])).digest() for number in range(256)]
    levels = tree(tips)
    path = [level[(slot - 1 >> depth) ^ 1].hex() for depth, level in enumerate(levels[:-1])]
    top = levels[-1][0].hex()
    assert chain.folded(tips[slot - 1].hex(), slot, path) == top
    assert chain.folded(tips[slot - 1].hex(), slot % 256 + 1, path) != top
    assert chain.folded(tips[slot % 256].hex(), slot, path) != top
    assert chain.folded(tips[slot - 1].hex(), slot, [path[1], path[0], *path[2:]]) != top


def test_each_slot_has_a_root_of_its_own() -> None:
    roots = {chain.slot_root(ROOT, slot) for slot in range(1, 257)}
    assert len(roots | {ROOT}) == 257


# -- records -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(40))
def test_an_honest_record_fits_reads_and_writes_as_it_was(number: int) -> None:
    record = made.three(number)
    assert verify(record).holds
    assert read(parse(record.to_json())) == record


@pytest.mark.parametrize("kind", tampered.KINDS)
def test_whatever_is_tampered_with_is_found(kind: str) -> None:
    text = tampered.tampered(kind)
    assert text != tampered.honest().to_json()
    try:
        found = "fits" if verify(read(parse(text))).holds else "does not fit"
    except BadRecord:
        found = "cannot be read"
    assert found == tampered.expected(kind)


def test_the_record_that_is_tampered_with_is_honest_and_there_are_forty_kinds_at_least() -> None:
    assert verify(tampered.honest()).holds
    assert len(set(tampered.KINDS)) >= 40
    assert len(set(map(tampered.tampered, tampered.KINDS))) == len(tampered.KINDS)


def test_a_record_is_sealed_with_slot_and_build_and_without_its_path() -> None:
    record = next(found for found in map(made.three, range(60)) if found.slot)
    assert replace(record, slot=record.slot % 256 + 1).hashed() != record.hash
    assert replace(record, build=2).hashed() != record.hash
    assert replace(record, path=()).hashed() == record.hash


@pytest.mark.parametrize(("slot", "hashes"), [(0, 8), (1, 0), (257, 8), (-1, 8), (5, 7), (5, 9)])
def test_a_slot_without_a_path_or_a_path_without_a_slot_cannot_be_read(slot: int, hashes: int) -> None:
    record = replace(made.three(1), slot=slot, path=("ab" * 32,) * hashes)
    with pytest.raises(BadRecord):
        read(parse(record.to_json()))


def test_a_version_of_a_game_that_is_not_known_is_named() -> None:
    finding = verify(replace(made.three(2), build=9))
    assert "of version 9 is not known" in finding.fault


def test_the_seed_alone_proves_the_round_against_its_promise_before_any_root_is_shown() -> None:
    record = next(found for found in map(made.three, range(60)) if found.slot and not found.root)
    check = verify(record).of(What.SEED)
    assert check is not None
    assert (check.fits, check.found) == (True, record.promise.tip)


def test_the_command_line_shows_the_path_to_the_promise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = next(found for found in map(made.three, range(60)) if found.slot)
    file = tmp_path / "round.json"
    file.write_text(record.to_json(), encoding="utf-8")
    assert main([str(file), "--tip", record.mark]) == 0
    said = capsys.readouterr().out
    assert f"along its path from slot {record.slot}: this round's seed is in the promise" in said
    assert chain.tip_from(record.seed, record.number) in said
    assert main([str(file), "--tip", f"{record.promise.tip[:8]}-{record.number}"]) == 1, "the slot belongs to the mark"
