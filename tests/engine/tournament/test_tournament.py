"""Server tournaments, rule by rule (R7.8-R7.10)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from engine.elimination.elimination import Elimination, Placing
from engine.elimination.standings import view as view_of_table
from engine.elimination.steps import IllegalStep, Misstep
from engine.elimination.terms import Entrant, Terms
from engine.fairness.lots import Lots
from engine.games.contract import CHIP, BadRules
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.prizes import prizes
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from engine.tournament.view import view
from tests.engine.elimination.elimination import play

TERMS = TournamentTerms(budget=1_000 * CHIP, buy_in=10 * CHIP)
SEED = bytes(range(32))


def refused(misstep: Misstep) -> pytest.RaisesExc[IllegalStep]:
    return pytest.RaisesExc(IllegalStep, match=misstep.value)


def signed_up(people: int, terms: TournamentTerms = TERMS) -> Tournament:
    tournament = Tournament(terms)
    for number in range(people):
        tournament.join(f"m{number}")
    return tournament


def test_r7_9_who_went_out_later_stands_higher_whatever_they_had_left() -> None:
    tournament = started(4)
    table = Elimination(Terms(TERMS.budget, lone=False), tournament.tables[0], Lots(SEED))
    play(table, "-400 0 0 0 | 0 0 0 0 | 0 0 0 0 | . -900 0 0 | . 0 0 0 | . 0 0 0")
    users = {key: number for number, key in enumerate(tournament.people)}
    state = TournamentState(9, 1, 2, 100, "original", {}, 0.0, tournament.record(), users=users)
    lines = view(TournamentPosition(state, tournament), {0: view_of_table(table)}).lines
    early, late, *_here = (who.key for who in tournament.tables[0])
    assert [(line.key, line.out, line.chips) for line in lines[2:]] == [
        (late, True, 100 * CHIP),
        (early, True, 600 * CHIP),
    ]


def started(people: int, seed: bytes = SEED, promise: str = "33", entrants: str = "44") -> Tournament:
    tournament = signed_up(people)
    tournament.close()
    tournament.draw_from(seed, promise, entrants)
    tournament.start()
    return tournament


def ends(table: Sequence[Entrant], best_first: Sequence[str] | None = None) -> list[Placing]:
    """The table's end in the order given (people first, where it is not)."""
    keys = best_first or [who.key for who in sorted(table, key=lambda who: not who.person)]
    rounds = [None, 9, 6, 3]
    return [
        Placing(key, fell, 1_000 * (4 - place), 500) for place, (key, fell) in enumerate(zip(keys, rounds, strict=True))
    ]


def play_stage(tournament: Tournament) -> None:
    for number in tournament.running:
        tournament.finished(number, ends(tournament.tables[number]))


def play_on(tournament: Tournament) -> Tournament:
    while tournament.phase is TournamentPhase.PLAYING:
        play_stage(tournament)
    return tournament


# -- sign-up ------------------------------------------------------------------------------------------------------


def test_r7_9_buy_ins_make_the_pool() -> None:
    tournament = signed_up(3)
    assert tournament.pool == 30 * CHIP
    tournament.leave("m1")
    assert tournament.pool == 20 * CHIP
    assert tournament.people == ("m0", "m2")


def test_sign_up_is_once_and_before_the_start() -> None:
    tournament = signed_up(2)
    with refused(Misstep.TAKEN):
        tournament.join("m0")
    with refused(Misstep.NOT_SIGNED_UP):
        tournament.leave("m7")
    with refused(Misstep.NOT_NOW):
        tournament.start()
    tournament.close()
    with refused(Misstep.NOT_NOW):
        tournament.join("m9")
    with refused(Misstep.NOT_NOW):
        tournament.leave("m0")
    with refused(Misstep.NOT_NOW):
        tournament.close()


def test_nobody_is_seated_before_lots_are_settled() -> None:
    tournament = signed_up(2)
    with refused(Misstep.NOT_NOW):
        tournament.draw_from(SEED, "33", "44")
    tournament.close()
    with refused(Misstep.NOT_NOW):
        tournament.start()
    tournament.draw_from(SEED, "33", "44")
    tournament.start()
    assert tournament.phase is TournamentPhase.PLAYING


@pytest.mark.parametrize("people", [0, 1])
def test_it_takes_two_people(people: int) -> None:
    with refused(Misstep.TOO_FEW):
        signed_up(people).close()


@pytest.mark.parametrize(("field", "terms"), [("budget", (0, 0)), ("buy_in", (1_000, -100)), ("buy_in", (1_000, 50))])
def test_impossible_terms_are_refused(field: str, terms: tuple[int, int]) -> None:
    with pytest.raises(BadRules) as bad:
        TournamentTerms(*terms)
    assert bad.value.field == field


# -- R7.8 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "spread"),
    [
        (2, [2]),
        (4, [4]),
        (5, [3, 2]),
        (8, [4, 4]),
        (9, [3, 3, 3]),
        (13, [4, 3, 3, 3]),
        (16, [4, 4, 4, 4]),
        (17, [4, 4, 3, 3, 3]),
    ],
)
def test_r7_8_people_are_spread_evenly_and_computer_players_fill_up(people: int, spread: list[int]) -> None:
    tournament = started(people)
    assert [sum(who.person for who in table) for table in tournament.tables] == spread
    assert {len(table) for table in tournament.tables} == {4}
    keys = [who.key for table in tournament.tables for who in table]
    assert len(set(keys)) == len(keys)
    assert {who.level for table in tournament.tables for who in table} <= {None, "intermediate"}


def test_r7_8_seats_are_drawn_not_chosen() -> None:
    assert started(16).tables == started(16).tables
    assert started(16).tables != started(16, seed=bytes(32)).tables
    assert started(16, promise="34").tables != started(16).tables
    assert started(16, entrants="45").tables != started(16).tables


def test_r7_8_later_lots_come_from_a_later_promise_and_what_was_drawn_stands() -> None:
    tournament, other = started(64), started(64)
    other.draw_from(bytes(32), "35", "44")
    assert other.tables == tournament.tables
    play_stage(tournament)
    play_stage(other)
    assert {who.key for table in other.tables for who in table} == {w.key for t in tournament.tables for w in t}
    assert other.tables != tournament.tables
    assert [order.lots for order in other.orders] == [0, 1]


def test_r7_8_winners_are_seated_again_until_one_table_is_left() -> None:
    tournament = started(64)
    sizes = []
    while tournament.phase is TournamentPhase.PLAYING:
        sizes.append((tournament.stage, len(tournament.tables), tournament.final))
        play_stage(tournament)
    assert sizes == [(1, 16, False), (2, 4, False), (3, 1, True)]


def test_r7_8_a_stage_waits_for_all_its_tables() -> None:
    tournament = started(9)
    tournament.finished(1, ends(tournament.tables[1]))
    assert tournament.running == (0, 2)
    assert tournament.stage == 1
    tournament.finished(0, ends(tournament.tables[0]))
    winners = {"m" + str(number) for number in range(9)} & {who.key for table in tournament.tables for who in table[:1]}
    tournament.finished(2, ends(tournament.tables[2]))
    assert tournament.stage == 2
    assert {who.key for who in tournament.tables[0] if who.person} >= winners


def test_r7_8_computer_players_who_win_go_on_as_such() -> None:
    tournament = started(5)
    for number in tournament.running:
        table = tournament.tables[number]
        tournament.finished(number, ends(table, [who.key for who in sorted(table, key=lambda who: who.person)]))
    going_on = [who for who in tournament.tables[0] if who.key.startswith("computer 1.")]
    assert len(going_on) == 2
    assert {who.level for who in going_on} == {"intermediate"}


def test_results_must_fit_the_table() -> None:
    tournament = started(5)
    good = ends(tournament.tables[0])
    wrong = [
        good[:3],
        [*good[:3], good[0]],
        ends(tournament.tables[1]),
        good[::-1],
        [Placing("x", None, 0, 0), *good[1:]],
    ]
    for placings in wrong:
        with refused(Misstep.WRONG_RESULT):
            tournament.finished(0, placings)
    for number in (-1, 2):
        with refused(Misstep.WRONG_RESULT):
            tournament.finished(number, good)
    tournament.finished(0, good)
    with refused(Misstep.NOT_NOW):
        tournament.finished(0, good)


def test_r7_8_the_absent_of_one_table_stay_absent_when_another_one_ends() -> None:
    tournament = started(5)
    state = TournamentState(9, 1, 2, 100, "original", {}, 0.0, tournament.record())
    draft = TournamentDraft(TournamentPosition(state, tournament), 0.0)
    first, second = tournament.tables
    absent, *_ = [who.key for who in first if who.person]
    draft.finished(0, ends(first), [absent])
    draft.finished(1, ends(second), [])
    assert draft.state.absent == (absent,)


# -- R7.9 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "people", "paid"),
    [
        (1_000, 4, [500, 300, 200]),
        (999, 5, [501, 299, 199]),
        (1, 4, [1, 0, 0]),
        (2_000, 2, [2_000]),
        (3_000, 3, [3_000]),
        (0, 4, [0, 0, 0]),
    ],
)
def test_r7_9_the_pool_goes_to_the_best_three_to_the_cent(pool: int, people: int, paid: list[int]) -> None:
    keys = [f"m{number}" for number in range(people)]
    assert prizes(pool, keys) == dict(zip(keys, paid, strict=False))


def test_r7_9_ranked_by_stage_then_round_then_chips() -> None:
    tournament = started(5)
    first, second = tournament.tables
    people = [[who.key for who in table if who.person] for table in tournament.tables]
    fillers = [[who.key for who in table if not who.person] for table in tournament.tables]
    tournament.finished(
        0,
        [
            Placing(people[0][0], None, 4_000, 0),
            Placing(fillers[0][0], 9, 500, 0),
            Placing(people[0][1], 6, 300, 0),
            Placing(people[0][2], 6, 200, 0),
        ],
    )
    tournament.finished(
        1,
        [
            Placing(fillers[1][0], None, 4_000, 0),
            Placing(people[1][0], 6, 250, 0),
            Placing(people[1][1], 3, 900, 0),
            Placing(fillers[1][1], 3, 100, 0),
        ],
    )
    final = tournament.tables[0]
    person = people[0][0]
    others = [who.key for who in final if who.key != person]
    tournament.finished(0, ends(final, [*others, person]))
    assert tournament.winner() == others[0]
    assert tournament.ranked_people() == (person, people[0][1], people[1][0], people[0][2], people[1][1])
    assert len(first) == len(second) == 4
    assert len(tournament.ranking()) == 5 + 3 + 2


def test_r7_9_equals_are_ranked_by_lots() -> None:
    orders = set()
    for number in range(20):
        tournament = started(2, number.to_bytes(32, "big"))
        computers = [who.key for who in tournament.tables[0] if not who.person]
        placings = [Placing(computers[0], None, 0, 0), Placing(computers[1], 6, 5, 5)]
        tournament.finished(0, [*placings, Placing("m0", 3, 5, 5), Placing("m1", 3, 5, 5)])
        orders.add(tournament.ranked_people())
    assert orders == {("m0", "m1"), ("m1", "m0")}


def test_r7_9_computer_players_are_never_paid() -> None:
    tournament = started(5)
    while tournament.phase is TournamentPhase.PLAYING:
        for number in tournament.running:
            table = tournament.tables[number]
            tournament.finished(number, ends(table, [who.key for who in sorted(table, key=lambda who: who.person)]))
    assert tournament.winner().startswith("computer")
    assert set(tournament.payouts()) == set(tournament.ranked_people()[:3])
    assert list(tournament.payouts().values()) == [2_500, 1_500, 1_000]


# -- R7.10 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [signed_up, started])
def test_r7_10_a_cancelled_tournament_returns_every_buy_in(begun: Callable[[int], Tournament]) -> None:
    tournament = begun(5)
    tournament.cancel()
    assert tournament.phase is TournamentPhase.CANCELLED
    assert tournament.payouts() == {f"m{number}": 1_000 for number in range(5)}
    assert tournament.running == ()
    with refused(Misstep.NOT_NOW):
        tournament.cancel()


def test_nothing_is_paid_while_it_is_played() -> None:
    for tournament in (signed_up(3), started(3)):
        with refused(Misstep.NOT_NOW):
            tournament.payouts()


def test_a_finished_tournament_cannot_be_cancelled() -> None:
    tournament = play_on(started(3))
    with refused(Misstep.NOT_NOW):
        tournament.cancel()


def test_r7_10_cut_off_at_any_step_it_goes_on_from_its_record() -> None:
    tournament = play_on(started(9))
    record = json.loads(json.dumps(tournament.record()))
    assert vars(Tournament.replay(record)) == vars(tournament)
    for count in range(len(tournament.steps) + 1):
        begun = Tournament.replay(record, count)
        if begun.phase is TournamentPhase.PLAYING:
            assert play_on(begun.fork()).payouts().keys() <= set(tournament.people)
        assert begun.steps == tournament.steps[:count]


def test_seating_favours_nobody() -> None:
    together = Counter(
        any({"m0", "m1"} <= {who.key for who in table} for table in started(8, number.to_bytes(32, "big")).tables)
        for number in range(700)
    )
    assert 250 < together[True] < 350  # 3 in 7 expected
