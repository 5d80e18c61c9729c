"""Promises of every game (engine/games/contract.py), held against every rule set of every game."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.fairness import shoe
from engine.games.contract import BOTTOMLESS, CHIP, AnyGame, BadStakes, By, IllegalAction, Refusal, Round
from engine.games.registry import GAMES
from engine.tables.house import HouseSettings

from . import promises
from .promises import Walk

TABLES = [pytest.param(game, name, id=f"{game.name}-{name}") for game in GAMES.values() for name in game.rule_sets]
GOLDEN = Path(__file__).parents[2] / "golden"
#: How much each test does (`promises.Walk.work`).
WORK = 240


def walks(game: AnyGame, name: str, work: int = WORK) -> Iterator[Walk]:
    return promises.walks(game, game.rule_sets[name], work, name)


def what_is_seen(round: Round, seats: int) -> tuple[Any, ...]:
    """All that a round shows of itself."""
    legal = [round.legal(seat) for seat in range(seats)]
    views = [round.view(seat) for seat in (None, *range(seats))]
    return list(round.steps), round.turn, round.asked, round.over, legal, views


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_rules_are_read_back_as_they_were_written(game: AnyGame, name: str) -> None:
    rules = game.rule_sets[name]
    assert game.rules_from_json(rules.as_json()) == rules
    assert all(type(value) in (int, bool, str) for value in rules.as_json().values())


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_r0_1_impossible_stakes_are_not_dealt(game: AnyGame, name: str) -> None:
    """Floats, yes and no, parts of chips; too many seats or none; spots that the game does not have."""
    rules = game.rule_sets[name]
    cards = shoe(bytes(32), (), rules.decks)
    for stakes in promises.bad_stakes(game, rules):
        with pytest.raises(BadStakes, match="stake"):
            game.deal(rules, stakes, cards)


@pytest.mark.thinned
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_nobody_sees_a_card_that_lies_face_down_or_is_not_dealt(game: AnyGame, name: str) -> None:
    promises.hides_what_is_hidden(game, game.rule_sets[name])


@pytest.mark.thinned
@pytest.mark.parametrize(("game", "name"), TABLES)
def test_the_most_that_comes_back_is_reached_and_never_passed(game: AnyGame, name: str) -> None:
    rules = game.rule_sets[name]
    assert promises.pays_within_its_bound(game, rules) == rules.most_returned
    for number, other in enumerate((*(other for _, other in promises.variants(rules)), *promises.scant(rules))):
        promises.pays_within_its_bound(game, other, work=100, first=1_000 * number)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_field_of_the_rules_does_something_and_is_read_back(game: AnyGame) -> None:
    assert promises.unused_fields(game) == set()
    for rules in game.rule_sets.values():
        for _, other in promises.variants(rules):
            assert game.rules_from_json(other.as_json()) == other != rules


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_what_fails_has_not_happened(game: AnyGame, name: str) -> None:
    promises.survives_an_ending_shoe(game, game.rule_sets[name])


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_numbers_that_are_no_seats_are_refused(game: AnyGame, name: str) -> None:
    promises.refuses_who_is_no_seat(game, game.rule_sets[name])


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_is_found_by_its_name(game: AnyGame) -> None:
    """As a command, in buttons and keys, and as a module: an underscore stands for a hyphen there."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name)
    assert importlib.import_module(f"engine.games.{game.name.replace('-', '_')}").GAME is game
    assert all(re.fullmatch(r"[a-z-]{1,20}", word) for word in (*game.actions, *game.spots))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_time_to_answer_is_a_setting_of_the_house(game: AnyGame) -> None:
    assert getattr(HouseSettings(), game.answer_time) > 0


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_the_same_shoe_gives_the_same_round(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        one, other = walk.deal(), walk.deal()
        for seat, action in walk.moves(one):
            one.apply(seat, action)
            other.apply(seat, action)
            assert what_is_seen(one, len(walk.stakes)) == what_is_seen(other, len(walk.stakes))
        assert one.settlement() == other.settlement()


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_a_round_is_rebuilt_from_its_steps_at_every_point(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round = walk.deal()
        for seat, action in walk.moves(round):
            round.apply(seat, action, walk.chance.choice(list(By)))
            again = walk.deal()
            for step in round.steps:
                again.apply(step.seat, step.action, step.by)
            assert what_is_seen(again, len(walk.stakes)) == what_is_seen(round, len(walk.stakes))


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_refusal_is_the_one_check(game: AnyGame, name: str) -> None:
    """Actions that it lets pass are legal and work; those that it refuses raise the same and change nothing."""
    for walk in walks(game, name):
        round, seats = walk.deal(), len(walk.stakes)
        while True:
            before = what_is_seen(round, seats)
            for seat in range(-1, seats + 1):
                for action in (*game.actions, "dance", ""):
                    refused = round.refusal(seat, action)
                    assert (refused is None) == (action in round.legal(seat))
                    if refused is None:
                        round.fork().apply(seat, action)
                    else:
                        with pytest.raises(IllegalAction) as caught:
                            round.apply(seat, action)
                        assert caught.value.refusal is refused
            assert what_is_seen(round, seats) == before
            move = next(walk.moves(round), None)
            if move is None:
                break
            round.apply(*move)


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_only_asked_seats_act_and_nobody_at_the_end(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round, seats = walk.deal(), len(walk.stakes)
        for seat, action in walk.moves(round):
            assert round.asked
            assert all(round.legal(asked) for asked in round.asked)
            assert not any(round.legal(other) for other in range(-1, seats + 1) if other not in round.asked)
            with pytest.raises(IllegalAction):
                round.settlement()
            round.apply(seat, action)
        assert round.asked == ()
        for seat in range(seats):
            assert round.legal(seat) == ()
            assert {round.refusal(seat, action) for action in game.actions} <= {Refusal.ROUND_OVER}


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_r0_3_an_action_needs_a_purse_that_pays_it_whole(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round = walk.deal()
        for seat, action in walk.moves(round):
            for word in round.legal(seat):
                cost = round.cost(seat, word)
                assert cost >= 0
                assert round.refusal(seat, word, cost) is None
                assert cost == 0 or round.refusal(seat, word, cost - 1) is Refusal.CANNOT_PAY
            assert all(round.refusal(asked, round.timeout(asked), 0) is None for asked in round.asked)
            round.apply(seat, action)


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_chips_are_conserved_and_payouts_within_their_bounds(game: AnyGame, name: str) -> None:
    for walk in walks(game, name, 5 * WORK):
        round = walk.deal()
        staked = [sum(stakes.values()) for stakes in walk.stakes]
        for seat, action in walk.moves(round):
            staked[seat] += round.cost(seat, action)
            round.apply(seat, action)
        settlement = round.settlement()
        assert len(round.steps) <= game.most_steps
        assert [settlement.staked(seat) for seat in range(len(staked))] == staked
        for seat in range(len(staked)):
            assert 0 <= settlement.returned(seat) * CHIP <= staked[seat] * walk.rules.most_returned
        assert all(type(line.staked) is type(line.returned) is int for line in settlement.lines)


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_the_word_for_how_a_stake_ended_fits_its_chips(game: AnyGame, name: str) -> None:
    promises.names_its_ends(game, game.rule_sets[name])


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_a_fork_goes_its_own_way(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round, seats = walk.deal(), len(walk.stakes)
        for seat, action in walk.moves(round):
            before = what_is_seen(round, seats)
            fork = round.fork()
            assert what_is_seen(fork, seats) == before
            for move in Walk(game, walk.rules, walk.stakes, walk.cards, random.Random(1)).moves(fork):
                fork.apply(*move)
            assert what_is_seen(round, seats) == before
            round.apply(seat, action)


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_the_turn_number_moves_with_the_question(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round = walk.deal()
        for seat, action in walk.moves(round):
            alone, turn, others = len(round.asked) == 1, round.turn, set(round.asked) - {seat}
            round.apply(seat, action)
            assert round.turn > turn if alone else round.turn == turn
            assert alone or set(round.asked) == others


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_r0_5_time_alone_ends_every_round(game: AnyGame, name: str) -> None:
    for walk in walks(game, name):
        round = walk.deal()
        while round.asked:
            seat = round.asked[0]
            assert round.refusal(seat, round.timeout(seat), BOTTOMLESS) is None
            round.apply(seat, round.timeout(seat), By.CLOCK)
        assert len(round.steps) <= 2 * len(walk.stakes)


@pytest.mark.parametrize(("game", "name"), TABLES)
def test_every_rule_set_has_a_golden_playthrough(game: AnyGame, name: str) -> None:
    written = (GOLDEN / f"{game.name}.txt").read_text(encoding="utf-8").splitlines()
    assert any(line.split(" ", 1)[0] == name for line in written)
