"""The message about Today's five that a server gets each day."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Casino
from cogs.answers.panel import BRASS, panel
from cogs.today import texts
from cogs.today.boards import OpenBoardKey
from cogs.today.calling import TellKey
from cogs.today.keys import OpenKey
from cogs.words import _, listed, mention, ngettext, number
from data import Board, StoredSet

#: The most people who are named as the best of a day.
_MOST_NAMES: Final = 3
#: Days without a finished try on the server after which the message pauses.
PATIENCE: Final = 3


async def message(casino: Casino, guild: int, day: StoredSet, role: discord.Role | None) -> ui.LayoutView:
    """Return a server's message about the five hands of a day, with keys that open them and the boards.

    The message names the server's best of the day before. If nobody played then, it introduces the new day. If there is
    a `role` to call, the message pings it and has the key that gives it.
    """
    yesterday = await casino.bank.days.on(day.day - 1)
    board = await casino.bank.boards.of_day(guild, yesterday) if yesterday is not None else None
    keys: list[ui.Item[Any]] = [OpenKey.of(), OpenBoardKey.button(_("Board"), day=0)]
    if yesterday is not None:
        keys.insert(1, OpenBoardKey.button(_("Yesterday"), day=yesterday.day))
    if role is not None:
        keys.append(TellKey.button(_("Tell me")))
    text = await _yesterday(casino, guild, board) if board is not None and board.people else texts.intro(day)[0]
    call = role.mention if role is not None else ""
    return panel(listed((texts.name_of(day), day.prepared.terms.name)), text, call, rows=[keys], colour=BRASS)


async def _yesterday(casino: Casino, guild: int, board: Board) -> str:
    best = [each.user for each in board.rows if each.place == 1 and each.user]
    names = ", ".join(map(mention, best[:_MOST_NAMES]))
    if len(best) > _MOST_NAMES:
        names = _("{names} and others", names=names)
    streak = (await casino.bank.boards.server_streak(guild)).days
    parts = [
        _("Yesterday 👑 {points} {names}", points=texts.points(board.rows[0].points), names=names or _("somebody")),
        ngettext("{count} played", "{count} played", board.people),
        _("server streak {days}", days=number(streak)) if streak else "",
    ]
    return listed(filter(None, parts))


async def is_quiet(casino: Casino, guild: int, since: int, today: int) -> bool:
    """Return whether the message pauses: no member has finished today's five or those of the `PATIENCE` days before.

    It does not pause in the `PATIENCE` days after the one on which the server asked for it (`since`).
    """
    return today - since > PATIENCE and not await casino.bank.boards.any_finished(guild, today - PATIENCE, today)
