"""Finds the open day and a person's try of a day, and plays their presses. A try is stored before it is shown."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final, NamedTuple

from cogs.answers.client import Casino, Interaction
from cogs.care.away import refuse_away
from cogs.coach.asking import coach_of
from cogs.words import _, when
from cogs.words.refusals import Sorry
from data import Board, OutdatedTry, StoredSet, StoredTry
from engine.coach import CoachGone, Urgency, prepare_day
from engine.sets.calendar import closes, day_at, public_from
from engine.sets.shares import Counts
from engine.sets.streaks import Streak
from engine.sets.tries import Try

#: Seconds to wait for a day that is not prepared yet.
PATIENCE: Final = 45.0


class Playing(NamedTuple):
    """A person's try of a day."""

    day: StoredSet
    stored: StoredTry  # the try as the bank has it
    found: Try  # the same try as the engine plays it

    @classmethod
    def of(cls, day: StoredSet, stored: StoredTry) -> Playing:
        """Return a stored try together with its state as the engine plays it."""
        return cls(day, stored, stored.on(day))


async def prepare(casino: Casino, urgency: Urgency = Urgency.LATER) -> None:
    """Prepare the days that are missing up to the day after tomorrow. Raises CoachGone, or Sorry without a coach."""
    ask = partial(coach_of(casino).ask, urgency=urgency)
    while (missing := await casino.bank.days.to_prepare()) is not None:
        prepared = await prepare_day(ask, missing.day, missing.seed, missing.asked_before)
        await casino.bank.days.keep(missing, prepared)


async def open_day(casino: Casino) -> StoredSet:
    """Return the day that is open now. Prepare it, and the next two, if nobody has done so yet.

    Raise Sorry if that takes too long or needs a coach that is not there, or if today has no hands.
    """
    day = await casino.bank.days.today()
    if day is not None:
        return day
    try:
        async with asyncio.timeout(PATIENCE):
            await prepare(casino, Urgency.PERSON)
    except (TimeoutError, CoachGone) as error:
        raise Sorry(_("Today's five are still being prepared. Try again in a moment.")) from error
    day = await casino.bank.days.today()
    if day is None:
        raise await _nothing_today(casino)
    return day


async def _nothing_today(casino: Casino) -> Sorry:
    """Return the refusal for a day without hands: before day 1, or made void by a restore."""
    today, first = day_at(casino.clock.now()), await casino.bank.days.first_day()
    tomorrow = when(closes(today))
    if first is not None and first > today:
        return Sorry(_("Today's five open here for the first time {when}. Until then: `/train`", when=tomorrow))
    return Sorry(_("There are no five hands today. The next ones open {when}.", when=tomorrow))


async def find(interaction: Interaction, day: StoredSet, *, archive: bool = False) -> Playing | None:
    """Return the person's try of a day, or None if they have not begun one.

    `archive` asks for the try of a past day, which brings no points.
    """
    tries = interaction.client.bank.tries
    person = await tries.known(interaction.user.id)
    stored = await tries.find(day, person, archive=archive) if person is not None else None
    return Playing.of(day, stored) if stored is not None else None


async def look(interaction: Interaction, day: StoredSet, *, archive: bool = False) -> Playing | None:
    """Return the person's try of a day, or None if they have not begun one.

    Put them on this server's board if the try may bring points. `archive` asks for the try of a past day, which brings
    none.
    """
    found = await find(interaction, day, archive=archive)
    if found is not None:
        await _stand(interaction, day, found.stored)
    return found


async def begin(interaction: Interaction, day: StoredSet, *, archive: bool = False) -> Playing:
    """Return the person's try of a day, begun now if there is none.

    Put them on this server's board if the try may bring points. `archive` asks for the try of a past day, which brings
    none. A person on a break from everything cannot begin a try: then raise Sorry. Raise also what `Tries.begin` raises
    or, for a past day, `Tries.begin_later`.
    """
    if (found := await look(interaction, day, archive=archive)) is not None:
        return found
    await refuse_away(interaction)
    tries = interaction.client.bank.tries
    stored = await (tries.begin_later if archive else tries.begin)(day, interaction.user.id)
    await _stand(interaction, day, stored)
    return Playing.of(day, stored)


async def again(interaction: Interaction, playing: Playing, version: int) -> Playing:
    """Start a finished try of a past day over, and return it. An outdated press (`version`) changes nothing.

    Raise Sorry for somebody on a break from everything.
    """
    if playing.stored.version != version or not playing.found.over:
        return playing
    await refuse_away(interaction)
    try:
        stored = await interaction.client.bank.tries.again(playing.stored)
    except OutdatedTry:
        return await find(interaction, playing.day, archive=True) or playing
    return Playing.of(playing.day, stored)


async def _stand(interaction: Interaction, day: StoredSet, stored: StoredTry) -> None:
    if (
        interaction.guild_id is not None
        and not stored.archive
        and interaction.client.clock.now() < public_from(day.day)
    ):
        await interaction.client.bank.tries.stand(day, stored.person, interaction.guild_id)


async def press(interaction: Interaction, playing: Playing, version: int, action: str) -> Playing:
    """Store the try after a press, and return it. A press that is out of date or not allowed changes nothing.

    Raises DayClosed if the time of the try is over.
    """
    if playing.stored.version != version or playing.found.refusal(action) is not None:
        return playing
    after = playing.found.pressed(action, playing.day.shoes)
    try:
        stored = await interaction.client.bank.tries.press(playing.stored, after)
    except OutdatedTry:
        return await find(interaction, playing.day, archive=playing.stored.archive) or playing
    return Playing(playing.day, stored, after)


async def unfinished_yesterday(interaction: Interaction) -> Playing | None:
    """Return the person's try of yesterday if it is unfinished and there is still time to finish it, or None."""
    now = interaction.client.clock.now()
    yesterday = day_at(now) - 1
    if now >= public_from(yesterday):
        return None
    day = await interaction.client.bank.days.on(yesterday)
    playing = await find(interaction, day) if day is not None else None
    return playing if playing is not None and not playing.found.over else None


class DayResult(NamedTuple):
    """The facts that are shown with a finished try."""

    board: Board | None  # None outside of a server, and for a try without points
    streak: Streak
    counts: Counts | None  # the choices of all people; None while they are too few


async def result(interaction: Interaction, playing: Playing) -> DayResult:
    """Return the facts that are shown with a finished try: the person's place and streak, and what all people chose."""
    bank, person = interaction.client.bank, playing.stored.person
    board = None
    if interaction.guild_id is not None and not playing.stored.archive:
        board = await bank.boards.of_day(interaction.guild_id, playing.day, person=person)
    streak = await bank.boards.streak(person, resting=await bank.breaks.days(interaction.user.id))
    return DayResult(board, streak, await bank.boards.shares(playing.day))
