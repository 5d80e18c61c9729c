"""/casino: settings, rules and orders of those who manage the server."""

from __future__ import annotations

from functools import partial
from typing import Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction, Someone
from cogs.answers.door import managers_only
from cogs.answers.here import here, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.press import take_up
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.background import log
from cogs.casino import (
    audit_text,
    balance_files,
    reset_page,
    rule_editor,
    rule_values,
    server_settings,
    setup_page,
)
from cogs.casino.server_settings import PageOption, SettingsPage
from cogs.table import rule_sets
from cogs.words import _, counted, mention, ngettext, not_for_sale, number, safe
from cogs.words.refusals import Sorry
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.tables.ports import CannotPay

_GAMES: Final = [app_commands.Choice(name=game, value=game) for game in GAMES]
_USUAL_GAME: Final = "blackjack"
_FORMATS: Final = [app_commands.Choice(name="CSV", value="csv"), app_commands.Choice(name="JSON", value="json")]
_LONGEST_REASON: Final = 200


@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
class CasinoCommand(
    commands.GroupCog,
    group_name="casino",
    group_description="For managers of this server",
    group_extras=shown_in(Section.MANAGE),
):
    """The command /casino, for those who manage the server."""

    @app_commands.command(description="All that matters on one page, with what is missing")
    async def setup(self, interaction: Interaction) -> None:
        """Show what the server has set up, and what is missing."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await setup_page.show(interaction))

    @app_commands.command(description="Limits, chips, timers, channels")
    @app_commands.describe(page="What to look at; the tables if left out")
    async def settings(self, interaction: Interaction, page: PageOption = SettingsPage.TABLES) -> None:
        """Show the server's settings, with buttons to change them."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await server_settings.show(interaction, page))

    @app_commands.command(description="Make or change one of this server's own rule sets")
    @app_commands.describe(name="Name", like="Start from the rules of this one", game="Blackjack if left out")
    @app_commands.choices(game=_GAMES)
    async def rules(
        self, interaction: Interaction, name: str, like: str | None = None, game: str = _USUAL_GAME
    ) -> None:
        """Open the editor of one of the server's own rule sets, new or known.

        `like` names the rule set that it starts from; None: from its present rules or, for a new one, the default.
        """
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await _editor(interaction, game, name, like))

    @app_commands.command(description="Create chips for a player")
    @app_commands.describe(member="Recipient", amount="How many chips", reason="Why; it stays in the records")
    async def grant(self, interaction: Interaction, member: Someone, amount: int, reason: str) -> None:
        """Create chips for a member, with a reason for the records."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await _order(interaction, member, amount, reason, granting=True))

    @app_commands.command(description="Take chips from a player")
    @app_commands.describe(member="Player", amount="How many chips", reason="Why; it stays in the records")
    async def take(self, interaction: Interaction, member: Someone, amount: int, reason: str) -> None:
        """Take chips from a member, with a reason for the records."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await _order(interaction, member, amount, reason, granting=False))

    @app_commands.command(description="Play out this channel's tables as if time had run out, and close them")
    async def close(self, interaction: Interaction) -> None:
        """Play out this channel's tables, and close them."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await _close(interaction))

    @app_commands.command(description="Check the books, and see who gives chips to whom")
    async def audit(self, interaction: Interaction) -> None:
        """Audit the bank, and show the result with the gifts of the last week."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.acknowledge()
            await reply.show(await audit_text.audited(interaction, reply))

    @app_commands.command(description="All balances as a file")
    @app_commands.describe(kind="CSV for spreadsheets, JSON for programs")
    @app_commands.choices(kind=_FORMATS)
    async def export(self, interaction: Interaction, kind: str = "csv") -> None:
        """Send all balances as a file."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.acknowledge()
            view, file = await balance_files.exported(interaction, kind)
            await reply.show(view, [file])

    @app_commands.command(name="import", description="Set balances from a file, after a preview")
    @app_commands.describe(file="CSV or JSON, like the one of /casino export")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Show what a file of balances would do, with a key that does it."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.acknowledge()
            await reply.show(await balance_files.previewed(interaction, file))

    @app_commands.command(description="Give everybody the same number of chips, announced a week before")
    @app_commands.describe(chips="How many everybody has then; what new members get if left out")
    async def reset(self, interaction: Interaction, chips: int | None = None) -> None:
        """Show the page on which a reset is ordered, or the reset that waits."""
        async with serving(interaction) as reply:
            managers_only(interaction)
            await reply.show(await reset_page.show(interaction, chips))

    @rules.autocomplete("name")
    async def _own(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        own = await interaction.client.bank.guilds.rule_sets(here(interaction).guild)
        names = [each.name for each in own if each.game == _game(interaction) and typed.casefold() in each.name]
        return [app_commands.Choice(name=name, value=name) for name in names[:25]]

    @rules.autocomplete("like")
    async def _like(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await rule_sets.suggested(_game(interaction))(interaction, typed)


# -- rules -------------------------------------------------------------------------------------------------------------


def _game(interaction: Interaction) -> str:
    """Return the game of a command that is still being typed: the usual one if none is chosen."""
    return getattr(interaction.namespace, "game", None) or _USUAL_GAME


async def _editor(interaction: Interaction, game: str, name: str, like: str | None) -> ui.LayoutView:
    """Return the editor for the server's own rule set of this name.

    It starts from the rules of `like`; else from those of this name or, if it is new, from the game's default.
    """
    name = rule_editor.proper_name(game, name)
    known = await rule_sets.names(interaction, game)
    start = like or (name if name in known else rule_sets.default(game))
    rules = await rule_sets.find(interaction, game, start)
    return rule_editor.editor(game, name, rule_values.encoded(game, rules))


# -- chips -------------------------------------------------------------------------------------------------------------


async def _order(interaction: Interaction, to: Someone, amount: int, reason: str, *, granting: bool) -> ui.LayoutView:
    if to.bot:
        raise Sorry(_("Bots can't hold chips."))
    if granting and isinstance(to, discord.User):
        raise Sorry(_("{name} is not on this server, and gets no chips here.", name=mention(to.id)))
    if not 0 < amount <= 10**12:
        raise Sorry(_("Enter a number of chips from 1 to {most}.", most=number(10**12)))
    if not 0 < len(reason) <= _LONGEST_REASON:
        raise Sorry(_("Give a reason of at most {most} characters: it stays in the records.", most=_LONGEST_REASON))
    bank = interaction.client.bank
    actor = await member_of(interaction)
    members, guild = bank.members, here(interaction).guild
    member = await (members.sign_in(guild, to.id) if granting else members.known(guild, to.id))
    if member is None:
        raise Sorry(_("{name} has not played here yet.", name=mention(to.id)))
    book = bank.chips.grant if granting else bank.chips.take
    try:
        line = await log.noted(interaction, partial(_ordered, amount, reason, granting=granting), member.id)
        balance = await book(member.id, amount * CHIP, actor=actor.id, reason=reason, press=interaction.id, line=line)
    except CannotPay:
        raise Sorry(_("{name} has {balance}.", name=mention(to.id), balance=counted(member.balance))) from None
    values = {"name": mention(to.id), "chips": counted(amount * CHIP), "balance": counted(balance)}
    text = _("{name} gets {chips} and now has {balance}.", **values)
    if not granting:
        text = _("{name} loses {chips} and now has {balance}.", **values)
    small = [_("Reason: {reason}", reason=safe(reason, _LONGEST_REASON))]
    if granting:
        small.append(not_for_sale())
    return panel(_("Recorded"), text, small=small, colour=FELT)


def _ordered(amount: int, reason: str, *, granting: bool) -> str:
    """Return the line of the log about chips that a manager gave or took."""
    values = {"actor": log.ACTOR, "member": log.MEMBER, "chips": counted(amount * CHIP)}
    values["reason"] = safe(reason, _LONGEST_REASON)
    if granting:
        return _("🪙 {actor} gave {member} {chips}. Reason: {reason}", **values)
    return _("🪙 {actor} took {chips} from {member}. Reason: {reason}", **values)


# -- tables ------------------------------------------------------------------------------------------------------------


async def _close(interaction: Interaction) -> ui.LayoutView:
    await interaction.client.registry.present(here(interaction).guild)
    tables = [table for table in interaction.client.registry.tables() if table.state.channel == interaction.channel_id]
    if not tables:
        raise Sorry(_("No table is open in this channel."))
    for table in tables:
        await table.close(interaction.id)
    closed = ngettext("{count} table closed", "{count} tables closed", len(tables))
    return panel(closed, _("Open hands were played out as if time had run out. Nothing was refunded."))


async def setup(bot: Casino) -> None:
    take_up(
        bot,
        balance_files.ImportButton,
        setup_page.SetupButton,
        *server_settings.PRESSES,
        *reset_page.PRESSES,
        rule_editor.FormButton,
        rule_editor.RulesForm,
        rule_editor.EarlierMenu,
        rule_editor.SaveButton,
        rule_editor.DropButton,
    )
    await bot.add_cog(CasinoCommand())
