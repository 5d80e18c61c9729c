"""/strategy: the chart of a rule set as a picture and in letters, what the house keeps, and what each rule is worth."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest
import simcord

from cogs.coach import strategy_text
from cogs.coach.asking import ask
from cogs.table.presentation import presentation
from cogs.words import LANGUAGES, speaking
from cogs.words.refusals import Sorry
from data import RuleSet
from engine.coach import Asker, Coach, CoachGone, Urgency, WhatIsTheGame, WhatRulesAreWorth
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import BadPosition, UnknownRule, game, rule_worths
from engine.solver.answers import OffChart, SolvedGame
from engine.solver.known import SOLVED

from . import raw
from .conftest import Casino, text_of


async def test_the_house_edge_and_what_each_rule_gives(casino: Casino) -> None:
    answer = await casino.ask("strategy", rules="kitchen")
    _check_edge_and_rules(answer)
    (gallery,) = (part for part in raw.components(answer) if part["type"] == 12)
    assert "gives it as text" in gallery["items"][0]["description"]
    pressed = await casino.alice.click(answer, label="As text")
    assert pressed.response is not None
    _check_letters(pressed.response.content)


def _check_edge_and_rules(answer: simcord.ResponseMessage) -> None:
    text = text_of(answer)
    edge = game(RULE_SETS["kitchen"]).edge
    assert f"House edge: **{edge * 100:.3f}%**" in text
    decks = re.search(r"\*\*Decks\*\* · 1 deck\n-# against .*6 decks ([+−])([\d.]+)%", text)
    assert decks is not None, text
    six = game(RULE_SETS["kitchen"]).value - game(BlackjackRules(**{**_fields("kitchen"), "decks": 6})).value
    assert float(decks[2]) == pytest.approx(abs(six) * 100, abs=0.0006)
    assert (decks[1] == "+") is (six > 0)


def _fields(name: str) -> dict[str, object]:
    rules = RULE_SETS[name]
    return {field: getattr(rules, field) for field in type(rules).__dataclass_fields__}


def _check_letters(text: str) -> None:
    key, _fence, *lines, _end = text.splitlines()
    assert key == "H = Hit; S = Stand"
    rows, part = {}, ""
    for line in lines:
        hand, cells = line[:8].strip(), line[8:].split()
        if hand in ("Hard", "Soft", "Pairs"):
            part = hand
            assert cells == [*"23456789", "10", "A"]
        else:
            rows[hand if part == "Pairs" else f"{part.lower()} {hand}"] = cells
    chart = game(RULE_SETS["kitchen"]).chart
    assert rows.keys() == chart.keys()
    for row, plays in chart.items():
        assert [letter[0] for letter in rows[row]] == [play[0].upper() for play in plays.values()]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_chart_as_text_fits_in_a_message_of_every_language(code: str) -> None:
    with speaking(code):
        assert all(len(strategy_text.as_text(game(rules))) < 2000 for rules in RULE_SETS.values())


def test_a_chart_as_text_is_in_the_words_of_its_reader() -> None:
    with speaking("es"):
        text = strategy_text.as_text(game(RULE_SETS["vegas"]))
    assert "T = Plantarse" in text.splitlines()[0]
    assert not re.search("hard|soft|pairs", text, re.IGNORECASE)
    assert {"Duras", "Blandas", "Parejas"} <= {line.split()[0] for line in text.splitlines()}


async def test_an_unknown_rule_set_is_a_sentence(casino: Casino) -> None:
    assert "no rule set called **poker**" in text_of(await casino.ask("strategy", rules="poker"))


async def own_set(casino: Casino, name: str, **changes: Any) -> BlackjackRules:
    """A rule set of this server."""
    rules = replace(RULE_SETS["kitchen"], **changes)
    await casino.bot.bank.guilds.keep_rule_set(casino.guild.id, RuleSet("blackjack", name, rules.as_json()))
    return rules


async def test_the_rules_of_an_own_set_are_weighed_as_those_of_a_built_in_one(casino: Casino) -> None:
    rules = await own_set(casino, "ours", decks=2)
    text = text_of(await casino.ask("strategy", rules="ours"))
    assert "Calculating what each rule is worth" not in text
    worths = rule_worths(rules)
    rows = re.findall(r"^\*\*(.+?)\*\* · .+\n-# against ", text, re.MULTILINE)
    assert rows == [presentation("blackjack").fields[name].label for name in SOLVED if name in worths]


async def test_who_asks_for_another_chart_is_told_that_the_first_was_left(casino: Casino) -> None:
    asker = Asker(casino.guild.id, casino.alice.id)
    first, second = (WhatIsTheGame(replace(RULE_SETS["kitchen"], decks=decks)) for decks in (2, 3))
    older = asyncio.create_task(ask(casino.bot, first, asker))
    await asyncio.sleep(0)
    assert (await ask(casino.bot, second, asker)).chart
    with pytest.raises(Sorry, match="something else since, so this got no answer"):
        await older


def fails(monkeypatch: pytest.MonkeyPatch, fault: Exception, *, at: type[Any] = object) -> None:
    """Let the coach fail at questions of a kind."""
    plain = Coach.ask

    async def ask(self: Coach, question: Any, *more: Any) -> Any:
        if isinstance(question, at):
            raise fault
        return await plain(self, question, *more)

    monkeypatch.setattr(Coach, "ask", ask)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (UnknownRule("jokers"), "Nobody has worked out rules like these yet."),
        (BadPosition("no hand"), "The coach has no answer for a hand like this one."),
        (CoachGone("dead"), "The coach lost count. Ask again."),
    ],
)
async def test_why_the_coach_has_no_answer_is_a_sentence(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, fault: Exception, told: str
) -> None:
    fails(monkeypatch, fault)
    assert text_of(await casino.ask("strategy")) == told
    assert "House edge" not in text_of(await casino.ask("rules", name="vegas"))


async def test_a_coach_that_is_lost_while_it_weighs_the_rules_leaves_the_chart_and_says_so(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(monkeypatch, CoachGone("dead"), at=WhatRulesAreWorth)
    await own_set(casino, "ours", decks=2)
    text = text_of(await casino.ask("strategy", rules="ours"))
    assert "### Best play · ours\nHouse edge: **" in text
    assert "\nThe coach lost count. Ask again.\n" in text
    assert "Calculating" not in text


def test_where_the_player_wins_the_edge_is_told_without_a_sign() -> None:
    for value, told in ((0.00521, "With best play **the player** wins 0.521%"), (-0.00521, "House edge: **0.521%**")):
        assert strategy_text.edge(SolvedGame(value, {}, ())).startswith(told)


@pytest.mark.parametrize(("hands", "last"), [(12, "10,2 against 6: Stand."), (13, "and 1 more.")])
def test_of_many_exceptions_to_the_chart_twelve_are_listed(hands: int, last: str) -> None:
    told = strategy_text.odd_hands(SolvedGame(0.0, {}, (OffChart("10,2", "6", "stand", "hard 12"),) * hands))
    assert told.count("10,2 against 6: Stand") == 12
    assert told.endswith(last)


def test_a_rule_that_changes_less_than_a_thousandth_of_a_percent_makes_no_difference() -> None:
    assert strategy_text._against("6 decks", 4e-6) == "6 decks (no difference)"
    assert strategy_text._against("6 decks", -6e-6) == "6 decks −0.001%"


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("hit", "H"),
        ("double/hit", "Dh"),
        ("double/stand", "Ds"),
        ("surrender/hit", "Rh"),
        ("split", "P"),
        ("swap", "W"),
    ],
)
def test_the_second_letter_of_a_play_is_small(cell: str, told: str) -> None:
    assert strategy_text.letters(cell) == told


def test_the_chart_names_the_rules_and_the_edge_and_explains_only_its_own_letters() -> None:
    chart = strategy_text.chart("ours", SolvedGame(-0.00521, {"hard 5": {"2": "hit", "A": "surrender/hit"}}, ()))
    assert chart.heading == "Best play · ours · house edge 0.52%"
    assert [letter for _play, letter, _name in chart.legend] == ["H", "R"]


async def test_what_takes_long_waits_for_all_others_and_in_a_direct_message_each_person_is_a_server(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, plain = list[tuple[str, Urgency, Asker]](), Coach.ask

    async def noted(self: Coach, question: Any, urgency: Urgency, asker: Asker) -> Any:
        put.append((type(question).__name__, urgency, asker))
        if isinstance(question, WhatRulesAreWorth):
            raise CoachGone("enough")
        return await plain(self, question, urgency, asker)

    monkeypatch.setattr(Coach, "ask", noted)
    await own_set(casino, "ours", decks=2)
    await casino.ask("train", what="run")
    await casino.ask("strategy", rules="ours")
    await casino.alice.user.slash("strategy", rules="kitchen")
    here, alone = (Asker(place, casino.alice.id) for place in (casino.guild.id, casino.alice.id))
    assert put == [
        ("WhatToAsk", Urgency.PERSON, here),
        ("WhatIsTheGame", Urgency.LATER, here),
        ("WhatRulesAreWorth", Urgency.LATER, here),
        ("WhatIsTheGame", Urgency.LATER, alone),
    ]
