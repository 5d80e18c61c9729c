"""The gentle warning: nobody gets it who did not ask for it, it comes once, and never in the way of the clock."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
import simcord

from cogs.coach import caution
from engine.coach import Coach
from engine.tables.snapshot import TablePhase

from .. import raw
from ..conftest import Casino, keys, text_of


async def wants_warnings(casino: Casino) -> None:
    """The coach knows its numbers by then."""
    answer = await casino.ask("settings")
    await casino.alice.click(answer, label="Warn me of costly plays")
    assert "more than 5% of your bet" in text_of(answer)
    assert caution.LITTLE == 0.05
    await casino.deal("9 7 / 6 ?", bet=100)
    await casino.ask("odds")
    await casino.play_on()


async def sixteen(casino: Casino) -> None:
    """Ten and six against a six: a hit costs some 28 of a hundred."""
    casino.cards.lay("T 6 / 6 ? | 2")
    await casino.click("Deal")


def steps(casino: Casino) -> int:
    return len(casino.table._position.round.steps)  # type: ignore[union-attr]


async def test_nobody_is_warned_who_did_not_ask_for_it(casino: Casino) -> None:
    await casino.deal("T 6 / 6 ? | 2", bet=100)
    pressed = await casino.click("Hit")
    assert pressed.response is None or "Are you sure" not in text_of(pressed.response)
    assert steps(casino) == 1


async def test_a_costly_play_is_asked_about_before_it_is_made(casino: Casino) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    pressed = await casino.click("Hit")
    assert pressed.response is not None
    assert pressed.response.ephemeral
    assert "**Hit** costs 2" in text_of(pressed.response)
    assert "**Stand** is best" in text_of(pressed.response)
    assert keys(pressed.response) == ["Stand", "Hit anyway"]
    assert steps(casino) == 0


@pytest.mark.parametrize(("label", "total"), [("Hit anyway", 18), ("Stand", 16)])
async def test_either_answer_is_played_at_the_table(casino: Casino, label: str, total: int) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    pressed = await casino.click("Hit")
    assert pressed.response is not None
    await casino.alice.click(pressed.response, label=label)
    assert casino.snapshot.view.seats[0].hands[0].total == total
    assert f"**{total}**" in casino.text


async def test_who_presses_again_has_been_asked(casino: Casino) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    await casino.click("Hit")
    await casino.click("Hit")
    assert steps(casino) == 1


async def test_a_play_that_gives_away_little_is_made_at_once(casino: Casino) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    await casino.click("Stand")
    assert casino.snapshot.phase is TablePhase.BETTING


async def test_a_play_that_gives_away_a_twelfth_of_the_bet_is_asked_about(casino: Casino) -> None:
    """Soft 18 against a nine: standing costs 8.42 of 100 chips."""
    await wants_warnings(casino)
    casino.cards.lay("A 7 / 9 ?")
    await casino.click("Deal")
    pressed = await casino.click("Stand")
    assert "**Stand** costs 8.42 chips on average. **Hit** is best." in text_of(pressed.response)  # type: ignore[arg-type]
    assert steps(casino) == 0


async def test_where_the_odds_are_off_nobody_is_warned(casino: Casino) -> None:
    await wants_warnings(casino)
    bank, guild = casino.bot.bank, casino.guild.id
    settings = await bank.guilds.settings(guild)
    await bank.guilds.keep_settings(guild, replace(settings, house=replace(settings.house, odds=False)))
    await sixteen(casino)
    await casino.click("Hit")
    assert steps(casino) == 1


async def test_a_coach_that_takes_too_long_is_not_waited_for(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    await wants_warnings(casino)
    await sixteen(casino)

    async def never(self: Coach, *asked: Any) -> Any:
        await asyncio.sleep(0.5)

    monkeypatch.setattr(Coach, "ask", never)
    monkeypatch.setattr(caution, "PATIENCE", 0.1)
    await casino.click("Hit")
    assert steps(casino) == 1


async def test_if_the_time_runs_out_meanwhile_it_has_run_out(casino: Casino) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    pressed = await casino.click("Hit")
    assert pressed.response is not None
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.BETTING
    late: simcord.InteractionResult = await casino.alice.click(pressed.response, label="Hit anyway")
    assert late.response is not None
    assert "out of date" in text_of(late.response)
    assert casino.snapshot.view.seats[0].hands[0].total == 16


async def test_however_many_were_warned_the_last_one_is_not_warned_twice(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caution, "MOST", 1)
    await wants_warnings(casino)
    for _round in range(2):
        await sixteen(casino)
        await casino.click("Hit")
        assert steps(casino) == 0
        await casino.click("Hit")
        assert steps(casino) == 1
        await casino.play_on()
    assert len(caution._asked[casino.bot]) == 1


async def test_nobody_is_warned_of_a_press_that_is_out_of_date(casino: Casino) -> None:
    await wants_warnings(casino)
    await sixteen(casino)
    old = casino.custom_id("Hit")
    for _press in range(2):
        await casino.click("Hit")
    (late,) = await raw.press(casino.alice, casino.message, old)
    assert late.response is None or "Are you sure" not in text_of(late.response)
    assert steps(casino) == 1
