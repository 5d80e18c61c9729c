"""/privacy: the data stored about a member, to be exported or forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.links import links
from cogs.answers.panel import panel
from cogs.answers.preferences import forget
from cogs.answers.press import Press, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.background import roles
from cogs.care.away import call_no_more_on
from cogs.care.keys import CareKey
from cogs.privacy.files import MemberFiles, batches
from cogs.words import _, safe
from cogs.words.refusals import Sorry, sentence
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Refused

#: Seconds for sending the files.
_UPLOAD: Final = 60.0

#: The ids of the people whose files are being made.
_exporting: Final[set[int]] = set()
_two: Final[WeakKeyDictionary[Casino, asyncio.Semaphore]] = WeakKeyDictionary()


class PrivacyCommand(commands.Cog):
    """The command /privacy."""

    @app_commands.command(
        description="What is stored about you; get it, or have it forgotten", extras=shown_in(Section.TRUST)
    )
    @anywhere
    async def privacy(self, interaction: Interaction) -> None:
        """Say what kinds of data are stored about a member, with buttons to get them or have them forgotten."""
        async with serving(interaction) as reply:
            await reply.show(_privacy(interaction))


def _privacy(interaction: Interaction) -> ui.LayoutView:
    kept = _(
        "Your Discord id, your chips and where they came from and went, the rounds you played, and "
        "what you set with `/settings` and `/seed`, and what you `/train`. Messages and names are neither read "
        "nor kept."
    )
    fate = _("Once you are forgotten, the books keep a number in your place. Your chips are gone.")
    keys = [PrivacyButton.of("export", _("Get mine")), PrivacyButton.of("ask", _("Forget me")), CareKey.of()]
    where = _("Here, the first two buttons mean all servers.") if interaction.guild_id is None else ""
    return panel(_("What is stored about you"), kept, where, small=[fate], rows=[keys, *links(interaction.client)])


class PrivacyButton(Press, template=r"privacy:(?P<what>export|ask|forget)"):
    """The button that exports a person's data, asks whether to forget the person, or forgets the person (`what`).

    In a direct message it does so for all servers, on a server for that one. What is stored for all servers is exported
    there too, and forgotten with the last server that knows the person.
    """

    stands: ClassVar[Stands] = Stands.PERSONALLY

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
                await reply.redraw(_sure(everywhere=interaction.guild_id is None))
            case "forget":
                await _forget(interaction, reply)


def _sure(*, everywhere: bool) -> ui.LayoutView:
    rows = [[PrivacyButton.of("forget", _("Forget me for good"))]]
    if everywhere:
        text = _("Your chips, your history and your settings on all servers will be gone. This cannot be undone.")
        return panel(_("Be forgotten everywhere?"), text, rows=rows)
    text = _("Your chips, your history and your settings on this server will be gone. This cannot be undone.")
    return panel(_("Be forgotten here?"), text, rows=rows)


async def _export(interaction: Interaction, reply: Reply) -> None:
    most = interaction.filesize_limit
    async with _one_at_a_time(interaction):
        await reply.acknowledge()
        files = [file for guild in await _servers(interaction) for file in await _files_of(interaction, guild)]
        own = await interaction.client.bank.privacy.own(interaction.user.id)
        if not files and any(own.values()):
            files = await asyncio.to_thread(_own_files, own, most)
        if not files:
            raise Sorry(_("Nothing is stored about you here."))
        for some in batches(files, most):
            names = [file.filename for file in some]
            await reply.show(panel(_("All that is stored about you"), files=names), some, within=_UPLOAD)


async def _files_of(interaction: Interaction, guild: int) -> list[discord.File]:
    """Return the files of what is stored of the person on one server, made a part at a time and off the event loop."""
    growing = MemberFiles(f"croupier-{guild}", interaction.filesize_limit)
    async for name, rows in interaction.client.bank.privacy.pages(guild, interaction.user.id):
        await asyncio.to_thread(growing.add, name, rows)
    return await asyncio.to_thread(growing.files)


def _own_files(own: Mapping[str, Sequence[Mapping[str, Any]]], most: int) -> list[discord.File]:
    """Return the file of what is stored of a person outside of their accounts in guilds (`Privacy.own`)."""
    growing = MemberFiles("croupier", most)
    for name, rows in own.items():
        growing.add(name, rows)
    return growing.files()


@asynccontextmanager
async def _one_at_a_time(interaction: Interaction) -> AsyncIterator[None]:
    """Wait until fewer than two others run this block in this process, then run it: each may take much memory.

    Raises Sorry if the same person already runs it or waits.
    """
    if interaction.user.id in _exporting:
        raise Sorry(_("Your file is being put together already."))
    _exporting.add(interaction.user.id)
    try:
        async with _two.setdefault(interaction.client, asyncio.Semaphore(2)):
            yield
    finally:
        _exporting.discard(interaction.user.id)


async def _servers(interaction: Interaction) -> Sequence[int]:
    """Return the id of the server or, in a direct message, of all servers that know the person."""
    if interaction.guild_id is not None:
        return [interaction.guild_id]
    return await interaction.client.bank.privacy.servers(interaction.user.id)


async def _forget(interaction: Interaction, reply: Reply) -> None:
    if interaction.guild_id is None:
        await reply.acknowledge()
        lines = [await _forgotten_on(interaction, guild) for guild in await _servers(interaction)]
        if await interaction.client.bank.privacy.forget_own(interaction.user.id) and not lines:
            lines = [_("You are forgotten.")]
        await reply.redraw(panel(_("Done"), "\n".join(lines) or _("Nothing was stored about you.")))
        return
    known = await _forget_on(interaction, interaction.guild_id)
    text = _("You are forgotten here.") if known else _("Nothing was stored about you here.")
    await reply.redraw(panel(_("Done"), text))


async def _forgotten_on(interaction: Interaction, guild: int) -> str:
    """Forget the person on one of their servers, and return a sentence that says how that went."""
    server = interaction.client.get_guild(guild)
    name = safe(server.name) if server is not None else str(guild)
    try:
        await _forget_on(interaction, guild)
    except (BankError, OutcomeUnknown, Refused) as error:
        return _("{server}: {why}", server=name, why=sentence(error) or "")
    return _("{server}: you are forgotten there.", server=name)


async def _forget_on(interaction: Interaction, guild: int) -> bool:
    """Forget the person on one server, and return whether the bank knew them there.

    They are no longer invited to any table, and lose roles that they won or bought for a time, and the one that is
    pinged about Today's five. Invitations are gone even if the bank refuses the rest.
    """
    bank, user = interaction.client.bank, interaction.user.id
    member = await bank.members.known(guild, user)
    bought = await bank.shop.held_by(member.id) if member is not None else ()
    await interaction.client.registry.present(guild)
    for table in interaction.client.registry.inviting(guild, user):
        with suppress(Refused):  # it has moved on, and the bank refuses while it names the person
            await table.uninvite(user)
    known = await bank.privacy.forget(guild, user)
    forget(bank, guild, user)
    interaction.client.names.forget(user)
    await roles.take_from_forgotten(interaction.client, guild, user, bought)
    await call_no_more_on(interaction.client, guild, user)
    return known


async def setup(bot: Casino) -> None:
    take_up(bot, PrivacyButton)
    await bot.add_cog(PrivacyCommand())
