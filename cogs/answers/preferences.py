"""What people and servers have set, remembered once it was read: every press asks for it.

A guild lives in one process, so nobody else changes it behind our back.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

import discord

from cogs.answers.client import Casino, Interaction
from cogs.table.style import STYLE, Style, styled
from cogs.words import SPOKEN, language_of, speaking
from data import Bank, GuildSettings, MemberSettings, Shown, Suits
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: So many people's settings are remembered, those that were heard of last.
MOST: Final = 10_000

_known: Final[WeakKeyDictionary[Bank, dict[tuple[int, int], MemberSettings]]] = WeakKeyDictionary()


async def preferences(bank: Bank, guild: int, user: int) -> MemberSettings:
    """Of somebody who never played here nothing is set: asking opens no account."""
    found = _known.setdefault(bank, {}).get((guild, user))
    if found is None:
        if await bank.members.balance(guild, user) is None:
            return MemberSettings()
        member = await bank.members.sign_in(guild, user)
        found = await bank.members.settings(member.id)
        _remember(_known.setdefault(bank, {}), guild, user, found)
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


async def wishes(bank: Bank, guild: int, user: int | None) -> tuple[GuildSettings, MemberSettings]:
    """What a server and somebody there have set. Where the bank does not say, nothing is: the answer matters more."""
    try:
        own = await preferences(bank, guild, user) if user is not None else MemberSettings()
        return await bank.guilds.settings(guild), own
    except (BankError, OutcomeUnknown) as fault:
        log.info("it is not known who wants what: %s", fault)
        return GuildSettings(), MemberSettings()


def style_of(casino: Casino, guild: int, set_here: GuildSettings, own: MemberSettings) -> Style:
    """How tables of the server look; for somebody who set it otherwise, as they did."""
    suits = own.suits or set_here.suits
    return Style(
        casino.names.of(guild),
        four_colours=suits is Suits.FOUR,
        pictures=(own.shown or set_here.shown) is Shown.PICTURES,
        cards=casino.emoji.written[suits],
    )


async def speak_to(interaction: Interaction) -> None:
    """What is said from now on is for this person's eyes, in their language and looking as they want it. What they did
    not set is as in Discord, or as the server has it."""
    if interaction.guild_id is None:
        SPOKEN.set(language_of(interaction.locale))
        return
    casino, guild = interaction.client, interaction.guild_id
    set_here, own = await wishes(casino.bank, guild, interaction.user.id)
    SPOKEN.set(language_of(own.language, interaction.locale, interaction.guild_locale))
    STYLE.set(style_of(casino, guild, set_here, own))


async def language_of_guild(bank: Bank, guild: int, preferred: discord.Locale | None) -> str:
    """What its managers set, else what Discord says."""
    set_here, _nobody = await wishes(bank, guild, None)
    return language_of(set_here.language, preferred)


@asynccontextmanager
async def speaking_to_all(interaction: Interaction) -> AsyncIterator[None]:
    """For a while what is said is for everybody on the server to read."""
    assert interaction.guild_id is not None
    bank, preferred = interaction.client.bank, interaction.guild_locale
    with speaking(await language_of_guild(bank, interaction.guild_id, preferred)):
        yield


@asynccontextmanager
async def dressed(casino: Casino, guild: int, user: int | None = None) -> AsyncIterator[None]:
    """For a while what is said and shown is for all to see: in the server's language, and as it wants its tables, or as
    this person does who is alone at one."""
    here = casino.get_guild(guild)
    set_here, own = await wishes(casino.bank, guild, user)
    language = language_of(set_here.language, here.preferred_locale if here is not None else None)
    with speaking(language), styled(style_of(casino, guild, set_here, own)):
        yield


async def phrase_of(interaction: Interaction) -> str:
    """What the member wants mixed into the shuffle."""
    assert interaction.guild_id is not None
    return (await preferences(interaction.client.bank, interaction.guild_id, interaction.user.id)).phrase
