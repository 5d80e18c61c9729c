"""`/verify` and `python -m engine.fairness`: a round checked by somebody who trusts nobody."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.fairness.cli import main
from engine.fairness.record import Record, RecordOne
from engine.fairness.verify import Finding, Seen, What, verify
from engine.games.contract import Step

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "records"
WAR = FOLDER / "1_war_war.json"


def war() -> RecordOne:
    record = Record.from_json(WAR.read_text(encoding="utf-8"))
    assert isinstance(record, RecordOne)
    return record


def wrong(finding: Finding) -> list[What]:
    """Return the checks that fail."""
    return [check.what for check in finding.checks if not check.fits]


def test_an_honest_round_holds() -> None:
    finding = verify(war())
    assert finding.holds
    assert finding.cards[:2] == ("Tc", "Th")
    assert len(finding.cards) == 7  # two, three burnt, two
    assert finding.again is not None
    assert finding.again.settlement().net(0) == 1650


def test_another_seed_than_promised_is_found() -> None:
    finding = verify(replace(war(), commitment="0" * 64))
    assert wrong(finding) == [What.SEED]
    assert not finding.holds


def test_another_settlement_than_paid_is_found() -> None:
    finding = verify(replace(war(), outcome="0" * 64))
    assert wrong(finding) == [What.PAYMENTS]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"steps": ()}, "do not end"),
        ({"steps": (Step(0, "hit"),)}, "against the rules"),
        ({"steps": (Step(3, "war"),)}, "against the rules"),
        ({"game": "roulette"}, "roulette"),
        ({"rules": {"decks": 0}}, "whole number"),
        ({"rules": {"wheels": 6}}, "wheels: unknown field"),
        ({"stakes": ()}, "one seat"),
        ({"stakes": ({"main": 150},)}, "whole chips"),
    ],
)
def test_what_cannot_be_played_again_is_said(change: dict[str, object], fault: str) -> None:
    finding = verify(replace(war(), **change))  # type: ignore[arg-type]
    assert fault in finding.fault
    assert not finding.holds


def test_a_record_says_whether_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(WAR)]) == 0
    said = capsys.readouterr().out
    assert "10♣ 10♥" in said
    assert "seat 1, main: war won; staked 22, gets back 38.50" in said
    assert "!!" not in said
    assert said.rstrip().endswith("dealt and paid as promised.")


def test_a_record_comes_from_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(war().to_json().encode())))
    assert main(["-"]) == 0


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"seed":"01', '"seed":"02', "!! shown "),
        ('"outcome":"8', '"outcome":"9', "!! recorded "),
        ('"war","member"', '"surrender","clock"', "!! recorded "),
        ("rot-weiß", "rot-weiss", "!! it cannot be played again"),
    ],
)
def test_a_forged_record_is_marked_where_it_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: str
) -> None:
    forged = tmp_path / "forged.json"
    forged.write_text(war().to_json().replace(old, new), encoding="utf-8")
    assert main([str(forged)]) == 1
    said = capsys.readouterr().out
    assert line in said
    assert "THIS DOES NOT FIT" in said


def test_what_one_saw_oneself_counts_more_than_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(WAR), "--commitment", war().commitment.upper()]) == 0
    assert main([str(WAR), "--commitment", f" {war().commitment}…"]) == 0
    assert main([str(WAR), "--commitment", "ab" * 32]) == 1
    assert main([str(WAR), "--commitment", war().commitment[:16]]) == 2, "too little to say that it does not fit"
    assert "another seed was promised" in capsys.readouterr().out


def test_a_round_of_scheme_1_has_a_commitment_and_no_tip(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(WAR), "--tip", war().commitment[:8]]) == 2
    assert capsys.readouterr().err == "This cannot be read: this round is of scheme 1: give its --commitment\n"
    assert wrong(verify(war(), Seen(tip=war().commitment[:8]))) == []
    assert wrong(verify(war(), Seen(tip="0" * 8))) == [What.SHOWN_TIP]


def test_a_seed_alone_shows_its_cards(capsys: pytest.CaptureFixture[str]) -> None:
    record = war()
    inputs = [argument for text in record.inputs for argument in ("--input", text)]
    given = ["--seed", record.seed.hex(), *inputs, "--decks", "6", "--cards", "2"]
    assert main(given) == 0
    said = capsys.readouterr().out
    assert "   10♣ 10♥\n" in said
    assert record.commitment in said
    for shown, code in (
        (record.commitment, 0),
        (f" {record.commitment.upper()} ", 0),
        ("ab" * 32, 1),
        (record.commitment[:16], 2),
    ):
        assert main([*given, "--commitment", shown]) == code
    capsys.readouterr()
    assert main(["--seed", record.seed.hex()]) == 0
    assert "2. What was mixed in after the promise\n   (nothing)\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-file.json"],
        ["--seed", "xyz"],
        ["--seed", "00", "--decks", "0"],
        [str(FOLDER)],
    ],
)
def test_what_cannot_be_read_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("This cannot be read: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], [str(WAR), "--seed", "00"]])
def test_a_record_or_a_seed_is_needed(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)


def test_it_runs_from_the_command_line_without_bot_or_database() -> None:
    code = "import sys, runpy; sys.argv = ['fairness', sys.argv[1]]\n"
    code += "try: runpy.run_module('engine.fairness', run_name='__main__')\n"
    code += "finally: print(sorted(set(sys.modules) & {'discord', 'sqlalchemy', 'asyncio', 'random'}))"
    done = subprocess.run([sys.executable, "-c", code, str(WAR)], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "as promised" in done.stdout
    assert done.stdout.endswith("[]\n")
