"""Creates and updates events on a server's calendar, where the bot has the permission for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Any, Final

import discord

_OPEN: Final = frozenset({discord.EventStatus.scheduled, discord.EventStatus.active})


class EventStage(Enum):
    """The stages of the tournament or the reset that an event announces."""

    COMING = auto()
    RUNNING = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event as it should be on the calendar."""

    name: str
    description: str
    starts: float  # seconds since 1970
    lasts: timedelta
    place: str  # a link that no other event of the bot has
    stage: EventStage
    #: The event's id at Discord as it is stored: None if none was tried yet, 0 if none could be created.
    event: int | None

    @property
    def facts(self) -> dict[str, Any]:
        """The event as keyword arguments of discord.py, for creating or editing it."""
        starts = datetime.fromtimestamp(self.starts, UTC)
        times = {"start_time": starts, "end_time": starts + self.lasts}
        return {"name": self.name, "description": _plain(self.description), "location": self.place, **times}


def _plain(text: str) -> str:
    """Return a text without its marks for bold, code and small print, which a calendar would show as characters."""
    return re.sub(r"\*\*|`|^-# ", "", text, flags=re.MULTILINE)


async def keep(guild: discord.Guild, plan: PlannedEvent) -> int | None:
    """Make the calendar match this plan: create, update, start, cancel or end the event, if the bot may.

    Return the id to store for the event. If a manager deleted the event, it is not created again and keeps its id.
    If there never was an event, return `plan.event` as it is: None lets a later call create one, 0 does not.
    """
    rights = guild.me.guild_permissions
    if not (rights.create_events or rights.manage_events):
        return plan.event
    event = await _found(guild, plan)
    if plan.stage is EventStage.COMING:
        return await _planned(guild, plan, event)
    if event is not None and event.status in _OPEN:
        await _follow(event, plan.stage)
    return event.id if event is not None else plan.event


async def _found(guild: discord.Guild, plan: PlannedEvent) -> discord.ScheduledEvent | None:
    """Return the plan's event, or None if it was deleted or never created.

    Without a stored id, look for the plan's link among the bot's events: one may exist whose id could not be stored.
    """
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
    """Start or end an event, as this stage asks. One that is over before it was started is cancelled."""
    scheduled = event.status is discord.EventStatus.scheduled
    match stage:
        case EventStage.RUNNING if scheduled:
            await event.start()
        case EventStage.OVER if scheduled:
            await event.cancel()
        case EventStage.OVER:
            await event.end()
