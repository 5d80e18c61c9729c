"""/privacy: what is stored about a member, for them to read or to have forgotten."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Interaction
from cogs.answers.panel import panel
from cogs.answers.preferences import forget
from cogs.answers.serving import Press, Reply, serving, take_up
from cogs.words import _
from cogs.words.refusals import Sorry


class Privacy(commands.Cog):
    @app_commands.command(description="What is stored about you; get it, or have it forgotten")
    @app_commands.guild_only()
    async def privacy(self, interaction: Interaction) -> None:
        async with serving(interaction) as reply:
            await reply.show(_privacy())


def _privacy() -> ui.LayoutView:
    kept = _(
        "Your Discord id, your chips and where each of them came from and went, the rounds you played, "
        "and what you set with `/settings` and `/seed`. Messages and names are neither read nor kept."
    )
    fate = _("Once you are forgotten, the books keep a number in your place. Your chips are gone.")
    rows = [[PrivacyButton.of("export", _("Get mine")), PrivacyButton.of("ask", _("Forget me"))]]
    return panel(_("What is stored about you"), kept, small=[fate], rows=rows)


class PrivacyButton(Press, template=r"privacy:(?P<what>export|ask|forget)"):
    what: str

    @classmethod
    def of(cls, what: str, label: str) -> Self:
        style = discord.ButtonStyle.danger if what == "forget" else discord.ButtonStyle.secondary
        return cls.button(label, style=style, what=what)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        match self.what:
            case "export":
                await _export(interaction, reply)
            case "ask":
                await reply.redraw(_sure())
            case "forget":
                await _forget(interaction, reply)


def _sure() -> ui.LayoutView:
    text = _("Your chips, your history and your settings on this server will be gone. This cannot be undone.")
    return panel(_("Be forgotten here?"), text, rows=[[PrivacyButton.of("forget", _("Forget me for good"))]])


async def _export(interaction: Interaction, reply: Reply) -> None:
    assert interaction.guild_id is not None
    stored = await interaction.client.bank.privacy.export(interaction.guild_id, interaction.user.id)
    if stored is None:
        raise Sorry(_("Nothing is stored about you here."))
    text = json.dumps(stored, indent=2, ensure_ascii=False)
    file = discord.File(BytesIO(text.encode()), "croupier-export.json")
    await reply.show(panel(_("All that is stored about you"), files=["croupier-export.json"]), [file])


async def _forget(interaction: Interaction, reply: Reply) -> None:
    assert interaction.guild_id is not None
    bank = interaction.client.bank
    known = await bank.privacy.forget(interaction.guild_id, interaction.user.id)
    forget(bank, interaction.guild_id, interaction.user.id)
    interaction.client.names.forget(interaction.user.id)
    text = _("You are forgotten here.") if known else _("Nothing was stored about you here.")
    await reply.redraw(panel(_("Done"), text))


async def setup(bot: commands.Bot | commands.AutoShardedBot) -> None:
    take_up(bot, PrivacyButton)
    await bot.add_cog(Privacy())
