"""Typed stakes: how they are read, and the form that asks for one."""

from __future__ import annotations

import re
from typing import ClassVar, Final, Self

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.forms import Form, FormValues
from cogs.answers.reply import Reply
from cogs.table.door import at_table
from cogs.table.keys import usual
from cogs.table.presentation import presentation
from cogs.table.staking import newcomer_of, seated, stake, welcome
from cogs.words import N_, _, chips, number, safe
from cogs.words.refusals import Sorry
from cogs.words.typed import plain, whole_number
from engine.games.contract import CHIP, Cents
from engine.tables.snapshot import Sitter, Snapshot

_FRACTION: Final = re.compile(r"[+-]?\d+[.,]\d+")

#: The words for all and half in every language of the bot, whichever the player's own is.
_ALL: Final = frozenset({"all", "max", "tout", "tapis", "alles", "todo", "tudo"})
_HALF: Final = frozenset({"half", "moitié", "moitie", "hälfte", "haelfte", "mitad", "metade"})


def typed(text: str, balance: Cents, largest: Cents) -> Cents:
    """Return a typed stake in cents: ``1,000``, ``٥٠``, ``all``, ``moitié`` ... Raise Sorry for anything else.

    All and half are of the balance, rounded down to whole chips, and at most `largest`.
    """
    word = plain(text)
    if word in _ALL:
        return _whole(min(balance, largest))
    if word in _HALF:
        return _whole(min(balance // 2, largest))
    read = whole_number(text)
    if read is None:
        raise Sorry(_complaint(text, word))
    return read * CHIP


def room_on(snapshot: Snapshot, sitter: Sitter, spot: str) -> Cents:
    """Return how much the player can add on a spot within the table's limit: the limit less their stake there."""
    return snapshot.largest - (sitter.staked or {}).get(spot, 0)


def _whole(cents: Cents) -> Cents:
    return cents - cents % CHIP


def _complaint(text: str, word: str) -> str:
    if not word:
        return _("Write a number of chips like {example}, or `half`, or `all`.", example=chips(100000))
    if _FRACTION.fullmatch(word):
        return _("Bets are whole chips; **{text}** isn't a whole number.", text=safe(text))
    if re.fullmatch(r"-\s*\d[\d ,.]*", word):
        return _("A bet must be positive.")
    if re.fullmatch(r"[\d ,.'’_]+", word):
        return _(
            "Nobody has that many chips. Yours are on the table: try a number like {example}.", example=chips(100000)
        )
    return _(
        "**{text}** isn't a number of chips. Write one like {example}, or `half`, or `all`.",
        text=safe(text),
        example=chips(100000),
    )


# -- the form ----------------------------------------------------------------------------------------------------------


class StakeForm(Form, template=r"stake:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<spot>[a-z-]{1,20})"):
    """The form that asks for a stake on a spot."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    table: int
    number: int
    spot: str

    @classmethod
    def of(cls, snapshot: Snapshot, sitter: Sitter, spot: str) -> Self:
        cap = presentation(snapshot.game).cap(spot)
        title = _("Your bet on {spot}", spot=_(cap.label)) if cap is not None else _("Your bet")
        form = cls(title, table=snapshot.table, number=snapshot.to_come, spot=spot)
        hint, value = _hint(snapshot, sitter, spot), number(usual(snapshot, sitter, spot) // CHIP)
        return form.ask("chips", _("Chips"), hint, value=value)

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        async with at_table(interaction, self.table, form=True) as (table, _presentation):
            snapshot = table.snapshot()
            newcomer = await newcomer_of(interaction, snapshot)
            if newcomer is not None:
                balance, room = newcomer.balance, snapshot.largest
            else:
                sitter = seated(snapshot, interaction)
                balance, room = sitter.balance, room_on(snapshot, sitter, self.spot)
            amount = typed(answers.get("chips", ""), balance, room)
            await stake(interaction, table, self.number, {self.spot: amount}, newcomer=newcomer)
            await interaction.client.presenter.answer(reply, table)
            await welcome(interaction, reply, table)


def _hint(snapshot: Snapshot, sitter: Sitter, spot: str) -> str:
    """Return the hint of the form: the limits and the balance.

    If a stake lies on the spot already, it is named instead of the smallest one. Half and all are mentioned if half of
    the balance is enough for a stake.
    """
    values = {
        "smallest": chips(snapshot.smallest),
        "largest": chips(snapshot.largest),
        "balance": chips(sitter.balance),
    }
    in_words = _whole(sitter.balance // 2) >= snapshot.smallest
    lying = (sitter.staked or {}).get(spot)
    if lying:
        if in_words:
            text = N_("{lying} staked there, {largest} at most, or half, or all; you have {balance}")
        else:
            text = N_("{lying} staked there, {largest} at most; you have {balance}")
        return _(text, **values, lying=chips(lying))
    if in_words:
        return _("{smallest} to {largest}, or half, or all; you have {balance}", **values)
    return _("{smallest} to {largest}; you have {balance}", **values)
