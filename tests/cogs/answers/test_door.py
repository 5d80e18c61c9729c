"""Where a press comes from: its server, its channel, a message of ours, and the person whom the message is for."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import discord
import pytest
import simcord

from cogs.answers.door import has
from engine.games.registry import GAMES
from engine.tables.house import CAPS
from engine.tables.table import Table
from tests.cogs import raw
from tests.cogs.conftest import Casino, asked, text_of

#: The commands that open a table.
OPENINGS = (*GAMES, "elimination")


def said(result: simcord.InteractionResult) -> str:
    """The private sentence that the press was answered with, at once or later."""
    assert result.acknowledged
    answer = result.followups[-1] if result.followups else result.response
    assert answer is not None
    assert answer.ephemeral
    return text_of(answer)


NOTHING = "That button doesn't belong here. Nothing was changed."


# -- another server ----------------------------------------------------------------------------------------------------


async def elsewhere(casino: Casino) -> tuple[simcord.MemberActor, Any]:
    """Mallory, in a server of his own, and a table's message there."""
    guild = casino.env.create_guild("Elsewhere")
    mallory = guild.add_member(casino.env.create_user("mallory"))
    channel = guild.create_text_channel("casino")
    await mallory.slash(channel, "blackjack", bet="5")
    message = next(each for each in reversed(channel.history()) if each.components)
    assert message is not None
    return mallory, message


@pytest.mark.parametrize("word", ["join", "deal", "bet", "leave"])
async def test_a_press_from_another_server_takes_no_seat(casino: Casino, word: str) -> None:
    await casino.sealed_table()
    before, table = casino.snapshot, casino.table
    mallory, message = await elsewhere(casino)
    (answer,) = await raw.press(mallory, message, f"t:{table.id}:{before.round + 1}:0:{word}")
    assert NOTHING in said(answer)
    assert table.snapshot() == before


async def test_a_form_from_another_server_takes_no_seat(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat")
    before, table = casino.snapshot, casino.table
    mallory, message = await elsewhere(casino)
    answer = await raw.submit(mallory, message, f"stake:{table.id}:1:player", {"chips": "10"})
    assert NOTHING in said(answer)
    assert table.snapshot() == before


async def test_nothing_is_pressed_or_asked_in_a_private_chat(casino: Casino) -> None:
    await casino.sealed_table()
    before = casino.snapshot
    chat = casino.alice.user.dm_channel
    (answer,) = await raw.press(casino.alice, chat, "privacy:forget")
    assert "doesn't belong here" in said(answer), "it stands on no message there"
    for forged in (f"t:{before.table}:2:0:deal", "history:0", "ladder:1:0:0:l"):
        (answer,) = await raw.press(casino.alice, chat, forged)
        assert "only works on a server" in said(answer)
    answer = await raw.submit_as(casino.alice, chat, {"custom_id": f"stake:{before.table}:2:main", "components": []})
    assert "only works on a server" in said(answer)
    for name in ("blackjack", "elimination", "history", "seed", "tournament list", "casino settings"):
        assert "only works on a server" in said(await raw.command(casino.alice, chat, name))
    assert casino.snapshot == before


# -- another message ---------------------------------------------------------------------------------------------------


async def test_a_press_on_an_earlier_message_says_where_the_table_is(casino: Casino) -> None:
    await casino.until(asked)
    early, hit = casino.message, casino.custom_id("Hit")
    casino.deletes_nothing()
    await casino.blackjack()
    before = casino.snapshot
    assert before.message == casino.message.id != early.id
    (answer,) = await raw.press(casino.alice, early, hit)
    link = f"https://discord.com/channels/{casino.guild.id}/{casino.channel.id}/{before.message}"
    assert f"This table goes on [in a newer message]({link})" in said(answer)
    assert casino.snapshot == before
    assert "goes on in a newer message" in text_of(early)


async def test_a_form_counts_where_the_table_went_on_meanwhile(casino: Casino) -> None:
    await casino.sealed_table()
    form = await casino.click("Bet")
    casino.deletes_nothing()
    await casino.blackjack()
    answer = await casino.alice.submit_modal(form, {"chips": "12"})
    assert (
        f"That counted. The table goes on [in a newer message](https://discord.com/channels/{casino.guild.id}"
        in said(answer)
    )
    assert casino.snapshot.sitters[0].last_stakes == {"main": 1200}


@pytest.mark.parametrize("thread", [True, False])
async def test_a_press_from_another_channel_changes_nothing(casino: Casino, *, thread: bool) -> None:
    """A thread is not its parent."""
    await casino.sealed_table()
    before, table = casino.snapshot, casino.table
    other = casino.guild.create_text_channel("other")
    if thread:
        bots = casino.bot.get_channel(casino.channel.id)
        made = await bots.create_thread(name="aside", type=discord.ChannelType.public_thread)  # type: ignore[union-attr]
        await casino.env.settle()
        other = next(each for each in casino.channel.threads if each.id == made.id)
    await casino.bob.slash(other, "war")
    assert other.last_message is not None
    (answer,) = await raw.press(casino.bob, other.last_message, f"t:{table.id}:{before.round + 1}:0:join")
    assert "This table goes on [in a newer message]" in said(answer)
    assert table.snapshot() == before


async def test_a_button_on_a_message_that_the_bot_did_not_write_does_nothing(casino: Casino) -> None:
    await casino.until(asked)
    before, hit = casino.snapshot, casino.custom_id("Hit")
    other = await casino.alice.send(casino.channel, "look here")
    (answer,) = await raw.press(casino.alice, other, hit)
    assert NOTHING in said(answer)
    assert casino.snapshot == before


@pytest.mark.parametrize(
    "custom_id",
    [
        "history:0",
        "privacy:ask",
        "privacy:forget",
        "settings:language",
        "rules:choose",
        "office:form:chips",
        "office:language",
        "rules:drop:blackjack:ours:000",
        "gift:1:{alice}:{bob}:100",
        "plan:9999999999:once:1000:0:expert:original",
        "ladder:{alice}:0:0:l",
    ],
)
async def test_a_panels_press_on_a_message_for_all_replaces_nothing(casino: Casino, custom_id: str) -> None:
    await casino.until(asked)
    before, shown = casino.snapshot, casino.text
    forged = custom_id.format(alice=casino.alice.id, bob=casino.bob.id)
    (answer,) = await raw.press(casino.alice, casino.message, forged)
    assert NOTHING in said(answer)
    assert casino.text == shown
    assert casino.snapshot == before
    assert await casino.balance(casino.bob) == 1_000


async def test_a_settings_form_on_a_message_for_all_replaces_nothing(casino: Casino) -> None:
    await casino.sealed_table()
    shown = casino.text
    answer = await raw.submit(casino.alice, casino.message, "office:chips", {"starting_chips": "5"})
    assert NOTHING in said(answer)
    assert casino.text == shown


@pytest.mark.parametrize("command", ["history", "settings", "privacy", "rules"])
async def test_a_panel_is_pressed_by_whom_it_is_for(casino: Casino, command: str) -> None:
    await casino.until(asked)
    await casino.play_on()
    panel = await casino.ask(command)
    shown = text_of(panel)
    custom_id = next(part["custom_id"] for part in raw.components(panel) if "custom_id" in part)
    (answer,) = await raw.press(casino.bob, panel, custom_id)
    assert "That was meant for somebody else" in said(answer)
    assert text_of(panel) == shown


async def test_a_button_made_up_for_a_table_that_is_closed_or_never_was_is_answered(casino: Casino) -> None:
    await casino.sealed_table()
    message, number = casino.message, casino.table.id
    await casino.click("Leave")
    for table in (number, 0, 10**20 - 1, message.id):
        for word in ("join", "hit", "deal", "bet", "leave", "x", "a" * 20):
            (answer,) = await raw.press(casino.bob, message, f"t:{table}:999999999999:999999999999:{word}")
            assert "This table is closed" in said(answer)


async def test_no_message_has_the_button_of_a_press_that_names_none(casino: Casino) -> None:
    await casino.sealed_table()
    assert has(casino.message, casino.custom_id("Join"))
    assert not has(casino.message, None)


# -- a message on its way ----------------------------------------------------------------------------------------------


async def pressed_before(casino: Casino, monkeypatch: pytest.MonkeyPatch, step: str, custom_id: str) -> list[Any]:
    """Bob presses on the table's new message before the table has taken `step`, in which it learns of that message."""
    sent: list[Any] = []
    taken = getattr(Table, step)

    async def late(table: Table, *args: Any, **more: Any) -> Any:
        if not sent:
            sent.append(raw.dispatched_press(casino.bob, casino.message, custom_id.format(table=table.id)))
            await asyncio.to_thread(time.sleep, 0.1)
            assert table.state.message != casino.message.id, "the table does not know it yet"
        return await taken(table, *args, **more)

    monkeypatch.setattr(Table, step, late)
    await casino.blackjack()
    return sent


async def test_a_press_waits_while_a_new_tables_message_is_on_its_way(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who is quicker than the first stake keeps the seat and the message."""
    casino.person("bob")
    await pressed_before(casino, monkeypatch, "stake", "t:{table}:1:0:join")
    assert casino.table.state.message == casino.message.id
    assert casino.snapshot.sitter_of(casino.bob.id) is not None
    assert casino.message.id in [message.id for message in casino.channel.history()]


async def test_a_press_waits_while_a_tables_message_is_followed_by_another(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.sealed_table()
    early, _ = casino.message, casino.person("bob")
    await pressed_before(casino, monkeypatch, "posted", casino.custom_id("Join"))
    assert casino.table.state.message == casino.message.id != early.id
    assert casino.snapshot.sitter_of(casino.bob.id) is not None
    assert early.id not in [message.id for message in casino.channel.history()]


# -- broken presses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "components",
    [[], None, [None], ["chips"], [{"type": 18}], [{"type": 18, "component": None}], [{"type": 4, "value": "5"}], {}],
)
async def test_a_form_without_its_fields_is_answered_with_what_is_missing(casino: Casino, components: Any) -> None:
    await casino.sealed_table()
    before = casino.snapshot
    form = {"custom_id": f"stake:{before.table}:{before.round + 1}:main", "components": components}
    answer = await raw.submit_as(casino.alice, casino.message, form)
    assert "Write a number of chips like 1,000" in said(answer)
    assert casino.snapshot == before


# -- doubled ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", OPENINGS)
async def test_a_doubled_command_opens_one_table(casino: Casino, command: str) -> None:
    answers = await raw.commands(casino.alice, casino.channel, command, 3)
    assert casino.table.snapshot().sitter_of(casino.alice.id) is not None
    assert all(answer.acknowledged for answer in answers)
    told = [text_of(answer.response) for answer in answers if answer.ephemeral and answer.response is not None]
    assert not [text for text in told if "Something went wrong" in text or "/None" in text]


# -- how many ----------------------------------------------------------------------------------------------------------


async def test_whoever_opens_too_many_tables_is_told(casino: Casino) -> None:
    for number in range(CAPS.member):
        await casino.alice.slash(casino.guild.create_text_channel(f"room-{number}"), "war")
    assert len(casino.bot.registry.tables()) == CAPS.member
    for command in OPENINGS:
        answer = await casino.alice.slash(casino.channel, command)
        assert f"{CAPS.member} tables that you opened are still open" in said(answer)
    assert len(casino.bot.registry.tables()) == CAPS.member
    await casino.bob.slash(casino.channel, "war")
    assert len(casino.bot.registry.tables()) == CAPS.member + 1
