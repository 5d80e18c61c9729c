"""Thousands of tournaments with random players: what must always hold."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.elimination.elimination import Elimination, EliminationPhase, End
from engine.elimination.standings import view
from engine.elimination.terms import MOST_LEFT, ROUNDS, Entrant, Terms
from engine.fairness.lots import Lots
from engine.games.contract import CHIP
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from tests.engine.elimination.elimination import NAMES, play_out

KEPT = sorted((Path(__file__).parents[2] / "records" / "tournament").glob("*.json"))
LEVELS = ["amateur", "intermediate", "expert", "perfect"]


def random_table(number: int) -> Elimination:
    luck = Random(number)
    budget = luck.choice([1, 3, 20, 100, 1_000, 12_345]) * CHIP
    who = [Entrant(name, luck.choice([None, *LEVELS])) for name in NAMES]
    table = Elimination(Terms(budget, lone=luck.random() < 0.5), who, Lots(number.to_bytes(32, "big")))
    return play_out(table, luck, wild=luck.random() < 0.5)


def told(table: Elimination) -> list[int]:
    """Everything that the rounds brought, seat by seat."""
    rounds = [step[1:] for step in table.steps if step[0] == "played"]
    return [sum(nets) for nets in zip(*rounds, strict=True)]


def check_table(table: Elimination) -> None:
    assert table.phase is EliminationPhase.OVER
    assert table.round <= ROUNDS
    assert len(told(table)) == 4
    assert [table.terms.budget + net for net in told(table)] == list(table.stacks)
    assert min(table.stacks) >= 0
    keys = [placing.key for placing in table.placings()]
    assert sorted(keys) == list(NAMES)
    assert table.winner is not None
    assert keys[0] == NAMES[table.winner]
    assert [placing.round for placing in table.placings()].count(None) == len(table.placed)
    assert len(table.placed) == 1 or table.end is End.NO_PERSON_LEFT
    for cut, most in MOST_LEFT.items():
        gone = sum(fall.round <= cut for fall in table.falls)
        assert table.round < cut or 4 - gone <= most or table.end is End.NO_PERSON_LEFT
    ranked = sorted(view(table).seats, key=lambda seat: seat.rank)
    assert [seat.entrant.key for seat in ranked] == keys


def random_cup(number: int) -> Tournament:
    luck = Random(number)
    tournament = Tournament(TournamentTerms(luck.choice([20, 100]) * CHIP, luck.randint(0, 50) * CHIP))
    for person in range(luck.randint(2, 21)):
        tournament.join(f"m{person}")
    tournament.close()
    tournament.draw_from(number.to_bytes(32, "big"), "33", "44")
    tournament.start()
    while tournament.phase is TournamentPhase.PLAYING:
        table = luck.choice(tournament.running)
        lots, terms = Lots(luck.randbytes(32)), Terms(tournament.terms.budget, lone=False)
        tournament.finished(table, play_out(Elimination(terms, tournament.tables[table], lots), luck).placings())
    return tournament


def check_cup(tournament: Tournament) -> None:
    assert tournament.final
    ranking = tournament.ranking()
    assert len(set(ranking)) == len(ranking) == len(tournament.best)
    assert set(tournament.ranked_people()) == set(tournament.people)
    assert tournament.winner() == ranking[0] == tournament.results[0][0].key
    assert sum(tournament.payouts().values()) == tournament.pool
    assert set(tournament.payouts()) <= set(tournament.people)
    assert len(tournament.payouts()) == (3 if len(tournament.people) >= 4 else 1)


def check_tables(count: int) -> None:
    ends = set()
    for number in range(count):
        table = random_table(number)
        check_table(table)
        ends.add(table.end)
    assert ends == set(End)


@pytest.mark.parametrize("many", [600, pytest.param(3_000, marks=pytest.mark.slow)])
def test_thousands_of_tables_have_one_winner_and_lose_no_chip(many: int) -> None:
    check_tables(many)


@pytest.mark.parametrize("many", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_a_thousand_tournaments_pay_their_pool_to_the_cent(many: int) -> None:
    for number in range(many):
        check_cup(random_cup(number))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_records_of_each_release_still_end_as_they_did(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    if "cup" in kept:
        tournament = Tournament.replay(kept["cup"])
        assert list(tournament.ranking()) == kept["ranking"]
        assert tournament.payouts() == kept["payouts"]
    else:
        assert [asdict(placing) for placing in Elimination.replay(kept["table"]).placings()] == kept["placings"]


@given(st.integers(0, 10**9))
def test_tables_are_the_fold_of_their_record(number: int) -> None:
    table = random_table(number)
    record = json.loads(json.dumps(table.record()))
    assert vars(Elimination.replay(record)) == vars(table)
    assert Elimination.replay(record).record() == table.record()


@given(st.integers(0, 10**9))
def test_tournaments_are_the_fold_of_their_record(number: int) -> None:
    tournament = random_cup(number)
    again = Tournament.replay(json.loads(json.dumps(tournament.record())))
    assert vars(again) == vars(tournament)
    assert again.payouts() == tournament.payouts()


@pytest.mark.long
def test_a_hundred_thousand_tournaments() -> None:
    """Five minutes on one core; N sets another number."""
    for number in range(int(os.environ.get("N", "100000"))):
        check_cup(random_cup(number))
