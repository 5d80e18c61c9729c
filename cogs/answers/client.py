"""The bot's class as commands and buttons know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from cogs.answers.door import Pace
    from cogs.answers.preferences import Names
    from cogs.coach.grader import Grader
    from cogs.table.caller import Caller
    from cogs.table.emoji import CardEmoji
    from cogs.table.presenter import Presenter
    from cogs.tournament.announcer import DiscordAnnouncer
    from data import Bank
    from engine.coach import Coach
    from engine.tables.open_tables import OpenTables
    from engine.tables.ports import Clock
    from engine.tables.values import Member
    from engine.tournament.director import Director


class OperatorSettings(Protocol):
    """The operator's settings that cogs read (`settings.py`)."""

    @property
    def database_url(self) -> str: ...
    @property
    def playground_database_url(self) -> str: ...
    @property
    def coach(self) -> bool: ...
    @property
    def card_emoji(self) -> bool: ...
    @property
    def archive_days(self) -> int: ...
    @property
    def backup_hours(self) -> float: ...
    @property
    def backups_kept(self) -> int: ...
    @property
    def backup_folder(self) -> str: ...


class Casino(commands.AutoShardedBot):
    """The bot as cogs know it. `bot.py` makes it, and no cog imports `bot.py`."""

    settings: OperatorSettings
    bank: Bank
    registry: OpenTables
    presenter: Presenter
    caller: Caller
    director: Director
    announcer: DiscordAnnouncer
    clock: Clock
    names: Names
    pace: Pace
    emoji: CardEmoji
    #: The operator's own links, None where none is set.
    policy_url: str | None
    support_url: str | None
    #: The coach, or None if the operator switched it off.
    coach: Coach | None
    grader: Grader | None


Interaction: TypeAlias = discord.Interaction[Casino]
#: A person named in an option. By id, members can also name somebody who has left.
Someone: TypeAlias = discord.Member | discord.User


async def member_of(interaction: Interaction) -> Member:
    """Return the member who typed or pressed. Their first time on a server opens their account."""
    assert interaction.guild_id is not None
    return await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)
