"""What the commands and buttons need of the bot they run in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

import discord

from engine.tables.ports import Clock, Member
from engine.tables.registry import Registry

if TYPE_CHECKING:
    from cogs.answers.pace import Pace
    from cogs.coach.grader import Grader
    from cogs.table.emoji import CardEmoji
    from cogs.table.presenter import Presenter
    from cogs.table.style import Names
    from cogs.tournament.announcer import DiscordAnnouncer
    from data import Bank
    from engine.coach import Coach
    from engine.tournament.director import Director


class Casino(Protocol):
    bank: Bank
    registry: Registry
    presenter: Presenter
    director: Director
    announcer: DiscordAnnouncer
    clock: Clock
    names: Names
    pace: Pace
    emoji: CardEmoji
    #: None where the operator switched it off.
    coach: Coach | None
    grader: Grader | None


def casino_of(interaction: discord.Interaction[Any]) -> Casino:
    """The bot is made in `bot.py`, which knows us and not the other way round."""
    return cast(Casino, interaction.client)


async def member_of(interaction: discord.Interaction[Any]) -> Member:
    """Whoever typed or pressed, as the bank knows them. Their first time here opens their account."""
    assert interaction.guild_id is not None
    return await casino_of(interaction).bank.members.sign_in(interaction.guild_id, interaction.user.id)
