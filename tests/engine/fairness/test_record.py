"""Records: written, read, replayed; those of earlier releases too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import UnknownScheme, commitment
from engine.fairness.record import BadRecord, Record, lines_hash, outcome_hash, replay
from engine.games.contract import By, IllegalAction, Step
from engine.games.registry import UnknownGame
from engine.games.war import RULE_SETS

FOLDER = Path(__file__).parents[2] / "records"
KEPT = sorted(FOLDER.glob("*.json"))

#: 10♣ against 10♥: a battle that asks.
TIED = Record(
    game="war",
    rules_name="ctrl-alt-bet",
    rules=RULE_SETS["ctrl-alt-bet"].as_json(),
    stakes=({"main": 1100},),
    seed=bytes([1]) * 32,
    inputs=("1180000000000000001", "rot-weiß"),
    steps=(Step(0, "war"),),
)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
records = st.builds(
    Record,
    game=texts,
    rules_name=texts,
    rules=st.dictionaries(texts, st.integers() | st.booleans() | texts, max_size=4),
    stakes=st.lists(st.dictionaries(texts, st.integers(0, 2**53)), max_size=7).map(tuple),
    seed=st.binary(max_size=32),
    inputs=st.lists(texts, max_size=4).map(tuple),
    steps=st.lists(st.builds(Step, st.integers(0, 6), texts, st.sampled_from(By))).map(tuple),
    outcome=texts,
    commitment=texts,
)


@given(records)
def test_what_is_written_reads_back(record: Record) -> None:
    text = record.to_json()
    assert Record.from_json(text) == record
    assert Record.from_json(text).to_json() == text
    assert "\n" not in text


def test_a_record_is_written_the_same_whatever_the_order_of_its_rules() -> None:
    shuffled = replace(TIED, rules=dict(sorted(TIED.rules.items(), reverse=True)))
    assert shuffled.to_json() == TIED.to_json()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_records_of_each_release_still_end_as_they_did(path: Path) -> None:
    record = Record.from_json(path.read_text(encoding="utf-8"))
    assert outcome_hash(replay(record)) == record.outcome
    assert commitment(record.seed) == record.commitment


def test_every_version_of_the_record_has_been_kept() -> None:
    versions = {json.loads(path.read_text(encoding="utf-8"))["version"] for path in KEPT}
    assert versions == {Record.from_json(TIED.to_json()).version}


def test_a_round_is_the_fold_of_its_first_steps() -> None:
    assert not replay(TIED, steps=0).over
    assert replay(TIED, steps=1).over
    assert replay(TIED).steps == TIED.steps


def test_a_replay_can_be_dealt_from_other_cards() -> None:
    cards = ("9s", "9h", "2s", "2h", "2d", "As", "Kh")
    assert replay(TIED, cards=cards).settlement().net(0) == 1650


def test_the_outcome_is_hashed_line_by_line() -> None:
    """Pinned: 0, main, 2200, 3850, war won."""
    assert lines_hash(()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert outcome_hash(replay(TIED)) == "86e722aa3db891a73017c3dd85c954ffeec9b5385168de60f451075d4c075de3"


def test_the_outcome_hash_tells_who_and_what() -> None:
    won = replay(TIED).settlement().lines[0]
    others = [replace(won, seat=1), replace(won, what="other"), replace(won, returned=0), replace(won, staked=1)]
    assert len({lines_hash((line,)) for line in [won, *others]}) == 5


def test_illegal_steps_are_not_replayed() -> None:
    with pytest.raises(IllegalAction):
        replay(replace(TIED, steps=(*TIED.steps, Step(0, "war"))))


def test_what_this_release_does_not_know_is_said() -> None:
    with pytest.raises(UnknownGame, match="roulette"):
        replay(replace(TIED, game="roulette"))
    with pytest.raises(UnknownScheme):
        replay(replace(TIED, scheme="0"))
    with pytest.raises(BadRecord, match="version 99"):
        Record.from_json(replace(TIED, version=99).to_json())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not the record"),
        ("7", "not the record"),
        ("null", "not the record"),
        ("{}", "no 'version'"),
        (TIED.to_json().replace('"seed":"01', '"seed":"xy'), "hexadecimal"),
        (TIED.to_json().replace('"member"', '"nobody"'), "nobody"),
        (TIED.to_json().replace('[[0,"war","member"]]', "[[0]]"), "not the record"),
        (TIED.to_json().replace('"stakes":[{"main":1100}]', '"stakes":[7]'), "not the record"),
    ],
)
def test_other_texts_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        Record.from_json(text)
