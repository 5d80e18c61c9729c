"""/seed: a member's own words in the shuffle of their rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import here, member_of
from cogs.answers.panel import panel
from cogs.answers.preferences import phrase_of, set_preferences
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.words import _, safe
from cogs.words.refusals import Sorry

LONGEST_PHRASE: Final = 100


class SeedCommand(commands.Cog):
    """The command /seed."""

    @app_commands.command(description="Your own words in the shuffle of your rounds", extras=shown_in(Section.TRUST))
    @app_commands.describe(phrase="Anything; leave it out to see yours, write - to have none")
    @app_commands.guild_only()
    async def seed(self, interaction: Interaction, phrase: str | None = None) -> None:
        """Show the member's own words for the shuffle of their rounds; with `phrase`, set them first (`-` for none)."""
        async with serving(interaction) as reply:
            await reply.show(await (_see_phrase(interaction) if phrase is None else _set_phrase(interaction, phrase)))


async def _see_phrase(interaction: Interaction) -> ui.LayoutView:
    phrase = await phrase_of(interaction)
    shown = _("Yours is **{phrase}**", phrase=safe(phrase, LONGEST_PHRASE)) if phrase else _("You don't have one.")
    why = _(
        "It is mixed into the shuffle at tables of your own: /war, and private tables. A new phrase counts from the "
        "next table you open, once an hour at most. Where others may sit down no phrase counts: somebody could search "
        "for words that suit them."
    )
    return panel(_("Your phrase"), shown, small=[why])


async def _set_phrase(interaction: Interaction, phrase: str) -> ui.LayoutView:
    phrase = "" if phrase == "-" else phrase
    if len(phrase) > LONGEST_PHRASE:
        raise Sorry(_("A phrase can have at most {most} characters.", most=LONGEST_PHRASE))
    bank, member = interaction.client.bank, await member_of(interaction)
    settings = replace(await bank.members.settings(member.id), phrase=phrase)
    await set_preferences(bank, here(interaction).guild, interaction.user.id, settings)
    return await _see_phrase(interaction)


async def setup(bot: Casino) -> None:
    await bot.add_cog(SeedCommand())
