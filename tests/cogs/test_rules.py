"""/rules"""

from __future__ import annotations

import pytest
from discord import ButtonStyle

from cogs.table.presentation import presentation
from data import RuleSet
from engine.coach.house_edge import house_edges
from engine.games.registry import GAMES

from . import raw
from .conftest import Casino, priced, text_of
from .test_strategy import own_set

EVERY_SET = [(game.name, name) for game in GAMES.values() for name in game.rule_sets]


async def test_rules_tells_any_rule_set(casino: Casino) -> None:
    for game, name in EVERY_SET:
        text = text_of(await casino.ask("rules", name=f"{game} {name}"))
        assert f"{name} · {game}" in text
        assert "**Cards** · " in text


async def test_rules_without_a_name_compares_all_of_them(casino: Casino) -> None:
    answer = await casino.ask("rules")
    text = text_of(answer)
    for game, name in EVERY_SET:
        assert f"**{name}** · {presentation(game).sets[name].what}" in text
    for edge in (
        "or surrender · 0.33%",
        "highest hand · 6.59%",
        "· Banker 1.06%",
        "· Go to war 2.88%",
        "· Tie −1.92%",
    ):
        assert edge in text
    await casino.alice.select(answer, ["blackjack kitchen"])
    assert "kitchen · blackjack" in text_of(answer)
    assert "exactly one of them drops" in text_of(answer)
    await casino.alice.click(answer, label="Compare all")
    assert text_of(answer) == text


def test_every_built_in_rule_set_says_in_a_line_what_it_is() -> None:
    for game in GAMES.values():
        assert list(presentation(game.name).sets) == list(game.rule_sets)


@pytest.mark.thinned
@pytest.mark.parametrize(("game", "name"), EVERY_SET)
def test_the_edge_that_is_told_of_a_built_in_rule_set_is_the_solvers(game: str, name: str) -> None:
    edges = house_edges(game, GAMES[game].rule_sets[name])
    told, best = presentation(game).sets[name], min(edges, key=lambda word: edges[word])
    assert told.edge == pytest.approx(edges[best], abs=5e-7)
    assert told.best == ("" if game == "blackjack" else best)


async def test_a_key_opens_a_table_with_those_rules_for_all_to_see(casino: Casino) -> None:
    answer = await casino.ask("rules")
    await casino.alice.click(answer, label="kitchen")
    assert (casino.snapshot.game, casino.snapshot.rules_name) == ("blackjack", "kitchen")
    assert not casino.message.flags.ephemeral
    (promise,) = casino.promises
    assert promise.id < casino.message.id
    await casino.ask("rules", casino.bob)
    page = await casino.ask("rules", casino.bob, name="war casino")
    assert priced(page, "Play")["style"] == ButtonStyle.success.value
    told = await casino.bob.click(page, label="Play")
    assert told.response is not None
    assert {table.snapshot().rules_name for table in casino.bot.registry.tables()} == {"kitchen", "casino"}


async def test_what_computer_players_lose_is_explained_where_amateurs_lose_less(
    casino: Casino,
) -> None:
    kitchen = text_of(await casino.ask("rules", name="blackjack kitchen"))
    assert "**House edge** · 6.59% with best play" in kitchen
    assert "Amateurs do better here than experts" in kitchen
    assert "Amateurs do better" not in text_of(await casino.ask("rules", name="blackjack vegas"))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("blackjack vegas", "amateur 5.68% · intermediate 0.87% · expert 0.48% · perfect 0.33%"),
        ("blackjack kitchen", "amateur 8.27% · intermediate 11.18% · expert 11.16% · perfect 6.59%"),
        ("baccarat punto-banco", "Player 1.24% · Banker 1.06% · Tie 14.36%"),
        ("war casino", "Go to war 2.88% · Surrender 3.70%"),
    ],
)
async def test_rules_tells_what_the_house_keeps_of_every_level_spot_and_answer(
    casino: Casino, name: str, kept: str
) -> None:
    assert f" · {kept}" in text_of(await casino.ask("rules", name=name))


async def test_without_a_coach_the_rules_have_no_house_edge(casino: Casino) -> None:
    casino.bot.coach = None
    text = text_of(await casino.ask("rules", name="blackjack vegas"))
    assert "**Cards** · " in text
    assert "%" not in text.partition("**Cards**")[2]


async def test_a_tie_that_favours_the_player_is_said(casino: Casino) -> None:
    text = text_of(await casino.ask("rules", name="baccarat ctrl-alt-bet"))
    assert "Tie −1.92%" in text
    assert "Below zero, the player wins in the long run." in text


async def test_rules_are_suggested_while_typing(casino: Casino) -> None:
    choices = await casino.alice.autocomplete(casino.channel, "rules", "name", "kit")
    assert [choice["value"] for choice in choices] == ["blackjack kitchen"]
    choices = await casino.alice.autocomplete(casino.channel, "blackjack", "rules", "O")
    assert {choice["value"] for choice in choices} >= {"original", "four-seat"}


async def test_rules_that_are_not_there_are_named(casino: Casino) -> None:
    assert "There is no rule set called" in text_of(await casino.ask("rules", name="@everyone"))


async def test_own_rules_of_two_games_may_have_the_same_name(casino: Casino) -> None:
    for game, rules in (("baccarat", "punto-banco"), ("war", "casino")):
        like = GAMES[game].rule_sets[rules]
        await casino.bot.bank.guilds.keep_rule_set(casino.guild.id, RuleSet(game, "home", like.as_json()))
    for game, heading in (("baccarat", "Banker"), ("war", "War lost")):
        assert f"**{heading}** · " in text_of(await casino.ask("rules", name=f"{game} home"))


async def test_every_menu_has_at_most_twenty_five_entries(casino: Casino) -> None:
    for number in range(25):
        await own_set(casino, f"set-{number}")
    for answer in (await casino.ask("rules", name="blackjack kitchen"), await casino.ask("strategy", rules="kitchen")):
        (menu,) = (part for part in raw.components(answer) if part["type"] == 3)
        assert len(menu["options"]) == 25
        (shown,) = (option["value"] for option in menu["options"] if option.get("default"))
        assert shown.split()[-1] == "kitchen"
    assert len(await casino.alice.autocomplete(casino.channel, "rules", "name", "")) == 25


@pytest.mark.parametrize(
    ("typed", "found"),
    [("Four Seat", "four-seat · blackjack"), ("punto_banco", "punto-banco · baccarat"), ("War", "ctrl-alt-bet · war")],
)
async def test_a_name_is_found_however_it_is_written(casino: Casino, typed: str, found: str) -> None:
    """`red dog`, `red_dog` and `Red-Dog` are one name."""
    assert found in text_of(await casino.ask("rules", name=typed))
    choices = await casino.alice.autocomplete(casino.channel, "rules", "name", typed)
    game, _dot, name = reversed(found.partition(" · "))
    assert f"{game} {name}" in [choice["value"] for choice in choices]


async def test_of_two_names_that_differ_in_a_hyphen_the_one_that_was_written_is_found(casino: Casino) -> None:
    for name in ("fast-21", "fast2-1"):
        await own_set(casino, name)
    for name in ("fast-21", "fast2-1"):
        assert f"{name} · blackjack" in text_of(await casino.ask("rules", name=name))
