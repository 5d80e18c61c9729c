"""/history: what was played can be looked at again."""

from __future__ import annotations

import pytest
import simcord

from cogs.table import finished
from engine.games.contract import By, Step
from engine.tables.rebuilt import record_of
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino, asked, keys, played, text_of


async def test_a_newcomers_history_is_empty(casino: Casino) -> None:
    assert "You haven't finished a round yet" in text_of(await casino.ask("history"))


async def test_a_round_is_replayed_step_by_step(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    assert listed.ephemeral
    assert f"`{code}`" in text_of(listed)
    await casino.alice.select(listed, [code])
    assert "The deal" in text_of(listed)
    assert "░" in text_of(listed)
    assert len(listed.attachments) == 1
    seen = 1
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        seen += 1
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    assert seen == len(record_of(stored).steps) + 1
    assert "░" not in text_of(listed)
    await casino.alice.click(listed, label="Previous")
    await casino.alice.click(listed, label="All rounds")
    assert f"`{code}`" in text_of(listed)
    assert listed.attachments == []


async def test_older_rounds_are_on_the_next_page(casino: Casino) -> None:
    await played(casino, 12)
    listed = await casino.ask("history")
    assert text_of(listed).count("blackjack vegas") == 10
    await casino.alice.click(listed, label="Older")
    assert text_of(listed).count("blackjack vegas") >= 2
    await casino.alice.click(listed, label="Newer")
    assert text_of(listed).count("blackjack vegas") == 10


async def test_another_ones_round_is_not_replayed(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history", casino.bob)
    (answer,) = await raw.press(casino.bob, listed, f"replay:{code}:0")
    assert answer.response is not None
    assert "doesn't belong here" in answer.response.content


async def test_another_ones_round_is_not_chosen_from_ones_own_menu(casino: Casino) -> None:
    """What a menu sends back may be anything."""
    code = await played(casino)
    await casino.click("Leave")
    await casino.blackjack(casino.bob, bet=10)
    await casino.play_on(casino.bob)
    listed = await casino.ask("history", casino.bob)
    menu = next(part["custom_id"] for part in raw.components(listed) if part["type"] == 3)
    answer = await raw.choose(casino.bob, listed, menu, 3, [code])
    assert answer.response is not None
    assert answer.response.content == "You haven't played that round here."


async def test_r0_5_the_step_that_time_took_says_so_and_no_other(casino: Casino) -> None:
    await casino.until(lambda seen: asked(seen) and seen.view.seats[0].hands[0].total < 10)
    await casino.click("Hit")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert await _steps_told(casino) == ["The deal", "Seat 1: Hit", "Seat 1: Out of time"]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (By.CLOCK, "Seat 1: Surrender, out of time"),
        (By.MEMBER, "Seat 1: Surrender"),
        (By.COMPUTER, "Seat 1: Surrender"),
    ],
)
def test_r0_5_an_answer_that_time_gave_says_so(by: By, told: str) -> None:
    assert finished.step_text("war", Step(0, "surrender", by)) == told


async def test_others_of_a_round_are_seats_without_names_and_computers_are_never_late(casino: Casino) -> None:
    await casino.blackjack(bet=1, ai=1)
    await casino.play_on()
    await casino.click("Join", casino.bob)
    await casino.click("Deal")
    await casino.click("Deal", casino.bob)
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.play_one(casino.bob if casino.snapshot.legal[2] else casino.alice)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [casino.snapshot.seals.code])
    text = text_of(listed)
    assert (text.count(casino.alice.mention), casino.bob.mention in text) == (1, False)
    assert not [told for told in await _steps_told(casino) if "out of time" in told]


async def _steps_told(casino: Casino) -> list[str]:
    """What each step of the last round is called, from the deal to the end."""
    listed = await casino.ask("history")
    await casino.alice.select(listed, [casino.snapshot.seals.code])
    told = [_heading(listed)]
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        told.append(_heading(listed))
    return told


def _heading(listed: simcord.ResponseMessage) -> str:
    return text_of(listed).splitlines()[0].partition(" · ")[2]


@pytest.mark.parametrize(
    "forged", ["replay:ffffffff:0", "replay:{code}:-3", "replay:{code}:9999", "history:-5", "history:99999"]
)
async def test_forged_pages_and_steps_are_answered(casino: Casino, forged: str) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    (answer,) = await raw.press(casino.alice, listed, forged.format(code=code))
    assert answer.acknowledged
