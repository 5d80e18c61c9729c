"""The table's message: kept true, within Discord's limits, through deletions, restarts and denied edits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import discord
import pytest
import simcord

from cogs.answers import reply, serving
from cogs.answers.time_limits import REQUEST
from cogs.table import edits, presenter
from cogs.table.display import AGAIN, Display
from engine.tables.ports import BankUnavailable
from engine.tables.snapshot import TablePhase
from engine.tables.values import Change

from .. import raw
from ..conftest import Casino, asked, is_promise, text_of
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


async def test_a_deleted_message_is_posted_again_and_calls_nobody(casino: Casino) -> None:
    await casino.until(asked)
    await casino.click("Join", casino.bob)
    gone = casino.message.id
    casino.env.backend.delete_message(casino.channel.id, gone)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.BETTING
    assert casino.message.id != gone
    assert casino.table.state.message == casino.message.id
    assert casino.bob.mention in casino.text
    assert casino.called == []
    for who in (casino.alice, casino.bob):
        await casino.click("Deal", who)
    assert casino.snapshot.round > 1


async def test_a_deleted_message_is_not_posted_again_when_its_table_closes(casino: Casino) -> None:
    await casino.sealed_table()
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert casino.bot.registry.tables() == ()
    assert [message for message in casino.channel.history() if not is_promise(message)] == []


@contextlib.contextmanager
def no_place_is_kept(casino: Casino) -> Iterator[None]:
    """The bank cannot save in which message a table is."""
    commit = casino.bot.bank.tables.commit

    async def refuses_places(change: Change) -> None:
        if "/posted/" in change.cause:
            raise BankUnavailable
        await commit(change)

    casino.bot.bank.tables.commit = refuses_places  # type: ignore[method-assign]
    yield
    casino.bot.bank.tables.commit = commit  # type: ignore[method-assign]


async def test_a_table_that_could_not_be_told_of_its_new_message_is_told_later(casino: Casino) -> None:
    await casino.until(asked)
    gone, table = casino.message.id, casino.table
    with no_place_is_kept(casino):
        casino.env.backend.delete_message(casino.channel.id, gone)
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert table.state.message == gone
    posted = casino.message.id
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert table.state.message == casino.message.id == posted
    assert "Table closed" in casino.text


async def test_a_table_that_a_command_brought_down_does_not_go_back_to_a_message_it_was_not_told_of(
    casino: Casino,
) -> None:
    await casino.until(asked)
    with no_place_is_kept(casino):
        casino.env.backend.delete_message(casino.channel.id, casino.message.id)
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
    untold = casino.message.id
    await casino.blackjack()
    newest = casino.message.id
    assert casino.table.state.message == newest != untold
    assert untold not in [message.id for message in casino.channel.history()]
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert casino.message.id == newest
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
    monkeypatch.setattr(edits, "MANY", 1)
    monkeypatch.setattr(edits, "WINDOW", 0.0)
    for name in ("attic", "cellar", "garden"):
        channel = casino.guild.create_text_channel(name)
        await casino.alice.slash(channel, "blackjack", bet="1")
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
        await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert casino.bot.registry.tables() == ()
    assert not casino.bot.presenter._displays
    assert len(casino.bot.presenter._queue._lines) <= 2


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


async def test_where_no_new_message_may_be_posted_nothing_is_tried_until_somebody_presses(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    casino.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=None)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    tried = len(casino.env.http_requests)
    await casino.table._do("test/nobody can see it", lambda draft: None)
    await asyncio.sleep(0.03)
    await casino.env.settle()
    assert len(casino.env.http_requests) == tried
    casino.env.backend.faults.clear()
    await casino.blackjack()
    assert casino.table.state.message == casino.message.id
    await shows_the_newest(casino)


async def test_the_old_edits_of_quiet_channels_are_not_counted_for_ever(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(edits, "_now", lambda: now[0])
    shown = casino.bot.presenter
    assert [shown._takes_old_edit(1) for _ in range(presenter.OLD_EDITS + 1)] == [True, True, True, False]
    now[0] = presenter.OLD_WINDOW
    assert shown._takes_old_edit(2)
    assert set(shown._old_edits) == {2}


async def test_an_edit_that_fails_once_is_made_good_by_the_next(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=500)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed" in casino.text


async def an_old_table(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand on a message that Discord calls old, long after its last press."""
    await casino.until(asked)
    monkeypatch.setattr(presenter, "OLD", 10.0)
    monkeypatch.setattr(presenter, "OLD_WINDOW", 600.0)
    monkeypatch.setattr(reply, "TOKEN", 0)
    await casino.env.advance_time(11)


async def a_change(casino: Casino) -> None:
    """Something that nobody pressed for, and the edit or the new message that shows it."""
    await casino.table._do(f"test/{casino.table.state.version}", lambda draft: None)
    display = casino.bot.presenter._displays[casino.table]
    async with asyncio.timeout(30):
        while display.behind or not display.arrived.is_set():  # noqa: ASYNC110, nobody else waits for an edit
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.03)  # an old message is deleted after the new one has come
    await casino.env.settle()


def buttons_of(message: discord.Message) -> list[str]:
    return [part["custom_id"] for part in raw.components(message) if part["type"] == 2]


async def test_an_old_message_goes_on_as_long_as_few_edits_will_do(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_old_table(casino, monkeypatch)
    old = casino.message
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.click("Deal")
    await casino.play_on()
    assert casino.message.id == old.id == casino.table.state.message
    assert casino.keys()[0] == "Deal"


async def test_an_old_message_that_needs_too_many_edits_is_followed_by_a_new_one_and_deleted(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes three edits of old messages in six seconds."""
    await an_old_table(casino, monkeypatch)
    old = casino.message
    for _ in range(presenter.OLD_EDITS):
        await a_change(casino)
    assert casino.message.id == old.id
    await a_change(casino)
    assert casino.table.state.message == casino.message.id != old.id
    assert old.id not in [message.id for message in casino.channel.history()]


async def test_an_old_message_that_discord_lets_nobody_edit_is_followed_by_a_new_one(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_old_table(casino, monkeypatch)
    old = casino.message
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=429, code=30046, message="Too many old edits")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.table.state.message == casino.message.id != old.id


async def test_a_message_that_cannot_be_deleted_at_least_loses_its_buttons(casino: Casino) -> None:
    await casino.until(asked)
    old = casino.message
    casino.deletes_nothing()
    await casino.blackjack()
    assert buttons_of(casino.message)
    assert buttons_of(old) == []
    assert text_of(old).splitlines() == [
        f"-# **Blackjack** · {casino.snapshot.rules_name} · 6 decks",
        "-# This table goes on in a newer message below.",
    ]


async def after_too_many_edits(casino: Casino) -> None:
    with pytest.MonkeyPatch.context() as patch:
        await an_old_table(casino, patch)
        patch.setattr(presenter, "OLD_EDITS", 1)
        for _ in range(2):
            await a_change(casino)


async def after_it_was_lost(casino: Casino) -> None:
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)


async def after_a_command_brought_it_down(casino: Casino) -> None:
    await casino.blackjack()


@pytest.mark.parametrize(
    "comes_anew",
    [after_too_many_edits, after_it_was_lost, after_a_command_brought_it_down],
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

EDIT = ("PATCH", "/*/messages/*")


@pytest.fixture(params=["through the newest press", "through the channel"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How edits that nobody pressed for reach the message."""
    if request.param == "through the channel":
        monkeypatch.setattr(reply, "TOKEN", 0)
    return str(request.param)


async def shows_the_newest(casino: Casino) -> None:
    """The message says what the table is."""
    assert casino.bot.presenter._displays[casino.table].drawn == casino.table.state.version
    wanted = "Deal" if casino.snapshot.phase is TablePhase.BETTING else "Hit"
    assert casino.keys()[0] == wanted


async def test_a_first_message_whose_cards_are_cut_off_shows_them_a_moment_later(casino: Casino, line: Line) -> None:
    casino.cards.lay("9 7 / 9 ?")
    line.cut(*THROUGH_A_PRESS)
    await casino.blackjack(bet=10)
    await casino.env.advance_time(AGAIN[0] + 1)
    assert line.lost == 1
    await shows_the_newest(casino)
    assert await casino.balance(casino.alice) == 990


async def test_a_first_message_that_discord_does_not_name_at_once_is_known_when_it_shows_the_hand(
    casino: Casino, line: Line
) -> None:
    line.unnamed()
    await casino.deal("9 7 / 9 ?")
    assert casino.table.state.message == casino.message.id
    await shows_the_newest(casino)


async def test_a_table_that_cannot_be_drawn_is_drawn_a_moment_later(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await casino.until(asked)
    with monkeypatch.context() as broken:
        broken.setattr(presenter.components, "build", lambda *_: 1 / 0)
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.keys()[0] == "Hit"
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == [
        f"table {casino.table.id} could not be drawn"
    ]
    caplog.clear()
    await casino.env.advance_time(AGAIN[0] + 1)
    await shows_the_newest(casino)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("times", [1, 2, 3])
async def test_an_edit_that_is_cut_off_is_tried_again(casino: Casino, line: Line, times: int) -> None:
    """Nobody presses anything: without another try the message would be wrong until the table closes."""
    await casino.until(asked)
    line.cut(*EDIT, times=times)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.env.advance_time(sum(AGAIN))
    await shows_the_newest(casino)


@pytest.mark.usefixtures("way")
async def test_an_edit_that_is_never_answered_is_given_up_and_tried_again(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.hang(*EDIT)
    await casino.env.advance_time(casino.settings.turn_seconds + REQUEST + AGAIN[0] + 1)
    await shows_the_newest(casino)


@pytest.mark.usefixtures("way")
async def test_an_edit_that_is_lost_again_and_again_is_left_for_the_next_change(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.cut(*EDIT, times=100)
    await casino.env.advance_time(casino.settings.turn_seconds + sum(AGAIN) + 5)
    assert line.lost == 1 + len(AGAIN)
    line.mended()
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed" in casino.text


async def test_a_table_that_was_given_up_and_is_called_for_in_vain_is_drawn_when_discord_is_back(
    casino: Casino, line: Line
) -> None:
    await casino.until(asked)
    line.cut(*EDIT, times=100)
    await casino.env.advance_time(casino.settings.turn_seconds + sum(AGAIN) + 5)
    line.cut("POST", "/interactions/*")
    await casino.blackjack()
    line.mended()
    await casino.env.advance_time(AGAIN[-1] + 1)
    await shows_the_newest(casino)


@pytest.mark.usefixtures("way")
async def test_a_newer_change_does_not_wait_for_what_was_lost(casino: Casino, line: Line) -> None:
    await casino.until(asked)
    line.cut(*EDIT, times=3)
    await casino.env.advance_time(casino.settings.turn_seconds + AGAIN[0] + AGAIN[1] + 1)
    assert line.lost == 3, "the fourth try is due in fifteen seconds"
    await casino.table._do("test/newer", lambda draft: None)
    timer = casino.bot.presenter._displays[casino.table].timer
    assert timer is not None
    assert timer.when() < asyncio.get_running_loop().time() + 1
    await asyncio.sleep(0.05)
    await casino.env.settle()
    await shows_the_newest(casino)


@pytest.mark.usefixtures("way")
async def test_connections_cut_in_the_middle_of_computer_players_moves_leave_no_old_picture(
    casino: Casino, line: Line
) -> None:
    """Every other edit is lost while three computer players play; the person's turn is still shown."""
    casino.cards.lay(*["T 6, T 5, T 5, T 4 / 9 ?"] * 6)  # hands with a question each
    await casino.blackjack(bet=10, ai=3)
    for _ in range(6):
        line.cut(*EDIT)
        await casino.env.advance_time(casino.settings.turn_seconds + AGAIN[0] + 1)
        await casino.env.advance_time(AGAIN[0] + 1)
        assert casino.bot.presenter._displays[casino.table].drawn == casino.table.state.version
        if casino.snapshot.phase is TablePhase.BETTING:
            await casino.click("Deal")


async def test_a_table_that_moves_is_posted_anew_after_the_line_was_cut(
    casino: Casino, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_old_table(casino, monkeypatch)
    old = casino.message.id
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=429, code=30046, times=None)
    line.cut("POST", "/channels/*/messages")
    await casino.env.advance_time(casino.settings.turn_seconds - 10)
    assert (line.lost, casino.table.state.message) == (1, old)
    await casino.env.advance_time(AGAIN[0] + 1)
    assert casino.table.state.message == casino.message.id != old


async def test_a_thread_that_fell_asleep_is_woken_by_a_new_message(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    monkeypatch.setattr(reply, "TOKEN", 0)
    old = casino.message
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083, message="Thread is archived")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.table.state.message == casino.message.id != old.id
    assert old.id not in [message.id for message in casino.channel.history()]


# -- the way that an edit takes ----------------------------------------------------------------------------------------

THROUGH_A_PRESS = ("PATCH", "/webhooks/*/messages/@original")
THROUGH_THE_CHANNEL = ("PATCH", "/channels/*/messages/*")


def display_of(casino: Casino) -> Display:
    return casino.bot.presenter._displays[casino.table]


def ways(casino: Casino, since: int) -> list[str]:
    """The first words of the paths of edits since then."""
    edits = [request.path for request in casino.env.http_requests[since:] if request.method == "PATCH"]
    return [path.split("/")[1] for path in edits]


async def test_edits_go_through_the_newest_press_as_long_as_its_token_lasts(casino: Casino) -> None:
    """Discord counts each press's edits apart from the channel's, so tables of a channel do not wait for each other."""
    await casino.until(asked)
    pressed = casino.bot.clock.now()
    since = len(casino.env.http_requests)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert ways(casino, since) == ["webhooks"]
    (press,) = [display_of(casino).press]
    assert press is not None
    await casino.env.advance_time(pressed + 14 * 60 - 1 - casino.bot.clock.now())
    assert press.lasts
    await casino.env.advance_time(2)
    assert not press.lasts


async def test_edits_go_through_the_channel_once_the_newest_press_is_old(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    monkeypatch.setattr(reply, "TOKEN", 30)
    since = len(casino.env.http_requests)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert ways(casino, since) == ["channels"]


async def test_a_press_whose_token_discord_refuses_is_replaced_by_the_channel_at_once(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.inject_error(*THROUGH_A_PRESS, status=401, code=50027, message="Invalid Webhook Token", times=None)
    since = len(casino.env.http_requests)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert ways(casino, since) == ["webhooks", "channels"]
    await shows_the_newest(casino)


async def test_the_press_on_a_message_that_the_table_has_left_edits_nothing_any_more(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert display_of(casino).way == casino.channel.id
    await shows_the_newest(casino)


async def test_a_table_goes_on_in_the_message_that_the_bank_knows_where_a_newer_one_could_not_be_saved(
    casino: Casino,
) -> None:
    await casino.until(asked)
    known = casino.message
    with no_place_is_kept(casino):
        await casino.blackjack()
    assert casino.message.id != known.id == casino.table.state.message
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert any(key.endswith(":deal") for key in buttons_of(known))


def answers(casino: Casino, since: int) -> list[dict[str, Any]]:
    """What presses were answered with since then."""
    return [request.json for request in casino.env.http_requests[since:] if request.path.endswith("/callback")]


async def test_a_message_in_which_discord_does_not_keep_the_picture_gets_it_again_at_once(casino: Casino) -> None:
    await casino.sealed_table()
    for who in (casino.bob, casino.person("carol")):
        await casino.click("Join", who)
    casino.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=50035, message="Invalid Form Body")
    since = len(casino.env.http_requests)
    result = await casino.click("Deal")
    assert not result.ephemeral
    kept, sent = [answer["data"]["attachments"] for answer in answers(casino, since)]
    assert [int(file["id"]) > 10 for file in (*kept, *sent)] == [True, False], "its own id, and a new upload"
    casino.env.inject_error("POST", "/interactions/*/*/callback", status=403, code=50001, message="Missing Access")
    since = len(casino.env.http_requests)
    result = await casino.click("Deal", casino.bob)
    assert result.ephemeral
    refused, _told = answers(casino, since)
    (file,) = refused["data"]["attachments"]
    assert int(file["id"]) > 10, "after another refusal no picture is sent"


async def test_a_picture_that_stays_is_named_by_its_id(casino: Casino) -> None:
    """Discord documents no other way to keep a file; its answer names the id in the gallery and nowhere else."""
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    (gallery,) = [part for part in raw.components(casino.message) if part["type"] == 12]
    picture = gallery["items"][0]["media"]["attachment_id"]
    since = len(casino.env.http_requests)
    await casino.click("Deal")
    (answer,) = answers(casino, since)
    assert answer["data"]["attachments"] == [{"id": picture, "filename": "table.png"}]


async def test_a_press_that_finds_everything_shown_is_only_acknowledged(casino: Casino) -> None:
    """Of several who press at once, the first answer shows what all of them did."""
    await casino.sealed_table()
    with casino.bot.presenter.held(casino.table):
        await casino.table.join(await casino.bot.bank.members.sign_in(casino.guild.id, casino.bob.id), 77)
        await casino.click("Join", casino.person("carol"))
    since = len(casino.env.http_requests)
    with casino.bot.presenter.held(casino.table) as display:
        display.drawn = casino.table.state.version + 1  # somebody else's answer will have shown it
        await casino.click("Leave", casino.person("carol"))
    (answer,) = answers(casino, since)
    assert answer == {"type": 6}


# -- before all shards are ready ---------------------------------------------------------------------------------------


async def test_a_table_is_drawn_as_soon_as_its_own_shard_is_ready(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of thirty shards signs in two minutes after the first."""
    await casino.until(asked)
    mine = casino.guild.id >> 22
    for shard, others in ((mine % 2, True), ((mine + 1) % 2, False)):
        monkeypatch.setattr(casino.bot, "shard_count", 2)
        monkeypatch.setattr(casino.bot, "_ready_shards", {shard})
        assert casino.bot.reaches(casino.guild.id) is others
    before = casino.edits()
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.edits() == before, "its shard is away"
    await casino.bot.on_shard_ready(mine % 2)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed" in casino.text
