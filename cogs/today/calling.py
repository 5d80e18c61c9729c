"""The role that the message about Today's five calls, and the key that gives it to members and takes it back."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import ClassVar

import discord

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.here import here, member_of
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.answers.roles import fault_of
from cogs.care.away import refuse_away
from cogs.words import _
from cogs.words.refusals import Sorry
from data import RoleInUse


async def fault_of_called(casino: Casino, guild: discord.Guild, number: int) -> str:
    """Return the sentence that says why the message does not call this role, or an empty text if it does.

    Anybody may take the called role, so it must bring no permissions, and be neither sold nor a champion's.
    """
    role = guild.get_role(number)
    if (fault := fault_of(guild, role)) or role is None:
        return fault
    if not role.mentionable:
        return _("{role} can't be mentioned: allow that in Server Settings › Roles.", role=role.mention)
    if any(channel.overwrites_for(role).pair()[0].value for channel in guild.channels):
        return _("{role} may do more than @everyone in some channels, and anybody could take it.", role=role.mention)
    if number in {ware.role for ware in await casino.bank.shop.wares(guild.id)}:
        return _("{role} is for sale in `/shop`, and anybody could take it for free.", role=role.mention)
    if number in (await casino.bank.champions.chosen(guild.id)).values():
        return _("{role} is for a champion, and anybody could take it for free.", role=role.mention)
    return ""


async def refuse_called(interaction: Interaction, role: int) -> None:
    """Refuse another use of the role that the message calls: anybody may take that one for free."""
    post = (await interaction.client.bank.guilds.settings(here(interaction).guild)).day_post
    if post is not None and post.role == role:
        raise RoleInUse(str(role))


async def called(casino: Casino, guild: int) -> discord.Role | None:
    """Return the role that a server's message calls.

    None if none was chosen, if the chosen one is gone or must not be called, or while Discord does not describe the
    server.
    """
    there, role = await _chosen(casino, guild)
    if there is None or role is None or await fault_of_called(casino, there, role.id):
        return None
    return role


async def _chosen(casino: Casino, guild: int) -> tuple[discord.Guild | None, discord.Role | None]:
    there, post = casino.described(guild), (await casino.bank.guilds.settings(guild)).day_post
    role = post.role if post is not None else None
    return there, there.get_role(role) if there is not None and role is not None else None


class TellKey(Press, template=r"today:tell"):
    """The key that gives the presser the role that the message about Today's five calls, or takes it back.

    People on a break from everything do not get it.
    """

    stands: ClassVar[Stands] = Stands.OPENLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        casino, member = interaction.client, interaction.user
        guild, role = await _chosen(casino, here(interaction).guild)
        if guild is None or role is None or not isinstance(member, discord.Member):
            raise Sorry(_("This server doesn't ping anybody for Today's five now."))
        if member.get_role(role.id) is not None:
            await _asked(member.remove_roles(role))
            await reply.say(_("All right, I won't ping you any more."))
            return
        if await fault_of_called(casino, guild, role.id):
            raise Sorry(_("This server doesn't ping anybody for Today's five now."))
        await refuse_away(interaction)
        await member_of(interaction)  # an account, by which a break that begins elsewhere finds this server
        await _asked(member.add_roles(role))
        await reply.say(_("From now on I'll ping you here for every new five. Press again and I'll stop."))


async def _asked(request: Awaitable[None]) -> None:
    """Wait for a request to Discord. Raise Sorry if Discord refuses it."""
    try:
        await request
    except (discord.Forbidden, discord.NotFound) as error:
        raise Sorry(_("Discord refused that. Nothing was changed.")) from error
