"""Checks of what Discord knows of the bot: its token, shards, commands, and permissions in each channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence, Set
from typing import Any, Final

import discord
from discord import app_commands

from cogs.doctor.results import CheckResult
from cogs.table.emoji import wanted
from cogs.table.permissions import FOR_TOURNAMENTS, IN_CHANNELS, IN_THREADS, INVITED, missing

#: The kinds of channels in which people write, and the permissions that each does not need: voice channels have no
#: threads, and in forums people write in threads only.
_Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
_OF_THREADS: Final = IN_THREADS.keys() - IN_CHANNELS.keys()
_NOT_NEEDED: Final[Mapping[type[_Channel], Set[str]]] = {
    discord.TextChannel: frozenset(),
    discord.VoiceChannel: _OF_THREADS,
    discord.StageChannel: _OF_THREADS,
    discord.ForumChannel: IN_CHANNELS.keys() - IN_THREADS.keys(),
}
#: The effect on tournaments of each permission that the bot lacks.
_WITHOUT: Final = {"create_public_threads": "have no threads of their own", "create_events": "are not on its calendar"}
#: The number of servers that are checked unless one is named, because each costs some requests.
SERVERS: Final = 20
#: The number of sign-ins left today below which the doctor warns. Discord allows a thousand a day.
FEW_SIGN_INS: Final = 50


async def shards(client: discord.Client, count: int | None) -> CheckResult:
    """Check whether there are enough shards (None: automatic) and sign-ins left today, and return the result."""
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
    """Check whether Discord lists exactly the commands of this release, by name, and return the result."""
    listed = {command.name for command in await tree.fetch_commands()}
    ours = {command.name for command in tree.get_commands()}
    if listed == ours:
        return CheckResult("commands", f"all {len(ours)} are registered")
    missing, gone = ", ".join(sorted(ours - listed)), ", ".join(sorted(listed - ours))
    said = "; ".join(part for part in (missing and f"not registered: {missing}", gone and f"not ours: {gone}") if part)
    return CheckResult("commands", said, "Start the bot: the process with shard 0 registers them.")


async def card_emoji(client: discord.Client) -> CheckResult:
    """Check how many of the card emoji the application has, and return the result. Missing ones are no fault.

    Cards are written in letters until all the emoji in their colours (two or four) are there.
    """
    images = await asyncio.to_thread(wanted)
    there = images.keys() & {emoji.name for emoji in await client.fetch_application_emojis()}
    if len(there) == len(images):
        return CheckResult("emoji", f"all {len(images)} card emoji are there")
    some = f"{len(there)} of {len(images)} card emoji are there"
    return CheckResult("emoji", f"{some}; the bot adds the others when it starts with CARD_EMOJI=on")


async def servers(client: discord.Client, only: int | None) -> AsyncIterator[CheckResult]:
    """Yield the results of `permissions` and `tournaments` for the first `SERVERS` servers, or for server `only`."""
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
        yield await tournaments(client, guild.id)
    if len(guilds) > SERVERS:
        yield CheckResult("server", f"only {SERVERS} were looked at; name one with --server ID for another")


async def permissions(client: discord.Client, server: int) -> CheckResult:
    """Check which permissions the bot lacks in a server's channels, categories aside, and return the result."""
    guild = await client.fetch_guild(server)
    assert client.user is not None
    me = await guild.fetch_member(client.user.id)
    channels = [channel for channel in await guild.fetch_channels() if not isinstance(channel, discord.CategoryChannel)]
    found = [f"#{channel.name} lacks {', '.join(lacks)}" for channel in channels if (lacks := _lacking(channel, me))]
    what = f"server {guild.id}"
    if not found:
        return CheckResult(what, f"all {len(channels)} channels can have a table, and their threads")
    remedy = "Give the bot's role these permissions there, or leave it: there can be no table in those channels. "
    remedy += "Where only Read Message History lacks there can be, but a deleted promise is not noticed."
    return CheckResult(what, "; ".join(found), remedy)


async def tournaments(client: discord.Client, server: int) -> CheckResult:
    """Check whether tournaments get threads and events on the server's calendar, and return the result. They are played
    in any case.
    """
    guild = await client.fetch_guild(server)
    assert client.user is not None
    rights = (await guild.fetch_member(client.user.id)).guild_permissions
    lacking = [name for name in FOR_TOURNAMENTS if not getattr(rights, name)]
    told = "; ".join(f"tournaments {_WITHOUT[name]}: that takes {FOR_TOURNAMENTS[name]}" for name in lacking)
    return CheckResult(f"server {guild.id}", told or "tournaments have threads of their own and are on its calendar")


def _lacking(channel: _Channel, me: discord.Member) -> Sequence[str]:
    """Return the labels of the permissions that the bot lacks in a channel and in its threads.

    This calls `GuildChannel.permissions_for`. The channel's own `permissions_for` leaves out the permission for files
    if the bot can send no messages to the channel, even if the bot can send files to the threads.
    """
    needed = {name: label for name, label in INVITED.items() if name not in _NOT_NEEDED[type(channel)]}
    return missing(discord.abc.GuildChannel.permissions_for(channel, me), needed)
