"""Checks of what Discord knows of the bot: its token, shards, commands, and permissions in each channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import discord
from discord import app_commands

from cogs.doctor.results import CheckResult
from cogs.table.emoji import wanted
from cogs.table.permissions import IN_CHANNELS, IN_THREADS, INVITED, missing

#: The kinds of channels in which people write.
_Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel
_WRITTEN_IN: Final = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel)
_OF_THREADS: Final = IN_THREADS.keys() - IN_CHANNELS.keys()
#: The number of servers that are checked unless one is named, because each costs some requests.
SERVERS: Final = 20
#: The number of sign-ins below which there are too few. Discord allows a thousand a day.
FEW_SIGN_INS: Final = 50


async def shards(client: discord.Client, count: int | None) -> CheckResult:
    """Return whether there are enough shards, and enough sign-ins left today."""
    answer: dict[str, Any] = await client.http.request(discord.http.Route("GET", "/gateway/bot"))
    wanted, limit = answer["shards"], answer["session_start_limit"]
    left, at_once = limit["remaining"], limit["max_concurrency"]
    said = f"Discord asks for {wanted}, {left} of {limit['total']} sign-ins are left today, {at_once} at a time"
    if count is not None and count < wanted:
        return CheckResult("shards", f"{said}, SHARD_COUNT is {count}", f"Set SHARD_COUNT to {wanted} or more.")
    if left < FEW_SIGN_INS:
        return CheckResult("shards", said, "Find out what restarts the bot again and again: see its log.")
    return CheckResult("shards", said)


async def commands(tree: app_commands.CommandTree[Any]) -> CheckResult:
    """Return whether Discord lists the commands of this release."""
    listed = {command.name for command in await tree.fetch_commands()}
    ours = {command.name for command in tree.get_commands()}
    if listed == ours:
        return CheckResult("commands", f"all {len(ours)} are registered")
    missing, gone = ", ".join(sorted(ours - listed)), ", ".join(sorted(listed - ours))
    said = "; ".join(part for part in (missing and f"not registered: {missing}", gone and f"not ours: {gone}") if part)
    return CheckResult("commands", said, "Start the bot: the process with shard 0 registers them.")


async def card_emoji(client: discord.Client) -> CheckResult:
    """Return how many cards are among the application's emoji. Without them, cards are written in letters."""
    images = await asyncio.to_thread(wanted)
    there = images.keys() & {emoji.name for emoji in await client.fetch_application_emojis()}
    if len(there) == len(images):
        return CheckResult("emoji", f"all {len(images)} cards are there")
    text = f"{len(there)} of {len(images)} cards are there; the bot adds the others when it starts with CARD_EMOJI=on"
    return CheckResult("emoji", text)


async def servers(client: discord.Client, only: int | None) -> AsyncIterator[CheckResult]:
    """Yield what the bot lacks in the channels of its servers, or of the named one."""
    try:
        guilds = [guild async for guild in client.fetch_guilds(limit=SERVERS + 1)] if only is None else []
        if only is not None:
            guilds = [await client.fetch_guild(only)]
    except discord.HTTPException as error:
        yield CheckResult("server", f"Discord refuses to tell: {error}", "Invite the bot to it: see README.")
        return
    if not guilds:
        yield CheckResult("server", "the bot is on none", "Invite it: see README, Put it on your server.")
    for guild in guilds[:SERVERS]:
        yield await permissions(client, guild.id)
        yield await calendar(client, guild.id)
    if len(guilds) > SERVERS:
        yield CheckResult("server", f"only {SERVERS} were looked at; name one with --server ID for another")


async def permissions(client: discord.Client, server: int) -> CheckResult:
    """Return what the bot lacks in the channels of a server where people could type a command."""
    guild = await client.fetch_guild(server)
    assert client.user is not None
    me = await guild.fetch_member(client.user.id)
    channels = [channel for channel in await guild.fetch_channels() if isinstance(channel, _WRITTEN_IN)]
    lacking = {channel.name: _lacking(channel, me) for channel in channels}
    found = [f"#{name} lacks {', '.join(lacks)}" for name, lacks in lacking.items() if lacks]
    what = f"server {guild.id}"
    if not found:
        return CheckResult(what, f"all {len(channels)} channels can have a table, and their threads")
    remedy = "Give the bot's role these permissions there, or leave it: there can be no table in those channels."
    return CheckResult(what, "; ".join(found), remedy)


async def calendar(client: discord.Client, server: int) -> CheckResult:
    """Return whether tournaments are on the server's calendar. They are played in any case."""
    guild = await client.fetch_guild(server)
    assert client.user is not None
    rights = (await guild.fetch_member(client.user.id)).guild_permissions
    if rights.create_events:
        return CheckResult(f"server {guild.id}", "tournaments are on its calendar")
    return CheckResult(f"server {guild.id}", "tournaments are not on its calendar: that takes Create Events")


def _lacking(channel: _Channel, me: discord.Member) -> Sequence[str]:
    """Return what the bot lacks in a channel and in its threads; voice channels have none."""
    threads = isinstance(channel, discord.TextChannel)
    needed = INVITED if threads else {name: label for name, label in INVITED.items() if name not in _OF_THREADS}
    return missing(channel.permissions_for(me), needed)
