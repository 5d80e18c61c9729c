"""Tournaments as events on the server's calendar, where the bot may create events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import discord

from cogs.answers import calendar
from cogs.answers.calendar import EventStage, PlannedEvent
from cogs.tournament import pages
from engine.sets.duels import RUNS_FOR
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

#: The planned length, which Discord asks for with events outside voice channels: at tables, and with the same cards for
#: all. The tournament's end ends the event sooner.
AT_TABLES: Final = timedelta(hours=3)
SAME_CARDS: Final = timedelta(seconds=RUNS_FOR)

_STAGES: Final[Mapping[TournamentPhase, EventStage]] = {
    TournamentPhase.SIGN_UP: EventStage.COMING,
    TournamentPhase.CLOSED: EventStage.RUNNING,
    TournamentPhase.PLAYING: EventStage.RUNNING,
    TournamentPhase.OVER: EventStage.OVER,
    TournamentPhase.CANCELLED: EventStage.OVER,
}


async def keep(guild: discord.Guild, view: TournamentView) -> int | None:
    """Create or update the event, start and end it with the tournament, and return the id to store for it.

    If there is no event and none can be created, return what is stored already. There is none before the sign-up
    message is posted, because the event's place is the link to it.
    """
    state = view.state
    if state.message is None:
        return state.event
    lasts = SAME_CARDS if view.hands else AT_TABLES
    plan = PlannedEvent(
        *(pages.heading(view), pages.terms(view), state.starts, lasts, pages.address(state)),
        stage=_STAGES[view.phase],
        event=state.event,
    )
    return await calendar.keep(guild, plan)
