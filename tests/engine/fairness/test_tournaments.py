"""The decisions of a tournament's root are checked by somebody who trusts nobody."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.fairness.chain import by_lot, lots_of
from engine.fairness.cli import main
from engine.fairness.reading import BadRecord, parse
from engine.fairness.tournaments import TournamentLots, verify_lots

from . import made


@pytest.mark.parametrize("number", range(20))
def test_honest_lots_hold_and_read_back(number: int) -> None:
    lots = made.lots(number)
    assert verify_lots(lots).holds
    assert TournamentLots.read(parse(lots.to_json())) == lots


@pytest.mark.parametrize("number", range(80))
def test_what_was_tampered_with_is_found_or_cannot_be_read(number: int) -> None:
    text = made.spoilt_lots(number)
    try:
        lots = TournamentLots.read(parse(text))
    except BadRecord:
        return
    honest = made.lots(number)
    proved = (lots.entrants, lots.orders, [(table.tip, table.attempt) for table in lots.tables])
    same = proved == (honest.entrants, honest.orders, [(table.tip, table.attempt) for table in honest.tables])
    assert not verify_lots(lots).holds or same


def test_names_are_shuffled_as_they_came_in_and_in_no_chosen_order() -> None:
    """Neither with the honest result nor with what the lots make of the chosen order."""
    lots = made.lots(3)
    first = lots.orders[0]
    promise = lots.promises[first.promise]
    names = (first.names[1], first.names[0], *first.names[2:])
    chosen = by_lot(lots_of(bytes.fromhex(promise.root)), promise.message, lots.entrants, first.what, names)
    for drawn in (first.drawn, tuple(chosen)):
        other = replace(first, names=names, drawn=drawn)
        assert not verify_lots(replace(lots, orders=(other, *lots.orders[1:]))).holds


def test_of_names_that_were_not_sorted_both_orders_are_shown() -> None:
    lots = made.lots(3)
    first = lots.orders[0]
    other = replace(first, names=(first.names[1], first.names[0], *first.names[2:]))
    finding = verify_lots(replace(lots, orders=(other, *lots.orders[1:])))
    (wrong,) = [check for check in finding.checks if not check.fits]
    assert (wrong.found, wrong.recorded) == (" ".join(first.names), " ".join(other.names))


def test_more_names_than_can_be_shuffled_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lots = made.lots(3)
    names = ("1",) * 65_537
    many = replace(lots, orders=(replace(lots.orders[0], names=names, drawn=names),), tables=())
    assert main([written(tmp_path, many)]) == 2
    assert "65537 names" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"version": 1}, "the lots of a tournament are of version 2"),
        ({"table": 1_000_000}, "tables: table: not a number of these: 1000000"),
        ({"table": -1}, "tables: table: not a number of these: -1"),
        ({"promise": 9}, "a promise that is not there"),
    ],
)
def test_what_is_wrong_with_lots_is_said(change: dict[str, int], fault: str) -> None:
    fields = json.loads(made.lots(3).to_json())
    (fields if "version" in change else fields["tables"][0]).update(change)
    with pytest.raises(BadRecord) as no:
        TournamentLots.read(fields)
    assert str(no.value) == fault


def written(tmp_path: Path, lots: TournamentLots) -> str:
    path = tmp_path / "lots.json"
    path.write_text(lots.to_json(), encoding="utf-8")
    return str(path)


def test_by_hand_every_order_and_table_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lots = made.lots(2)
    assert main([written(tmp_path, lots), "--tip", lots.promises[0].tip[:8]]) == 0
    said = capsys.readouterr().out
    assert all(f"{order.what}: {' '.join(order.drawn)}" in said for order in lots.orders)
    assert all(table.tip in said for table in lots.tables)
    assert "!!" not in said
    assert main([written(tmp_path, lots), "--tip", "0" * 8]) == 1
    assert main([written(tmp_path, lots), "--hash", "0" * 16]) == 2
    assert main([written(tmp_path, replace(lots, entrants="7"))]) == 1
