"""Hands champions' roles on (R10.8): after a week, a season, a tournament, and if a manager chooses another role."""

from __future__ import annotations

import secrets
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.preferences import reader_of
from cogs.answers.roles import fault_of
from cogs.answers.time_limits import LOST
from cogs.background.chore import GuildChore
from cogs.background.log import MEMBER
from cogs.background.roles import CHAMPIONS as NAMES
from cogs.words import _, reading
from data import CHAMPIONS, NEVER, Championship, Holding, Job, LogLine, next_handover, season_at, week_at
from engine.tables.values import Member

#: Seconds until a server that Discord did not answer about is looked at again.
_RETRY: Final = 60.0
#: The number of low bits of a Discord id, below its time. They are random here, so that two ids of one moment differ.
_BELOW_TIME: Final = 22


class ChampionRoles(GuildChore):
    """The chore that hands on the champions' roles of this process's servers."""

    kind = CHAMPIONS
    failure = "champions' roles are not handed on"

    async def look(self, job: Job, guild: int) -> None:
        """Claim the job, hand on each champion's role, and release the job until the week or the season ends.

        If Discord does not answer, the job is due again in a minute; if no role is chosen, never. Once Discord has
        answered about all champions, the server's log says which roles cannot be given, and why.
        """
        if not await self.claim(job):
            return
        now, settings = self._bot.clock.now(), await self._bank.guilds.settings(guild)
        chosen, reigning = await self._bank.champions.chosen(guild), await self._bank.champions.reigning(guild)
        try:
            each = [(which, chosen.get(which), reigning.get(which)) for which in Championship]
            refusals = [await self._hand_on(guild, *one) for one in each]
        except LOST:
            await self._bank.jobs.release(job.key, self._name, due=now + _RETRY)
        else:
            for refusal in filter(None, refusals):
                await self._bank.notices.add(guild, refusal)
            due = next_handover(guild, now, settings.zone, season_at(now, settings.season).ends_at) if chosen else NEVER
            await self._bank.jobs.rest(job, self._name, job.payload, due=due)

    async def _hand_on(self, guild: int, which: Championship, role: int | None, held: Holding | None) -> LogLine | None:
        """Depose a championship's former champion (`held`), and crown the present one with the chosen role.

        If no role is chosen (None) or there is no champion, only depose. Do nothing if champion and role are still the
        same. Return the line that says why the champion cannot get the role, or None.

        Jobs take and give the roles themselves later. Raises one of the errors in `LOST` if Discord does not describe
        the server, or does not say whether the champion is still on it.
        """
        champion = await self._champion(guild, which) if role is not None else None
        if held is not None and champion is not None and (held.member, held.role) == (champion.id, role):
            return None
        if held is not None:
            await self._bank.champions.depose(held)
        if champion is not None and role is not None:
            return await self._crown(champion, which, role)
        return None

    async def _champion(self, guild: int, which: Championship) -> Member | None:
        now, settings = self._bot.clock.now(), await self._bank.guilds.settings(guild)
        ended = season_at(now, settings.season).before
        return await self._bank.champions.champion(guild, which, week_at(now, settings.zone), ended.name)

    async def _crown(self, champion: Member, which: Championship, role: int) -> LogLine | None:
        """Store that a champion gets a role and return None, or return the line that says why they cannot get it.

        Do nothing if they have it already: a manager gave it, and the bot does not take it back.
        """
        server = self._bot.described(champion.guild)
        if server is None:
            raise ConnectionError("Discord does not describe the server")
        member = await _member(server, champion.user)
        if member is not None and member.get_role(role) is not None:
            return None
        with reading(await reader_of(self._bot, champion.guild)):
            gone = _("They are not on this server any more.")
            fault = fault_of(server, server.get_role(role)) if member is not None else gone
            values = {"member": MEMBER, "role": role, "champion": _(NAMES[which])}
            crowned = _("🏆 {champion}: {member} gets <@&{role}>", **values)
            refused = _("⚠️ {champion}: {member} cannot be given <@&{role}>. {why}", why=fault, **values)
        if fault:
            return LogLine(refused, member=champion.id)
        number = discord.utils.time_snowflake(discord.utils.utcnow()) | secrets.randbits(_BELOW_TIME)
        await self._bank.champions.crown(champion, which, role, number, LogLine(crowned, member=champion.id))
        return None


async def _member(server: discord.Guild, user: int) -> discord.Member | None:
    try:
        return await server.fetch_member(user)
    except discord.NotFound:
        return None


async def setup(bot: Casino) -> None:
    await bot.add_cog(ChampionRoles(bot, bot.bank.champions.every))
