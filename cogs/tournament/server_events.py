"""Tournaments as events on the server's calendar, where the bot may create events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord

from cogs.tournament import pages
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

#: The planned length, which Discord wants for events outside voice channels. The tournament's end ends it sooner.
LASTS: Final = timedelta(hours=3)

_OPEN: Final = frozenset({discord.EventStatus.scheduled, discord.EventStatus.active})


async def keep(guild: discord.Guild, view: TournamentView) -> int | None:
    """Create or update the event, start and end it with the tournament, and return its id if there is one."""
    rights = guild.me.guild_permissions
    if not (rights.create_events or rights.manage_events):
        return view.state.event
    event = await _found(guild, view)
    if view.phase is TournamentPhase.SIGN_UP:
        return await _planned(guild, view, event)
    if event is not None and event.status in _OPEN:
        await _follow(event, view.phase)
    return view.state.event


async def _found(guild: discord.Guild, view: TournamentView) -> discord.ScheduledEvent | None:
    """Return the event by its id, or one that was created just before its id could be stored."""
    if view.state.event:
        try:
            return await guild.fetch_scheduled_event(view.state.event, with_counts=False)
        except discord.NotFound:
            return None  # a manager deleted it, and it stays deleted
    ours = [event for event in await guild.fetch_scheduled_events(with_counts=False) if event.creator_id == guild.me.id]
    return next((event for event in ours if event.location == pages.address(view.state)), None)


async def _planned(guild: discord.Guild, view: TournamentView, event: discord.ScheduledEvent | None) -> int | None:
    if event is not None:
        if event.status is discord.EventStatus.scheduled:
            await event.edit(**_facts(view))
        return event.id
    if view.state.event is not None or not guild.me.guild_permissions.create_events:
        return view.state.event
    made = await guild.create_scheduled_event(
        entity_type=discord.EntityType.external, privacy_level=discord.PrivacyLevel.guild_only, **_facts(view)
    )
    return made.id


def _facts(view: TournamentView) -> Mapping[str, Any]:
    starts = datetime.fromtimestamp(view.state.starts, UTC)
    return {
        "name": pages.heading(view),
        "description": _plain(pages.terms(view)),
        "start_time": starts,
        "end_time": starts + LASTS,
        "location": pages.address(view.state),
    }


def _plain(text: str) -> str:
    """Take the markup out: a calendar would show its signs."""
    return re.sub(r"\*\*|`|^-# ", "", text, flags=re.MULTILINE)


async def _follow(event: discord.ScheduledEvent, phase: TournamentPhase) -> None:
    """Start the event when sign-up ends; cancel or end it when the tournament is over."""
    scheduled = event.status is discord.EventStatus.scheduled
    match phase:
        case TournamentPhase.CLOSED | TournamentPhase.PLAYING if scheduled:
            await event.start()
        case TournamentPhase.OVER | TournamentPhase.CANCELLED if scheduled:
            await event.cancel()
        case TournamentPhase.OVER | TournamentPhase.CANCELLED:
            await event.end()
