"""What people and servers have set, remembered once it was read: every press asks for it.

A guild lives in one process, so nobody else changes it behind our back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import discord

from cogs.answers.client import Casino, casino_of
from cogs.table.style import Style
from cogs.words import language_of, speak, speaking
from data import Bank, GuildSettings, MemberSettings, Shown, Suits
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: So many people's settings are remembered, those that were heard of last.
MOST: Final = 10_000

_known: Final[WeakKeyDictionary[Bank, dict[tuple[int, int], MemberSettings]]] = WeakKeyDictionary()


async def preferences(bank: Bank, guild: int, user: int) -> MemberSettings | None:
    """None for somebody who never played here: asking opens no account."""
    kept = _known.setdefault(bank, {})
    found = kept.get((guild, user))
    if found is None and await bank.members.balance(guild, user) is not None:
        member = await bank.members.sign_in(guild, user)
        found = await bank.members.settings(member.id)
        _remember(kept, guild, user, found)
    return found


def _remember(kept: dict[tuple[int, int], MemberSettings], guild: int, user: int, settings: MemberSettings) -> None:
    kept.pop((guild, user), None)
    while len(kept) >= MOST:
        del kept[next(iter(kept))]
    kept[guild, user] = settings


async def set_preferences(bank: Bank, guild: int, user: int, settings: MemberSettings) -> None:
    kept = _known.setdefault(bank, {})
    member = await bank.members.sign_in(guild, user)
    await bank.members.keep_settings(member.id, settings)
    _remember(kept, guild, user, settings)


def forget(bank: Bank, guild: int, user: int) -> None:
    """Also what is being read this instant: it is remembered where nobody looks any more."""
    _known[bank] = {who: settings for who, settings in _known.get(bank, {}).items() if who != (guild, user)}


async def language_for(interaction: discord.Interaction[Any]) -> str:
    """Somebody's own setting, else their client's language, else the server's."""
    own = None
    if interaction.guild_id is not None:
        try:
            settings = await preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id)
            own = settings.language if settings is not None else None
        except (BankError, OutcomeUnknown) as fault:
            log.info("the language of somebody is not known: %s", fault)  # the answer matters more
    return language_of(own, interaction.locale, interaction.guild_locale)


async def speak_to(interaction: discord.Interaction[Any]) -> None:
    """What is said from now on is for this person's eyes."""
    speak(await language_for(interaction))


@asynccontextmanager
async def speaking_to_all(interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """For a while what is said is for everybody on the server to read."""
    assert interaction.guild_id is not None
    bank, preferred = casino_of(interaction).bank, interaction.guild_locale
    with speaking(await language_of_guild(bank, interaction.guild_id, preferred)):
        yield


async def language_of_guild(bank: Bank, guild: int, preferred: discord.Locale | None) -> str:
    """What its managers set, else what Discord says."""
    try:
        own = (await bank.guilds.settings(guild)).language
    except (BankError, OutcomeUnknown) as fault:
        log.info("the language of a server is not known: %s", fault)
        own = None
    return language_of(own, preferred)


async def style_for(interaction: discord.Interaction[Any]) -> Style:
    """How somebody wants to see tables; what they did not set is as the server has it."""
    if interaction.guild_id is None:
        return Style()
    return await style_of(casino_of(interaction), interaction.guild_id, interaction.user.id, {interaction.user.id})


async def style_of(casino: Casino, guild: int, user: int | None, names: Iterable[int]) -> Style:
    """How tables of the server look; for somebody who set it otherwise, as they did. The names are those of `names`."""
    try:
        set_here = await casino.bank.guilds.settings(guild)
        own = await preferences(casino.bank, guild, user) if user is not None else None
    except (BankError, OutcomeUnknown) as fault:
        log.info("how tables are to look is not known: %s", fault)
        set_here, own = GuildSettings(), None
    suits = (own.suits if own is not None else None) or set_here.suits
    shown = (own.shown if own is not None else None) or set_here.shown
    return Style(
        casino.names.of(guild, names),
        four_colours=suits is Suits.FOUR,
        pictures=shown is Shown.PICTURES,
        cards=casino.emoji.of(suits),
    )


async def phrase_of(interaction: discord.Interaction[Any]) -> str:
    """What the member wants mixed into the shuffle."""
    assert interaction.guild_id is not None
    settings = await preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id)
    return settings.phrase if settings is not None else ""
