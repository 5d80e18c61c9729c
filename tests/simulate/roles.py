"""Roles as Discord has them: who has which, what it refuses, and what it does although its answer is lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import discord

from cogs.background.champions import ChampionRoles
from cogs.background.role_chore import RoleChore
from data import Bank, Championship, Ware
from engine.games.contract import CHIP
from tests.simulate.messages import Line, Port

#: Roles for good and for some time, and that of the champions of tournaments.
WARES: Final = (Ware(901, 20 * CHIP), Ware(902, 30 * CHIP, 600.0), Ware(903, 10 * CHIP, 120.0))
CHAMPION: Final = 910
#: Seconds after which every role that is not for good is over.
LONGEST_ROLE: Final = 700.0


@dataclass(frozen=True, order=True)
class Role:
    """A role without permissions, below the bot's own."""

    id: int

    managed = False
    permissions = discord.Permissions.none()
    guild = SimpleNamespace(channels=())  # no channel gives it more

    @property
    def mention(self) -> str:
        return f"<@&{self.id}>"

    def is_default(self) -> bool:
        return False

    is_bot_managed = is_premium_subscriber = is_integration = is_default


@dataclass
class Person:
    """A member of a server, as it answers when it is asked for them."""

    line: Line
    guild: int
    id: int

    @property
    def roles(self) -> list[Role]:
        return [Role(role) for guild, user, role in self.line.server.roles if (guild, user) == (self.guild, self.id)]

    def get_role(self, number: int) -> Role | None:
        return next((role for role in self.roles if role.id == number), None)

    async def add_roles(self, role: Role, *, reason: str) -> None:
        await self.line.changes_role((self.guild, self.id, role.id), has=True)

    async def remove_roles(self, role: Role, *, reason: str) -> None:
        await self.line.changes_role((self.guild, self.id, role.id), has=False)


class Guild:
    """All that the roles' chores ask a server for."""

    features: tuple[str, ...] = ()
    preferred_locale = discord.Locale.american_english
    default_role = SimpleNamespace(permissions=discord.Permissions.none())
    me = SimpleNamespace(guild_permissions=discord.Permissions(manage_roles=True), top_role=Role(10**6))

    def __init__(self, line: Line, number: int) -> None:
        self._line, self.id = line, number

    def get_role(self, number: int) -> Role:
        return Role(number)

    async def fetch_member(self, user: int) -> Person:
        await self._line.asks_for_member()
        return Person(self._line, self.id, user)


class Chores:
    """The two chores of one process, which knows its own server only."""

    def __init__(self, bank: Bank, line: Line, clock: Any, guild: int) -> None:
        port, there = Port(line, bank), Guild(line, guild)
        bot: Any = SimpleNamespace(
            bank=bank, clock=clock, names=port.names, emoji=port.emoji, command_links=port.command_links,
            get_guild=lambda number: there if number == guild else None,
            described=lambda number: there if number == guild else None,
        )  # fmt: skip
        self._chores: Iterable[Any] = (ChampionRoles(bot, 10.0), RoleChore(bot, 10.0))
        for chore in self._chores:
            chore._name = f"the chores of {guild}"  # the same in every run

    async def do(self) -> None:
        for chore in self._chores:
            await chore.do()


async def open_shop(bank: Bank, guild: int) -> None:
    """Sell roles, and have one for the champion of tournaments."""
    for ware in WARES:
        await bank.shop.offer(guild, ware)
    await bank.champions.choose(guild, Championship.TOURNAMENT, CHAMPION)
