"""A server's settings, shown in pages and changed with keys, menus and forms, all of them for managers only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Final, Self, TypeAlias
from zoneinfo import ZoneInfo

import discord
from discord import app_commands, ui

from cogs.answers.client import Interaction
from cogs.answers.door import managers_only
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import here, server
from cogs.answers.options import OneOf
from cogs.answers.panel import Rows, panel
from cogs.answers.preferences import speak_to
from cogs.answers.press import Press, choice, chosen
from cogs.answers.reply import Reply
from cogs.background import log
from cogs.casino import currency, menus, numbers, role_settings
from cogs.casino import settings_text as text
from cogs.casino.zones import zone_of
from cogs.table.choices import SEASONS, SHOWN, SUITS, TO_SEASONS, languages, menu
from cogs.today.calling import fault_of_called
from cogs.words import LANGUAGES, N_, _, apart, ngettext, number
from cogs.words.refusals import Sorry
from data import Appearance, Championship, DayPost, GuildSettings, Span, Suits
from engine.sets.calendar import day_at, opens
from engine.stored_words import SETTINGS

#: Hours of a day.
_HOURS: Final = 24


class SettingsPage(StrEnum):
    """The pages of the settings, each short enough for a phone."""

    TABLES = "tables"
    LANGUAGE = "language"
    CHIPS = "chips"
    GIFTS = "gifts"
    MESSAGES = "messages"
    ROLES = "roles"


_PAGES: Final[Mapping[SettingsPage, str]] = {
    SettingsPage.TABLES: N_("Tables"),
    SettingsPage.LANGUAGE: N_("Language and looks"),
    SettingsPage.CHIPS: N_("Chips"),
    SettingsPage.GIFTS: N_("Gifts and new members"),
    SettingsPage.MESSAGES: N_("Messages"),
    SettingsPage.ROLES: N_("Roles"),
}
PageOption: TypeAlias = app_commands.Transform[SettingsPage, OneOf(SettingsPage, _PAGES.__getitem__)]

#: The page that each form of numbers is on.
_FORMS: Final = {
    "time": SettingsPage.TABLES,
    "chips": SettingsPage.CHIPS,
    "gifts": SettingsPage.GIFTS,
    "guests": SettingsPage.GIFTS,
}
_EVERY_FORM: Final = "|".join(_FORMS)


# -- showing -----------------------------------------------------------------------------------------------------------


async def show(interaction: Interaction, page: SettingsPage) -> ui.LayoutView:
    """Return a page of the settings as a message."""
    settings = await interaction.client.bank.guilds.settings(here(interaction).guild)
    heading = _("This server's casino · {page}", page=_(_PAGES[page]))
    pages: Rows = [[PageMenu.of(page)]]
    if page is SettingsPage.ROLES:
        return await _roles(interaction, heading, pages)
    return panel(heading, *_blocks(page, settings), rows=[*_rows(page, settings, interaction), *pages], divided=True)


async def _roles(interaction: Interaction, heading: str, pages: Rows) -> ui.LayoutView:
    bank, guild = interaction.client.bank, server(interaction)
    chosen, wares = await bank.champions.chosen(guild.id), await bank.shop.wares(guild.id)
    champions = [[ChampionMenu.of(which, chosen, guild)] for which in Championship]
    text, small = role_settings.text(guild, chosen, wares), role_settings.small()
    return panel(heading, text, small=small, rows=[*champions, *pages], divided=True)


def _rows(page: SettingsPage, settings: GuildSettings, interaction: Interaction) -> Iterator[list[ui.Item[Any]]]:
    """Yield the rows of keys and menus that change the settings on a page."""
    forms: list[ui.Item[Any]] = [NumbersButton.to(form) for form, place in _FORMS.items() if place is page]
    guild = interaction.client.described(here(interaction).guild)
    match page:
        case SettingsPage.TABLES:
            yield [ChannelMenu.of(settings, guild)]
            yield [*forms, OddsButton.of(settings)]
        case SettingsPage.LANGUAGE:
            yield [GuildLanguageMenu.of(settings)]
            yield [ZoneButton.button(_("Time zone")), GuildSuitsButton.of(settings), GuildShownButton.of(settings)]
        case SettingsPage.CHIPS:
            yield [*forms, CurrencyButton.button(_("Currency"))]
            yield [SeasonButton.of(settings)]
        case SettingsPage.GIFTS:
            yield forms
        case SettingsPage.MESSAGES:
            yield [LogMenu.of(settings, guild)]
            yield [DayMenu.of(settings, guild)]
            if settings.day_post is not None:
                yield [HourMenu.of(settings, settings.day_post, interaction.client.clock.now())]
                yield [CalledMenu.of(settings.day_post, guild)]


def _blocks(page: SettingsPage, settings: GuildSettings) -> list[str]:
    """Return the texts of a page of the settings, in blocks of lines."""
    blocks = [numbers.block(form, settings) for form, place in _FORMS.items() if place is page]
    match page:
        case SettingsPage.TABLES:
            blocks.insert(0, "\n".join((text.where(settings), text.odds(settings))))
        case SettingsPage.LANGUAGE:
            blocks.append("\n".join((text.language(settings), text.zone(settings.zone), text.looks(settings))))
        case SettingsPage.CHIPS:
            named = _("Currency · **{name}**", name=currency.shown(settings.currency))
            blocks.append("\n".join((named, _(SEASONS[settings.season]))))
        case SettingsPage.MESSAGES:
            blocks.append("\n".join((text.log(settings), text.day(settings))))
    return blocks


def _changed_text(before: GuildSettings, after: GuildSettings) -> str:
    """Return the log's line about a change: what is new, or Today's five if only its channel was chosen once more."""
    known = set(_all_lines(before))
    new = [line for line in _all_lines(after) if line not in known] or [text.day(after)]
    return _("🔧 {actor} changed the settings: {changes}", actor=log.ACTOR, changes=apart(new))


def _all_lines(settings: GuildSettings) -> list[str]:
    return [line for page in SettingsPage for block in _blocks(page, settings) for line in block.splitlines()]


class PageMenu(Press, template=rf"{SETTINGS}:page"):
    """The menu that leads to another page of the settings."""

    @classmethod
    def of(cls, shown: SettingsPage) -> Self:
        options = [
            discord.SelectOption(label=_("Page: {page}", page=_(name)), value=page.value, default=page is shown)
            for page, name in _PAGES.items()
        ]
        return cls(ui.Select(custom_id=cls.carries.of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        value = choice(interaction)
        await reply.redraw(
            await show(interaction, SettingsPage(value) if value in set(SettingsPage) else SettingsPage.TABLES)
        )


# -- changing ----------------------------------------------------------------------------------------------------------

SettingsChange = Callable[[GuildSettings], GuildSettings]


async def _change(interaction: Interaction, reply: Reply, change: SettingsChange, page: SettingsPage) -> None:
    """Change the settings, store them, write the change into the server's log, and show this page.

    If the settings stay as they were, only show the page.
    """
    bank = interaction.client.bank
    settings = await bank.guilds.settings(here(interaction).guild)
    changed = change(settings)
    if changed != settings:
        line = await log.noted(interaction, partial(_changed_text, settings, changed), wanted=changed)
        await bank.guilds.keep_settings(here(interaction).guild, changed, line)
    await speak_to(interaction)  # the change may concern how this person reads
    await reply.redraw(await show(interaction, page))


class SettingPress(Press, template=r"(?!)"):
    """A key or a menu that changes something on a page of the settings."""

    page_of: ClassVar[SettingsPage]

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        await _change(interaction, reply, self.wish(interaction), self.page_of)

    def wish(self, interaction: Interaction) -> SettingsChange:
        """Return the function that makes the change which the press asks for. Each kind defines this."""
        raise NotImplementedError


# -- forms -------------------------------------------------------------------------------------------------------------


class NumbersButton(Press, template=rf"{SETTINGS}:form:(?P<form>{_EVERY_FORM})"):
    """The button that opens a form of numbers."""

    form: str

    @classmethod
    def to(cls, form: str) -> Self:
        return cls.button(_(numbers.TITLES[form]), form=form)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        settings = await interaction.client.bank.guilds.settings(here(interaction).guild)
        await reply.ask(NumbersForm.of(self.form, settings))


class NumbersForm(Form, template=rf"{SETTINGS}:(?P<form>{_EVERY_FORM})"):
    """A form for some of the numbers among the settings (`numbers.FORMS`)."""

    form: str

    @classmethod
    def of(cls, form: str, settings: GuildSettings) -> Self:
        asked = cls(_(numbers.TITLES[form]), form=form)
        for name, field in numbers.FORMS[form].items():
            value = number(field.typed(numbers.value_of(settings, name)))
            asked.ask(name, _(field.label), field.limits(), value=value)
        return asked

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        await _change(interaction, reply, partial(numbers.changed, self.form, answers), _FORMS[self.form])


class ZoneButton(Press, template=rf"{SETTINGS}:zone"):
    """The button that opens the form for the time zone."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        settings = await interaction.client.bank.guilds.settings(here(interaction).guild)
        form = ZoneForm(_("Time zone"))
        await reply.ask(form.ask("zone", _("Time zone"), _("such as Europe/Paris"), value=settings.zone))


class ZoneForm(Form, template=rf"{SETTINGS}:zone:form"):
    """The form for the time zone."""

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        zone = zone_of(answers.get("zone", ""))
        await _change(interaction, reply, lambda settings: replace(settings, zone=zone), SettingsPage.LANGUAGE)


class CurrencyButton(Press, template=rf"{SETTINGS}:currency"):
    """The button that opens the form for the name of the chips."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        settings = await interaction.client.bank.guilds.settings(here(interaction).guild)
        await reply.ask(currency.ask(CurrencyForm(_("Currency")), settings.currency))


class CurrencyForm(Form, template=rf"{SETTINGS}:currency:form"):
    """The form for the name of the chips."""

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        named = currency.typed(answers)
        await _change(interaction, reply, lambda settings: replace(settings, currency=named), SettingsPage.CHIPS)


# -- switches ----------------------------------------------------------------------------------------------------------


class OddsButton(SettingPress, template=rf"{SETTINGS}:odds:(?P<wanted>on|off)"):
    """The switch for odds. The button carries the wanted state, so a double press does no harm."""

    page_of = SettingsPage.TABLES

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        if settings.house.odds:
            return cls.button(_("Switch odds off"), wanted="off")
        return cls.button(_("Allow odds"), wanted="on")

    def wish(self, interaction: Interaction) -> SettingsChange:
        odds = self.wanted == "on"
        return lambda settings: replace(settings, house=replace(settings.house, odds=odds))


class GuildSuitsButton(SettingPress, template=rf"{SETTINGS}:suits:(?P<wanted>two|four)"):
    """The switch between two and four colours of suits at this server's tables."""

    page_of = SettingsPage.LANGUAGE

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        other = Suits.TWO if settings.suits is Suits.FOUR else Suits.FOUR
        return cls.button(_(SUITS[other]), wanted=other)

    def wish(self, interaction: Interaction) -> SettingsChange:
        return lambda settings: replace(settings, suits=Suits(self.wanted))


class SeasonButton(SettingPress, template=rf"{SETTINGS}:season:(?P<wanted>month|quarter)"):
    """The switch between seasons of a month and of a quarter."""

    page_of = SettingsPage.CHIPS

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        other = Span.MONTH if settings.season is Span.QUARTER else Span.QUARTER
        return cls.button(_(TO_SEASONS[other]), wanted=other)

    def wish(self, interaction: Interaction) -> SettingsChange:
        return lambda settings: replace(settings, season=Span(self.wanted))


class GuildShownButton(SettingPress, template=rf"{SETTINGS}:shown:(?P<wanted>pictures|text)"):
    """The switch between pictures and text at this server's tables."""

    page_of = SettingsPage.LANGUAGE

    wanted: str

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        other = Appearance.PICTURES if settings.shown is Appearance.TEXT else Appearance.TEXT
        return cls.button(_(SHOWN[other]), wanted=other)

    def wish(self, interaction: Interaction) -> SettingsChange:
        return lambda settings: replace(settings, shown=Appearance(self.wanted))


# -- menus -------------------------------------------------------------------------------------------------------------


class ChannelMenu(SettingPress, template=rf"{SETTINGS}:channels"):
    """The menu of channels where tables may be opened. No choice means anywhere."""

    page_of = SettingsPage.TABLES

    @classmethod
    def of(cls, settings: GuildSettings, guild: discord.Guild | None) -> Self:
        there = menus.channels_there(settings.channels, guild)
        menu: ui.ChannelSelect[Any] = ui.ChannelSelect(
            custom_id=cls.carries.of(), channel_types=list(menus.FOR_TABLES),
            placeholder=_("Channels for tables: anywhere"), min_values=0, max_values=25, default_values=there[:25],
        )  # fmt: skip
        return cls(menu)

    def wish(self, interaction: Interaction) -> SettingsChange:
        channels = tuple(int(value) for value in chosen(interaction) if re.fullmatch(r"[0-9]{1,20}", value))
        return lambda settings: replace(settings, channels=channels)


class LogMenu(SettingPress, template=rf"{SETTINGS}:log"):
    """The menu of the channel for the log. If no channel is chosen, there is no log."""

    page_of = SettingsPage.MESSAGES

    @classmethod
    def of(cls, settings: GuildSettings, guild: discord.Guild | None) -> Self:
        return cls(menus.channel_menu(cls.carries.of(), _("Log: off"), settings.log_channel, guild))

    def wish(self, interaction: Interaction) -> SettingsChange:
        channel = menus.channel(interaction)
        return lambda settings: replace(settings, log_channel=channel)


class DayMenu(SettingPress, template=rf"{SETTINGS}:day"):
    """The menu of the channel for the message about Today's five. If no channel is chosen, there is no message."""

    page_of = SettingsPage.MESSAGES

    @classmethod
    def of(cls, settings: GuildSettings, guild: discord.Guild | None) -> Self:
        kept = settings.day_post.channel if settings.day_post is not None else None
        return cls(menus.channel_menu(cls.carries.of(), _("Today's five, daily message: off"), kept, guild))

    def wish(self, interaction: Interaction) -> SettingsChange:
        channel, today = menus.channel(interaction), day_at(interaction.client.clock.now())
        return lambda settings: replace(settings, day_post=_post(settings, channel, today))


def _post(settings: GuildSettings, channel: int | None, today: int) -> DayPost | None:
    if channel is None:
        return None
    return replace(settings.day_post or DayPost(channel), channel=channel, since=today)


class HourMenu(SettingPress, template=rf"{SETTINGS}:hour"):
    """The menu of the hour at which the message about Today's five is posted.

    The first choice is one o'clock UTC, when the cards and answers of yesterday become public.
    """

    page_of = SettingsPage.MESSAGES

    @classmethod
    def of(cls, settings: GuildSettings, post: DayPost, now: float) -> Self:
        options = [
            discord.SelectOption(
                label=_local_time(settings.zone, hour, now),
                description=ngettext("{count} hour left to play", "{count} hours left to play", _HOURS - hour),
                value=str(hour),
                default=hour == post.hour,
            )
            for hour in range(1, _HOURS)
        ]
        return cls(ui.Select(custom_id=cls.carries.of(), options=options))

    def wish(self, interaction: Interaction) -> SettingsChange:
        value = choice(interaction)
        return partial(_at_hour, int(value) if re.fullmatch(r"[0-9]{1,2}", value) else 0)


def _at_hour(hour: int, settings: GuildSettings) -> GuildSettings:
    if settings.day_post is None or not 0 < hour < _HOURS:
        return settings
    return replace(settings, day_post=replace(settings.day_post, hour=hour))


class CalledMenu(SettingPress, template=rf"{SETTINGS}:called"):
    """The menu of the role that the message about Today's five pings. Members take that role by a key on the message.
    No choice means none.
    """

    page_of = SettingsPage.MESSAGES

    @classmethod
    def of(cls, post: DayPost, guild: discord.Guild | None) -> Self:
        there = [post.role] if post.role is not None and (guild is None or guild.get_role(post.role)) else []
        menu: ui.RoleSelect[Any] = ui.RoleSelect(
            custom_id=cls.carries.of(), placeholder=_("Role to ping with it: none"), min_values=0, max_values=1,
            default_values=menus.present(there, discord.SelectDefaultValueType.role),
        )  # fmt: skip
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        role = menus.id_of(choice(interaction))
        if role is not None and (fault := await fault_of_called(interaction.client, server(interaction), role)):
            raise Sorry(fault)
        await super().pressed(interaction, reply)

    def wish(self, interaction: Interaction) -> SettingsChange:
        return partial(_calling, menus.id_of(choice(interaction)))


def _calling(role: int | None, settings: GuildSettings) -> GuildSettings:
    post = settings.day_post
    return replace(settings, day_post=replace(post, role=role)) if post is not None else settings


def _local_time(zone: str, hour: int, now: float) -> str:
    at = opens(day_at(now)) + hour * 3_600 + 300
    return datetime.fromtimestamp(at, ZoneInfo(zone)).strftime("%H:%M")


class GuildLanguageMenu(SettingPress, template=rf"{SETTINGS}:language"):
    """The menu of the tables' language."""

    page_of = SettingsPage.LANGUAGE

    @classmethod
    def of(cls, settings: GuildSettings) -> Self:
        return cls(menu(cls.carries.of(), _("Language of the tables: the server's"), languages(), settings.language))

    def wish(self, interaction: Interaction) -> SettingsChange:
        code = choice(interaction)
        return lambda settings: replace(settings, language=code if code in LANGUAGES else None)


class ChampionMenu(Press, template=rf"{SETTINGS}:champion:(?P<which>{'|'.join(Championship)})"):
    """The menu in which the role of a champion is chosen. No choice means none."""

    which: str

    @classmethod
    def of(cls, which: Championship, chosen: role_settings.ChosenRoles, guild: discord.Guild) -> Self:
        return cls(role_settings.menu(cls.carries.of(which=which.value), which, chosen, guild))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        await role_settings.choose(interaction, Championship(self.which))
        await reply.redraw(await show(interaction, SettingsPage.ROLES))


#: All keys, menus and forms of this page.
PRESSES: Final[tuple[type[Press | Form], ...]] = (
    *(PageMenu, NumbersButton, NumbersForm, ZoneButton, ZoneForm, CurrencyButton, CurrencyForm),
    *(OddsButton, GuildSuitsButton, GuildShownButton, SeasonButton),
    *(ChannelMenu, LogMenu, DayMenu, HourMenu, CalledMenu, GuildLanguageMenu, ChampionMenu),
)
