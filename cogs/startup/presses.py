"""Registers the buttons and forms that all tables share, and the warning that may answer a press first.

Buttons and forms that an earlier process posted work too. A listener serves all forms of the bot, and presses that
discord.py would drop.
"""

from __future__ import annotations

from cogs.answers.client import Casino
from cogs.answers.press import take_up, what_is_left
from cogs.coach.caution import SureButton, answer_first
from cogs.table import inviting, play
from cogs.table.stake_form import StakeForm


async def setup(bot: Casino) -> None:
    bot.asides = (answer_first,)
    take_up(bot, play.TableButton, StakeForm, SureButton, inviting.InviteMenu, inviting.NeverKey)
    bot.add_listener(what_is_left, "on_interaction")
