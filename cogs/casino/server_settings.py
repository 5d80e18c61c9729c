"""A server's settings, shown in groups and changed in forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Final, Self
from zoneinfo import ZoneInfo, available_timezones

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import managers_only
from cogs.answers.forms import Answers, Form
from cogs.answers.panel import panel
from cogs.answers.serving import Press, Reply, choice, chosen
from cogs.table.choices import SHOWN, SUITS, languages, menu
from cogs.table.presentation import presentation
from cogs.words import LANGUAGES, N_, _, counted, ngettext, number, safe, zone_name
from cogs.words.refusals import Sorry
from data import GuildSettings, Shown, Suits
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.stored_words import SETTINGS
from engine.tables.house import HouseSettings

_PAGES: Final = "chips|gifts|time|guests"
FORM: Final = re.compile(rf"{SETTINGS}:(?P<page>{_PAGES})")
_MOST_CHIPS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A number among the settings."""

    label: str
    least: float
    most: float
    #: A function that writes the number with its unit.
    unit: Callable[[Decimal], str]
    #: The stored number for each 1 that is typed.
    scale: int = 1

    def typed(self, value: float) -> Decimal:
        """Return the stored number as people type it."""
        exact = Decimal(str(value)) / self.scale
        return Decimal(int(exact)) if exact == int(exact) else exact

    def shown(self, value: float) -> str:
        """Return the stored number in words."""
        return self.unit(self.typed(value))

    def read(self, text: str) -> float:
        """Return the number that was typed, in its stored form. Raises Sorry."""
        plain = re.sub(r"[\s_']|,(?=\d{3}(?!\d))", "", text).replace(",", ".")
        whole = re.fullmatch(r"\d{1,12}", plain)
        if not (whole or (self.unit is _seconds and re.fullmatch(r"\d{1,6}\.\d{1,3}", plain))):
            raise Sorry(_("**{label}**: {text} isn't a number.", label=_(self.label), text=safe(text)))
        value = float(plain) if "." in plain else int(plain)
        if not self.least <= value <= self.most:
            raise Sorry(_("**{label}**: it must be {limits}.", label=_(self.label), limits=self.limits()))
        return value * self.scale

    def limits(self) -> str:
        """Return the limits in words."""
        return _("{least} to {most}", least=number(int(self.least)), most=self.unit(Decimal(int(self.most))))


def _chips(count: Decimal) -> str:
    return counted(int(count * CHIP))


def _seconds(count: Decimal) -> str:
    return ngettext("{count} second", "{count} seconds", count)


def _hours(count: Decimal) -> str:
    return ngettext("{count} hour", "{count} hours", count)


def _hands(count: Decimal) -> str:
    return ngettext("{count} hand", "{count} hands", count)


def _days(count: Decimal) -> str:
    return ngettext("{count} day", "{count} days", count)


def _purse(label: str, least: int = 0) -> Setting:
    return Setting(label, least, _MOST_CHIPS, _chips, CHIP)


def _time(label: str, least: float = 5, most: float = 3600) -> Setting:
    return Setting(label, least, most, _seconds)


#: Names that Python lists among the time zones although they are none, or depend on this machine.
_NO_ZONES: Final = frozenset({"Factory", "localtime", "posixrules"})


def _answer_times() -> Mapping[str, Setting]:
    """Return the settings of games with an answer time of their own."""
    own = [game for game in GAMES.values() if presentation(game.name).answer_time]
    return {game.answer_time: _time(presentation(game.name).answer_time) for game in own}


#: The settings of the house by page. Discord allows five fields in a form.
_HOUSE: Final[Mapping[str, Mapping[str, Setting]]] = {
    "chips": {
        "starting_chips": _purse(N_("Starting chips")),
        "daily_chips": _purse(N_("Daily chips")),
        "daily_hours": Setting(N_("Daily chips again after"), 1, 168, _hours),
        "smallest_stake": _purse(N_("Minimum stake"), 1),
        "largest_stake": _purse(N_("Maximum stake"), 1),
    },
    "gifts": {
        "gift_cap": _purse(N_("Given by one person a day, at most")),
        "received_cap": _purse(N_("Received by one person a day, at most")),
        "kept_chips": _purse(N_("A gift leaves the giver at least")),
        "gift_hands": Setting(N_("Finished hands before giving"), 0, 10_000, _hands),
    },
    "time": {
        "turn_seconds": _time(N_("Turn time")),
        "betting_seconds": _time(N_("Betting window")),
        **_answer_times(),
        "idle_seconds": _time(N_("Idle table closes after"), 30, 86_400),
        "think_seconds": _time(N_("Computer thinking time"), 0, 30),
    },
}
_GUESTS: Final[Mapping[str, Setting]] = {
    "account_days": Setting(N_("Account age for daily chips"), 0, 3650, _days),
    "server_days": Setting(N_("Time on the server for daily chips"), 0, 3650, _days),
    "gift_account_days": Setting(N_("Account age for gifts and buy-ins"), 0, 3650, _days),
    "gift_server_days": Setting(N_("Time on the server for gifts and buy-ins"), 0, 3650, _days),
}
#: The fields that are stored with the house. The others are stored with the guild.
_OF_THE_HOUSE: Final = frozenset(field.name for field in fields(HouseSettings))
_TITLES: Final[Mapping[str, str]] = {
    "chips": N_("Chips and stakes"),
    "gifts": N_("Gifts"),
    "time": N_("Time"),
    "guests": N_("New members and time zone"),
}


# -- showing -----------------------------------------------------------------------------------------------------------


async def show(interaction: Interaction) -> ui.LayoutView:
    """Return the settings as a message."""
    assert interaction.guild_id is not None
    settings = await interaction.client.bank.guilds.settings(interaction.guild_id)
    rows: list[list[ui.Item[Any]]] = [
        [*(PageButton.button(_(title), page=page) for page, title in _TITLES.items()), OddsButton.of(settings)],
        [ChannelMenu.of(settings, interaction.guild)],
        [GuildLanguageMenu.of(settings)],
        [GuildSuitsButton.of(settings), GuildShownButton.of(settings)],
    ]
    return panel(_("This server's casino"), *_blocks(settings), rows=rows, divided=True)


def _blocks(settings: GuildSettings) -> list[str]:
    house = [_block(page, fields, settings) for page, fields in _HOUSE.items()]
    zone = _zone_text(settings.zone)
    where = ", ".join(f"<#{channel}>" for channel in settings.channels) or _("**anywhere**")
    odds = _("Odds · **allowed**") if settings.house.odds else _("Odds · **off**")
    looks = _("Appearance · **{suits}** · **{shown}**", suits=_(SUITS[settings.suits]), shown=_(SHOWN[settings.shown]))
    where = _("Tables · {where}", where=where)
    return [*house, "\n".join((_block("guests", _GUESTS, settings), zone, where, odds, looks))]


def _zone_text(zone: str) -> str:
    """Return the time zone as it is typed, with its name in the reader's language."""
    name = zone_name(zone)
    if name == zone:
        return _("Time zone · **{zone}**", zone=zone)
    return _("Time zone · **{zone}** ({name})", zone=zone, name=name)


def _value(settings: GuildSettings, name: str) -> float:
    kept: float = getattr(settings.house if name in _OF_THE_HOUSE else settings, name)
    return kept


def _block(page: str, fields: Mapping[str, Setting], settings: GuildSettings) -> str:
    lines = [
        _("{label} · **{value}**", label=_(field.label), value=field.shown(_value(settings, name)))
        for name, field in fields.items()
    ]
    return "\n".join((f"**{_(_TITLES[page])}**", *lines))


# -- changing ----------------------------------------------------------------------------------------------------------


class PageButton(Press, template=rf"{SETTINGS}:form:(?P<page>{_PAGES})"):
    """The button that opens the form of a page."""

    page: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        assert interaction.guild_id is not None
        settings = await interaction.client.bank.guilds.settings(interaction.guild_id)
        await reply.ask(_form(self.page, settings))


def _form(page: str, settings: GuildSettings) -> Form:
    form = Form(_(_TITLES[page]), f"{SETTINGS}:{page}")
    for name, field in (_HOUSE.get(page) or _GUESTS).items():
        form.ask(name, _(field.label), field.limits(), value=number(field.typed(_value(settings, name))))
    if page == "guests":
        form.ask("zone", _("Time zone"), _("such as Europe/Paris"), value=settings.zone)
    return form


async def filled_in(interaction: Interaction, reply: Reply, match: re.Match[str], answers: Answers) -> None:
    """Store the answers of a form."""
    managers_only(interaction)
    page = match["page"]

    def change(settings: GuildSettings) -> GuildSettings:
        fields = _HOUSE.get(page) or _GUESTS
        read: dict[str, Any] = {name: field.read(answers.get(name, "")) for name, field in fields.items()}
        beside = {name: read.pop(name) for name in read.keys() - _OF_THE_HOUSE}
        if page == "guests":
            beside["zone"] = _zone(answers.get("zone", ""))
        house = replace(settings.house, **read)
        if house.smallest_stake > house.largest_stake:
            raise Sorry(_("The smallest stake can't be above the largest."))
        return replace(settings, house=house, **beside)

    await _change(interaction, reply, change)


def _zone(text: str) -> str:
    wanted = text.casefold()
    found = next((zone for zone in available_timezones() - _NO_ZONES if zone.casefold() == wanted), None)
    if found is None:
        raise Sorry(_("There is no time zone **{text}**. Write one like Europe/Paris.", text=safe(text)))
    return ZoneInfo(found).key


async def _change(interaction: Interaction, reply: Reply, change: Callable[[GuildSettings], GuildSettings]) -> None:
    assert interaction.guild_id is not None
    bank = interaction.client.bank
    settings = await bank.guilds.settings(interaction.guild_id)
    await bank.guilds.keep_settings(interaction.guild_id, change(settings))
    await reply.redraw(await show(interaction))


class OddsButton(Press, template=rf"{SETTINGS}:odds:(?P<wanted>on|off)"):
    """The switch for odds. The button carries the wanted state, so a double press does no harm."""

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        if settings.house.odds:
            return cls.button(_("Switch odds off"), wanted="off")
        return cls.button(_("Allow odds"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        odds = self.wanted == "on"
        await _change(interaction, reply, lambda settings: replace(settings, house=replace(settings.house, odds=odds)))


class GuildSuitsButton(Press, template=rf"{SETTINGS}:suits:(?P<wanted>two|four)"):
    """The switch between two and four colours of suits at this server's tables."""

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        other = Suits.TWO if settings.suits is Suits.FOUR else Suits.FOUR
        return cls.button(_(SUITS[other]), wanted=other)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        await _change(interaction, reply, lambda settings: replace(settings, suits=Suits(self.wanted)))


class GuildShownButton(Press, template=rf"{SETTINGS}:shown:(?P<wanted>pictures|text)"):
    """The switch between pictures and text at this server's tables."""

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        other = Shown.PICTURES if settings.shown is Shown.TEXT else Shown.TEXT
        return cls.button(_(SHOWN[other]), wanted=other)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        await _change(interaction, reply, lambda settings: replace(settings, shown=Shown(self.wanted)))


class ChannelMenu(Press, template=rf"{SETTINGS}:channels"):
    """The menu of channels where tables may be opened. No choice means anywhere."""

    @classmethod
    def of(cls, settings: GuildSettings, guild: discord.Guild | None) -> Self:
        there = [number for number in settings.channels if guild is None or guild.get_channel_or_thread(number)]
        kinds = [discord.ChannelType.text, discord.ChannelType.voice, discord.ChannelType.public_thread]
        present = [
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in there[:25]
        ]
        menu: ui.ChannelSelect[Any] = ui.ChannelSelect(
            custom_id=cls.id_of(), channel_types=kinds, placeholder=_("Channels for tables: anywhere"),
            min_values=0, max_values=25, default_values=present,
        )  # fmt: skip
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        channels = tuple(int(value) for value in chosen(interaction) if re.fullmatch(r"[0-9]{1,20}", value))
        await _change(interaction, reply, lambda settings: replace(settings, channels=channels))


class GuildLanguageMenu(Press, template=rf"{SETTINGS}:language"):
    """The menu of the tables' language."""

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        return cls(menu(cls.id_of(), _("Language of the tables: the server's"), languages(), settings.language))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        code = choice(interaction)
        await _change(
            interaction, reply, lambda settings: replace(settings, language=code if code in LANGUAGES else None)
        )
