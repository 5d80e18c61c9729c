"""How the bot stops: tables in mid-hand say so, nobody runs out of time, and everything goes on afterwards."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest

from bot import create_bot
from data import Appearance
from engine.tables.snapshot import TablePhase

from .. import raw
from ..conftest import Casino, asked

NEWS = "The casino is restarting."


async def test_a_table_in_mid_hand_says_that_its_hand_goes_on(casino: Casino) -> None:
    await casino.until(asked)
    view = casino.snapshot.view
    await casino.bot.park()
    assert casino.text.index(NEWS) < casino.text.index("Dealer ·")
    keys = casino.keys()
    assert "Hit" in keys
    await casino.restart()
    assert casino.snapshot.view == view
    await casino.click("Hit")
    assert NEWS not in casino.text


async def test_a_table_in_words_alone_is_told_without_a_picture(casino: Casino) -> None:
    """A picture that is shown and not attached would make Discord refuse the edit."""
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, shown=Appearance.TEXT))
    await casino.until(asked)
    await casino.bot.park()
    assert NEWS in casino.text
    assert not [part for part in raw.components(casino.message) if part["type"] == 12]


async def test_a_table_between_hands_is_left_alone(casino: Casino) -> None:
    await casino.sealed_table()
    before = casino.edits()
    await casino.bot.park()
    assert casino.edits() == before


async def test_a_press_that_comes_while_it_stops_is_served(casino: Casino) -> None:
    await casino.until(asked)
    await casino.bot.park()
    await casino.click("Hit")
    await casino.restart()
    assert len(casino.snapshot.view.seats[0].hands[0].cards) == 3


async def test_nobody_runs_out_of_time_while_it_stops(casino: Casino) -> None:
    await casino.until(asked)
    await casino.bot.park()
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.PLAYING


async def test_a_discord_that_does_not_answer_delays_the_stop_by_seconds(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(discord.PartialMessage, "edit", never)
    monkeypatch.setattr("bot._PARKING", 0.2)
    async with asyncio.timeout(10):
        await casino.bot.park()


async def test_a_channel_that_is_closed_to_us_keeps_no_other_from_being_told(casino: Casino) -> None:
    await casino.until(asked)
    casino.env.backend.delete_message(casino.channel.id, casino.message.id)
    await casino.bot.park()


async def test_a_bot_that_never_signed_in_just_stops(casino: Casino) -> None:
    async with create_bot(casino.settings) as bot:
        await bot.park()
