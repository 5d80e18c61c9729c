"""The examination from beginning to end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import discord
from discord.ext import commands

from cogs.doctor import discord_side, machine
from cogs.doctor.findings import Finding
from engine.tables.ports import Clock


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined. Without a token nothing is asked of Discord."""

    client: commands.AutoShardedBot
    clock: Clock
    token: str | None
    database: str
    shard_count: int | None
    server: int | None = None


async def examine(patient: Patient) -> AsyncIterator[Finding]:
    """One finding after the other, as they come."""
    yield machine.versions()
    yield machine.disk(patient.database)
    async for finding in machine.database(patient.database, patient.clock):
        yield finding
    if patient.token is None:
        yield Finding("token", "none is set", "Put DISCORD_TOKEN into .env; without it there is only the playground.")
        return
    yield await machine.clock()
    try:
        await patient.client.login(patient.token)
    except discord.LoginFailure:
        yield Finding("token", "Discord does not know it", "Copy it anew from the developer portal into .env.")
        return
    except (discord.HTTPException, OSError) as error:
        yield Finding("Discord", f"it cannot be reached: {error}", "Look at this machine's network and firewall.")
        return
    async for finding in signed_in(patient):
        yield finding


async def signed_in(patient: Patient) -> AsyncIterator[Finding]:
    """What is asked of Discord itself."""
    yield Finding("token", f"signed in as {patient.client.user}; no privileged intent is needed")
    yield await discord_side.shards(patient.client, patient.shard_count)
    yield await discord_side.commands(patient.client.tree)
    yield await discord_side.card_emoji(patient.client)
    async for finding in discord_side.servers(patient.client, patient.server):
        yield finding
