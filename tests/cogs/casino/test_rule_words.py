"""Editors that are open across an upgrade: their words are read as what they showed, or refused, and never as another
rule set."""

from __future__ import annotations

from itertools import combinations, product
from types import SimpleNamespace

import pytest

from cogs.casino import rule_values
from cogs.table import rule_fields
from cogs.words.refusals import Sorry
from engine.games.contract import BadRules
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


#: The sentences for choices that contradict each other, each with the field at which it is told.
CONTRADICTIONS = {
    ("surrender", "Surrender needs a dealer who peeks for blackjack first."),
    ("swap", "Swap and split can't be offered together."),
    ("decks", "That many seats and hands could need more cards than these decks have."),
    ("stack", "A fixed stake needs a stack to bring."),
    ("fixed_stake", "A stack to bring needs a fixed stake."),
    ("stack", "The stack must cover at least one bet."),
}


def test_whatever_two_choices_contradict_each_other_there_is_a_sentence_for_it_at_a_field() -> None:
    told = set[tuple[str, str]]()
    for game, kind in GAMES.items():
        rules = next(iter(kind.rule_sets.values()))
        values = {field.name: getattr(rules, field.name) for field in rule_values.fields_of(game)}
        for one, other in combinations(rule_values.fields_of(game), 2):
            for first, second in product(one.values, other.values):
                try:
                    type(rules)(**values | {one.name: first, other.name: second})
                except BadRules as error:
                    told.add((error.field, rule_values.fault(game, error)))
    assert told == CONTRADICTIONS


@pytest.mark.parametrize(("paid", "nearest"), [(-1, 0), (120, 100), (130, 150), (999, 300)])
def test_a_value_that_no_form_offers_becomes_the_nearest_one(paid: int, nearest: int) -> None:
    rules = SimpleNamespace(decks=6, won_pays=paid, tied_pays=200)
    assert rule_values.choices("war", rule_values.encoded("war", rules)) == vars(rules) | {"won_pays": nearest}


def test_a_form_has_five_fields_and_the_sixth_goes_to_another_one_of_the_same_title() -> None:
    def fields(names: str) -> list[rule_fields.RuleField]:
        return [rule_fields.number(name, name, [1, 2], str, str) for name in names]

    lines = [
        *(rule_fields.page("Play"), *fields("abcde")),
        *(rule_fields.page("Payouts"), rule_fields.said("Push", "It comes back."), *fields("fghijk")),
        *(rule_fields.page("Sayings"), rule_fields.said("Bust", "It is lost.")),
    ]
    found = [
        (title, "".join(field.name for field in rule_fields.fields_among(part)))
        for title, part in rule_fields.pages(lines)
    ]
    assert found == [("Play", "abcde"), ("Payouts", "fghij"), ("Payouts", "k")]
