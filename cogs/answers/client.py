"""The bot's class as commands and buttons know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from cogs.answers.clickable import CommandLinks
    from cogs.answers.door import Pace
    from cogs.answers.forms import Form
    from cogs.answers.preferences import Names
    from cogs.answers.press import Press
    from cogs.answers.reply import Uploads
    from cogs.coach.grader import Grader
    from cogs.table.caller import Caller
    from cogs.table.emoji import CardEmoji
    from cogs.table.presentation import Aside
    from cogs.table.presenter import Presenter
    from cogs.tournament.announcer import DiscordAnnouncer
    from data import Bank
    from engine.coach import Coach
    from engine.tables.open_tables import OpenTables
    from engine.tables.ports import Clock, Shuffle
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
    def age_restricted(self) -> bool: ...
    @property
    def archive_days(self) -> int: ...
    @property
    def forget_servers_days(self) -> int: ...
    @property
    def backup_hours(self) -> float: ...
    @property
    def backups_kept(self) -> int: ...
    @property
    def backup_folder(self) -> str: ...


class Casino(commands.AutoShardedBot):
    """The bot as cogs know it. The class in `bot.py`, which no cog imports, derives from this one."""

    settings: OperatorSettings
    bank: Bank
    registry: OpenTables
    presenter: Presenter
    caller: Caller
    director: Director
    announcer: DiscordAnnouncer
    clock: Clock
    shoe: Shuffle
    names: Names
    command_links: CommandLinks
    pace: Pace
    emoji: CardEmoji
    #: The kinds of buttons and forms that are served (`take_up`).
    presses: list[type[Press]]
    forms: list[type[Form]]
    #: The odds and the warnings: each may answer a press at a table in private before the table sees it.
    asides: tuple[Aside, ...]
    #: The operator's own links, None where none is set.
    policy_url: str | None
    support_url: str | None
    #: The coach, or None if the operator switched it off.
    coach: Coach | None
    grader: Grader | None
    #: The durations of the latest answers with files.
    uploads: Uploads

    def described(self, guild: int) -> discord.Guild | None:
        """Return a server with its roles, channels and rights, or None while Discord does not describe it.

        The result is None at first after each sign-in, during an outage, and for a server that the bot is not on.
        """
        server = self.get_guild(guild)
        return None if server is None or server.unavailable else server

    def reaches(self, guild: int) -> bool:
        """Return whether messages on this server can be sent and edited: its shard is connected."""
        raise NotImplementedError

    def takes_care_of(self, guild: int) -> bool:
        """Return whether the guild is on a shard of this process: then its tables are in this process too."""
        return self.shard_ids is None or (guild >> 22) % (self.shard_count or 1) in self.shard_ids


Interaction: TypeAlias = discord.Interaction[Casino]
#: A person named in an option. By id, members can also name somebody who has left.
Someone: TypeAlias = discord.Member | discord.User
