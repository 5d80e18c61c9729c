"""Elimination tables, rule by rule (R7.1-R7.7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pytest

from engine.elimination.elimination import VERSION, Elimination, EliminationPhase, End, Why
from engine.elimination.steps import IllegalStep, Misstep
from engine.elimination.terms import ROUNDS, Entrant, Terms
from engine.fairness.lots import DrawPurpose, Lots
from engine.games.cards import PACK
from engine.games.contract import CHIP, BadRules, By
from tests.engine.elimination.elimination import SEED, all_stake, entrants, open_table, play, story

QUIET = "0 0 0 0"


def refused(misstep: Misstep) -> pytest.RaisesExc[IllegalStep]:
    return pytest.RaisesExc(IllegalStep, match=misstep.value)


# -- R7.1 ---------------------------------------------------------------------------------------------------------


def test_r7_1_four_players_with_equal_budgets() -> None:
    table = open_table(budget=250)
    assert table.stacks == (25_000,) * 4
    assert table.in_play == (0, 1, 2, 3)
    for wrong in (entrants()[:3], [*entrants(), Entrant("E")], [Entrant("A")] * 4):
        with pytest.raises(ValueError, match="contestants"):
            Elimination(table.terms, wrong, table.lots)


def test_whoever_left_a_round_that_is_called_off_is_gone_with_what_they_had_before_it() -> None:
    table = open_table(people="AB")
    play(table, "-10 10 0 0")
    all_stake(table)
    table.leave(0)
    assert table.in_play == (0, 1, 2, 3), "the round is played first"
    table.call_off()
    assert [(fall.seat, fall.why, fall.round, fall.chips) for fall in table.falls] == [(0, Why.LEFT, 1, 9_000)]
    assert (table.in_play, table.staked, table.called_off) == ((1, 2, 3), {}, 1)
    assert Elimination.replay(table.record()).falls == table.falls


@pytest.mark.parametrize(
    ("version", "told"),
    [(2, "A left 1, B left 1, C left 1, D wins: all fell"), (3, "A left 1, D left 1, C left 1, B wins: all fell")],
)
def test_r7_5_if_everybody_leaves_a_round_that_is_called_off_the_richest_wins(version: int, told: str) -> None:
    """There are no lots then, so C is better than D. At tables that began before version 3, the last seat won."""
    table = Elimination(Terms(100 * CHIP), entrants("ABCD"), Lots(SEED), version)
    play(table, "-10 10 0 0")
    all_stake(table)
    for seat in range(4):
        table.leave(seat)
    table.call_off()
    assert story(table) == told
    assert table.draws == ()
    assert Elimination.replay(table.record()).placings() == table.placings()


def test_r7_1_a_computer_players_seat_can_be_taken_before_the_first_card() -> None:
    table = open_table()
    table.take(2, "Zoe")
    assert table.entrants[2] == Entrant("Zoe")
    with refused(Misstep.TAKEN):
        table.take(2, "Max")
    with refused(Misstep.TAKEN):
        table.take(0, "Max")
    with refused(Misstep.TAKEN):
        table.take(3, "Zoe")
    all_stake(table)
    with refused(Misstep.NOT_NOW):
        table.take(3, "Max")
    table.played([0, 0, 0, 0])
    with refused(Misstep.NOT_NOW):
        table.take(3, "Max")


@pytest.mark.parametrize("cents", [0, -100, 50, 1050])
def test_r7_1_a_budget_is_whole_chips(cents: int) -> None:
    with pytest.raises(BadRules, match="whole"):
        Terms(cents)


# -- R7.2 ---------------------------------------------------------------------------------------------------------


def test_r7_2_the_poorest_goes_after_rounds_three_six_and_nine() -> None:
    table = open_table(lone=False)
    assert play(table, f"10 20 -5 30 | {QUIET} | {QUIET}") == "C poorest 3"
    assert play(table, "5 0 . 0 | 0 0 . 0 | 0 0 . 0") == "C poorest 3, A poorest 6"
    assert play(table, ". 9 . 0 | . 0 . 0") == "C poorest 3, A poorest 6"
    assert play(table, ". 0 . 0") == "C poorest 3, A poorest 6, B poorest 9, D wins: last one standing"


def test_r7_2_heats_are_three_rounds() -> None:
    table = open_table()
    heats = []
    for nets in ["0 0 0 -1", QUIET, QUIET, "0 0 -1 .", "0 0 0 .", "0 0 0 .", "0 -1 . .", "0 0 . .", "0 0 . ."]:
        heats.append(table.heat)
        play(table, nets)
    assert heats == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert story(table) == "D poorest 3, C poorest 6, B poorest 9, A wins: last one standing"


def test_r7_2_one_left_wins_at_once() -> None:
    assert play(open_table(), "0 -100 -100 -100").endswith("A wins: last one standing")


# -- R7.3 ---------------------------------------------------------------------------------------------------------


def test_r7_3_no_whole_chip_left_is_out_at_once() -> None:
    assert play(open_table(), "0 0 0 -99.5") == "D bankrupt 1"
    assert play(open_table(), "0 0 0 -99") == ""


def test_r7_3_a_bankrupt_counts_as_the_heats_elimination() -> None:
    assert play(open_table(), "0 -100 -10 0 | 0 . 0 0 | 0 . 0 0") == "B bankrupt 1"


def test_r7_3_two_bankrupts_count_for_two_heats() -> None:
    table = open_table()
    told = play(table, "0 5 0 0 | 0 -105 -100 -10" + " | 0 . . 0" * 7)
    assert told == "C bankrupt 2, B bankrupt 2, D poorest 9, A wins: last one standing"


def test_r7_3_under_the_smallest_stake_one_may_go_all_in() -> None:
    table = open_table()
    play(table, "-97.5 0 0 0")
    for seat in (1, 2, 3):
        table.stake(seat, 500)
    assert table.terms.smallest == 500
    assert table.smallest(0) == table.all_in(0) == 200
    assert table.refusal(0, 100) is Misstep.TOO_SMALL
    assert table.refusal(0, 300) is Misstep.TOO_LARGE
    table.stake(0, 200)
    assert table.phase is EliminationPhase.DEALING


# -- R7.4 ---------------------------------------------------------------------------------------------------------


def test_r7_4_of_equal_poorest_the_one_with_less_at_the_heats_start_goes() -> None:
    table = open_table()
    told = play(table, "50 20 10 -10 | 0 0 0 0 | 0 0 0 0 | -30 0 10 . | 0 0 0 . | 0 0 0 .")
    assert told == "D poorest 3, C poorest 6"  # all three have 120; C began the heat with 110
    assert table.draws == ()


def test_r7_4_still_equal_each_draws_a_card_and_the_lowest_goes() -> None:
    table = open_table()
    told = play(table, f"10 0 0 0 | {QUIET} | {QUIET}")
    (draw,) = table.draws
    cards = dict(draw.cards)
    assert sorted(cards) == [1, 2, 3]
    assert {len(drawn) for drawn in cards.values()} == {1}
    lowest = min(cards, key=lambda seat: "23456789TJQKA".index(cards[seat][0][0]))
    assert told == f"{'ABCD'[lowest]} poorest 3"
    assert draw.cards[-1][0] == lowest


def test_r7_4_equal_cards_draw_again() -> None:
    for number in range(1_000):
        table = open_table(seed=number.to_bytes(32, "big"))
        play(table, f"10 10 0 0 | {QUIET} | {QUIET}")
        (stayed, high), (went, low) = table.draws[0].cards
        if len(high) == 2:
            break
    assert high[0][0] == low[0][0]
    assert "23456789TJQKA".index(high[1][0]) > "23456789TJQKA".index(low[1][0])
    assert [fall.seat for fall in table.falls] == [went]
    assert stayed in table.in_play


@dataclass(frozen=True, slots=True)
class Stacked(Lots):
    """Every draw is from this deck."""

    cards: tuple[str, ...] = ()

    def deck(self, *decision: object) -> tuple[str, ...]:
        return self.cards


def drawn(deck: str, wanted: DrawPurpose, seats: tuple[int, ...] = (0, 1, 2)) -> str:
    """Return the draws, the best first: ``C K, A 5 9, B 5 2``."""
    lots = Stacked(bytes(32), cards=tuple(f"{rank}s" for rank in deck.split()))
    draw = lots.draw(1, 3, seats, wanted)
    return ", ".join(f"{'ABCD'[seat]} {' '.join(card[0] for card in cards)}" for seat, cards in draw.cards)


def test_r7_4_one_card_each_in_the_order_of_seats_from_one_deck() -> None:
    assert drawn("5 A 9 K", DrawPurpose.LOWEST) == "B A, C 9, A 5"


def test_r7_4_who_share_the_lowest_draw_on_from_the_same_deck_until_one_is_lowest() -> None:
    assert drawn("5 K 5 7 7 2 3 A", DrawPurpose.LOWEST) == "B K, C 5 7 3, A 5 7 2"


def test_r7_4_nobody_draws_on_whose_place_is_of_no_matter() -> None:
    assert drawn("K 5 K A", DrawPurpose.LOWEST) == "A K, C K, B 5"
    assert drawn("5 K 5 A", DrawPurpose.HIGHEST) == "B K, A 5, C 5"


def test_r7_4_whoever_falls_together_is_ranked_to_the_last() -> None:
    assert drawn("K 5 K 2 3 A", DrawPurpose.ORDER) == "C K 3, A K 2, B 5"
    assert drawn("K 5 K 5 2 9 A 3", DrawPurpose.ORDER, (0, 1, 2, 3)) == "C K A, A K 2, B 5 9, D 5 3"


def test_r7_4_an_exhausted_deck_decides_by_seat() -> None:
    assert drawn("5 5 7 7 9", DrawPurpose.LOWEST, (1, 3)) == "B 5 7, D 5 7"


def test_r7_4_each_decision_has_a_deck_that_was_settled_before() -> None:
    lots = Lots(bytes(32), ("message",))
    assert lots.deck(1) == Lots(bytes(32), ("message",)).deck(1)
    assert lots.deck(1) != Lots(bytes(32), ("other",)).deck(1)
    assert lots.deck(1) != lots.deck(2)
    assert sorted(lots.deck(1)) == sorted(PACK)


def test_r7_4_two_decisions_of_one_table_are_two_draws() -> None:
    table = open_table(people="ABCD")
    play(table, f"0 0 0 0 | {QUIET} | {QUIET}")
    (gone,) = [fall.seat for fall in table.falls]
    quiet = " ".join("." if seat == gone else "0" for seat in range(4))
    play(table, f"{quiet} | {quiet} | {quiet}")
    first, second = table.draws
    assert {cards[0] for _, cards in first.cards} == set(table.lots.deck(1)[:4])
    assert {cards[0] for _, cards in second.cards} == set(table.lots.deck(2)[:3])


@pytest.mark.parametrize("seed", [b"", bytes(32)], ids=["no promise yet", "a new promise"])
def test_r7_4_what_was_drawn_stays_when_other_lots_decide_from_then_on(seed: bytes) -> None:
    went = set()
    for number in range(8):
        table = open_table(people="ABCD", seed=bytes([number]) * 32)
        play(table, " | ".join([QUIET] * 3))
        went.add(story(table))
        table.draw_from(Lots(seed))
        again = Elimination.replay(json.loads(json.dumps(table.record())))
        assert (again.falls, again.draws, again.lots) == (table.falls, table.draws, Lots(seed))
        assert again.record() == table.record()
    assert len(went) > 1, "lots decided, and not always the same"


def test_r7_4_lots_favour_no_seat() -> None:
    went = [0, 0, 0, 0]
    for number in range(800):
        table = open_table(seed=number.to_bytes(32, "big"))
        play(table, f"{QUIET} | {QUIET} | {QUIET}")
        went[table.falls[0].seat] += 1
    assert sum(went) == 800
    assert all(150 < count < 250 for count in went)  # 200 expected, four standard deviations


# -- R7.5 ---------------------------------------------------------------------------------------------------------


def test_r7_5_who_fall_together_are_ranked_by_what_they_had_before() -> None:
    table = open_table()
    play(table, "0 20 10 0 | 0 -120 -110 -100")
    assert story(table) == "D bankrupt 2, C bankrupt 2, B bankrupt 2, A wins: last one standing"
    assert [placing.key for placing in table.placings()] == ["A", "B", "C", "D"]
    assert [placing.chips for placing in table.placings()] == [10_000, 12_000, 11_000, 10_000]


def test_r7_5_if_all_fall_the_first_of_them_wins() -> None:
    table = open_table()
    told = play(table, "10 0 30 20 | -110 -100 -130 -120")
    assert told == "B bankrupt 2, A bankrupt 2, D bankrupt 2, C wins: all fell"
    assert table.winner == 2
    assert table.end is End.ALL_FELL
    assert [placing.round for placing in table.placings()] == [None, 2, 2, 2]


def test_r7_5_if_all_fall_equal_lots_name_the_winner() -> None:
    table = open_table()
    play(table, "-100 -100 -100 -100")
    assert table.end is End.ALL_FELL
    assert table.draws[0].cards[0][0] == table.winner


# -- R7.6 ---------------------------------------------------------------------------------------------------------


SECOND_GOES: Final = (QUIET, QUIET, "0 -1 0 0", "0 . 0 0", "0 . 0 0", "-1 . 0 0", ". . 0 0")


def orders(table: Elimination, rounds: Sequence[str]) -> list[tuple[int, ...]]:
    found = []
    for nets in rounds:
        found.append(table.order)
        play(table, nets)
    return found


def test_r7_6_each_round_begins_with_the_next_one_still_in() -> None:
    """B begins the second round and is gone after the third: the sixth is begun by C, who follows A."""
    assert orders(open_table(lone=False), SECOND_GOES) == [
        (0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 2), (0, 2, 3), (2, 3, 0), (3, 2),
    ]  # fmt: skip


def test_r7_6_who_leaves_between_two_rounds_begins_none() -> None:
    table = open_table(people="ABCD")
    play(table, QUIET)
    table.leave(1)
    assert table.order == (2, 3, 0)
    play(table, "0 . 0 0")
    assert table.order == (3, 0, 2), "C began the second round"


def test_a_table_of_version_1_keeps_its_order_and_its_lots_to_its_end() -> None:
    """Each round begins one seat further on, or with the next seat that is still there. Each seat has a deck."""
    table = Elimination(Terms(100 * CHIP, lone=False), entrants(), Lots(SEED), version=1)
    assert orders(table, (QUIET, QUIET, "0 -1 0 0", *["0 . 0 0"] * 3, ". . 0 0")) == [
        (0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 2), (0, 2, 3), (2, 3, 0), (2, 3),
    ]  # fmt: skip
    assert [draw.cards for draw in table.draws] == [((2, ("8d", "Kd")), (3, ("8h", "Jd")), (0, ("8s", "9s")))]
    again = Elimination.replay(json.loads(json.dumps(table.record())))
    assert again.record() == table.record()
    assert (again.order, again.draws, again.falls) == (table.order, table.draws, table.falls)


def test_r7_6_seats_are_asked_in_order() -> None:
    table = open_table()
    assert table.asked == 0
    assert table.refusal(1, 500) is Misstep.NOT_ASKED
    table.stake(0, 500)
    assert table.asked == 1
    with refused(Misstep.NOT_ASKED):
        table.stake(0, 500)


@pytest.mark.parametrize(
    ("budget", "smallest"), [(1, 1), (19, 1), (20, 1), (21, 2), (100, 5), (1_000, 50), (1_001, 51)]
)
def test_r7_6_the_smallest_stake_is_a_twentieth_rounded_up(budget: int, smallest: int) -> None:
    assert Terms(budget * CHIP).smallest == smallest * CHIP


@pytest.mark.parametrize(
    ("cents", "misstep"),
    [
        (499, Misstep.NOT_WHOLE),
        (400, Misstep.TOO_SMALL),
        (0, Misstep.TOO_SMALL),
        (-500, Misstep.TOO_SMALL),
        (10_100, Misstep.TOO_LARGE),
        (2**60 * CHIP, Misstep.TOO_LARGE),
        (500, None),
        (10_000, None),
    ],
)
def test_r7_6_stakes_are_whole_chips_from_the_smallest_to_all_in(cents: int, misstep: Misstep | None) -> None:
    assert open_table().refusal(0, cents) is misstep


def test_r7_6_all_in_is_all_whole_chips() -> None:
    table = open_table()
    play(table, "-0.5 0 0 0")
    assert table.all_in(0) == 9_900


# -- R7.7 and people who go ---------------------------------------------------------------------------------------


def test_r7_7_without_a_person_a_lone_table_ends_and_the_leader_is_named() -> None:
    table = open_table()
    assert play(table, "-100 5 20 10") == "A bankrupt 1, C wins: no person left"
    assert [placing.key for placing in table.placings()] == ["C", "D", "B", "A"]


def test_r7_7_it_goes_on_while_another_person_is_left() -> None:
    assert play(open_table(people="AB"), "-100 5 20 10") == "A bankrupt 1"


def test_r7_8_a_table_of_a_tournament_plays_on_without_people() -> None:
    assert play(open_table(lone=False), "-100 5 20 10") == "A bankrupt 1"


def test_who_leaves_between_rounds_is_out_at_once() -> None:
    table = open_table(people="AB")
    play(table, QUIET)
    table.leave(0)
    assert story(table) == "A left 1"
    assert table.order == (1, 2, 3)
    table.leave(1)
    assert story(table).startswith("A left 1, B left 1, ")
    assert table.end is End.NO_PERSON_LEFT


def test_who_leaves_in_a_round_plays_it_to_its_end_and_counts_as_the_elimination() -> None:
    table = open_table(people="AB")
    play(table, f"0 0 0 -10 | {QUIET}")
    table.stake(2, 500)
    table.leave(0)
    assert 0 in table.in_play
    assert 0 in table.away
    with refused(Misstep.NOT_IN_PLAY):
        table.leave(0)
    all_stake(table)
    table.played([100, 0, 0, 0])
    assert story(table) == "A left 3"


def test_a_leaver_never_wins_over_one_who_stayed() -> None:
    table = open_table(people="AB", lone=False)
    play(table, "50 0 -100 -100")
    all_stake(table)
    table.leave(0)
    table.played([0, -10_000, 0, 0])
    assert story(table).endswith("A left 2, B wins: all fell")


def test_computer_players_and_the_fallen_cannot_leave() -> None:
    table = open_table(people="AB")
    play(table, "-100 0 0 0")
    for seat in (0, 2):
        with refused(Misstep.NOT_IN_PLAY):
            table.leave(seat)


def test_r7_8_silence_marks_a_person_away_until_they_press_something() -> None:
    table = open_table(people="AB")
    table.stake(0, table.smallest(0), By.CLOCK)
    assert table.away == {0}
    table.stake(1, 500)
    table.step_out(1)
    assert table.away == {0, 1}
    table.come_back(0)
    assert table.away == {1}
    for seat in (2, 3):
        table.stake(seat, 500, By.COMPUTER)
    table.played([0, 0, 0, 0])
    table.stake(1, 500)
    assert table.away == frozenset()


# -- what cannot be -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nets", [[0, 0, 0], [0] * 5, [-10_001, 0, 0, 0], [0, 0, 0, -20_000]])
def test_impossible_results_are_refused(nets: list[int]) -> None:
    table = open_table()
    all_stake(table)
    with refused(Misstep.WRONG_RESULT):
        table.played(nets)
    assert table.phase is EliminationPhase.DEALING


def test_the_fallen_win_nothing_more() -> None:
    table = open_table()
    play(table, "0 0 0 -99.5")
    all_stake(table)
    with refused(Misstep.WRONG_RESULT):
        table.played([0, 0, 0, 100])


def test_results_come_after_all_stakes_and_stakes_before() -> None:
    table = open_table()
    with refused(Misstep.NOT_NOW):
        table.played([0, 0, 0, 0])
    all_stake(table)
    assert table.asked is None
    assert table.refusal(0, 500) is Misstep.NOT_NOW


def test_a_finished_table_takes_no_step() -> None:
    table = open_table()
    play(table, "0 -100 -100 -100")
    assert table.phase is EliminationPhase.OVER
    assert table.refusal(0, 500) is Misstep.NOT_NOW
    with refused(Misstep.NOT_NOW):
        table.leave(0)
    with refused(Misstep.NOT_NOW):
        table.played([0, 0, 0, 0])
    with refused(Misstep.NOT_NOW):
        open_table().placings()


# -- the record ---------------------------------------------------------------------------------------------------


def test_a_table_is_the_fold_of_its_record_at_every_step() -> None:
    table = open_table(people="AB")
    table.take(3, "Zoe")
    table.stake(0, 1_000, By.CLOCK)
    table.come_back(0)
    table.stake(1, 500)
    table.leave(1)
    table.step_out(3)
    all_stake(table)
    table.played([1_000, 0, -10_000, -250])
    record = json.loads(json.dumps(table.record()))
    again = Elimination.replay(record)
    assert vars(again) == vars(table)
    for count in range(len(table.steps) + 1):
        assert Elimination.replay(record, count).steps == table.steps[:count]


def test_a_record_of_a_later_release_is_refused() -> None:
    with pytest.raises(ValueError, match=f"version {VERSION + 1}"):
        Elimination.replay({**open_table().record(), "version": VERSION + 1})


def test_a_fork_is_played_on_alone() -> None:
    table = open_table()
    before = dict(vars(table))
    play(table.fork(), f"0 -100 0 0 | {QUIET.replace('0', '1', 1)}".replace("1 0 0 0", "1 . 0 0"))
    assert vars(table) == before


def test_nine_rounds_are_the_most() -> None:
    table = open_table()
    play(table, "0 0 0 -1" + f" | {QUIET}" * 2 + " | 0 0 -1 ." + " | 0 0 0 ." * 2 + " | 0 -1 . ." + " | 0 0 . ." * 2)
    assert table.round == ROUNDS
    assert table.end is End.LAST_STANDING
