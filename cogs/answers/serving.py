"""The one place where interactions are answered, in time and in words, even if something fails.

discord.py has several error paths and some of them end in silence. So commands, buttons and forms all run inside
`serving`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

import aiohttp
import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands, refuse_elsewhere
from cogs.answers.naming import calling, naming
from cogs.answers.preferences import speak_to
from cogs.answers.time_limits import REQUEST
from cogs.operations.figures import MISHAPS, PRESSES
from cogs.operations.logs import ABOUT
from cogs.words import _, when
from cogs.words.clean import clean
from cogs.words.refusals import Sorry, sentence
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused

log = logging.getLogger(__name__)

#: Seconds after which an interaction is acknowledged while the work goes on. Discord waits for three.
PATIENCE: Final = 1.5

#: Errors after which Discord did not take an answer, or may not have.
LOST: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, ConnectionError, TimeoutError)

#: Discord's code for an interaction that is answered already, perhaps by the very answer that seemed lost.
_ANSWERED: Final = 40060

#: The mark on an interaction that is being served.
TAKEN: Final = "taken"


@dataclass(eq=False)
class Reply:
    """The answer to one interaction. If it is late, the interaction is acknowledged first."""

    interaction: Interaction
    private: bool
    shown: bool = False
    #: A lock, because answer and acknowledgement must not cross.
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _hurry: asyncio.Task[None] | None = None

    async def say(self, text: str) -> None:
        """Send a sentence that only the person sees."""
        async with self._turn, asyncio.timeout(REQUEST):
            if not self.interaction.response.is_done() and await self._said_first(text):
                return
            if self._waits_in_public:  # the first follow-up would take its place, and be public too
                with contextlib.suppress(*LOST):
                    await self.interaction.delete_original_response()
            await self.interaction.followup.send(text, ephemeral=True)

    async def _said_first(self, text: str) -> bool:
        """Try to send it as the first answer, and return whether that worked. A lost answer may still have arrived."""
        try:
            await self.interaction.response.send_message(text, ephemeral=True)
        except discord.HTTPException as error:
            if error.code != _ANSWERED:
                raise
            return False
        return True

    async def try_to_say(self, text: str) -> None:
        """Say it, or log that Discord refused that too."""
        try:
            await self.say(text)
        except LOST as lost:
            log.warning("could not tell %s: %s", _where(self.interaction), lost)

    async def show(
        self, view: discord.ui.LayoutView, files: Sequence[discord.File] = (), *, within: float = REQUEST
    ) -> int:
        """Show the answer as a message of its own and return its id, or fail after `within` seconds."""
        view.stop()  # so that discord.py keeps neither it nor a task for it: presses are known by their custom_id
        async with self._turn, asyncio.timeout(within):
            message = await self._show(view, list(files))
            self.shown = True
            return message

    async def _show(self, view: discord.ui.LayoutView, files: list[discord.File]) -> int:
        if not self.interaction.response.is_done():
            answer = await self.interaction.response.send_message(view=view, files=files, ephemeral=self.private)
            assert answer.message_id is not None
            return answer.message_id
        if self.interaction.response.type is discord.InteractionResponseType.deferred_message_update:
            extra = await self.interaction.followup.send(view=view, files=files, ephemeral=self.private, wait=True)
            return extra.id  # the original is the message that was pressed on
        sent = await self.interaction.edit_original_response(
            view=view, attachments=files, allowed_mentions=self._naming(view)
        )
        return sent.id

    async def redraw(
        self, view: discord.ui.LayoutView, files: Sequence[discord.File] | None = None, *, strangers: bool = False
    ) -> None:
        """Edit the message whose button was pressed. Without files it keeps the ones it has.

        `strangers`: the message names people who may never have been in its thread.
        """
        view.stop()
        kept: dict[str, Any] = {} if files is None else {"attachments": list(files)}
        kept["allowed_mentions"] = self._naming(view, strangers=strangers)
        async with self._turn, asyncio.timeout(REQUEST):
            if self.interaction.response.is_done():
                await self.interaction.edit_original_response(view=view, **kept)
            else:
                await self.interaction.response.edit_message(view=view, **kept)

    async def resolve_names(self, view: discord.ui.LayoutView) -> None:
        """Edit the answer that was just shown, so that names are names for those who never met these people."""
        if not isinstance(self.interaction.channel, discord.Thread):
            async with self._turn, asyncio.timeout(REQUEST):
                await self.interaction.edit_original_response(view=view, allowed_mentions=naming(view))

    def _naming(self, view: discord.ui.LayoutView, *, strangers: bool = False) -> discord.AllowedMentions:
        adds = strangers and isinstance(self.interaction.channel, discord.Thread)
        return calling([]) if adds else naming(view)

    async def ask(self, form: discord.ui.Modal) -> None:
        """Show a form. Discord accepts one only as the first answer."""
        async with self._turn, asyncio.timeout(REQUEST):
            if self.interaction.response.is_done():
                raise Sorry(_("That took too long just now. Press again."))
            await self.interaction.response.send_modal(form)

    async def acknowledge(self) -> None:
        async with self._turn, asyncio.timeout(REQUEST):
            if not self.interaction.response.is_done():
                await self.interaction.response.defer(ephemeral=self.private)

    # -- in time -------------------------------------------------------------------------------------------------------

    def late(self) -> None:
        """Acknowledge the interaction while the work goes on."""
        self._hurry = asyncio.create_task(self._acknowledge_quietly())

    async def _acknowledge_quietly(self) -> None:
        with contextlib.suppress(*LOST):
            await self.acknowledge()

    @property
    def _waits_in_public(self) -> bool:
        kind = self.interaction.response.type
        waits = kind is discord.InteractionResponseType.deferred_channel_message and not self.shown
        return waits and not self.private


@asynccontextmanager
async def serving(interaction: Interaction, *, private: bool = True) -> AsyncIterator[Reply]:
    """Serve one interaction: in its language, acknowledged in time, with a sentence for every error."""
    interaction.extras[TAKEN] = True
    reply = Reply(interaction, private=private)
    hurry = asyncio.get_running_loop().call_later(PATIENCE, reply.late)
    ABOUT.set({"press": interaction.id, "guild": interaction.guild_id, "channel": interaction.channel_id})
    kind = "form" if interaction.type is discord.InteractionType.modal_submit else "button"
    if interaction.command is not None:
        kind = interaction.command.qualified_name
    with PRESSES.labels(kind).time():
        try:
            if interaction.guild_id is not None:
                name = interaction.user.display_name
                interaction.client.names.learn(interaction.guild_id, interaction.user.id, name)
            await speak_to(interaction)
            yield reply
        except Exception as error:
            await tell(reply, error)
        finally:
            hurry.cancel()


async def tell(reply: Reply, error: Exception) -> None:
    """Say the sentence of a foreseen error, or the number of any other."""
    text = sentence(error)
    if text is None:
        text = _unforeseen(reply, error)
    elif isinstance(error, Refused) and error.reason is Reason.CANNOT_PAY:
        text = "\n".join(filter(None, (text, await _more_chips(reply.interaction))))
    await reply.try_to_say(text)


async def _more_chips(interaction: Interaction) -> str:
    """Say where more chips come from, if there are any to get."""
    casino = interaction.client
    if interaction.guild_id is None:
        return ""
    try:
        member = await casino.bank.members.sign_in(interaction.guild_id, interaction.user.id)
        due = await casino.bank.chips.daily_due(member.id)
    except (BankError, OutcomeUnknown):
        return ""  # the refusal matters more
    if due <= casino.clock.now():
        return _("`/daily` gives you more.")
    return _("Next daily chips {when}.", when=when(due))


def _unforeseen(reply: Reply, error: Exception) -> str:
    if isinstance(error, LOST) and not _is_our_fault(error):
        log.warning("Discord did not take the answer to %s: %s", _where(reply.interaction), error)
        return _("Discord didn't take my answer. It may have counted anyway: have a look before you try again.")
    number = secrets.token_hex(4)
    MISHAPS.inc()
    log.error("error %s in %s", number, _where(reply.interaction), exc_info=error, extra={"error": number})
    told = _(
        "Something went wrong on our side (error `{number}`). Your chips are safe: what the bank has recorded counts.",
        number=number,
    )
    support = reply.interaction.client.support_url
    if support is None:
        return told
    report = _("Please report that number [here]({link}).", link=support)
    return f"{told}\n{report}"


def _is_our_fault(error: Exception) -> bool:
    """Return whether Discord rejected the request as invalid, which is a fault of this program."""
    return isinstance(error, discord.HTTPException) and error.status == 400 and error.code != _ANSWERED


def _where(interaction: Interaction) -> str:
    command = interaction.command.qualified_name if interaction.command is not None else interaction.custom_id
    return f"{command} in channel {interaction.channel_id}"


# -- buttons and menus -------------------------------------------------------------------------------------------------

#: The most choices of a menu.
_MOST: Final = 25

#: A named group of a template.
_CARRIED: Final = re.compile(r"\(\?P<(?P<name>\w+)>(?P<digits>-?\??\\d)?[^()]*\)")


class Press(ui.DynamicItem[ui.Item[Any]], template=r"(?!)"):
    r"""A button or a menu that remembers nothing but its custom_id.

    The named groups of the template declare once what it carries: they make its custom_id, and they are its attributes
    when somebody presses it. A group of digits (`\\d`) is a number, any other a text.

    discord.py logs or swallows what a DynamicItem raises, so subclasses do their work in `pressed`, inside `serving`.
    """

    #: The messages that such buttons may be on. Pressed on any other they do nothing.
    stands: ClassVar[Stands] = Stands.PRIVATELY
    #: Whether they also work in a direct message.
    in_dms: ClassVar[bool] = False
    #: Whether only the presser sees a message that answers.
    private: ClassVar[bool] = True

    pattern: ClassVar[re.Pattern[str]]
    _format: ClassVar[str]
    _numbers: ClassVar[frozenset[str]]

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__(template=template)
        cls.pattern = re.compile(template)
        cls._format = _CARRIED.sub(r"{\g<name>}", template)
        cls._numbers = frozenset(group["name"] for group in _CARRIED.finditer(template) if group["digits"])

    @classmethod
    def id_of(cls, **carried: Any) -> str:
        """Return the custom_id that carries these values."""
        return cls._format.format(**carried)

    @classmethod
    def button(
        cls,
        label: str,
        *,
        enabled: bool = True,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        **carried: Any,
    ) -> Self:
        """Return a new button that carries these values."""
        custom_id = cls._format.format(**carried)
        return cls(ui.Button(label=label, custom_id=custom_id, disabled=not enabled, style=style))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the press that a custom_id describes. It may carry any value that the pattern accepts."""
        pressed, found = cls(item), match.groupdict().items()
        vars(pressed).update({name: int(word) if name in cls._numbers else word for name, word in found})
        return pressed

    async def callback(self, interaction: Any) -> None:
        """Serve the press, if it comes from where such buttons stand."""
        async with serving(interaction, private=self.private) as reply:
            refuse_elsewhere(interaction, self.stands, in_dms=self.in_dms)
            await self.pressed(interaction, reply)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        raise NotImplementedError


def chosen(interaction: Interaction) -> tuple[str, ...]:
    """Return the values chosen from a menu, at most as many as a menu has."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return tuple(clean(str(value)) for value in values[:_MOST]) if isinstance(values, list) else ()


def choice(interaction: Interaction) -> str:
    """Return the one value chosen from a menu, or an empty text if the request was made up."""
    return next(iter(chosen(interaction)), "")


_kinds: list[type[Press]] = []


def take_up(bot: commands.Bot | commands.AutoShardedBot, *kinds: type[Press]) -> None:
    """Serve presses of these kinds from now on, even if another process posted them."""
    bot.add_dynamic_items(*kinds)
    _kinds.extend(kind for kind in kinds if kind not in _kinds)


async def what_is_left(form: Callable[[Interaction], Awaitable[None]], interaction: Interaction) -> None:
    """Serve forms, which discord.py does not know, and presses that it dropped as unknown."""
    if interaction.type is discord.InteractionType.modal_submit:
        await form(interaction)
    elif interaction.type is discord.InteractionType.component and TAKEN not in interaction.extras:
        await _press_anyway(interaction)


async def _press_anyway(interaction: Interaction) -> None:
    custom_id = interaction.custom_id or ""
    for kind in _kinds:
        if match := kind.pattern.fullmatch(custom_id):
            button = await kind.from_custom_id(interaction, ui.Button(custom_id=custom_id), match)
            await button.callback(interaction)
            return
    async with serving(interaction):
        raise Sorry(_("That button doesn't do anything here any more. Nothing was changed."))


# -- what reaches nobody -----------------------------------------------------------------------------------------------


async def _on_command_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answer errors outside a command's own body: in its checks or options, or because the command is gone."""
    await speak_to(interaction)
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    await tell(Reply(interaction, private=True), cause)


def wire(bot: Casino) -> None:
    """Send errors of the command tree here. Buttons and forms need no wiring."""
    bot.tree.error(_on_command_error)
