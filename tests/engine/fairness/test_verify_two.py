"""Rounds of scheme 2, checked by somebody who trusts nobody; and forged ones, with their hashes recomputed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.fairness import chain
from engine.fairness.cli import main
from engine.fairness.record import BadRecord, Player, RecordTwo
from engine.fairness.replay import sealed
from engine.fairness.verify import Finding, Seen, What, verify
from engine.games.contract import By, Outcome, Step

from . import made


def the(wanted: Callable[[RecordTwo], object]) -> RecordTwo:
    """The first honest record like that."""
    return next(record for record in map(made.two, range(10_000)) if wanted(record))


WAR = the(lambda record: record.game == "war" and record.steps and record.phrase)
COUP = the(lambda record: record.game == "baccarat")
COMPUTERS = the(lambda record: sum(not player.person for player in record.players) > 2 and len(record.steps) > 5)
SEVERAL = the(lambda record: sum(player.person for player in record.players) > 1)


def wrong(record: RecordTwo, shown: Seen | None = None) -> list[What]:
    finding = verify(record, shown) if shown else verify(record)
    return [check.what for check in finding.checks if not check.fits]


def resealed(record: RecordTwo, **changes: object) -> RecordTwo:
    """Return a record as a forger would write it: with the change, and a hash over it."""
    forged = replace(record, **changes)  # type: ignore[arg-type]
    return replace(forged, hash=forged.hashed())


@pytest.mark.parametrize("number", range(200))
def test_honest_rounds_hold(number: int) -> None:
    assert wrong(made.two(number)) == []


def test_another_seed_than_promised_is_found() -> None:
    forged = replace(COUP, seed=bytes(32), root="")
    assert What.SEED in wrong(forged)
    assert wrong(sealed(forged)) == [What.SEED]


def test_another_chain_deals_a_round_that_agrees_with_itself_but_not_with_what_was_shown() -> None:
    root = bytes([7]) * 32
    promise = replace(WAR.promise, tip=chain.tip_of(root))
    forged = made.two(5, root=root)
    assert wrong(forged) == []
    assert wrong(forged, Seen(tip=WAR.promise.tip)) == [What.SHOWN_TIP]
    assert wrong(forged, Seen(tip=WAR.mark)) == [What.SHOWN_TIP]
    assert wrong(replace(forged, promise=promise), Seen(tip=promise.tip[:8])) != []


@pytest.mark.parametrize("how", ["message", "guild", "channel"])
def test_an_id_that_was_invented_afterwards_deals_other_cards(how: str) -> None:
    promise = replace(WAR.promise, **{how: 1})
    assert set(wrong(resealed(WAR, promise=promise))) & {What.CARDS, What.PAYMENTS, What.PLAY}


def test_another_deck_count_is_found_even_where_the_result_is_the_same() -> None:
    for decks in range(1, 9):
        rules = {**WAR.rules, "decks": decks}
        if rules != WAR.rules:
            assert set(wrong(resealed(WAR, rules=rules))) & {What.CARDS, What.PLAY}


def test_another_phrase_is_found() -> None:
    assert set(wrong(resealed(WAR, phrase="another"))) & {What.CARDS, What.PLAY}


def test_where_several_play_no_phrase_counts() -> None:
    assert SEVERAL.phrase == ""
    assert What.PHRASE in wrong(resealed(SEVERAL, phrase="words that suit"))


def test_where_nobody_plays_no_phrase_counts() -> None:
    computers = (Player("expert"),) * len(WAR.players)
    assert What.PHRASE in wrong(resealed(WAR, players=computers))


def test_another_payment_is_found() -> None:
    line = WAR.payments[0]._replace(returned=WAR.payments[0].returned + 100)
    assert wrong(resealed(WAR, payments=(line,))) == [What.PAYMENTS]
    told = WAR.payments[0]._replace(outcome=Outcome.PUSH)
    assert wrong(resealed(WAR, payments=(told,))) == [What.PAYMENTS]


def test_cards_that_were_not_dealt_are_found() -> None:
    assert wrong(resealed(WAR, cards=WAR.cards[::-1])) == [What.CARDS]
    assert wrong(resealed(WAR, cards=WAR.cards[:-1])) == [What.CARDS]


def test_another_action_of_a_computer_player_is_found() -> None:
    place = next(place for place, step in enumerate(COMPUTERS.steps) if step.by is By.COMPUTER)
    seat = COMPUTERS.steps[place].seat
    other = {"stand": "hit", "hit": "stand", "double": "hit", "split": "hit", "swap": "hit", "decline": "insure"}
    step = Step(seat, other[COMPUTERS.steps[place].action], By.COMPUTER)
    steps = (*COMPUTERS.steps[:place], step, *COMPUTERS.steps[place + 1 :])
    assert set(wrong(resealed(COMPUTERS, steps=steps))) & {What.COMPUTERS, What.PLAY}


def test_a_computer_player_of_another_level_would_have_played_otherwise_somewhere() -> None:
    caught = 0
    for number in range(300):
        record = made.two(number)
        if any(step.by is By.COMPUTER for step in record.steps):
            players = tuple(Player() if who.person else Player("amateur", 1) for who in record.players)
            caught += What.COMPUTERS in wrong(resealed(record, players=players))
    assert caught > 20


def test_nobody_acts_in_anothers_place() -> None:
    people = tuple(Player() for _ in COMPUTERS.players)
    assert What.PLAY in wrong(resealed(COMPUTERS, players=people))


@pytest.mark.parametrize("player", [Player("grandmaster", 1), Player("expert", 99)])
def test_a_level_that_nobody_knows_does_not_fit(player: Player) -> None:
    players = tuple(who if who.person else player for who in COMPUTERS.players)
    assert What.PLAY in wrong(resealed(COMPUTERS, players=players))


def test_what_this_release_cannot_check_is_said_and_not_vouched_for() -> None:
    record = the(lambda record: sum(not player.person for player in record.players) == 1 and record.steps)
    players = tuple(who if who.person else Player("perfect", 1) for who in record.players)
    finding = verify(resealed(record, players=players))
    assert finding.holds
    assert finding.unchecked == ("perfect",)


def test_a_root_of_another_chain_does_not_fit() -> None:
    assert wrong(replace(WAR, root="00" * 32)) == [What.ROOT]


def test_without_its_hash_recomputed_any_change_breaks_the_seal() -> None:
    assert wrong(replace(WAR, rules_name="other")) == [What.HASH]
    assert wrong(replace(WAR, previous="ab" * 32)) == [What.HASH]


def test_with_its_hash_recomputed_a_change_differs_from_what_was_shown() -> None:
    forged = resealed(WAR, rules_name="other", previous="ab" * 32)
    assert wrong(forged) == []
    assert wrong(forged, Seen(hash=WAR.hash[:16])) == [What.SHOWN_HASH]
    assert wrong(forged, Seen(previous="cd" * 8)) == [What.SHOWN_PREVIOUS]
    assert wrong(WAR, Seen(tip=WAR.mark, hash=WAR.hash[:16], previous=WAR.previous[:16])) == []


# -- by hand -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Callable[[RecordTwo], str]:
    def written(record: RecordTwo) -> str:
        path = tmp_path / "round.json"
        path.write_text(record.to_json(), encoding="utf-8")
        return str(path)

    return written


def test_an_honest_record_is_shown_step_by_step(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ["--tip", WAR.mark, "--hash", WAR.hash[:16] + "…"]
    assert main([file(WAR), *shown]) == 0
    said = capsys.readouterr().out
    assert WAR.promise.address in said
    assert repr(WAR.phrase) in said
    assert "!!" not in said
    assert said.rstrip().endswith("dealt and paid as promised.")


def test_what_a_record_alone_cannot_prove_is_said(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file(WAR)]) == 0
    said = capsys.readouterr().out
    assert "What this record cannot prove by itself" in said
    assert all(option in said for option in ("--tip", "--hash", "--previous", "(edited)"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("--tip", "00000000"), ("--tip", "00000000-1"), ("--hash", "0" * 16), ("--previous", "0" * 64)],
)
def test_what_one_saw_oneself_counts_more_than_the_record(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    assert main([file(WAR), option, value]) == 1
    assert "!! you saw" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["--tip", "12"], ["--tip", "xyz"], ["--hash", "a" * 15], ["--previous", "q" * 16], ["--commitment", "ab" * 32]],
)
def test_what_cannot_have_been_shown_cannot_be_read(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert main([file(WAR), *arguments]) == 2
    assert capsys.readouterr().err.startswith("This cannot be read: ")


@pytest.mark.parametrize(
    "forge",
    [
        lambda record: replace(record, seed=bytes(32)),
        lambda record: resealed(record, cards=record.cards[::-1]),
        lambda record: resealed(record, payments=()),
        lambda record: resealed(record, steps=(), purses=()),
        lambda record: replace(record, hash="00" * 32),
        lambda record: replace(record, root="00" * 32),
        lambda record: resealed(COMPUTERS, players=tuple(Player("expert", 1) for _ in COMPUTERS.players)),
    ],
)
def test_a_forged_record_is_marked_where_it_breaks(
    file: Callable[[RecordTwo], str],
    capsys: pytest.CaptureFixture[str],
    forge: Callable[[RecordTwo], RecordTwo],
) -> None:
    assert main([file(forge(WAR))]) == 1
    said = capsys.readouterr().out
    assert "\n!! " in said
    assert "THIS DOES NOT FIT" in said


def test_a_round_that_was_called_off_holds_and_says_so(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = next(record for record in map(made.called_off, range(99)) if isinstance(record, RecordTwo))
    assert main([file(record)]) == 0
    assert "   (called off after a backup was restored: every stake came back)\n" in capsys.readouterr().out


def test_a_phrase_that_may_not_count_is_marked(
    file: Callable[[RecordTwo], str], capsys: pytest.CaptureFixture[str]
) -> None:
    forged = resealed(SEVERAL, phrase="words that suit")
    assert main([file(forged)]) == 1
    assert f"!! phrase    {_fault(forged, What.PHRASE)}\n" in capsys.readouterr().out


def _fault(record: RecordTwo, what: What) -> str:
    check = verify(record).of(what)
    assert check is not None
    assert check.fault
    return check.fault


def test_a_computer_players_step_has_its_purse() -> None:
    fields = json.loads(COMPUTERS.to_json())
    step = next(step for step in fields["steps"] if step[2] == "computer")
    del step[3]
    with pytest.raises(BadRecord, match="a computer player's step without its purse"):
        RecordTwo.read(fields)


def test_rules_that_this_release_does_not_know_are_said() -> None:
    finding = verify(replace(made.three(1), rules={"wheels": 6}))
    assert not finding.holds
    assert "wheels: unknown field" in finding.fault


def test_a_finding_is_found_by_what_was_checked() -> None:
    finding: Finding = verify(WAR)
    seed = finding.of(What.SEED)
    assert seed is not None
    assert seed.found == WAR.promise.tip
    assert finding.of(What.SHOWN_TIP) is None
