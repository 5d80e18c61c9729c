"""Editors that are open across an upgrade: their words are read as what they showed, or refused, and never as another
rule set."""

from __future__ import annotations

import pytest

from cogs.casino import rule_values
from cogs.words.refusals import Sorry
from engine.games.registry import GAMES
from tests.releases import Release

#: The words of the editors in the second release.
CONTROLS = [each["custom_id"].split(":") for each in Release("release_2").controls]
WORDS = {parts[2]: parts[4] for parts in CONTROLS if parts[:2] == ["rules", "save"]}
SETS = [(game, name) for game in GAMES if game in WORDS for name in GAMES[game].rule_sets]


@pytest.mark.parametrize(("game", "name"), SETS)
def test_the_word_of_an_earlier_release_is_read_as_the_rules_it_showed(game: str, name: str) -> None:
    rules = GAMES[game].rule_sets[name]
    word = rule_values.encoded(game, rules)[: len(WORDS[game])]
    read = rule_values.rules_of(game, word)
    assert rule_values.encoded(game, read) == rule_values.encoded(game, rules)
    assert rule_values.chosen(game, word, {}) == rule_values.encoded(game, rules)


@pytest.mark.parametrize("game", GAMES)
def test_a_word_that_no_release_before_wrote_is_refused(game: str) -> None:
    word = rule_values.encoded(game, next(iter(GAMES[game].rule_sets.values())))
    for other in (f"{word}0", f"z{word[1:]}", ""):
        with pytest.raises(Sorry, match="another release"):
            rule_values.rules_of(game, other)
