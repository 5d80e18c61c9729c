"""The door of every key that concerns a duel: it is for the two who play."""

from __future__ import annotations

from typing import ClassVar

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.here import here
from cogs.answers.press import Press
from cogs.duel import texts
from cogs.words import _
from cogs.words.refusals import Sorry
from data import StoredDuel

#: The part of a custom id that names the duel.
DUEL = r"(?P<duel>\d{1,20})"


class OfADuel(Press, template=r"(?!)"):
    """A key that concerns a duel, on the challenge or on a page of one of its two players."""

    stands: ClassVar[Stands] = Stands.OPENLY

    duel: int

    async def found(self, interaction: Interaction) -> tuple[StoredDuel, int]:
        """Return the duel, and the presser's side of it (0: the challenger). Raises Sorry for anybody else."""
        duel = await interaction.client.bank.duels.known(self.duel)
        if duel.guild != here(interaction).guild:
            raise misplaced()
        side = duel.side_of(interaction.user.id)
        if side is None:
            names = {"one": texts.name_of(duel, 0), "other": texts.name_of(duel, 1)}
            raise Sorry(
                _("This is between {one} and {other}. With `/duel` you can challenge somebody yourself.", **names)
            )
        return duel, side
