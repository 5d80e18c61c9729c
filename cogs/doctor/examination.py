"""Runs all checks of the doctor, from first to last."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import discord
from discord.ext import commands

from cogs.answers.time_limits import LOST
from cogs.doctor import discord_side, machine
from cogs.doctor.results import CheckResult
from cogs.doctor.trial import trial
from engine.tables.ports import Clock


@dataclass(frozen=True, slots=True)
class Patient:
    """The bot and its settings under examination. Without a token, Discord is not asked."""

    client: commands.AutoShardedBot
    clock: Clock
    token: str | None
    database: str
    shard_count: int | None
    #: The only server to check, if one is named.
    server: int | None = None
    #: The channel in which a message is tried, if one is named.
    channel: int | None = None
    #: A sentence for each invalid setting, by the setting's name.
    wrong: Mapping[str, str] = field(default_factory=dict)


async def examine(patient: Patient) -> AsyncIterator[CheckResult]:
    """Yield the results of all checks, one by one. This signs the client in, and the caller closes it.

    The checks end early without a token, and if Discord refuses it, cannot be reached or stops answering.
    """
    for sentence in patient.wrong.values():
        yield CheckResult("settings", sentence, "Correct it in .env or in the environment; .env.example explains it.")
    yield machine.versions()
    yield machine.disk(patient.database)
    async for result in machine.database(patient.database, patient.clock):
        yield result
    if patient.token is None:
        if "discord_token" not in patient.wrong:
            yield CheckResult(
                "token", "none is set: the bot opens the playground; for Discord, put DISCORD_TOKEN into .env"
            )
        return
    yield await machine.clock()
    try:
        await patient.client.login(patient.token)
    except discord.LoginFailure:
        yield CheckResult("token", "Discord does not know it", "Copy it again from the developer portal into .env.")
        return
    except (*LOST, OSError) as error:
        yield CheckResult("Discord", f"it cannot be reached: {error}", "Check this machine's network and firewall.")
        return
    try:
        async for result in signed_in(patient):
            yield result
    except LOST as error:
        yield CheckResult("Discord", f"it stopped answering: {error!r}", "Try again in a few minutes.")


async def signed_in(patient: Patient) -> AsyncIterator[CheckResult]:
    """Yield the results of the checks that need a sign-in at Discord. A message is tried only if a channel is named."""
    yield CheckResult("token", f"signed in as {patient.client.user}; no privileged intent is needed")
    yield await discord_side.shards(patient.client, patient.shard_count)
    yield await discord_side.commands(patient.client.tree)
    yield await discord_side.card_emoji(patient.client)
    async for result in discord_side.servers(patient.client, patient.server):
        yield result
    if patient.channel is not None:
        async for result in trial(patient.client, patient.channel):
            yield result
