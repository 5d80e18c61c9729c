"""Calls: one message for who holds up the others and wants to be told, from half of their time until a minute after."""

from __future__ import annotations

import discord
import pytest
import simcord

from cogs.startup.calls import CallRemover
from cogs.table import caller
from data import Note
from engine.tables.ports import BankUnavailable

from ..conftest import Casino
from ..line import Line


async def wants_calls(casino: Casino, who: simcord.MemberActor) -> None:
    await casino.bot.bank.members.sign_in(casino.guild.id, who.id)
    await who.click(await casino.ask("settings", who), label="Ping me when it's my turn")


def calls(casino: Casino) -> list[discord.Message]:
    return [message for message in casino.channel.history() if "the others are waiting" in message.content]


async def two_at_a_table(casino: Casino, cards: str = "T 6, T 5 / 6 ?") -> None:
    """Alice is asked first, and bob waits; with insurance, both are asked."""
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    casino.cards.lay(cards)
    await casino.click("Deal")
    await casino.click("Deal", casino.bob)


async def half_a_turn(casino: Casino) -> None:
    await casino.env.advance_time(casino.settings.turn_seconds / 2 + 1)
    await casino.env.settle()


async def test_who_wants_it_is_called_once_when_half_of_the_time_is_gone(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await casino.env.advance_time(casino.settings.turn_seconds / 2 - 2)
    assert calls(casino) == []
    await casino.env.advance_time(4)
    (call,) = calls(casino)
    assert call.content.startswith(f"{casino.alice.mention}, the others are waiting")
    assert str(casino.table.state.message) in call.content
    assert [user.id for user in call.mentions] == [casino.alice.id]
    assert call.components == []


async def stand(casino: Casino, who: simcord.MemberActor) -> None:
    table = next(message for message in casino.channel.history() if message.id == casino.table.state.message)
    await who.click(table, label="Stand")
    await casino.env.settle()


async def test_a_call_says_after_the_move_that_the_turn_is_over_and_goes_a_minute_later(casino: Casino) -> None:
    """Deleted at once it would leave somebody with an unread mark and nothing to read."""
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await half_a_turn(casino)
    (call,) = calls(casino)
    await stand(casino, casino.alice)
    read = next(message for message in casino.channel.history() if message.id == call.id)
    assert read.content == f"-# {casino.alice.mention}: that turn is over."
    assert [user.id for user in read.mentions] == [casino.alice.id]
    await casino.env.advance_time(caller.READ - 1)
    assert call.id in [message.id for message in casino.channel.history()]
    await casino.env.advance_time(2)
    assert call.id not in [message.id for message in casino.channel.history()]
    assert await casino.bot.bank.notes.of("call") == ()


async def test_a_call_that_waits_for_its_deletion_is_taken_down_by_the_next_process(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await half_a_turn(casino)
    (call,) = calls(casino)
    await stand(casino, casino.alice)
    await casino.restart()
    await casino.env.settle()
    assert call.id not in [message.id for message in casino.channel.history()]


async def test_who_plays_in_time_is_not_called(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await casino.click("Stand")
    await half_a_turn(casino)
    assert calls(casino) == [], "it is bob's turn, who did not ask for calls"


async def test_nobody_is_called_who_did_not_ask_for_it_or_holds_up_nobody(casino: Casino) -> None:
    await two_at_a_table(casino)
    await half_a_turn(casino)
    assert calls(casino) == []
    await wants_calls(casino, casino.alice)
    await casino.env.advance_time(casino.settings.turn_seconds * 3)
    await casino.click("Leave", casino.bob)
    await casino.click("Deal")
    await half_a_turn(casino)
    assert calls(casino) == [], "alone at the table"


async def test_who_holds_up_an_elimination_table_with_a_stake_is_called(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await casino.alice.slash(casino.channel, "elimination")
    await casino.click("Join", casino.bob)
    await half_a_turn(casino)
    assert len(calls(casino)) == 1


async def test_nobody_is_called_for_somebody_who_has_got_up(casino: Casino) -> None:
    """Bob's hand stands, and he waits for nothing any more."""
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await casino.click("Leave", casino.bob)
    await half_a_turn(casino)
    assert calls(casino) == []


async def test_a_call_of_a_process_that_was_killed_is_taken_down_by_the_next(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await half_a_turn(casino)
    assert len(calls(casino)) == 1
    await casino.restart()
    await casino.env.settle()
    assert calls(casino) == []
    assert await casino.bot.bank.notes.of("call") == ()


async def test_a_call_that_arrives_after_the_move_says_at_once_that_the_turn_is_over(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    notes, round, turn = casino.bot.bank.notes, casino.snapshot.round, casino.snapshot.turn
    keep = notes.keep

    async def keep_slowly(note: Note) -> bool:
        if note.kind == "call":
            await casino.table.act(casino.alice.id, "stand", round, turn, 77)
        return await keep(note)

    notes.keep = keep_slowly  # type: ignore[method-assign]
    await half_a_turn(casino)
    (read,) = [message for message in casino.channel.history() if casino.alice.mention in message.content]
    assert read.content == f"-# {casino.alice.mention}: that turn is over."


async def test_a_call_under_way_at_the_move_says_when_it_arrives_that_the_turn_is_over(
    casino: Casino, line: Line
) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    line.each_way = 2.0
    await casino.env.advance_time(casino.settings.turn_seconds / 2 + 1)
    assert calls(casino) == []
    await casino.table.act(casino.alice.id, "stand", casino.snapshot.round, casino.snapshot.turn, 77)
    await casino.env.advance_time(10)
    (read,) = [message for message in casino.channel.history() if casino.alice.mention in message.content]
    assert read.content == f"-# {casino.alice.mention}: that turn is over."


async def test_a_call_of_which_no_note_could_be_kept_goes_a_minute_after_the_move_too(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)

    async def full(note: Note) -> bool:
        raise BankUnavailable("The disk is full.")

    with monkeypatch.context() as trouble:
        trouble.setattr(casino.bot.bank.notes, "keep", full)
        await half_a_turn(casino)
    (call,) = calls(casino)
    await stand(casino, casino.alice)
    await casino.env.advance_time(caller.READ + 1)
    assert call.id not in [message.id for message in casino.channel.history()]


async def test_a_call_that_somebody_deleted_is_forgotten(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await half_a_turn(casino)
    casino.env.backend.delete_message(casino.channel.id, calls(casino)[0].id)
    await stand(casino, casino.alice)
    assert len(await casino.bot.bank.notes.of("call")) == 1
    await casino.env.advance_time(caller.READ + 1)
    assert await casino.bot.bank.notes.of("call") == ()


async def test_a_call_that_cannot_be_removed_at_the_start_leaves_no_other(casino: Casino) -> None:
    channel = casino.bot.get_partial_messageable(casino.channel.id, guild_id=casino.guild.id)
    one, other = [(await channel.send(text)).id for text in ("one call", "another call")]
    for message in (one, other):
        posted = {"channel": casino.channel.id, "message": message}
        await casino.bot.bank.notes.keep(Note("call", str(message), posted, casino.guild.id))
    casino.env.inject_error("DELETE", f"/channels/*/messages/{one}", status=500, times=None)
    await casino.bot.caller.take_down()
    assert [message.content for message in casino.channel.history()] == ["one call"]
    assert [note.name for note in await casino.bot.bank.notes.of("call")] == [str(one)]


async def test_a_channel_that_takes_no_message_costs_the_call_alone(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    casino.env.backend.delete_channel(casino.channel.id)
    await casino.env.advance_time(casino.settings.turn_seconds / 2 + 1)
    assert casino.snapshot.view.acting == (0, 0)


# -- people whose time ran out -----------------------------------------------------------------------------------------


def heard(result: simcord.InteractionResult) -> str:
    return " ".join(answer.content for answer in result.followups)


async def test_somebody_whose_time_ran_out_is_offered_calls_with_their_next_press_once(casino: Casino) -> None:
    await two_at_a_table(casino)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.click("Stand", casino.bob)
    first, second = await casino.click("Deal"), await casino.click("Leave")
    (said,) = [answer for answer in first.followups if answer.content.startswith("Your time ran out")]
    assert said.ephemeral
    assert said.content.startswith("Your time ran out while others waited. </settings:")
    assert said.content.endswith("> can ping you when half of it is gone.")
    assert "Your time ran out" not in heard(second)


async def test_who_answered_a_question_to_all_is_not_told_that_their_time_ran_out(casino: Casino) -> None:
    """Both are asked for insurance. Bob declines in time, and alice lets her time pass."""
    await two_at_a_table(casino, "T 6, T 5 / A 6")
    await casino.click("No insurance", casino.bob)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    alice, bob = await casino.click("Stand"), await casino.click("Stand", casino.bob)
    assert ["Your time ran out" in heard(each) for each in (alice, bob)] == [True, False]


async def test_only_the_last_ones_whose_time_ran_out_are_remembered(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller, "MOST_LATE", 1)
    await two_at_a_table(casino)
    for _ in range(2):
        await casino.env.advance_time(casino.settings.turn_seconds + 1)
    alice, bob = await casino.click("Deal"), await casino.click("Deal", casino.bob)
    assert ["Your time ran out" in heard(each) for each in (alice, bob)] == [False, True]


async def test_calls_are_offered_neither_to_who_has_them_nor_to_who_was_in_time(casino: Casino) -> None:
    await wants_calls(casino, casino.alice)
    await two_at_a_table(casino)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert "Your time ran out" not in heard(await casino.click("Stand", casino.bob))
    assert "Your time ran out" not in heard(await casino.click("Deal"))


async def test_old_calls_are_removed_once_and_a_lost_request_keeps_nobody_from_starting(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = list[int]()

    async def silent() -> None:
        looks.append(1)
        raise TimeoutError

    monkeypatch.setattr(casino.bot.caller, "take_down", silent)
    remover = CallRemover(casino.bot.caller)
    for _ in range(2):  # Discord says it again after each lost connection
        await remover.on_ready()
    assert len(looks) == 1
