"""/settings: a member's own language here, and whether they want to be warned of costly plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import casino_of
from cogs.answers.panel import panel
from cogs.answers.preferences import preferences, set_preferences
from cogs.answers.press import Interaction, Press, choice, take_up
from cogs.answers.serving import Reply, serving
from cogs.words import LANGUAGES, _, safe, speak
from cogs.words.catalogues import language
from data import MemberSettings

#: The menu's word for: no setting, as Discord itself.
_AS_DISCORD: Final = "discord"


class Settings(commands.Cog):
    @app_commands.command(description="Your language here, and warnings before costly plays")
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
    return panel(_("Your settings"), text, warned, rows=[[LanguageMenu.of(settings)], [WarningsButton.of(settings)]])


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
        speak(settings.language or str(interaction.locale).partition("-")[0])
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
    take_up(bot, LanguageMenu, WarningsButton)
    await bot.add_cog(Settings())
