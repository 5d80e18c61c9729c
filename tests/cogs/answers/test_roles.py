"""The roles that the bot gives to nobody, and the channels that a role opens."""

from __future__ import annotations

from typing import Any

import discord

from cogs.answers.roles import fault_of, opens

from ..conftest import Casino

GOLD = 4_000_000_000_000_000_000


def role_of(casino: Casino, **values: Any) -> discord.Role:
    """A role as Discord describes it, right above @everyone."""
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    data: Any = {"id": GOLD, "name": "Gold", "permissions": "0", "position": 1, "color": 0, **values}
    return discord.Role(guild=server, state=server._state, data=data)


OTHERS = "belongs to Discord, a bot or an integration."
POWERFUL = "has permissions that @everyone lacks. I give no such role."


async def test_r10_8_a_role_that_is_not_the_servers_own_or_gives_power_is_given_to_nobody(casino: Casino) -> None:
    for values, why in (
        ({}, ""),
        ({"managed": True}, OTHERS),
        ({"tags": {"bot_id": "1"}}, OTHERS),
        ({"tags": {"integration_id": "1"}}, OTHERS),
        ({"tags": {"premium_subscriber": None}}, OTHERS),
        ({"permissions": str(discord.Permissions(manage_messages=True).value)}, POWERFUL),
        ({"position": 1_000}, "stands above my own role in Server Settings › Roles."),
    ):
        role = role_of(casino, **values)
        assert fault_of(role.guild, role) == (f"<@&{GOLD}> {why}" if why else "")
    assert fault_of(role.guild, None) == fault_of(role.guild, role.guild.default_role) == "That role is gone."


async def test_r10_8_a_role_that_a_channel_gives_power_is_given_to_nobody(casino: Casino) -> None:
    rights = {"mention_everyone": POWERFUL, "manage_messages": POWERFUL, "view_channel": "", "send_messages": ""}
    server = role_of(casino).guild
    for right, why in rights.items():
        gold, given = casino.guild.create_role(right), discord.PermissionOverwrite(**{right: True})
        casino.guild.create_text_channel(right, overwrites={gold: given})
        assert fault_of(server, server.get_role(gold.id)) == (f"<@&{gold.id}> {why}" if why else "")


async def test_twenty_of_the_channels_that_a_role_opens_are_named(casino: Casino) -> None:
    gold, sees = casino.guild.create_role("Gold"), discord.PermissionOverwrite(view_channel=True)
    made = [casino.guild.create_text_channel(f"room-{n}", overwrites={gold: sees}) for n in range(21)]
    role = role_of(casino).guild.get_role(gold.id)
    assert role is not None
    assert opens(role) == ", ".join(f"<#{each.id}>" for each in made[:20])
