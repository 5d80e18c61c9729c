"""/settings: a member's language, the look of cards and tables, warnings, and pings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.here import here
from cogs.answers.panel import Rows, panel
from cogs.answers.preferences import preferences, set_preferences, speak_to
from cogs.answers.press import Press, choice, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.care.keys import KEYS, CareKey
from cogs.table.choices import SHOWN, SUITS, languages, menu
from cogs.words import LANGUAGES, _, safe
from data import Appearance, MemberSettings, Suits


class SettingsCommand(commands.Cog):
    """The command /settings."""

    @app_commands.command(
        description="Your language, how tables look, warnings, pings, breaks and limits", extras=shown_in(Section.TRUST)
    )
    @anywhere
    async def settings(self, interaction: Interaction) -> None:
        """Show the member's settings on this server, with keys to change them.

        In a direct message, say that each server has its own settings.
        """
        async with serving(interaction) as reply:
            await reply.show(await _page(interaction))


async def _page(interaction: Interaction) -> ui.LayoutView:
    if interaction.guild_id is not None:
        return _settings(await _mine(interaction))
    own = _("Here I speak the language of your Discord app. Each server has its own settings: open `/settings` there.")
    return panel(_("Your settings"), own, rows=[[CareKey.of()]])


async def _mine(interaction: Interaction) -> MemberSettings:
    return await preferences(interaction.client.bank, here(interaction).guild, interaction.user.id)


def _settings(settings: MemberSettings) -> ui.LayoutView:
    phrase = safe(settings.phrase, 100) if settings.phrase else _("none")
    text = _("**Your phrase** in the shuffle: {phrase}\nChange it with `/seed`.", phrase=phrase)
    if settings.warnings:
        warned = _("**Warnings**: on. You're asked before a play that costs more than 5% of your bet.")
    else:
        warned = _("**Warnings**: off")
    if settings.calls:
        called = _("**Pings**: on. You're pinged when others wait for you and half of your time is gone.")
    else:
        called = _("**Pings**: off")
    looks = _("Language and looks apply to what only you see, and to tables where you play alone.")
    menus: Rows = [[LanguageMenu.of(settings)], [SuitsMenu.of(settings)], [ShownMenu.of(settings)]]
    buttons: list[ui.Item[Any]] = [WarningsButton.of(settings), CallsButton.of(settings)]
    return panel(_("Your settings"), text, warned, called, small=[looks], rows=[*menus, buttons, [CareKey.of()]])


async def _change(interaction: Interaction, reply: Reply, **wanted: Any) -> None:
    settings = replace(await _mine(interaction), **wanted)
    await set_preferences(interaction.client.bank, here(interaction).guild, interaction.user.id, settings)
    await speak_to(interaction)
    await reply.redraw(_settings(settings))


class LanguageMenu(Press, template=r"settings:language"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        return cls(menu(cls.carries.of(), _("Language: same as Discord"), languages(), settings.language))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        code = choice(interaction)
        await _change(interaction, reply, language=code if code in LANGUAGES else None)


class SuitsMenu(Press, template=r"settings:suits"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        words = {str(suits): _(text) for suits, text in SUITS.items()}
        return cls(menu(cls.carries.of(), _("Suits: server default"), words, settings.suits))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        wanted = choice(interaction)
        await _change(interaction, reply, suits=next((suits for suits in Suits if suits == wanted), None))


class ShownMenu(Press, template=r"settings:shown"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        words = {str(shown): _(text) for shown, text in SHOWN.items()}
        return cls(menu(cls.carries.of(), _("Tables: server default"), words, settings.shown))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        wanted = choice(interaction)
        await _change(interaction, reply, shown=next((shown for shown in Appearance if shown == wanted), None))


class WarningsButton(Press, template=r"settings:warnings:(?P<wanted>on|off)"):
    """The button that switches warnings on or off. It carries the new value, so a second press changes nothing."""

    wanted: str

    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        if settings.warnings:
            return cls.button(_("No warnings"), wanted="off")
        return cls.button(_("Warn me of costly plays"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _change(interaction, reply, warnings=self.wanted == "on")


class CallsButton(Press, template=r"settings:calls:(?P<wanted>on|off)"):
    """The button that switches pings on or off. It carries the new value, so a second press changes nothing."""

    wanted: str

    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        if settings.calls:
            return cls.button(_("No pings"), wanted="off")
        return cls.button(_("Ping me when it's my turn"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _change(interaction, reply, calls=self.wanted == "on")


async def setup(bot: Casino) -> None:
    take_up(bot, LanguageMenu, SuitsMenu, ShownMenu, WarningsButton, CallsButton, *KEYS)
    await bot.add_cog(SettingsCommand())
