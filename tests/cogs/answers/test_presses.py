"""Presses that must change nothing: stale, doubled, foreign, forged. Each gets a private sentence."""

from __future__ import annotations

import discord
import pytest
import simcord

from engine.tables.snapshot import TablePhase

from .. import raw
from ..conftest import Casino, asked


def told(result: simcord.InteractionResult) -> str:
    """The private sentence that the press was answered with."""
    assert result.acknowledged
    assert result.ephemeral
    assert result.response is not None
    return result.response.content


async def test_a_stale_button_says_that_the_table_has_moved_on(casino: Casino) -> None:
    await casino.until(asked)
    hit = casino.custom_id("Hit")
    await casino.play_on()
    before = casino.snapshot
    (late,) = await raw.press(casino.alice, casino.message, hit)
    assert "the table has moved on" in told(late)
    assert casino.snapshot == before


async def test_a_double_click_draws_once(casino: Casino) -> None:
    await casino.until(asked)
    before = len(casino.snapshot.view.seats[0].hands[0].cards)
    _, second = await raw.press(casino.alice, casino.message, casino.custom_id("Hit"), times=2)
    assert "the table has moved on" in told(second)
    assert len(casino.snapshot.view.seats[0].hands[0].cards) == before + 1


async def test_a_double_click_on_deal_stakes_once(casino: Casino) -> None:
    await casino.sealed_table()
    number = casino.snapshot.round
    _, second = await raw.press(casino.alice, casino.message, casino.custom_id("Deal"), times=2)
    assert "the table has moved on" in told(second)
    assert casino.snapshot.round == number + 1


async def test_somebody_who_sits_elsewhere_cannot_act(casino: Casino) -> None:
    await casino.until(asked)
    before = casino.snapshot
    assert "You are not sitting at this table" in told(await casino.click("Hit", casino.bob))
    assert "You are not sitting at this table" in told(await casino.click("Leave", casino.bob))
    assert casino.snapshot == before


async def test_only_the_seat_that_is_asked_may_act(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    while not (casino.snapshot.phase is TablePhase.PLAYING and casino.snapshot.view.acting == (0, 0)):
        while casino.snapshot.phase is TablePhase.PLAYING:
            acting = casino.snapshot.view.asked[0]
            await casino.play_one(casino.alice if acting == 0 else casino.bob)
        await casino.click("Deal")
        await casino.click("Deal", casino.bob)
    assert "It is not your turn" in told(await casino.click("Stand", casino.bob))


@pytest.mark.parametrize(
    ("forged", "words"),
    [
        ("t:1:1:1:hit", "This table is closed"),
        ("t:99999999999999999999:1:1:hit", "This table is closed"),
        ("t:{table}:999999999:0:hit", "the table has moved on"),
        ("t:{table}:{round}:{turn}:win", "The rules of this table don't allow that"),
        ("t:{table}:{round}:{turn}:time", "The rules of this table don't allow that"),
        ("t:{table}:{round}:{turn}:insure", "."),
        ("t:{table}:0:0:deal", "the table has moved on"),
        ("t:{table}:0:0:bet", "the table has moved on"),
        ("t:x:1:1:hit", "doesn't do anything here any more"),
        ("nonsense", "doesn't do anything here any more"),
        ("t:1:1:1:hit\n", "doesn't do anything here any more"),
        ("", "doesn't do anything here any more"),
    ],
)
async def test_a_forged_button_changes_nothing_and_is_answered(casino: Casino, forged: str, words: str) -> None:
    await casino.until(asked)
    before = casino.snapshot
    names = {"table": before.table, "round": before.round, "turn": before.turn}
    (answer,) = await raw.press(casino.alice, casino.message, forged.format(**names))
    assert words in told(answer)
    assert casino.snapshot == before


async def test_buttons_work_after_their_view_was_redrawn_and_stopped(casino: Casino) -> None:
    """A view that unregisters its DynamicItems when it stops would unregister them for the whole bot."""
    await casino.sealed_table()
    await casino.click("Deal")
    await casino.play_on()
    store = casino.bot._connection._view_store
    for view in {item.view for items in store._views.values() for item in items.values()}:
        assert view is not None
        view.stop()
    assert not store._views, "only DynamicItems are on a table's message, and the store keeps none of those"
    lone = discord.ui.LayoutView(timeout=None)
    store.add_view(lone, casino.message.id)
    lone.stop()
    await casino.click("Deal")
    assert casino.snapshot.round == 3


async def test_a_closed_tables_form_is_answered(casino: Casino) -> None:
    await casino.sealed_table()
    form = await casino.click("Bet")
    await casino.click("Leave")
    answer = await casino.alice.submit_modal(form, {"chips": "10"})
    assert "This table is closed" in told(answer)
    answer = await raw.submit(casino.alice, casino.message, "nonsense", {"chips": "10"})
    assert told(answer) == "That form is no longer in use. Nothing was changed."


async def test_a_form_from_before_the_last_round_stakes_nothing(casino: Casino) -> None:
    await casino.sealed_table()
    form = await casino.click("Bet")
    await casino.click("Deal")
    await casino.play_on()
    before = casino.snapshot
    answer = await casino.alice.submit_modal(form, {"chips": "10"})
    assert "the table has moved on" in told(answer)
    assert casino.snapshot == before
