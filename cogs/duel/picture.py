"""The picture of a duel that both have played: shown to the player who asks, who may then show it to the channel."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import ClassVar, Final

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import here
from cogs.answers.panel import BRASS, Rows, panel
from cogs.answers.preferences import reader_of
from cogs.answers.reply import Reply
from cogs.answers.time_limits import LOST
from cogs.duel import texts
from cogs.duel.door import DUEL, OfADuel
from cogs.pictures.duel import Duellist, DuelPicture, brief, render, writable
from cogs.words import READER, Reader, _, reading, share
from cogs.words.refusals import Sorry
from data import DuelResult, StoredDuel
from engine.games.computer import Level
from engine.sets.duels import Ending
from engine.sets.programme import UNIT

_FILE: Final = "duel.png"
#: Seconds in which only one press shows the duel. If that press fails, a later one can show it.
_SHOWING: Final = 60.0


class PictureKey(OfADuel, template=rf"duel:picture:{DUEL}"):
    """The key that shows the picture of a duel to one of its players, privately, with the key to show it to all."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, _side = await self.found(interaction)
        key = ShowDuelKey.button(_("Show"), duel=self.duel)
        view, file = await _drawn(interaction, duel, READER.get(), [[key]])
        await reply.show(view, [file])


class ShowDuelKey(OfADuel, template=rf"duel:show:{DUEL}"):
    """The key that shows the picture of a duel to everybody in the channel: only once for each duel and channel."""

    private: ClassVar[bool] = False

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, _side = await self.found(interaction)
        jobs, press = interaction.client.bank.jobs, str(interaction.id)
        once = f"shared/duel/{duel.id}/{here(interaction).channel}"
        if not await jobs.lock(once, press, seconds=_SHOWING):
            raise Sorry(_("This result has already been shared here."))
        view, file = await _drawn(interaction, duel, await reader_of(interaction.client, duel.guild), [])
        await reply.show(view, [file])
        await jobs.finish(once, press)


async def _drawn(
    interaction: Interaction, duel: StoredDuel, reader: Reader, rows: Rows
) -> tuple[ui.LayoutView, discord.File]:
    """Return the message with a duel's picture and these rows of keys, in the reader's language, and the file."""
    result = await interaction.client.bank.duels.result(duel)
    with reading(reader):
        names = await _name(interaction, duel, 0), await _name(interaction, duel, 1)
        with reading(_without_emoji(reader)):
            alt, picture = alt_of(result, names), picture_of(result, names)
        view = panel(texts.title(duel), picture=(_FILE, alt), rows=rows, colour=BRASS)
    image = await asyncio.to_thread(partial(render, picture))
    return view, discord.File(BytesIO(image), _FILE, description=alt)


def _without_emoji(reader: Reader) -> Reader:
    """Return this reader without the emoji of the currency, because a picture cannot show one."""
    return replace(reader, currency=replace(reader.currency, emoji="") if reader.currency is not None else None)


# -- names -------------------------------------------------------------------------------------------------------------


async def _name(interaction: Interaction, duel: StoredDuel, side: int) -> str:
    """Return a player's name on the server, a computer player's level, or `a former player` if the name is unknown."""
    who = duel.sides[side]
    if who.member is None:
        return _(texts.LEVELS[Level(duel.level or "")])
    if who.user is None:
        return _("a former player")
    known = READER.get().names.get(who.user)
    return known if known is not None else await _asked(interaction, who.user)


async def _asked(interaction: Interaction, user: int) -> str:
    """Ask Discord for a person's name on the server, and return it, or `a former player` if that fails."""
    assert interaction.guild is not None
    try:
        return (await interaction.guild.fetch_member(user)).display_name
    except LOST:
        return _("a former player")


# -- words -------------------------------------------------------------------------------------------------------------


def alt_of(result: DuelResult, names: Sequence[str]) -> str:
    """Return the alt text of a duel's picture, with these names in place of mentions."""
    duel = result.duel
    lines = (_("{one} against {other}", one=names[0], other=names[1]), texts.terms(duel), *texts.ended(result))
    return "\n".join(_plain(duel, line, names) for line in lines)


def picture_of(result: DuelResult, names: Sequence[str]) -> DuelPicture:
    """Return what `render` needs to draw a duel that both have played. Its sentences have shortened names."""
    duel, winner, decision = result.duel, texts.winner_of(result), texts.decision(result)
    drawn = [writable(name, side) for side, name in enumerate(names)]
    one, other = [
        Duellist(name, share(found.losses / UNIT), won=winner == side, computer=duel.sides[side].member is None)
        for side, (name, found) in enumerate(zip(drawn, texts.both(result), strict=True))
    ]
    told, _mistakes, cards, *last = texts.ended(result)
    sentences = [*last, cards] if duel.ending is Ending.DECISIONS else [told, cards, *last]
    picture = DuelPicture(
        (one, other),
        texts.terms(duel),
        _("lost to mistakes"),
        tuple(_plain(duel, sentence, [*map(brief, drawn)]) for sentence in sentences),
        four_colours=READER.get().four_colours,
    )
    return replace(picture, hand=decision.cards, up=decision.round.up_card) if decision is not None else picture


def _plain(duel: StoredDuel, told: str, names: Sequence[str]) -> str:
    """Return a sentence with names in place of mentions, and without asterisks."""
    for side, name in enumerate(names):
        told = told.replace(texts.name_of(duel, side), name)
    return told.replace("*", "")
