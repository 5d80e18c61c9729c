"""/odds and its button: what each action of one's own hand is worth, told to nobody else."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from typing import Any

import pytest

from cogs.coach.odds_text import in_a_line
from engine.games.blackjack.round import BlackjackRound
from engine.games.contract import CHIP
from engine.solver import Decision, Position, decision
from engine.tables import open_tables

from . import raw
from .conftest import Casino, asked, text_of


def solved(casino: Casino) -> Decision:
    """Return the solver's answer to the hand that is asked, from the cards on the table."""
    turn = casino.table.turn_of(casino.alice.id)
    assert isinstance(turn.round, BlackjackRound)
    return decision(turn.round.rules, Position.of_round(turn.round, turn.seat, turn.purse))


def worths(text: str) -> dict[str, float]:
    """Return the value that is shown for each action, in chips."""
    found = re.findall(r"^\**(\w[\w ]*) · ([+−±][\d.]+) · ", text, re.MULTILINE)
    return {name: float(worth.replace("−", "-").replace("±", "")) for name, worth in found}


def described(answer: Any) -> str:
    """Return the alt text of the picture."""
    (gallery,) = (part for part in raw.components(answer) if part["type"] == 12)
    return str(gallery["items"][0]["description"])


async def test_each_legal_action_is_told_with_its_worth_in_chips_the_best_first(casino: Casino) -> None:
    await casino.until(asked, bet=100)
    best = solved(casino)
    text = text_of(await casino.ask("odds"))
    told = worths(text)
    assert told == {
        action.capitalize(): pytest.approx(100 * worth, abs=0.005) for action, worth in best.actions.items()
    }
    assert next(iter(told)) == best.best.capitalize()
    assert text.count("← best") == 1
    assert f"with the next card: **{best.bust * 100:.1f}%**" in text
    assert f"17: {best.dealer['17'] * 100:.1f}%" in text


async def test_soft_18_against_6_is_a_double_worth_38_of_100_chips(casino: Casino) -> None:
    await casino.deal("A 7 / 6 ?", bet=100)
    text = text_of(await casino.ask("odds"))
    assert text.splitlines()[0] == "### Your soft 18 against 6"
    assert worths(text) == {"Double": 38.28, "Stand": 28.05, "Hit": 19.14, "Surrender": -50}
    assert "**Double · +38.28 · +38.3%** ← best" in text


async def test_the_button_says_what_the_command_says_and_only_to_who_pressed(casino: Casino) -> None:
    await casino.until(asked)
    edits, table = casino.edits(), casino.text
    pressed = await casino.click("Odds")
    assert pressed.response is not None
    assert pressed.response.ephemeral
    assert text_of(pressed.response) == text_of(await casino.ask("odds"))
    assert (casino.edits(), casino.text) == (edits, table)


async def test_the_odds_of_a_table_that_the_new_process_has_not_loaded_yet(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    before = text_of(await casino.ask("odds"))
    monkeypatch.setattr(open_tables, "AT_ONCE", 0)
    monkeypatch.setattr(open_tables.OpenTables, "_take_up_others", lambda _tables: asyncio.sleep(0))
    await casino.restart()
    assert casino.bot.registry.tables() == ()
    assert text_of(await casino.ask("odds")) == before


async def test_the_picture_is_told_in_its_alt_text(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("odds")
    for name in worths(text_of(answer)):
        assert name in described(answer)


async def test_where_the_dealer_does_not_look_a_blackjack_is_among_the_totals(casino: Casino) -> None:
    await casino.deal("T 6 / T 9", bet=100, rules="classic")
    answer = await casino.ask("odds")
    for told in (text_of(answer), described(answer)):
        assert "blackjack: " in told
        assert "natural" not in told


@pytest.mark.parametrize(
    ("cards", "rules", "checked"),
    [("T 6 / 6 T", "vegas", False), ("T 6 / K 7", "vegas", True), ("T 6 / K 7", "classic", False)],
)
async def test_the_dealer_checks_for_a_blackjack_only_with_a_ten_or_an_ace_and_where_the_rules_say_so(
    casino: Casino,
    cards: str,
    rules: str,
    checked: bool,  # noqa: FBT001
) -> None:
    await casino.deal(cards, rules=rules)
    assert ("The dealer has checked: no blackjack." in text_of(await casino.ask("odds"))) is checked


async def test_who_wants_tables_in_words_gets_the_odds_without_a_picture(casino: Casino) -> None:
    await casino.until(asked)
    pictured = await casino.ask("odds")
    await casino.alice.select(await casino.ask("settings"), ["text"], custom_id="settings:shown")
    answer = await casino.ask("odds")
    assert text_of(answer) == text_of(pictured)
    assert [len(each.attachments) for each in (pictured, answer)] == [1, 0]


async def test_before_the_look_insurance_alone_is_told(casino: Casino) -> None:
    await casino.deal("T 6 / A 9", bet=100)
    insurance = solved(casino).insurance
    assert insurance is not None
    answer = await casino.ask("odds")
    text = text_of(answer)
    assert worths(text) == {"Insure": pytest.approx(100 * insurance, abs=0.005), "No insurance": 0}
    assert "Dealer's final total without a blackjack: 17: 18%" in described(answer)
    chance = f"under the ace: **{(2 * insurance + 1) / 3 * 100:.1f}%**"
    assert chance in text
    await casino.grant(casino.alice, -int(await casino.balance(casino.alice)))
    await casino.table._ask_balances()
    text = text_of(await casino.ask("odds"))
    assert worths(text) == {"No insurance": 0}
    assert chance in text, "it stays the same where nobody can pay for it"


async def test_what_cannot_be_paid_is_not_told(casino: Casino) -> None:
    await casino.until(asked, bet=100)
    await casino.grant(casino.alice, -int(await casino.balance(casino.alice)))
    await casino.table._ask_balances()
    assert not {"Double", "Split"} & worths(text_of(await casino.ask("odds"))).keys()


async def test_somebody_elses_turn_has_no_odds_for_me(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("odds", casino.bob)
    assert text_of(answer) == "You can see the odds when it's your turn."


async def test_without_a_table_there_are_no_odds(casino: Casino) -> None:
    assert "no blackjack table here" in text_of(await casino.ask("odds"))


async def test_the_button_is_there_while_cards_are_played_and_not_between_rounds(casino: Casino) -> None:
    await casino.until(asked)
    assert casino.custom_id("Odds")
    await casino.play_on()
    assert "Odds" not in [*casino.keys(), *casino.keys(enabled=False)]


async def test_a_server_can_switch_the_odds_off(casino: Casino) -> None:
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(
        casino.guild.id, replace(settings, house=replace(settings.house, odds=False))
    )
    await casino.until(asked)
    assert "Odds" not in [*casino.keys(), *casino.keys(enabled=False)]
    assert text_of(await casino.ask("odds")) == "Odds are off at this table."


async def test_an_elimination_table_tells_them_too_and_before_any_other(casino: Casino) -> None:
    await casino.until(asked)
    await casino.alice.slash(casino.channel, "elimination")
    ordinary, table = sorted(casino.bot.registry.tables(), key=lambda table: table.state.elimination is not None)
    await casino.click("Minimum")
    for _ in range(60):
        if table.snapshot().legal and any(table.snapshot().legal):
            break
        await casino.env.advance_time(2)
    assert asked(ordinary.snapshot())
    odds = text_of(await casino.ask("odds"))
    assert worths(odds)
    assert f"stake {table.snapshot().view.seats[0].hands[0].stake // CHIP}" in odds


async def test_the_bot_itself_never_imports_numpy(casino: Casino) -> None:
    """The coach's process does. (This test's own solver does as well, so it looks at who would.)"""
    await casino.until(asked)
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "numpy"}
    for name in kept:
        del sys.modules[name]
    try:
        await casino.ask("odds")
        assert "numpy" not in sys.modules
    finally:
        sys.modules.update(kept)


async def test_chips_that_are_told_are_those_of_the_stake(casino: Casino) -> None:
    await casino.until(asked, bet=7)
    told = worths(text_of(await casino.ask("odds")))
    hand = casino.snapshot.view.seats[0].hands[0]
    assert hand.stake == 7 * CHIP
    assert told["Surrender"] == -3.5


async def test_without_a_coach_there_is_neither_button_nor_answer(casino: Casino) -> None:
    casino.settings = replace(casino.settings, coach=False)
    await casino.restart()
    await casino.deal("A 7 / 6 ?")
    assert "Odds" not in [*casino.keys(), *casino.keys(enabled=False)]
    for command in ("odds", "strategy"):
        assert text_of(await casino.ask(command)) == "The coach is switched off here."


def test_a_line_has_the_three_best_choices_or_the_one_that_was_made() -> None:
    worths = {"hit": -0.27, "stand": 0.658, "surrender": -0.5, "split": 0.455, "double": -1.705}
    assert in_a_line(worths, "split") == "Stand +65.8% · Split +45.5% · Hit −27.0%"
    assert in_a_line(worths, "double") == "Stand +65.8% · Split +45.5% · Double −170.5%"
    assert in_a_line({"insure": -0.03, "decline": 0.0}, "time") == "No insurance 0.0% · Insure −3.0%"
