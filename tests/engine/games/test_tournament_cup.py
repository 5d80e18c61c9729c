"""Server tournaments, rule by rule (R7.8-R7.10)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest

from engine.games.contract import CHIP, BadRules
from engine.games.tournament.cup import Cup, CupPhase, CupTerms
from engine.games.tournament.prizes import prizes
from engine.games.tournament.steps import IllegalStep, Misstep
from engine.games.tournament.table import Placing
from engine.games.tournament.terms import Contestant

TERMS = CupTerms(budget=1_000 * CHIP, buy_in=10 * CHIP)
SEED = bytes(range(32))


def refused(misstep: Misstep) -> pytest.RaisesExc[IllegalStep]:
    return pytest.RaisesExc(IllegalStep, match=misstep.value)


def signed_up(people: int, terms: CupTerms = TERMS, seed: bytes = SEED) -> Cup:
    cup = Cup(terms, seed)
    for number in range(people):
        cup.join(f"m{number}")
    return cup


def started(people: int, seed: bytes = SEED) -> Cup:
    cup = signed_up(people, seed=seed)
    cup.start("message", "press")
    return cup


def ends(table: Sequence[Contestant], best_first: Sequence[str] | None = None) -> list[Placing]:
    """The table's end in the order given (people first, where it is not)."""
    keys = best_first or [who.key for who in sorted(table, key=lambda who: not who.person)]
    rounds = [None, 9, 6, 3]
    return [
        Placing(key, fell, 1_000 * (4 - place), 500) for place, (key, fell) in enumerate(zip(keys, rounds, strict=True))
    ]


def play_stage(cup: Cup) -> None:
    for number in cup.running:
        cup.finished(number, ends(cup.tables[number]))


def play_on(cup: Cup) -> Cup:
    while cup.phase is CupPhase.PLAYING:
        play_stage(cup)
    return cup


# -- sign-up ------------------------------------------------------------------------------------------------------


def test_r7_9_buy_ins_make_the_pool() -> None:
    cup = signed_up(3)
    assert cup.pool == 30 * CHIP
    cup.leave("m1")
    assert cup.pool == 20 * CHIP
    assert cup.people == ("m0", "m2")


def test_sign_up_is_once_and_before_the_start() -> None:
    cup = signed_up(2)
    with refused(Misstep.TAKEN):
        cup.join("m0")
    with refused(Misstep.NOT_SIGNED_UP):
        cup.leave("m7")
    cup.start()
    with refused(Misstep.NOT_NOW):
        cup.join("m9")
    with refused(Misstep.NOT_NOW):
        cup.leave("m0")
    with refused(Misstep.NOT_NOW):
        cup.start()


@pytest.mark.parametrize("people", [0, 1])
def test_it_takes_two_people(people: int) -> None:
    with refused(Misstep.TOO_FEW):
        signed_up(people).start()


@pytest.mark.parametrize(("field", "terms"), [("budget", (0, 0)), ("buy_in", (1_000, -100)), ("buy_in", (1_000, 50))])
def test_impossible_terms_are_refused(field: str, terms: tuple[int, int]) -> None:
    with pytest.raises(BadRules) as bad:
        CupTerms(*terms)
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
    cup = started(people)
    assert [sum(who.person for who in table) for table in cup.tables] == spread
    assert {len(table) for table in cup.tables} == {4}
    keys = [who.key for table in cup.tables for who in table]
    assert len(set(keys)) == len(keys)
    assert {who.level for table in cup.tables for who in table} <= {None, "intermediate"}


def test_r7_8_seats_are_drawn_not_chosen() -> None:
    assert started(16).tables == started(16).tables
    assert started(16).tables != started(16, seed=bytes(32)).tables
    other = signed_up(16)
    other.start("another message")
    assert other.tables != started(16).tables


def test_r7_8_winners_are_seated_again_until_one_table_is_left() -> None:
    cup = started(64)
    sizes = []
    while cup.phase is CupPhase.PLAYING:
        sizes.append((cup.stage, len(cup.tables), cup.final))
        play_stage(cup)
    assert sizes == [(1, 16, False), (2, 4, False), (3, 1, True)]


def test_r7_8_a_stage_waits_for_all_its_tables() -> None:
    cup = started(9)
    cup.finished(1, ends(cup.tables[1]))
    assert cup.running == (0, 2)
    assert cup.stage == 1
    cup.finished(0, ends(cup.tables[0]))
    winners = {"m" + str(number) for number in range(9)} & {who.key for table in cup.tables for who in table[:1]}
    cup.finished(2, ends(cup.tables[2]))
    assert cup.stage == 2
    assert {who.key for who in cup.tables[0] if who.person} >= winners
    assert cup.table_terms.budget == TERMS.budget
    assert not cup.table_terms.lone


def test_r7_8_computer_players_who_win_go_on_as_such() -> None:
    cup = started(5)
    for number in cup.running:
        table = cup.tables[number]
        cup.finished(number, ends(table, [who.key for who in sorted(table, key=lambda who: who.person)]))
    going_on = [who for who in cup.tables[0] if who.key.startswith("computer 1.")]
    assert len(going_on) == 2
    assert {who.level for who in going_on} == {"intermediate"}


def test_results_must_fit_the_table() -> None:
    cup = started(5)
    good = ends(cup.tables[0])
    wrong = [good[:3], [*good[:3], good[0]], ends(cup.tables[1]), good[::-1], [Placing("x", None, 0, 0), *good[1:]]]
    for placings in wrong:
        with refused(Misstep.WRONG_RESULT):
            cup.finished(0, placings)
    for number in (-1, 2):
        with refused(Misstep.WRONG_RESULT):
            cup.finished(number, good)
    cup.finished(0, good)
    with refused(Misstep.NOT_NOW):
        cup.finished(0, good)


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
    cup = started(5)
    first, second = cup.tables
    people = [[who.key for who in table if who.person] for table in cup.tables]
    fillers = [[who.key for who in table if not who.person] for table in cup.tables]
    cup.finished(
        0,
        [
            Placing(people[0][0], None, 4_000, 0),
            Placing(fillers[0][0], 9, 500, 0),
            Placing(people[0][1], 6, 300, 0),
            Placing(people[0][2], 6, 200, 0),
        ],
    )
    cup.finished(
        1,
        [
            Placing(fillers[1][0], None, 4_000, 0),
            Placing(people[1][0], 6, 250, 0),
            Placing(people[1][1], 3, 900, 0),
            Placing(fillers[1][1], 3, 100, 0),
        ],
    )
    final = cup.tables[0]
    person = people[0][0]
    others = [who.key for who in final if who.key != person]
    cup.finished(0, ends(final, [*others, person]))
    assert cup.winner() == others[0]
    assert cup.ranked_people() == (person, people[0][1], people[1][0], people[0][2], people[1][1])
    assert len(first) == len(second) == 4
    assert len(cup.ranking()) == 5 + 3 + 2


def test_r7_9_equals_are_ranked_by_lots() -> None:
    orders = set()
    for number in range(20):
        cup = signed_up(2, seed=number.to_bytes(32, "big"))
        cup.start()
        computers = [who.key for who in cup.tables[0] if not who.person]
        placings = [Placing(computers[0], None, 0, 0), Placing(computers[1], 6, 5, 5)]
        cup.finished(0, [*placings, Placing("m0", 3, 5, 5), Placing("m1", 3, 5, 5)])
        orders.add(cup.ranked_people())
    assert orders == {("m0", "m1"), ("m1", "m0")}


def test_r7_9_computer_players_are_never_paid() -> None:
    cup = started(5)
    while cup.phase is CupPhase.PLAYING:
        for number in cup.running:
            table = cup.tables[number]
            cup.finished(number, ends(table, [who.key for who in sorted(table, key=lambda who: who.person)]))
    assert cup.winner().startswith("computer")
    assert set(cup.payouts()) == set(cup.ranked_people()[:3])
    assert list(cup.payouts().values()) == [2_500, 1_500, 1_000]


# -- R7.10 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [0, 1])
def test_r7_10_a_cancelled_tournament_returns_every_buy_in(stage: int) -> None:
    cup = signed_up(5)
    if stage:
        cup.start()
    cup.cancel()
    assert cup.phase is CupPhase.CANCELLED
    assert cup.payouts() == {f"m{number}": 1_000 for number in range(5)}
    assert cup.running == ()
    with refused(Misstep.NOT_NOW):
        cup.cancel()


def test_nothing_is_paid_while_it_is_played() -> None:
    for cup in (signed_up(3), started(3)):
        with refused(Misstep.NOT_NOW):
            cup.payouts()


def test_a_finished_tournament_cannot_be_cancelled() -> None:
    cup = play_on(started(3))
    with refused(Misstep.NOT_NOW):
        cup.cancel()


def test_r7_10_cut_off_at_any_step_it_goes_on_from_its_record() -> None:
    cup = play_on(started(9))
    record = json.loads(json.dumps(cup.record()))
    assert vars(Cup.replay(record)) == vars(cup)
    for count in range(len(cup.steps) + 1):
        begun = Cup.replay(record, count)
        if begun.phase is CupPhase.PLAYING:
            assert play_on(begun.fork()).payouts().keys() <= set(cup.people)
        assert begun.steps == cup.steps[:count]


def test_seating_favours_nobody() -> None:
    together = Counter(
        any({"m0", "m1"} <= {who.key for who in table} for table in started(8, number.to_bytes(32, "big")).tables)
        for number in range(700)
    )
    assert 250 < together[True] < 350  # 3 in 7 expected
