"""What the commands and buttons need of the bot they run in."""

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
    """The bot as cogs know it. It is made in `bot.py`, which knows us and not the other way round."""

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
    #: None where the operator switched it off.
    coach: Coach | None
    grader: Grader | None


Interaction: TypeAlias = discord.Interaction[Casino]
#: Whom an option for people may hold: Discord lets members also choose somebody who has left, by their id.
Someone: TypeAlias = discord.Member | discord.User


async def member_of(interaction: Interaction) -> Member:
    """Whoever typed or pressed, as the bank knows them. Their first time here opens their account."""
    assert interaction.guild_id is not None
    return await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)
