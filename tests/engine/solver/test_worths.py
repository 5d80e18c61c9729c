"""The values of the built-in sets' rules are written down, and are what the solver says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.games.blackjack.rule_sets import RULE_SETS
from engine.solver import fields_to_weigh, game, games_to_weigh, known_worths, rule_worths, whole
from engine.solver.solving import shares
from engine.solver.words import read_rules


def written(name: str) -> Mapping[str, Mapping[str, float]]:
    found = known_worths(RULE_SETS[name])
    assert found is not None
    return found


def agree(found: Mapping[str, Mapping[str, float]], kept: Mapping[str, Mapping[str, float]]) -> bool:
    return all(dict(worths) == pytest.approx(dict(kept[name]), abs=1e-12) for name, worths in found.items())


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_written_down_names_every_rule_and_choice(name: str) -> None:
    fields = {field for together in fields_to_weigh(RULE_SETS[name]) for field in together}
    assert written(name).keys() == fields
    games = {game for group in games_to_weigh(RULE_SETS[name]) for game in group}
    assert sum(map(len, written(name).values())) == len(games) - 1


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_written_down_of_some_rules_is_what_the_solver_says(name: str) -> None:
    fields = ("ace", "natural_pays", "surrender", "double")
    assert agree(rule_worths(RULE_SETS[name], fields), written(name))


@pytest.mark.long
@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_written_down_is_what_the_solver_says(name: str) -> None:
    found = rule_worths(RULE_SETS[name])
    assert found.keys() == written(name).keys()
    assert agree(found, written(name))


def test_nothing_is_written_down_of_other_rules() -> None:
    assert known_worths(read_rules("vegas", ["decks=4"])) is None
    assert known_worths(read_rules("vegas", [])) is known_worths(RULE_SETS["vegas"])


def counting(made: Counter[str], name: str) -> Callable[..., Any]:
    """Return a function or class of `whole` that counts its calls."""
    make = getattr(whole, name)

    def count(*asked: Any, **more: Any) -> Any:
        made[name] += 1
        return make(*asked, **more)

    return count


def test_games_that_play_alike_share_their_outlook_best_draws_and_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Counter[str]()
    for name in ("Outlook", "draw", "Sums"):
        monkeypatch.setattr(whole, name, counting(made, name))
    (alike, *_) = games_to_weigh(read_rules("vegas", ["decks=3"]))
    assert len(alike) > 15
    shares(alike, 5)
    assert made == {"Outlook": 1, "draw": 1, "Sums": 3}


@pytest.mark.parametrize(("name", "times"), [("vegas", 1), ("original", 2)])
def test_all_up_cards_share_the_dealers_chances_and_so_do_all_swapped_pairs(
    name: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Counter[str]()
    monkeypatch.setattr(whole, "dealt", counting(made, "dealt"))
    whole._dealt.cache_clear()
    game(read_rules(name, ["decks=7", "natural_pays=1:1"]))
    assert made == {"dealt": times}
