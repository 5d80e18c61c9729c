"""The notice of a restart: every table in mid-hand says that its hand goes on afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from cogs.answers.client import Casino
from cogs.answers.kept import attached
from cogs.answers.naming import naming
from cogs.answers.preferences import reader_of
from cogs.answers.time_limits import LOST
from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import _, reading
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: The most messages that are edited in a second. Discord allows 50 requests, and a few are left for other answers.
A_SECOND: Final = 40.0


async def tell_tables(bot: Casino, tables: Sequence[Table], *, within: float) -> int:
    """Show the notice at those of the tables that are in mid-hand and have a message. Return how many surely show it.

    It takes at most `within` seconds. Tables without the notice go on after the restart too: the journal has them all.
    """
    waiting = [table for table in tables if table.state.phase is TablePhase.PLAYING and table.state.message is not None]
    tellings: list[asyncio.Task[bool]] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within):
            for table in waiting:
                tellings.append(asyncio.create_task(_tell(bot, table)))
                await asyncio.sleep(1 / A_SECOND)
            await asyncio.gather(*tellings)
    for telling in tellings:
        telling.cancel()
    told = sum(done is True for done in await asyncio.gather(*tellings, return_exceptions=True))
    log.info("%d of %d tables in mid-hand were told of the restart", told, len(waiting))
    return told


async def _tell(bot: Casino, table: Table) -> bool:
    state = table.state
    assert state.message is not None
    message = bot.get_partial_messageable(state.channel, guild_id=state.guild).get_partial_message(state.message)
    try:
        view = await _paused(bot, table)
        view.stop()
        kept = attached(None, bot.presenter.kept(table))
        await message.edit(view=view, allowed_mentions=naming(view), **kept)
    except LOST as error:
        log.info("table %s was not told of the restart: %s", table.id, error)
        return False
    return True


async def _paused(bot: Casino, table: Table) -> discord.ui.LayoutView:
    """Return the message of a table as it stands, with the notice above its lines. Its picture stays."""
    snapshot = table.snapshot()
    with reading(await reader_of(bot, snapshot.guild, snapshot.owner, opened_in=snapshot.language)):
        page = presented(snapshot).page_of(snapshot)
        news = _(
            "**The casino is restarting.** This hand goes on in a moment with the same cards, and "
            "the player whose turn it is gets at least another minute."
        )
        return components.build(replace(page, groups=((news,), *page.groups)), snapshot)
