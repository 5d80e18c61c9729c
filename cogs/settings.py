"""/settings: a member's own language here, how cards and tables look, warnings, and calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import casino_of
from cogs.answers.panel import panel
from cogs.answers.preferences import preferences, set_preferences, speak_to
from cogs.answers.press import Interaction, Press, choice, take_up
from cogs.answers.serving import Reply, serving
from cogs.table.choices import SHOWN, SUITS
from cogs.words import LANGUAGES, _, safe
from cogs.words.catalogues import language
from data import MemberSettings, Shown, Suits

#: The menu's word for: no setting, as Discord itself.
_AS_DISCORD: Final = "discord"


class Settings(commands.Cog):
    @app_commands.command(description="Your language, how tables look to you, warnings and calls")
    @app_commands.guild_only()
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(_settings(await _mine(interaction)))


async def _mine(interaction: Interaction) -> MemberSettings:
    assert interaction.guild_id is not None
    found = await preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id)
    return found if found is not None else MemberSettings()


def _settings(settings: MemberSettings) -> ui.LayoutView:
    phrase = safe(settings.phrase, 100) if settings.phrase else _("none")
    text = _("**Your phrase** in the shuffle: {phrase}\nChange it with `/seed`.", phrase=phrase)
    if settings.warnings:
        warned = _("**Warnings**: you are asked before a play that gives away more than 5 % of the stake.")
    else:
        warned = _("**Warnings**: none.")
    if settings.calls:
        called = _("**Calls**: you are called when others wait for you and half of your time is gone.")
    else:
        called = _("**Calls**: none.")
    looks = _("How tables look holds for what you alone see, and for tables where you play alone.")
    menus: list[list[ui.Item[Any]]] = [[LanguageMenu.of(settings)], [SuitsMenu.of(settings)], [ShownMenu.of(settings)]]
    buttons: list[ui.Item[Any]] = [WarningsButton.of(settings), CallsButton.of(settings)]
    return panel(_("Your settings"), text, warned, called, small=[looks], rows=[*menus, buttons])


class LanguageMenu(Press, template=r"settings:language"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        shown = settings.language or _AS_DISCORD
        names = {_AS_DISCORD: _("Language: as in Discord"), **{code: language(code).name for code in LANGUAGES}}
        options = [discord.SelectOption(label=names[key], value=key, default=key == shown) for key in names]
        return cls(ui.Select(custom_id=cls.id_of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        code = choice(interaction)
        settings = replace(await _mine(interaction), language=code if code in LANGUAGES else None)
        await _keep(interaction, settings)
        await speak_to(interaction)
        await reply.redraw(_settings(settings))


#: The menus' word for: no setting, as the server's tables.
_AS_HERE: Final = "here"


def _options(as_here: str, words: Mapping[Any, str], now: str | None) -> list[discord.SelectOption]:
    """The server's way first, then what somebody may have instead."""
    told = {_AS_HERE: as_here, **{str(key): _(text) for key, text in words.items()}}
    return [discord.SelectOption(label=text, value=key, default=key == (now or _AS_HERE)) for key, text in told.items()]


class SuitsMenu(Press, template=r"settings:suits"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        options = _options(_("Suits: as this server's tables"), SUITS, settings.suits)
        return cls(ui.Select(custom_id=cls.id_of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        wanted = next((suits for suits in Suits if suits == choice(interaction)), None)
        settings = replace(await _mine(interaction), suits=wanted)
        await _keep(interaction, settings)
        await reply.redraw(_settings(settings))


class ShownMenu(Press, template=r"settings:shown"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        options = _options(_("Tables: as this server's"), SHOWN, settings.shown)
        return cls(ui.Select(custom_id=cls.id_of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        wanted = next((shown for shown in Shown if shown == choice(interaction)), None)
        settings = replace(await _mine(interaction), shown=wanted)
        await _keep(interaction, settings)
        await reply.redraw(_settings(settings))


class CallsButton(Press, template=r"settings:calls:(?P<wanted>on|off)"):
    """It carries what it sets, so that twice is once."""

    wanted: str

    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        if settings.calls:
            return cls.button(_("No calls"), wanted="off")
        return cls.button(_("Call me when others wait"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        settings = replace(await _mine(interaction), calls=self.wanted == "on")
        await _keep(interaction, settings)
        await reply.redraw(_settings(settings))


async def _keep(interaction: Interaction, settings: MemberSettings) -> None:
    assert interaction.guild_id is not None
    await set_preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id, settings)


class WarningsButton(Press, template=r"settings:warnings:(?P<wanted>on|off)"):
    """It carries what it sets, so that twice is once."""

    wanted: str

    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        if settings.warnings:
            return cls.button(_("No warnings"), wanted="off")
        return cls.button(_("Warn me of costly plays"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        settings = replace(await _mine(interaction), warnings=self.wanted == "on")
        await _keep(interaction, settings)
        await reply.redraw(_settings(settings))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, LanguageMenu, SuitsMenu, ShownMenu, WarningsButton, CallsButton)
    await bot.add_cog(Settings())
