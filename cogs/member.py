"""/settings and /privacy: what the house knows of one person, and does as they like."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.casino import casino_of
from cogs.errors import Reply, serving
from cogs.panel import button, panel
from cogs.preferences import forget, preferences, set_preferences
from cogs.refusals import Sorry
from cogs.table.press import Interaction, Press, take_up
from cogs.words import LANGUAGES, _, safe, speak
from data import MemberSettings

#: The menu's word for: no setting, as Discord itself.
_AS_DISCORD: Final = "discord"


class MemberCommands(commands.Cog):
    @app_commands.command(description="Your language here")
    @app_commands.guild_only()
    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(_settings(await _mine(interaction)))

    @app_commands.command(description="What is stored about you; get it, or have it forgotten")
    @app_commands.guild_only()
    async def privacy(self, interaction: discord.Interaction[Any]) -> None:
        async with serving(interaction) as reply:
            await reply.show(_privacy())


async def _mine(interaction: Interaction) -> MemberSettings:
    assert interaction.guild_id is not None
    found = await preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id)
    return found if found is not None else MemberSettings()


# -- settings ----------------------------------------------------------------------------------------------------------


def _settings(settings: MemberSettings) -> ui.LayoutView:
    phrase = safe(settings.phrase, 100) if settings.phrase else _("none")
    text = _("**Your phrase** in the shuffle: {phrase}\nChange it with `/seed`.", phrase=phrase)
    return panel(_("Your settings"), text, rows=[[LanguageMenu.of(settings)]])


class LanguageMenu(Press, template=r"settings:language"):
    @classmethod
    def of(cls, settings: MemberSettings) -> Self:
        shown = settings.language or _AS_DISCORD
        names = {_AS_DISCORD: _("Language: as in Discord"), **LANGUAGES}
        options = [discord.SelectOption(label=names[key], value=key, default=key == shown) for key in names]
        return cls(ui.Select(custom_id="settings:language", options=options))

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls(item)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        data: Any = interaction.data or {}
        chosen = str((data.get("values") or [""])[0])
        settings = replace(await _mine(interaction), language=chosen if chosen in LANGUAGES else None)
        assert interaction.guild_id is not None
        await set_preferences(casino_of(interaction).bank, interaction.guild_id, interaction.user.id, settings)
        speak(settings.language or str(interaction.locale).partition("-")[0])
        await reply.redraw(_settings(settings))


# -- privacy -----------------------------------------------------------------------------------------------------------


def _privacy() -> ui.LayoutView:
    kept = _(
        "Your Discord id, your chips and where each of them came from and went, the rounds you played, "
        "and what you set with `/settings` and `/seed`. Messages and names are neither read nor kept."
    )
    fate = _("Once forgotten, the books keep a number in place of you. Your chips go with you.")
    rows = [[PrivacyButton.of("export", _("Get mine")), PrivacyButton.of("ask", _("Forget me"))]]
    return panel(_("What is stored about you"), kept, small=[fate], rows=rows)


class PrivacyButton(Press, template=r"privacy:(?P<what>export|ask|forget)"):
    def __init__(self, item: ui.Item[Any], what: str) -> None:
        super().__init__(item)
        self.what = what

    @classmethod
    def of(cls, what: str, label: str) -> Self:
        style = discord.ButtonStyle.danger if what == "forget" else discord.ButtonStyle.secondary
        return cls(button(label, f"privacy:{what}", style=style), what)

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        return cls(item, match["what"])

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        match self.what:
            case "export":
                await _export(interaction, reply)
            case "ask":
                await reply.redraw(_sure())
            case "forget":
                await _forget(interaction, reply)


def _sure() -> ui.LayoutView:
    text = _("Your chips, your history and your settings on this server are lost to you. This cannot be undone.")
    return panel(_("Forget you here?"), text, rows=[[PrivacyButton.of("forget", _("Forget me for good"))]])


async def _export(interaction: Interaction, reply: Reply) -> None:
    assert interaction.guild_id is not None
    stored = await casino_of(interaction).bank.export_member(interaction.guild_id, interaction.user.id)
    if stored is None:
        raise Sorry(_("Nothing is stored about you here."))
    text = json.dumps(stored, indent=2, ensure_ascii=False)
    file = discord.File(BytesIO(text.encode()), "croupier-export.json")
    await reply.show(panel(_("All that is stored about you"), file="croupier-export.json"), [file])


async def _forget(interaction: Interaction, reply: Reply) -> None:
    assert interaction.guild_id is not None
    bank = casino_of(interaction).bank
    known = await bank.forget_member(interaction.guild_id, interaction.user.id)
    forget(bank, interaction.guild_id, interaction.user.id)
    text = _("You are forgotten here.") if known else _("Nothing was stored about you here.")
    await reply.redraw(panel(_("Done"), text))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, LanguageMenu, PrivacyButton)
    await bot.add_cog(MemberCommands())
