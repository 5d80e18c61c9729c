"""Events on a server's calendar, where the bot may create them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Any, Final

import discord

_OPEN: Final = frozenset({discord.EventStatus.scheduled, discord.EventStatus.active})


class EventStage(Enum):
    """The stages of what an event announces: a tournament or a reset."""

    COMING = auto()
    RUNNING = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event as it should be on the calendar. Its place is a link that no other event of ours has."""

    name: str
    description: str
    starts: float
    lasts: timedelta
    place: str
    stage: EventStage
    #: The event's id at Discord, once that is stored.
    event: int | None

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of the event, as discord.py takes them."""
        starts = datetime.fromtimestamp(self.starts, UTC)
        times = {"start_time": starts, "end_time": starts + self.lasts}
        return {"name": self.name, "description": _plain(self.description), "location": self.place, **times}


def _plain(text: str) -> str:
    """Return a text without markup, because a calendar shows its signs as they are."""
    return re.sub(r"\*\*|`|^-# ", "", text, flags=re.MULTILINE)


async def keep(guild: discord.Guild, plan: PlannedEvent) -> int | None:
    """Create or update the event, start and end it in time, and return its id if there is one."""
    rights = guild.me.guild_permissions
    if not (rights.create_events or rights.manage_events):
        return plan.event
    event = await _found(guild, plan)
    if plan.stage is EventStage.COMING:
        return await _planned(guild, plan, event)
    if event is not None and event.status in _OPEN:
        await _follow(event, plan.stage)
    return plan.event


async def _found(guild: discord.Guild, plan: PlannedEvent) -> discord.ScheduledEvent | None:
    """Return the event by its id, or one that was created just before its id could be stored."""
    if plan.event:
        try:
            return await guild.fetch_scheduled_event(plan.event, with_counts=False)
        except discord.NotFound:
            return None  # a manager deleted it, and it stays deleted
    ours = [event for event in await guild.fetch_scheduled_events(with_counts=False) if event.creator_id == guild.me.id]
    return next((event for event in ours if event.location == plan.place), None)


async def _planned(guild: discord.Guild, plan: PlannedEvent, event: discord.ScheduledEvent | None) -> int | None:
    if event is not None:
        if event.status is discord.EventStatus.scheduled:
            await event.edit(**plan.facts)
        return event.id
    if plan.event is not None or not guild.me.guild_permissions.create_events:
        return plan.event
    made = await guild.create_scheduled_event(
        entity_type=discord.EntityType.external, privacy_level=discord.PrivacyLevel.guild_only, **plan.facts
    )
    return made.id


async def _follow(event: discord.ScheduledEvent, stage: EventStage) -> None:
    """Bring an event to the status of this stage: start it, cancel it or end it."""
    scheduled = event.status is discord.EventStatus.scheduled
    match stage:
        case EventStage.RUNNING if scheduled:
            await event.start()
        case EventStage.OVER if scheduled:
            await event.cancel()
        case EventStage.OVER:
            await event.end()
