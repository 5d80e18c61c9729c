"""Refuses odds, training, Today's five and duels, which need no chips, to people who are on a break from everything.

These people, and people who are forgotten, also lose the role that the message about Today's five pings.
"""

from __future__ import annotations

import contextlib

from cogs.answers.client import Casino, Interaction
from cogs.answers.time_limits import LOST
from cogs.words import _
from cogs.words.refusals import Sorry, ends
from engine.tables.ports import BankError


async def refuse_away(interaction: Interaction) -> None:
    """Refuse a person who is on a break from everything (R13.1)."""
    resting = await interaction.client.bank.breaks.of(interaction.user.id)
    if resting.everything is not None:
        until = ends(resting.everything)
        raise Sorry(_("You are taking a break from everything {until}, as you decided in `/settings`.", until=until))


async def call_no_more(interaction: Interaction) -> None:
    """Take the presser out of the role that is pinged about Today's five, on all servers that know the person.

    Where Discord refuses or does not answer, the role stays.
    """
    casino, user = interaction.client, interaction.user.id
    known = {*await casino.bank.privacy.servers(user), *filter(None, [interaction.guild_id])}
    for guild in sorted(known):
        await call_no_more_on(casino, guild, user)


async def call_no_more_on(casino: Casino, guild: int, user: int) -> None:
    """Take a person out of the role that is pinged about Today's five on one server, if bank and Discord answer."""
    with contextlib.suppress(*LOST, BankError):
        post = (await casino.bank.guilds.settings(guild)).day_post
        if post is not None and post.role is not None:
            await casino.http.remove_role(guild, user, post.role)
