"""A warning for members who want one, shown once before a play that costs more than a little."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, Final
from weakref import WeakKeyDictionary

from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.panel import FELT, panel
from cogs.answers.preferences import preferences
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.coach.odds_text import HandOdds, odds_of, tell
from cogs.coach.stats_text import called
from cogs.table import people
from cogs.table.door import at_table, link
from cogs.table.keys import ODDS
from cogs.table.page import Pressed
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.coach import Asker
from engine.tables.refused import Refused
from engine.tables.table import Table

#: The part of the stake that a play may cost without a warning.
LITTLE: Final = 0.05
#: Seconds that a press waits for the coach; after that the play is made.
PATIENCE: Final = 1.0
#: The most warnings remembered, so that none is shown twice.
MOST: Final = 10_000

#: A play that was warned about: user, table, round, turn, action.
_WarnedPlay = tuple[int, int, int, int, str]
_asked: Final[WeakKeyDictionary[Casino, OrderedDict[_WarnedPlay, None]]] = WeakKeyDictionary()


async def answer_first(interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> bool:
    """Show the odds or a warning in answer to a press, if one is due, and return whether one was shown.

    The odds are due if their key was pressed. The warning is due before a costly play of a member who chose to be
    warned. If nothing was shown, the press is still to be carried out.
    """
    if key.word == ODDS.word:
        await tell(interaction, reply, table)
        return True
    return await _asks_first(interaction, reply, table, key)


async def _asks_first(interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> bool:
    """Show a warning instead of making the play, if one is due, and return whether one was shown.

    Each play is warned about once. If the coach takes too long, there is no warning. The time for the turn goes on.
    """
    casino, user = interaction.client, interaction.user.id
    if key.word not in table.game.actions or casino.coach is None or not table.snapshot().odds:
        return False
    if not (await preferences(casino.bank, table.state.guild, user)).warnings:
        return False
    this, before = (user, table.id, key.number, key.turn, key.word), _asked.setdefault(casino, OrderedDict())
    if this in before:
        return False
    try:
        async with asyncio.timeout(PATIENCE):
            odds = await _odds(casino, table, user, key)
    except (TimeoutError, Refused, Sorry):  # the table itself answers such a play
        return False
    if odds is None or key.word not in odds.worths or odds.loss(key.word) <= LITTLE:
        return False
    before[this] = None
    while len(before) > MOST:
        before.popitem(last=False)
    await reply.show(_question(table, key, odds))
    return True


async def _odds(casino: Casino, table: Table, user: int, key: Pressed) -> HandOdds | None:
    turn = table.turn_of(user)
    if (key.number, key.turn) != (table.state.round, turn.round.turn):
        return None
    return await odds_of(casino, turn, Asker(table.state.guild, user))


def _question(table: Table, key: Pressed, odds: HandOdds) -> ui.LayoutView:
    carried: dict[str, Any] = {"table": table.id, "number": key.number, "turn": key.turn}
    loss = people.amount(table.snapshot(), round(odds.loss(key.word) * odds.hand.stake))
    values = {"action": called(key.word), "loss": loss, "best": called(odds.best)}
    text = _("**{action}** costs {loss} on average. **{best}** is best.", **values)
    rows = [
        [
            SureButton.button(called(odds.best), **carried, action=str(odds.best)),
            SureButton.button(_("{action} anyway", action=called(key.word)), **carried, action=str(key.word)),
        ]
    ]
    small = [_("Turn these warnings off in `/settings`.")]
    return panel(_("Are you sure?"), text, small=small, rows=rows, colour=FELT)


class SureButton(
    Press,
    template=r"sure:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<turn>\d{1,12}):(?P<action>[a-z]{1,12})",
):
    """A button under a warning: it makes the best play, or the one that was warned about."""

    table: int
    number: int
    turn: int
    action: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        async with at_table(interaction, self.table, form=True) as (table, _presentation):
            await table.act(interaction.user.id, self.action, self.number, self.turn, interaction.id)
        await reply.redraw(panel(called(self.action), _("[To the table]({link})", link=link(table.state))))
