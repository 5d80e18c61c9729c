"""Roles on Discord that people buy and win: giving and taking them."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.answers.roles import fault_of
from cogs.answers.time_limits import LOST
from cogs.background.chore import CLAIM
from cogs.background.log import MEMBER
from cogs.words import N_, _, counted, reading
from data import NEVER, Championship, Holding, Job, LogLine, Sold, TakenOver

_log = logging.getLogger(__name__)

#: The names of the champions in settings and in the log.
CHAMPIONS: Final[Mapping[Championship, str]] = {
    Championship.WEEK: N_("Champion of the week"),
    Championship.SEASON: N_("Champion of the season"),
    Championship.TOURNAMENT: N_("Champion of tournaments"),
}
#: Seconds until a request that failed is tried again.
_RETRY = 60.0


async def settle(casino: Casino, job: Job, name: str) -> Sold | None:
    """Claim a job, give its role or take it back, and return how that ended, or None if that is not known yet.

    `name` is the one under which the caller claims jobs. If Discord refuses to give the role, the price is paid back;
    if it refuses to take it back, the server's log says so. If Discord does not answer, or has not described the
    server, the job is due again in a minute. A role that was given since the job was read stays until its time is over.
    """
    bank = casino.bank
    if job.guild is None or not await bank.jobs.claim(job.key, name, seconds=CLAIM):
        return None
    bought, guild = await bank.shop.holding(job.payload["holding"]), casino.described(job.guild)
    if bought is None or guild is None:
        await bank.jobs.release(job.key, name, due=casino.clock.now() + _RETRY)
        return None
    if bought.state is Sold.HELD and (bought.until is None or casino.clock.now() < bought.until):
        await bank.jobs.release(job.key, name, due=bought.until or NEVER)
        return Sold.HELD
    try:
        if bought.state is Sold.PAID and bought.until is None:
            return await _give(casino, guild, bought, job, name)
        return await _take_back(casino, guild, bought, job, name)
    except LOST as error:
        _log.info("role %s of holding %s: %s, trying again", bought.role, bought.id, error)
        await bank.jobs.release(job.key, name, due=casino.clock.now() + _RETRY)
    except TakenOver:
        _log.info("holding %s is another process's now", bought.id)
    return None


async def _give(casino: Casino, guild: discord.Guild, bought: Holding, job: Job, name: str) -> Sold:
    """Give a role that was paid for or won, or give the price back if that cannot be done, and return how that ended.

    The member is fetched first, because an earlier attempt may have given the role already.
    """
    role, member = guild.get_role(bought.role), await _member(guild, bought)
    why = await _why_not(casino, guild, role, member)
    if not why and role is not None and member is not None and role not in member.roles:
        try:
            await member.add_roles(role, reason=_("bought with chips") if bought.price else _("won as champion"))
        except (discord.Forbidden, discord.NotFound) as error:
            why = error.text
    if why:
        await casino.bank.shop.refund(job, name, await _not_given(casino, bought, why))
        return Sold.REFUNDED
    await casino.bank.shop.given(job, name)
    return Sold.HELD


async def _why_not(
    casino: Casino, guild: discord.Guild, role: discord.Role | None, member: discord.Member | None
) -> str:
    """Return why a member cannot be given a role, in the server's language; an empty text if they can, or have it."""
    with reading(await reader_of(casino, guild.id)):
        if member is None:
            return _("They are not on this server any more.")
        return "" if role is not None and role in member.roles else fault_of(guild, role)


async def _not_given(casino: Casino, bought: Holding, why: str) -> LogLine:
    """Return the line of the log about a role that could not be given."""
    with reading(await reader_of(casino, bought.guild)):
        values = {"member": MEMBER, "role": bought.role, "why": why}
        if bought.price:
            text = _("⚠️ {member} has {price} back instead of <@&{role}>. {why}", price=counted(bought.price), **values)
        else:
            text = _("⚠️ {member} cannot be given <@&{role}>. {why}", **values)
    return LogLine(text, member=bought.member)


async def restore(casino: Casino, member: discord.Member, came: datetime) -> None:
    """Give somebody who left, and is back since `came`, the roles whose time is not over, as far as the bot may.

    A role that Discord refuses to give is left out.
    """
    for each in await casino.bank.shop.lost(member.guild.id, member.id, came.timestamp()):
        role = member.guild.get_role(each.role)
        if role is not None and role not in member.roles and not fault_of(member.guild, role):
            with contextlib.suppress(discord.Forbidden, discord.NotFound):
                await member.add_roles(role, reason=_("had it before they left"))


async def take_from_forgotten(casino: Casino, guild: int, user: int, bought: Sequence[Holding]) -> None:
    """Take back from a forgotten person the roles that they do not have for good, as far as Discord lets the bot.

    It must be done now: when the time of these roles ends, the bank will no longer know whose they are. Only ids are
    used, because Discord may have described the server to another process only.
    """
    for role in sorted({each.role for each in bought if each.until is not None or each.championship is not None}):
        try:
            await casino.http.remove_role(guild, user, role, reason=_("it has expired"))
        except LOST as error:
            _log.warning("a role of somebody who was forgotten on server %s cannot be taken back: %s", guild, error)


async def _take_back(casino: Casino, guild: discord.Guild, bought: Holding, job: Job, name: str) -> Sold:
    """Take back a role whose time is over, and return how that ended. If Discord refuses, the server's log says so.

    A role that was paid for or won but never given is refunded instead.
    """
    role, member, line = guild.get_role(bought.role), await _member(guild, bought), None
    if role is not None and member is not None and role in member.roles:
        try:
            await member.remove_roles(role, reason=_("it has expired"))
        except (discord.Forbidden, discord.NotFound) as error:
            _log.warning("role %s on server %s cannot be taken back: %s", bought.role, guild.id, error)
            line = await _not_taken(casino, bought, error.text)
    if bought.state is Sold.PAID:  # another champion followed before this one had it
        await casino.bank.shop.refund(job, name, line)
        return Sold.REFUNDED
    await casino.bank.shop.ended(job, name, line)
    return Sold.OVER


async def _not_taken(casino: Casino, bought: Holding, why: str) -> LogLine:
    """Return the line of the log about a role that could not be taken back."""
    with reading(await reader_of(casino, bought.guild)):
        values = {"member": MEMBER, "role": bought.role, "why": why}
        text = _("⚠️ <@&{role}> has expired, but I can't take it back from {member}. {why}", **values)
    return LogLine(text, member=bought.member)


async def _member(guild: discord.Guild, bought: Holding) -> discord.Member | None:
    """Return the member who bought or won a role, or None for somebody who left or was forgotten."""
    if bought.user is None:
        return None
    try:
        return await guild.fetch_member(bought.user)
    except discord.NotFound:
        return None
