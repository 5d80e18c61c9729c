"""Today's five checked by somebody who trusts nobody (R11.7): the seed, the deals, the answers, a try."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.fairness import cli
from engine.fairness.chain import tip_of
from engine.fairness.cli import main
from engine.fairness.days import LAST, Day, PlayedTry, verify_day
from engine.fairness.reading import BadRecord, parse
from engine.fairness.sample import sample_days
from engine.sets.calendar import WEEK, date_of
from engine.sets.choosing import FILTER
from engine.sets.tries import played
from engine.sets.worths import VALUATION

from ..sets.prepared import MONDAY, ROOT, best_steps, prepared, seed, shoes

TUESDAY = MONDAY + 1


def made(day: int = TUESDAY) -> Day:
    played = PlayedTry(best_steps(day), 100_00)
    return Day(day, tip_of(ROOT), day - MONDAY + 1, seed(day), (), prepared(day), ROOT, played)


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "day.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("day", range(MONDAY, MONDAY + WEEK))
def test_r11_7_an_honest_day_holds_and_reads_back(day: int) -> None:
    text = made(day).to_json()
    assert Day.read(parse(text)) == made(day)
    assert all(check.fits for check in verify_day(made(day), solver=True))


def test_the_kept_day_still_holds() -> None:
    """The page verify.html checks the same file (`tests/browser`)."""
    text = Path("tests/records/day/1_tuesday.json").read_text(encoding="utf-8")
    assert all(check.fits for check in verify_day(Day.read(parse(text)), solver=True))
    assert Day.read(parse(text)) == made()


def test_by_hand_everything_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["today", written(tmp_path, made().to_json()), "--tip", made().tip[:8]]) == 0
    said = capsys.readouterr().out
    assert "Today's five of 2027-01-05: ctrl-alt-bet, width 15 %" in said
    first = date_of(TUESDAY - made().number + 1)
    assert f"seed {made().number} of its chain, whose first day was {first}: the files of its other days" in said
    assert "everything else was checked" in said
    assert "!!" not in said


SPOILT = {
    "seed": "00" * 32,
    "number": 3,
    "root": "11" * 32,
    "day": TUESDAY + 1,
    "width": 140_000,
    "before": [list(prepared(TUESDAY).situations)],
    "deals": [[deal.number + 1, deal.situation] for deal in prepared(TUESDAY).deals],
    "try": {"steps": best_steps(TUESDAY), "points": 99_00},
}


@pytest.mark.parametrize("field", SPOILT)
def test_what_was_changed_is_marked(field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {**json.loads(made().to_json()), field: SPOILT[field]}
    assert main(["today", written(tmp_path, json.dumps(fields))]) == 1
    assert "!!" in capsys.readouterr().out


def test_another_deal_is_found_without_the_solver() -> None:
    """Its open cards ask something else."""
    first, *others = prepared(TUESDAY).deals
    spoilt = replace(made(), prepared=replace(prepared(TUESDAY), deals=(replace(first, number=2), *others)))
    assert [check.what for check in verify_day(spoilt, solver=False) if not check.fits][:1] == ["deal 1 asks"]
    assert all(check.fits for check in verify_day(made(), solver=False))


def test_a_single_answer_that_was_changed_is_found() -> None:
    answers = [{path: dict(worths) for path, worths in deal.items()} for deal in prepared(TUESDAY).answers]
    answers[2][""]["s"] += 1
    spoilt = replace(made(), prepared=replace(prepared(TUESDAY), answers=tuple(answers)))
    assert [check.what for check in verify_day(spoilt, solver=True) if not check.fits] == ["answers of deal 3"]


def test_another_version_of_filter_or_valuation_is_said_not_to_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = replace(made(), prepared=replace(prepared(TUESDAY), filter=9, valuation=9))
    assert main(["today", written(tmp_path, later.to_json())]) == 0
    said = capsys.readouterr().out
    assert "not checked: the choice of deals" in said
    assert "not checked: answers" in said


@pytest.mark.parametrize(("version", "solver"), [({}, False), ({"filter": 9, "valuation": 9}, True)])
def test_neither_choice_nor_answers_are_checked_without_the_solver_or_by_another_release(
    version: dict[str, Any], *, solver: bool
) -> None:
    day = replace(made(), prepared=replace(prepared(TUESDAY), **version))
    checked = {check.what.split()[0] for check in verify_day(day, solver=solver)}
    assert checked == {"promise", "root", "rules", "width", "deal", "points"}


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("deals", [7], "deals: not a deal: 7"),
        ("deals", [[0, "hard 16 v 10"]], "deals: not a deal: [0, 'hard 16 v 10']"),
        ("deals", [[1, "hard 16 v 10", 2]], "deals: not a deal: [1, 'hard 16 v 10', 2]"),
        ("width", 0, "a day has a width, deals, and the answers of each deal"),
        ("answers", [], "a day has a width, deals, and the answers of each deal"),
    ],
)
def test_what_is_wrong_with_a_day_is_said(field: str, value: object, fault: str) -> None:
    with pytest.raises(BadRecord) as no:
        Day.read({**parse(made().to_json()), field: value})
    assert str(no.value) == fault


@pytest.mark.parametrize("number", [0, 1_001])
def test_a_number_that_no_chain_has_does_not_fit(number: int) -> None:
    wrong = [check for check in verify_day(replace(made(), number=number), solver=False) if not check.fits]
    assert [check.what for check in wrong][:2] == ["promise", "root"]
    assert {check.found for check in wrong[:2]} == {f"a chain has rounds 1 to 1000, not {number}"}


def test_a_day_has_a_tip_and_no_hash_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--hash", "--previous", "--commitment"):
        assert main(["today", written(tmp_path, made().to_json()), option, "0" * 64]) == 2
        assert "a day has no hash of its own: give the promise's --tip" in capsys.readouterr().err


def test_without_a_solver_it_is_said_what_nobody_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "can_be_checked", lambda: False)
    assert main(["today", written(tmp_path, made().to_json())]) == 0
    said = capsys.readouterr().out
    assert "not checked: the choice of deals, and answers: numpy is not installed\n" in said
    assert "everything else was checked" not in said


def test_another_tip_than_was_seen_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "can_be_checked", lambda: False)
    assert main(["today", written(tmp_path, made().to_json()), "--tip", "0" * 8]) == 1
    said = capsys.readouterr().out
    assert "!! you saw   00000000   not the same" in said
    assert "dealt as promised" not in said


def test_r11_5_a_try_that_stops_in_the_middle_has_no_points_to_check() -> None:
    steps = best_steps(TUESDAY)[:-1]
    points = played(prepared(TUESDAY), shoes(TUESDAY), steps).points
    checks = verify_day(replace(made(), played=PlayedTry(steps, points)), solver=False)
    assert [(check.what, check.found) for check in checks if not check.fits] == [("points", "a try that is not over")]


@pytest.mark.parametrize("field", ["version", "deals", "answers", "rules", "try", "width"])
def test_what_makes_no_sense_cannot_be_read(field: str) -> None:
    with pytest.raises(BadRecord):
        Day.read({**parse(made().to_json()), field: {"no": "sense"} if field == "rules" else 0})


def test_what_a_day_is_made_of_stays_as_it_was() -> None:
    """If this fails, filter or solver choose or value otherwise than before: raise FILTER or VALUATION with it."""
    week = [(each.prepared.deals_as_json(), each.prepared.answers_as_json()) for each in sample_days(7)]
    digest = hashlib.sha256(json.dumps(week).encode()).hexdigest()
    assert (FILTER, VALUATION, digest[:16]) == (1, 1, "9ba4189c3de03622")


@pytest.mark.parametrize("days", ["0", "1001"])
def test_a_table_of_more_days_than_a_chain_has_seeds_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], days: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["days", days])
    assert caught.value.code == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.splitlines()[-1]) == (
        "",
        f"python -m engine.fairness days: error: a table has 1 to 1000 days, not {days}",
    )


@pytest.mark.parametrize("days", [9, pytest.param(60, marks=pytest.mark.slow)])
def test_the_table_of_days_is_what_the_command_prints(capsys: pytest.CaptureFixture[str], days: int) -> None:
    """All sixty take six seconds. The ninth day is the first that leaves out what its weekday asked a week before."""
    assert main(["days", str(days)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == days + 2
    page = Path("docs/today.md").read_text(encoding="utf-8")
    assert "\n".join(printed) in page


@pytest.mark.parametrize("day", [-1, LAST + 1])
def test_a_day_without_a_date_cannot_be_read(day: int) -> None:
    assert date_of(LAST) == "9999-12-31"
    with pytest.raises(BadRecord):
        Day.read({**parse(made().to_json()), "day": day})
