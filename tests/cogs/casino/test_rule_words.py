"""Editors that are open across an upgrade: their words are read as what they showed, or refused, and never as another
rule set."""

from __future__ import annotations

import pytest

from cogs.casino import rule_values
from cogs.words.refusals import Sorry
from engine.games.registry import GAMES
from tests.releases import Release

SETS = [(game.name, name) for game in GAMES.values() for name in game.rule_sets]


def length_of_words(game: str) -> int:
    """How many fields the editor of the second release had."""
    words = [each["custom_id"].split(":")[4] for each in Release("release_2").controls
             if each["custom_id"].startswith(f"rules:save:{game}:")]  # fmt: skip
    return len(words[0])


@pytest.mark.parametrize(("game", "name"), SETS)
def test_the_word_of_an_earlier_release_is_read_as_the_rules_it_showed(game: str, name: str) -> None:
    rules = GAMES[game].rule_sets[name]
    word = rule_values.encoded(game, rules)[: length_of_words(game)]
    read = rule_values.rules_of(game, word)
    assert rule_values.encoded(game, read) == rule_values.encoded(game, rules)
    assert rule_values.chosen(game, word, {}) == rule_values.encoded(game, rules)


@pytest.mark.parametrize("game", GAMES)
def test_a_word_that_no_release_before_wrote_is_refused(game: str) -> None:
    word = rule_values.encoded(game, next(iter(GAMES[game].rule_sets.values())))
    for other in (f"{word}0", f"z{word[1:]}", ""):
        with pytest.raises(Sorry, match="another release"):
            rule_values.rules_of(game, other)
