"""Records: written, read, replayed; those of earlier releases too."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fairness import chain, commitment
from engine.fairness.record import BadRecord, Record, RecordOne, RecordThree, RecordTwo
from engine.fairness.replay import lines_hash, outcome_hash, replay, sealed
from engine.games.contract import By, IllegalAction, Step
from engine.games.registry import UnknownGame
from engine.games.war import RULE_SETS

from . import made

FOLDER = Path(__file__).parents[2] / "records"
KEPT = sorted(FOLDER.glob("*.json"))

#: 10♣ against 10♥: a battle that asks.
TIED = RecordOne(
    game="war",
    rules_name="ctrl-alt-bet",
    rules=RULE_SETS["ctrl-alt-bet"].as_json(),
    stakes=({"main": 1100},),
    seed=bytes([1]) * 32,
    inputs=("1180000000000000001", "rot-weiß"),
    steps=(Step(0, "war"),),
)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
wholes = st.integers(1 - 2**53, 2**53 - 1)
records = st.builds(
    RecordOne,
    game=texts,
    rules_name=texts,
    rules=st.dictionaries(texts, wholes | st.booleans() | texts, max_size=4),
    stakes=st.lists(st.dictionaries(texts, wholes), max_size=7).map(tuple),
    seed=st.binary(max_size=32),
    inputs=st.lists(texts, max_size=4).map(tuple),
    steps=st.lists(st.builds(Step, st.integers(0, 6), texts, st.sampled_from(By))).map(tuple),
    outcome=texts,
    commitment=texts,
)


@given(records)
def test_what_is_written_reads_back(record: RecordOne) -> None:
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
    assert record.to_json() == path.read_text(encoding="utf-8").rstrip()
    if isinstance(record, RecordOne):
        assert outcome_hash(replay(record)) == record.outcome
        assert commitment(record.seed) == record.commitment
    if isinstance(record, RecordTwo):
        assert sealed(record) == record
        assert record.promised(chain.tip_from(record.seed, record.number)) == record.promise.tip


def test_every_version_of_the_record_has_been_kept() -> None:
    versions = {json.loads(path.read_text(encoding="utf-8"))["version"] for path in KEPT}
    assert versions == {RecordOne.version, RecordTwo.version, RecordThree.version}


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
    others = [won._replace(seat=1), won._replace(what="other"), won._replace(returned=0), won._replace(staked=1)]
    assert len({lines_hash((line,)) for line in [won, *others]}) == 5


def test_illegal_steps_are_not_replayed() -> None:
    with pytest.raises(IllegalAction):
        replay(replace(TIED, steps=(*TIED.steps, Step(0, "war"))))


def test_what_this_release_does_not_know_is_said() -> None:
    with pytest.raises(UnknownGame, match="roulette"):
        replay(replace(TIED, game="roulette"))
    with pytest.raises(BadRecord, match="scheme 1, not '0'"):
        Record.from_json(TIED.to_json().replace('"scheme":"1"', '"scheme":"0"'))
    with pytest.raises(BadRecord, match="version 99"):
        Record.from_json(TIED.to_json().replace('"version":1', '"version":99'))


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
        (TIED.to_json().replace('[[0,"war","member"]]', "[[0]]"), "steps: not 3 things"),
        (TIED.to_json().replace('"stakes":[{"main":1100}]', '"stakes":[7]'), "stakes: not an object"),
    ],
)
def test_other_texts_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        Record.from_json(text)


# -- version 2 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(60))
def test_a_sealed_round_reads_back_and_is_sealed_the_same_again(number: int) -> None:
    record = made.two(number)
    assert Record.from_json(record.to_json()) == record
    assert sealed(replace(record, cards=(), payments=(), hash="")) == record


@pytest.mark.parametrize("number", range(60))
def test_what_is_sealed_is_the_record_as_json_in_one_way(number: int) -> None:
    """Keys in order, no spaces, and nothing but the hash and the root left out."""
    record = replace(made.two(number), phrase='says "Grüße" \\ 7\n')
    fields = {name: value for name, value in json.loads(record.to_json()).items() if name not in ("hash", "root")}
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert record.hashed() == hashlib.sha256(text.encode()).hexdigest()


def test_the_seal_covers_every_field_but_the_root() -> None:
    """Change any one field: the hash is another."""
    record = made.two(7)
    fields = json.loads(record.to_json())
    changed = {
        "tip": "ab" * 32, "guild": "1", "channel": "1", "message": "1", "number": record.number % 1000 + 1,
        "game": "other", "rules_name": "other", "rules": {"decks": 1}, "phrase": "other", "seed": "cd" * 32,
        "previous": "ef" * 32, "players": [], "stakes": [], "steps": [[6, "stand", "clock"]], "cards": ["As"],
        "payments": [],
    }  # fmt: skip
    assert set(changed) == set(fields) - {"version", "scheme", "hash", "root"}
    for name, value in changed.items():
        other = Record.from_json(json.dumps(fields | {name: value}))
        assert isinstance(other, RecordTwo)
        assert other.hashed() != record.hash, name
    assert replace(record, root="12" * 32).hashed() == record.hash


def test_a_record_never_shows_its_seed_by_itself() -> None:
    record = made.two(3)
    assert record.seed.hex() not in repr(record)
    assert repr(record.seed) not in repr(record)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"number":', '"number":1000', "from 1 to 1000"),
        ('"players":[', '"players":[["person",1],', "not a level"),
        ('"cards":["', '"cards":["Xs","', "not a card"),
        ('"guild":"', '"guild":"-', "not an id"),
        ('"guild":"', '"guild":"0', "not an id"),
        ('"version":2', '"version":true', "not a whole number"),
        ('"version":2', '"version":2.0', "not a whole number"),
        ('"phrase":', '"phrasing":', "unknown field"),
        ('"phrase":', '"number":5,"phrase":', "there twice"),
        ('"phrase":"', '"phrase":"\\ud800', "half a character"),
    ],
)
def test_a_spoilt_record_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    text = made.two(4).to_json()
    assert old in text
    with pytest.raises(BadRecord, match=reason):
        Record.from_json(text.replace(old, new, 1))
