"""Every game of the engine can be played, read and looked up: what docs/adding.md says of adding one."""

from __future__ import annotations

import pytest

from cogs.casino.rule_values import fields_of
from cogs.table.presentation import presentation, rules_text
from engine.games.registry import GAMES

from ..conftest import Casino, text_of


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_key_for_each_action(game: str) -> None:
    assert [action for action in GAMES[game].actions if presentation(game).cap(action) is None] == []


@pytest.mark.parametrize("game", [game for game in GAMES if len(GAMES[game].spots) > 1])
def test_every_spot_to_choose_from_has_a_key(game: str) -> None:
    assert [spot for spot in GAMES[game].spots if presentation(game).cap(spot) is None] == []


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in GAMES[game].rule_sets])
def test_every_rule_set_is_told_in_words(game: str, name: str) -> None:
    lines = rules_text(game, GAMES[game].rule_sets[name])
    assert len(lines) > 2
    assert all(heading and text for heading, text in lines)


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_its_rules_can_be_chosen_in_the_editor(game: str) -> None:
    rules = next(iter(GAMES[game].rule_sets.values()))
    assert [field.name for field in fields_of(game)] == list(rules.as_json())
    for field in fields_of(game):
        assert field.label
        assert len({field.shown(value) for value in field.values}) == len(field.values) > 1


async def test_every_game_has_its_command_and_is_named_in_the_help(casino: Casino) -> None:
    help = text_of(await casino.ask("help"))
    assert [game for game in GAMES if f"/{game}" not in help] == []
