"""/privacy: the data stored about a member, to be exported or forgotten."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.links import links
from cogs.answers.panel import panel
from cogs.answers.preferences import forget
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import Press, Reply, serving, take_up
from cogs.words import _, safe
from cogs.words.refusals import Sorry, sentence
from engine.tables.ports import BankError, OutcomeUnknown

#: Bytes up to which a file is not compressed, so that anybody can read it.
PLAIN: Final = 256 * 1024
#: Files that Discord takes with one message.
MOST_FILES: Final = 10
#: Seconds for sending them.
_UPLOAD: Final = 60.0

#: The people whose files are being made.
_exporting: Final[set[int]] = set()
_two: Final[WeakKeyDictionary[Casino, asyncio.Semaphore]] = WeakKeyDictionary()


class Privacy(commands.Cog):
    """The command /privacy."""

    @app_commands.command(
        description="What is stored about you; get it, or have it forgotten", extras=shown_in(Section.TRUST)
    )
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is stored about the member, to be exported or forgotten."""
        async with serving(interaction) as reply:
            await reply.show(_privacy(interaction))


def _privacy(interaction: Interaction) -> ui.LayoutView:
    kept = _(
        "Your Discord id, your chips and where they came from and went, the rounds you played, and "
        "what you set with `/settings` and `/seed`. Messages and names are neither read nor kept."
    )
    fate = _("Once you are forgotten, the books keep a number in your place. Your chips are gone.")
    keys = [PrivacyButton.of("export", _("Get mine")), PrivacyButton.of("ask", _("Forget me"))]
    where = _("Here, in a direct message, both keys mean all servers.") if interaction.guild_id is None else ""
    return panel(_("What is stored about you"), kept, where, small=[fate], rows=[keys, *links(interaction.client)])


class PrivacyButton(Press, template=r"privacy:(?P<what>export|ask|forget)"):
    in_dms: ClassVar[bool] = True

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
    async with _one_at_a_time(interaction):
        await reply.acknowledge()
        files = []
        for guild in await _servers(interaction):
            stored = await interaction.client.bank.privacy.export(guild, interaction.user.id)
            if stored is not None:
                files.append(await asyncio.to_thread(_file, guild, stored))
    if not files:
        raise Sorry(_("Nothing is stored about you here."))
    for some in (files[start : start + MOST_FILES] for start in range(0, len(files), MOST_FILES)):
        names = [file.filename for file in some]
        await reply.show(panel(_("All that is stored about you"), files=names), some, within=_UPLOAD)


@asynccontextmanager
async def _one_at_a_time(interaction: Interaction) -> AsyncIterator[None]:
    """Let a person have one file put together at a time, and the process two: each may take much memory."""
    if interaction.user.id in _exporting:
        raise Sorry(_("Your file is being put together already."))
    _exporting.add(interaction.user.id)
    try:
        async with _two.setdefault(interaction.client, asyncio.Semaphore(2)):
            yield
    finally:
        _exporting.discard(interaction.user.id)


async def _servers(interaction: Interaction) -> Sequence[int]:
    """Return the server, or in a direct message all servers that know the person."""
    if interaction.guild_id is not None:
        return [interaction.guild_id]
    return await interaction.client.bank.privacy.servers(interaction.user.id)


def _file(guild: int, stored: Mapping[str, Any]) -> discord.File:
    """Return what is stored as a file: compressed where it is large, because Discord takes ten megabytes."""
    written, name = json.dumps(stored, indent=2, ensure_ascii=False).encode(), f"croupier-{guild}.json"
    if len(written) <= PLAIN:
        return discord.File(BytesIO(written), name)
    return discord.File(BytesIO(gzip.compress(written, mtime=0)), f"{name}.gz")


async def _forget(interaction: Interaction, reply: Reply) -> None:
    if interaction.guild_id is None:
        await reply.acknowledge()
        lines = [await _forgotten_on(interaction, guild) for guild in await _servers(interaction)]
        await reply.redraw(panel(_("Done"), "\n".join(lines) or _("Nothing was stored about you.")))
        return
    known = await _forget_on(interaction, interaction.guild_id)
    text = _("You are forgotten here.") if known else _("Nothing was stored about you here.")
    await reply.redraw(panel(_("Done"), text))


async def _forgotten_on(interaction: Interaction, guild: int) -> str:
    """Forget the person on one of their servers, and say how that went."""
    server = interaction.client.get_guild(guild)
    name = safe(server.name) if server is not None else str(guild)
    try:
        await _forget_on(interaction, guild)
    except (BankError, OutcomeUnknown) as error:
        return _("{server}: {why}", server=name, why=sentence(error) or "")
    return _("{server}: you are forgotten there.", server=name)


async def _forget_on(interaction: Interaction, guild: int) -> bool:
    """Forget the person on one server; return whether there was anybody to forget."""
    bank, user = interaction.client.bank, interaction.user.id
    known = await bank.privacy.forget(guild, user)
    forget(bank, guild, user)
    interaction.client.names.forget(user)
    return known


async def setup(bot: Casino) -> None:
    take_up(bot, PrivacyButton)
    await bot.add_cog(Privacy())
