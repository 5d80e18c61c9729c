"""The table's message: kept true, within Discord's limits, through deletions, restarts and denied edits."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable

import pytest
import simcord

from cogs.answers import serving
from cogs.answers.time_limits import REQUEST
from cogs.table import presenter
from engine.tables.ports import BankUnavailable
from engine.tables.snapshot import TablePhase
from engine.tables.values import Change

from .. import raw
from ..conftest import Casino, asked, text_of
from ..line import Line


async def test_the_same_messages_buttons_go_on_after_a_restart(casino: Casino) -> None:
    await casino.until(asked)
    message, before = casino.message, casino.snapshot
    await casino.restart()
    after = casino.snapshot
    assert (after.round, after.turn, after.view, after.sitters) == (
        before.round,
        before.turn,
        before.view,
        before.sitters,
    )
    await casino.click("Hit")
    assert casino.message.id == message.id
    assert len(casino.snapshot.view.seats[0].hands[0].cards) == 3
    await casino.play_on()
    await casino.click("Deal")
    assert casino.snapshot.round == before.round + 1


async def test_a_form_that_was_open_during_a_restart_still_works(casino: Casino) -> None:
    await casino.sealed_table()
    form = await casino.click("Bet")
    await casino.restart()
    await casino.alice.submit_modal(form, {"chips": "12"})
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 1200}


async def test_after_a_restart_a_turn_has_time_left(casino: Casino) -> None:
    await casino.until(asked)
    await casino.restart()
    deadline = casino.snapshot.deadline
    assert deadline is not None
    assert deadline >= casino.bot.clock.now() + 59


async def test_a_deleted_message_is_posted_again(casino: Casino) -> None:
    await casino.until(asked)
    gone = casino.message.id
    casino.env.backend.delete_message(casino.channel.id, gone)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.BETTING
    assert casino.message.id != gone
    assert casino.table.state.message == casino.message.id
    await casino.click("Deal")
    assert casino.snapshot.round > 1


async def test_a_table_that_could_not_be_told_of_its_new_message_is_told_later(casino: Casino) -> None:
    await casino.until(asked)
    gone, commit = casino.message.id, casino.bot.bank.tables.commit

    async def refuses_places(change: Change) -> None:
        if "/posted/" in change.cause:
            raise BankUnavailable
        await commit(change)

    casino.bot.bank.tables.commit = refuses_places  # type: ignore[method-assign]
    casino.env.backend.delete_message(casino.channel.id, gone)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    table = casino.table
    assert table.state.message == gone
    posted = casino.message.id
    casino.bot.bank.tables.commit = commit  # type: ignore[method-assign]
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert table.state.message == casino.message.id == posted
    assert "Table closed" in casino.text


async def test_a_deleted_channel_stops_the_edits_and_the_hand_is_settled(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.backend.delete_channel(casino.channel.id)
    tried = len(casino.env.http_requests)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert casino.bot.registry.tables() == ()
    assert len(casino.env.http_requests) - tried <= 2
    assert not casino.bot.presenter._displays


async def test_what_was_kept_of_closed_tables_and_quiet_channels_is_let_go(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenter, "MANY", 1)
    monkeypatch.setattr(presenter, "WINDOW", 0.0)
    for name in ("attic", "cellar", "garden"):
        channel = casino.guild.create_text_channel(name)
        await casino.alice.slash(channel, "blackjack", bet="1")
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
        await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert casino.bot.registry.tables() == ()
    assert not casino.bot.presenter._displays
    assert len(casino.bot.presenter._edits) <= 2


async def test_denied_edits_are_not_repeated_and_a_press_goes_on(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.inject_error(
        "PATCH", "/channels/*/messages/*", status=403, code=50001, message="Missing Access", times=None
    )
    before = casino.edits()
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.edits() <= before + 1
    (answer,) = await raw.press(casino.alice, casino.message, f"t:{casino.table.id}:{casino.snapshot.round + 1}:0:deal")
    assert answer.acknowledged
    assert casino.snapshot.round > 1


async def test_an_edit_that_fails_once_is_made_good_by_the_next(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=500)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed" in casino.text


async def test_an_old_message_is_left_for_a_new_one(casino: Casino) -> None:
    await casino.sealed_table()
    old = casino.message
    for _ in range(12):
        await casino.env.advance_time(casino.settings.idle_seconds - 10)
        await casino.click("Deal")
        await casino.play_on()
    assert casino.message.id != old.id
    assert casino.table.state.message == casino.message.id
    assert "goes on in a newer message" in text_of(old)
    assert not [part for part in raw.components(old) if part["type"] == 2]


async def test_a_message_that_grows_old_by_itself_can_be_pressed_no_more_once_there_is_a_new_one(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time runs out at the table, and nobody has pressed anything."""
    await casino.until(asked)
    old = casino.message
    monkeypatch.setattr(presenter, "OLD", 10.0)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.message.id != old.id
    assert [part for part in raw.components(casino.message) if part["type"] == 2]
    assert not [part for part in raw.components(old) if part["type"] == 2]
    assert "goes on in a newer message" in text_of(old)


async def after_fifty_minutes(casino: Casino) -> None:
    for _ in range(12):
        await casino.env.advance_time(casino.settings.idle_seconds - 10)
        await casino.click("Deal")
        await casino.play_on()


async def after_it_was_lost(casino: Casino) -> None:
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)


async def after_a_command_brought_it_down(casino: Casino) -> None:
    await casino.blackjack()


@pytest.mark.parametrize(
    "comes_anew",
    [after_fifty_minutes, after_it_was_lost, after_a_command_brought_it_down],
    ids=lambda way: way.__name__,
)
async def test_at_most_one_message_of_a_table_can_be_pressed_on(
    casino: Casino, comes_anew: Callable[[Casino], Awaitable[None]]
) -> None:
    """Its promise stands beside it, and has no button."""
    await casino.until(asked)
    before = casino.message.id
    await comes_anew(casino)
    pressable = [
        message.id for message in casino.channel.history() if any(part["type"] == 2 for part in raw.components(message))
    ]
    assert pressable == [casino.table.state.message]
    assert pressable != [before]
    assert casino.promises


async def test_many_changes_are_few_edits(casino: Casino) -> None:
    """Twenty people's changes in one moment: never more than five edits in five seconds."""
    await casino.sealed_table()
    before = casino.edits()
    for _ in range(20):
        casino.bot.presenter.changed(casino.table)
        await casino.table._do(f"test/{casino.table.state.version}", lambda draft: None)
        await asyncio.sleep(0.02)
    await casino.env.settle()
    assert 1 <= casino.edits() - before <= 5


async def test_a_picture_is_sent_only_when_it_changed(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    stored = casino.env.backend.get_message(casino.channel.id, casino.message.id)
    picture = stored.attachments[0]["id"]
    await casino.click("Deal")
    assert "Place your bets" in casino.text
    stored = casino.env.backend.get_message(casino.channel.id, casino.message.id)
    assert [attachment["id"] for attachment in stored.attachments] == [picture]


async def test_a_message_has_one_picture_however_often_it_is_redrawn(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    await casino.click("Deal")
    await casino.play_on()
    assert len(casino.message.attachments) == 1


async def test_a_slow_bank_is_waited_for_with_an_acknowledged_press(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    commit = casino.bot.bank.tables.commit

    async def slowly(change: object) -> None:
        await asyncio.sleep(0.4)
        await commit(change)  # type: ignore[arg-type]

    monkeypatch.setattr(serving, "PATIENCE", 0.2)
    casino.bot.bank.tables.commit = slowly  # type: ignore[method-assign]
    result: simcord.InteractionResult = await casino.click("Stand")
    assert result.deferred
    assert casino.snapshot.turn or casino.snapshot.phase is TablePhase.BETTING
    assert casino.keys()[0] in {"Deal", "Hit"}


async def test_a_bank_that_cannot_write_refuses_the_press_and_nothing_is_lost(casino: Casino) -> None:
    """Another process holds the file."""
    await casino.until(asked)
    before, file = casino.snapshot, casino.settings.database_url.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        result = await casino.click("Hit")
        other.execute("ROLLBACK")
    assert result.ephemeral
    assert result.response is not None
    assert "The bank can't save anything right now" in result.response.content
    assert casino.snapshot == before
    await casino.click("Hit")
    assert len(casino.snapshot.view.seats[0].hands[0].cards) == 3


# -- what is lost on the way -------------------------------------------------------------------------------------------

EDIT = ("PATCH", "/channels/*/messages/*")


async def shows_the_newest(casino: Casino) -> None:
    """The message says what the table is."""
    assert casino.bot.presenter._displays[casino.table].drawn == casino.table.state.version
    wanted = "Deal" if casino.snapshot.phase is TablePhase.BETTING else "Hit"
    assert casino.keys()[0] == wanted


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_an_edit_that_is_cut_off_is_tried_again(casino: Casino, line: Line, times: int) -> None:
    """Nobody presses anything: without another try the message would be wrong until the table closes."""
    await casino.until(asked)
    line.cut(*EDIT, times=times)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.env.advance_time(sum(presenter.AGAIN))
    await shows_the_newest(casino)


async def test_an_edit_that_is_never_answered_is_given_up_and_tried_again(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.hang(*EDIT)
    await casino.env.advance_time(casino.settings.turn_seconds + REQUEST + presenter.AGAIN[0] + 1)
    await shows_the_newest(casino)


async def test_an_edit_that_is_lost_again_and_again_is_left_for_the_next_change(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.cut(*EDIT, times=100)
    await casino.env.advance_time(casino.settings.turn_seconds + sum(presenter.AGAIN) + 5)
    assert line.lost == 1 + len(presenter.AGAIN)
    line.mended()
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed" in casino.text


async def test_a_newer_change_does_not_wait_for_what_was_lost(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.cut(*EDIT, times=3)
    await casino.env.advance_time(casino.settings.turn_seconds + presenter.AGAIN[0] + presenter.AGAIN[1] + 1)
    assert line.lost == 3, "the fourth try is due in fifteen seconds"
    await casino.table._do("test/newer", lambda draft: None)
    timer = casino.bot.presenter._displays[casino.table].timer
    assert timer is not None
    assert timer.when() < asyncio.get_running_loop().time() + 1
    await asyncio.sleep(0.05)
    await casino.env.settle()
    await shows_the_newest(casino)


async def test_connections_cut_in_the_middle_of_computer_players_moves_leave_no_old_picture(
    casino: Casino, line: Line
) -> None:
    """Every other edit is lost while three computer players play; the person's turn is shown all the same."""
    await casino.blackjack(bet=10, ai=3)
    for _ in range(6):
        line.cut(*EDIT)
        await casino.env.advance_time(casino.settings.turn_seconds + presenter.AGAIN[0] + 1)
        await casino.env.advance_time(presenter.AGAIN[0] + 1)
        assert casino.bot.presenter._displays[casino.table].drawn == casino.table.state.version
        if casino.snapshot.phase is TablePhase.BETTING:
            await casino.click("Deal")


async def test_a_table_that_grew_old_is_posted_anew_after_the_line_was_cut(
    casino: Casino, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    old = casino.message.id
    monkeypatch.setattr(presenter, "OLD", 10.0)
    line.cut("POST", "/channels/*/messages")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.table.state.message == old
    await casino.env.advance_time(presenter.AGAIN[0] + 1)
    assert casino.table.state.message == casino.message.id != old


async def test_a_thread_that_fell_asleep_is_woken_by_a_new_message(casino: Casino) -> None:
    await casino.until(asked)
    old = casino.message
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083, message="Thread is archived")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.table.state.message == casino.message.id != old.id
    assert not [part for part in raw.components(old) if part["type"] == 2]
