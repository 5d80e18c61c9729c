"""Finds the reader of a text: the person's or the server's settings, and the names of people whom it may mention.

Settings and names are cached in this process. No other process changes them, because one process serves a server.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

import discord

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import here
from cogs.words import READER, Reader, language_of
from data import Appearance, Bank, GuildSettings, MemberSettings, NoSuchMember, Suits
from engine.tables.ports import BankError, OutcomeUnknown

log = logging.getLogger(__name__)

#: The most names remembered. The first to go are those of people who have pressed nothing for the longest time.
MOST_NAMES: Final = 20_000
#: The most people whose settings are remembered. Those read from the bank or stored longest ago are forgotten first.
MOST: Final = 10_000

_known: Final[WeakKeyDictionary[Bank, dict[tuple[int, int], MemberSettings]]] = WeakKeyDictionary()


async def preferences(bank: Bank, guild: int, user: int) -> MemberSettings:
    """Return a member's settings, cached once they were read, or the defaults for a person without an account.

    This opens no account.
    """
    kept = _known.setdefault(bank, {})
    found = kept.get((guild, user))
    if found is None:
        member = await bank.members.known(guild, user)
        if member is None:
            return MemberSettings()
        try:
            read = await bank.members.settings(member.id)
        except NoSuchMember:  # forgotten since
            return MemberSettings()
        found = kept.get((guild, user), read)  # settings that were stored since then are newer
        _remember(kept, guild, user, found)
    return found


def _remember(kept: dict[tuple[int, int], MemberSettings], guild: int, user: int, settings: MemberSettings) -> None:
    kept.pop((guild, user), None)
    while len(kept) >= MOST:
        del kept[next(iter(kept))]
    kept[guild, user] = settings


async def set_preferences(bank: Bank, guild: int, user: int, settings: MemberSettings) -> None:
    """Store a member's settings, and open an account for a person without one."""
    kept = _known.setdefault(bank, {})
    member = await bank.members.sign_in(guild, user)
    try:
        await bank.members.keep_settings(member.id, settings)
    except OutcomeUnknown:
        kept.pop((guild, user), None)  # they are read again
        raise
    _remember(kept, guild, user, settings)
    if _known[bank] is not kept:  # somebody was forgotten since: the new cache may have earlier settings
        _known[bank].pop((guild, user), None)


def forget(bank: Bank, guild: int, user: int) -> None:
    """Drop a member's cached settings. The cache is replaced, so that a read under way cannot put them back."""
    _known[bank] = {who: settings for who, settings in _known.get(bank, {}).items() if who != (guild, user)}


async def reader_of(
    casino: Casino, guild: int, user: int | None = None, asks: Interaction | None = None, opened_in: str = ""
) -> Reader:
    """Return the reader of a text: everybody on the server or, with `user`, this person, whose settings come first.

    `asks` is the press or command that the text answers for this person alone. The language of their Discord then comes
    before the server's. `opened_in` is the language of the person who opened the table that the text is about, or who
    caused the text. It is used only if `asks` is None and `/casino settings` names no language. A text for everybody
    also ignores it if Discord lets the server choose a language. If the bank does not answer, the defaults are used.
    """
    here, own = GuildSettings(), MemberSettings()
    try:
        here = await casino.bank.guilds.settings(guild)
        own = await preferences(casino.bank, guild, user) if user is not None else own
    except (BankError, OutcomeUnknown) as fault:
        log.info("it is not known who wants what: %s", fault)
        here = GuildSettings()
    if asks is not None:
        language = language_of(own.language, asks.locale, here.language, asks.guild_locale)
    else:
        lone = opened_in if user is not None else None
        language = language_of(own.language, here.language, lone, *_languages_of(casino.get_guild(guild), opened_in))
    suits = own.suits or here.suits
    return Reader(
        language,
        casino.names.met.get(guild, {}),
        four_colours=suits is Suits.FOUR,
        pictures=(own.shown or here.shown) is Appearance.PICTURES,
        cards=casino.emoji.written[suits],
        currency=here.currency,
        commands=casino.command_links.on_servers,
    )


def _languages_of(server: discord.Guild | None, opened_in: str) -> Sequence[discord.Locale | str]:
    """Return the languages to try, in this order, for a server that has chosen none in the bot's settings.

    Only community servers can choose a language at Discord. All others have English there, which says nothing about
    their people: the language of the person who opened the table comes first.
    """
    if server is None:
        return [opened_in]
    return [server.preferred_locale] if chooses_language(server) else [opened_in, server.preferred_locale]


def chooses_language(server: discord.Guild) -> bool:
    """Return whether Discord lets the server choose its language."""
    return "COMMUNITY" in server.features


async def speak_to(interaction: Interaction) -> None:
    """Make the person who typed or pressed the reader of all texts that this task writes from now on."""
    if interaction.guild_id is None:
        links = interaction.client.command_links.anywhere
        READER.set(Reader(language_of(interaction.locale), commands=links))
        return
    READER.set(await reader_of(interaction.client, interaction.guild_id, interaction.user.id, interaction))


async def phrase_of(interaction: Interaction) -> str:
    """Return the phrase that the member chose to be mixed into their shuffles, or "". Refuse direct messages."""
    return (await preferences(interaction.client.bank, here(interaction).guild, interaction.user.id)).phrase


class Names:
    """The names of people, learnt from their presses, because a bot without privileged intents gets no others."""

    def __init__(self) -> None:
        self._heard: OrderedDict[tuple[int, int], None] = OrderedDict()  # each guild and user, the latest last
        #: The names by guild and by Discord's id of the person.
        self.met: dict[int, dict[int, str]] = {}

    def learn(self, guild: int, user: int, name: str) -> None:
        self.met.setdefault(guild, {})[user] = name
        self._heard[guild, user] = None
        self._heard.move_to_end((guild, user))
        if len(self._heard) > MOST_NAMES:
            self._drop(*next(iter(self._heard)))

    def forget(self, user: int) -> None:
        """Drop this person's names on all servers."""
        for guild in [guild for guild, known in self.met.items() if user in known]:
            self._drop(guild, user)

    def _drop(self, guild: int, user: int) -> None:
        del self._heard[guild, user]
        del self.met[guild][user]
        if not self.met[guild]:
            del self.met[guild]
