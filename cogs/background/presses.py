"""Registration of the buttons and forms of all tables, including those that an earlier process posted."""

from __future__ import annotations

from functools import partial

from cogs.answers import forms
from cogs.answers.client import Casino
from cogs.answers.door import Stands
from cogs.answers.serving import take_up, what_is_left
from cogs.coach.caution import SureButton, answer_first
from cogs.table import play, stake_form


async def setup(bot: Casino) -> None:
    play.TableButton.asides = (answer_first,)
    take_up(bot, play.TableButton, SureButton)
    forms.taken_by(stake_form.FORM, play.stake_filled_in, Stands.AT_ITS_TABLE)
    bot.add_listener(partial(what_is_left, forms.submitted), "on_interaction")
