"""/casino setup: all that matters for a server on one page, each line with what is missing and a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import managers_only
from cogs.answers.here import here, server
from cogs.answers.panel import in_rows, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.answers.roles import fault_of
from cogs.casino import currency, server_settings
from cogs.casino.role_settings import ChosenRoles
from cogs.casino.server_settings import SettingsPage
from cogs.table.permissions import FOR_TOURNAMENTS, missing, missing_in, missing_to_post, needed_in
from cogs.today.calling import fault_of_called
from cogs.words import N_, _, language_of, listed, ngettext
from cogs.words.catalogues import language
from data import GuildSettings, Ware

_FINE: Final = "✅"
_MISSING: Final = "⚠️"
_OPTIONAL: Final = "➖"
_LINES: Final = "tables|language|currency|tournaments|roles|log|five|off"
#: The page of the settings that the key of each line opens.
_PAGES: Final = {
    "tables": SettingsPage.TABLES,
    "off": SettingsPage.TABLES,
    "language": SettingsPage.LANGUAGE,
    "log": SettingsPage.MESSAGES,
    "five": SettingsPage.MESSAGES,
    "roles": SettingsPage.ROLES,
}
#: The most channels whose permissions are looked at.
_MOST_CHANNELS: Final = 25


@dataclass(frozen=True, slots=True)
class SetupLine:
    """One line of the setup page: how far one thing is set up."""

    name: str  # the word in the custom id of its key
    mark: str  # the sign for fine, missing or optional
    title: str
    text: str


async def show(interaction: Interaction) -> ui.LayoutView:
    """Return the setup page as a message: a line and a key for each thing that a server can set up."""
    guild = server(interaction)
    settings = await interaction.client.bank.guilds.settings(guild.id)
    bank, fault = interaction.client.bank, await _fault_of_called(interaction, settings)
    wares, chosen = await bank.shop.wares(guild.id), await bank.champions.chosen(guild.id)
    lines = list(_lines(guild, settings, wares, chosen, fault))
    texts = (_("{mark} **{title}** · {text}", mark=line.mark, title=_(line.title), text=line.text) for line in lines)
    keys = [SetupButton.of(line) for line in lines]
    wrong = any(line.mark == _MISSING for line in lines)
    told = _("Something is missing.") if wrong else _("You can play right away: `/blackjack`.")
    small = [_("Everything already works as it is. Only people who manage this server see this page.")]
    return panel(_("Set up the casino"), told, "\n".join(texts), rows=in_rows(keys), small=small)


def _lines(
    guild: discord.Guild, settings: GuildSettings, wares: Sequence[Ware], chosen: ChosenRoles, uncalled: str
) -> Iterator[SetupLine]:
    yield _tables(guild, settings)
    spoken = language_of(settings.language, guild.preferred_locale)
    said = listed((language(spoken).name, settings.zone))
    yield SetupLine("language", _FINE, N_("Language and time zone"), said)
    yield SetupLine("currency", _FINE, N_("Currency"), currency.shown(settings.currency))
    yield _tournaments(guild)
    yield _roles(guild, wares, chosen)
    yield _post("log", N_("Log"), _("off"), guild, settings.log_channel)
    day = settings.day_post.channel if settings.day_post is not None else None
    yield _post("five", N_("Today's five"), _("no daily message"), guild, day, uncalled)
    off = [] if settings.house.odds else [_("odds")]
    yield SetupLine("off", _FINE, N_("Switched off"), listed(off) or _("nothing"))


def _tables(guild: discord.Guild, settings: GuildSettings) -> SetupLine:
    """Return the line about the channels for tables: where they are, or what is wrong with some of them."""
    where = ", ".join(f"<#{channel}>" for channel in settings.channels) or _("anywhere")
    channels = [guild.get_channel_or_thread(channel) for channel in settings.channels[:_MOST_CHANNELS]]
    faults = [_("One of the chosen channels is gone, or an archived thread.")] if None in channels else []
    closed = [each for each in channels if each is not None and missing_in(each, guild.me)]
    if closed:
        names = ", ".join(each.mention for each in closed)
        needed = ", ".join(dict.fromkeys(_(label) for each in closed for label in needed_in(each).values()))
        faults.append(_("I can't open tables in {channels}. I need: {permissions}", channels=names, permissions=needed))
    mark = _MISSING if faults else _FINE
    return SetupLine("tables", mark, N_("Where people may play"), " ".join(faults) or where)


def _tournaments(guild: discord.Guild) -> SetupLine:
    lacking = ", ".join(map(_, missing(guild.me.guild_permissions, FOR_TOURNAMENTS)))
    if not lacking:
        return SetupLine("tournaments", _FINE, N_("Tournaments"), _("in threads, and on the server's calendar"))
    return SetupLine("tournaments", _OPTIONAL, N_("Tournaments"), _("nicer with: {permissions}", permissions=lacking))


def _about_tournaments(guild: discord.Guild) -> str:
    if not missing(guild.me.guild_permissions, FOR_TOURNAMENTS):
        return _("Nothing is missing. `/tournament schedule` plans a tournament, and puts it on the server's calendar.")
    return _(
        "Give my role **Create Public Threads** and **Create Events** in Server Settings › Roles: tables"
        " get threads of their own, and tournaments stand on the server's calendar."
        " Both work without it, too."
    )


def _roles(guild: discord.Guild, wares: Sequence[Ware], chosen: ChosenRoles) -> SetupLine:
    """Return the line about roles that are sold and given to champions, with the first thing that is wrong."""
    used = [*(ware.role for ware in wares), *chosen.values()]
    fault = next(filter(None, (fault_of(guild, guild.get_role(role)) for role in used)), "")
    if fault:
        return SetupLine("roles", _MISSING, N_("Roles"), fault)
    if not used:
        return SetupLine("roles", _OPTIONAL, N_("Roles"), _("none for sale, none for champions"))
    sold = ngettext("{count} for sale", "{count} for sale", len(wares))
    won = ngettext("{count} for champions", "{count} for champions", len(chosen))
    return SetupLine("roles", _FINE, N_("Roles"), listed((sold, won)))


async def _fault_of_called(interaction: Interaction, settings: GuildSettings) -> str:
    """Return the reason why the message about Today's five cannot ping the chosen role.

    It is empty if the message can ping the role, or if no role is chosen.
    """
    role = settings.day_post.role if settings.day_post is not None else None
    return await fault_of_called(interaction.client, server(interaction), role) if role is not None else ""


def _post(name: str, title: str, nowhere: str, guild: discord.Guild, channel: int | None, fault: str = "") -> SetupLine:
    """Return the line about something that is posted in a channel: the channel, or that the bot cannot post there.

    `fault` says what else is wrong, and is shown if the bot can post. If no channel is chosen, return `nowhere`.
    """
    if channel is None:
        return SetupLine(name, _OPTIONAL, title, nowhere)
    if missing_to_post(guild, channel) != []:
        return SetupLine(name, _MISSING, title, _("I can't post in <#{channel}>", channel=channel))
    return SetupLine(name, _MISSING if fault else _FINE, title, fault or f"<#{channel}>")


class SetupButton(Press, template=rf"setup:(?P<line>{_LINES})"):
    """The key of a line of the setup page. It opens settings or a form for this line, or says how to change it."""

    line: str

    @classmethod
    def of(cls, line: SetupLine) -> Self:
        return cls.button(_(line.title), line=line.name)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        settings = await interaction.client.bank.guilds.settings(here(interaction).guild)
        match self.line:
            case "currency":
                await reply.ask(currency.ask(server_settings.CurrencyForm(_("Currency")), settings.currency))
            case "tournaments":
                await reply.say(_about_tournaments(server(interaction)))
            case _:
                await reply.show(await server_settings.show(interaction, _PAGES[self.line]))
