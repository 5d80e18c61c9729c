"""The files with which anybody can check a past day of Today's five."""

from __future__ import annotations

from io import BytesIO
from typing import ClassVar

import discord

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.panel import panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.today import texts
from cogs.words import _, day_text
from cogs.words.refusals import Sorry
from engine.fairness.page import filled_in
from engine.sets.calendar import date_of
from engine.tables.ports import StillSecret


class DayProofKey(Press, template=r"today:proof:(?P<day>\d{1,6})"):
    """The key that sends the files of a public day: its seed, its deals, the answers, and the presser's own try."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    day: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        bank = interaction.client.bank
        try:
            found = await bank.days.on_paper(self.day, await bank.tries.known(interaction.user.id))
        except StillSecret:
            raise Sorry(_("A day's files are ready one hour after it has closed.")) from None
        text, name = found.to_json(), f"five-{date_of(self.day)}"
        files = {f"{name}.html": filled_in(text), f"{name}.json": text}
        told = _(
            "Open the page in any browser, offline if you like: it deals the five hands again without us. With "
            "`python -m engine.fairness today {name}.json` you also check that the answers are right.",
            name=name,
        )
        heading = _("Today's five of {day}", day=day_text(texts.date_of(self.day)))
        sent = [discord.File(BytesIO(each.encode()), name) for name, each in files.items()]
        await reply.show(panel(heading, told, files=tuple(files)), sent)


def proof_key(day: int) -> DayProofKey:
    """Return the key that sends the files with which a past day can be checked."""
    return DayProofKey.button(_("Check it yourself"), day=day)
