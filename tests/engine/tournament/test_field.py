"""The same cards for all in the engine: who ranks where, what the pool pays, and the way from sign-up to the end."""

from __future__ import annotations

import pytest

from engine.elimination.steps import IllegalStep
from engine.games.contract import CHIP
from engine.tournament.field import Score, ranked, shares
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms


def played(scores: dict[str, tuple[int, int]], people: str = "abcde", buy_in: int = 100) -> Tournament:
    """A tournament whose people have these losses and nets."""
    tournament = Tournament(TournamentTerms(1_000 * CHIP, buy_in * CHIP, hands=20))
    for key in people:
        tournament.join(key)
    tournament.close()
    tournament.deal()
    tournament.played([Score(key, *score) for key, score in scores.items()])
    return tournament


def test_r12_5_the_smaller_loss_ranks_first_and_then_the_higher_net() -> None:
    scores = [Score("a", 5, 900), Score("b", 0, -300), Score("c", 0, 100), Score("d", 5, 900)]
    assert [[score.key for score in group] for group in ranked(scores)] == [["c"], ["b"], ["a", "d"]]


@pytest.mark.parametrize(
    ("groups", "paid"),
    [
        (["a", "b", "c", "d"], {"a": 500, "b": 300, "c": 200}),
        (["ab", "c", "d"], {"a": 400, "b": 400, "c": 200}),
        (["a", "bcd"], {"a": 500, "b": 168, "c": 166, "d": 166}),
        (["abcd"], {"a": 250, "b": 250, "c": 250, "d": 250}),
        (["a"], {"a": 1_000}),
        (["a", "b"], {"a": 700, "b": 300}),
    ],
)
def test_r12_8_equals_share_the_prizes_of_their_places(groups: list[str], paid: dict[str, int]) -> None:
    found = shares(1_000, [[Score(key, 0, 0) for key in group] for group in groups])
    assert found == paid
    assert sum(found.values()) == 1_000


def test_r12_8_the_first_of_equals_to_sign_up_gets_the_odd_cent() -> None:
    tournament = played({"e": (0, 0), "c": (0, 0), "b": (0, 0), "a": (9, 0)}, buy_in=2)
    assert tournament.payouts() == {"b": 334, "c": 333, "e": 333}


def test_r14_1_equals_have_the_points_of_their_place_and_share_the_title() -> None:
    tournament = played({"a": (1, 0), "b": (0, 0), "c": (1, 0), "d": (2, 0)})
    assert tournament.places() == {"b": 1, "a": 2, "c": 2, "d": 4}
    assert tournament.podium() == (("b", 5), ("a", 3), ("c", 3))
    assert played({"a": (0, 0), "c": (0, 0), "b": (1, 0)}).winners() == ("a", "c")


def test_r14_1_a_tournament_of_four_people_brings_points() -> None:
    assert played({"a": (1, 0), "b": (0, 0)}, "abcd").podium() == (("b", 5), ("a", 3))


@pytest.mark.parametrize(("people", "scores"), [("abc", {"a": (0, 0)}), ("abcde", {})])
def test_r12_8_too_few_or_nobody_and_the_buy_ins_come_back(people: str, scores: dict[str, tuple[int, int]]) -> None:
    tournament = played(scores, people)
    assert tournament.comes_back
    assert tournament.payouts() == dict.fromkeys(people, 100 * CHIP)
    assert tournament.podium() == ()


def test_it_follows_from_its_record() -> None:
    tournament = played({"a": (1, 0), "b": (0, 0)})
    again = Tournament.replay(tournament.record())
    assert (again.ranking(), again.scores, again.phase) == (("b", "a"), tournament.scores, TournamentPhase.OVER)


def test_tables_of_four_say_nothing_of_hands_in_their_record() -> None:
    assert "hands" not in Tournament(TournamentTerms(1_000 * CHIP)).record()["terms"]


def test_each_kind_of_tournament_takes_its_own_steps_only() -> None:
    same, tables = (Tournament(TournamentTerms(1_000 * CHIP, hands=hands)) for hands in (20, 0))
    for tournament in (same, tables):
        tournament.join("a")
        tournament.join("b")
        with pytest.raises(IllegalStep):
            tournament.deal()
        tournament.close()
    same.draw_from(b"s" * 32, "1", "2")
    for wrong in (same.start, tables.deal, lambda: tables.played([]), lambda: same.played([])):
        with pytest.raises(IllegalStep):
            wrong()
    same.deal()
    for scores in ([Score("x", 0, 0)], [Score("a", 0, 0), Score("a", 1, 0)]):
        with pytest.raises(IllegalStep):
            same.played(scores)
