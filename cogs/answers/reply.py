"""The answer to an interaction: a sentence, a message, an edit or a form."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, Final

import discord

from cogs.answers.clickable import clickable
from cogs.answers.client import Interaction
from cogs.answers.kept import KeptFile, attached, files_of
from cogs.answers.naming import calling, naming
from cogs.answers.time_limits import LOST, REQUEST
from cogs.words import _
from cogs.words.refusals import Sorry

log = logging.getLogger(__name__)

#: Seconds for an upload; if one takes longer, it is slow, and the next ones are acknowledged first.
SLOW: Final = 1.0
#: The number of the latest uploads that count.
_LATELY: Final = 10

#: Seconds for which an interaction's token is used; Discord takes it for a minute more.
TOKEN: Final = 14 * 60

#: The answers after which the token edits the message that was pressed on.
_UPDATES: Final = (
    discord.InteractionResponseType.message_update,
    discord.InteractionResponseType.deferred_message_update,
)

#: Discord's code for an interaction that is answered already, perhaps by the very answer that seemed lost.
ANSWERED: Final = 40060


class Uploads:
    """The durations of the latest answers with files.

    After slow ones the next interaction is acknowledged first, because Discord waits only three seconds for an answer.
    """

    def __init__(self) -> None:
        self._took: deque[float] = deque(maxlen=_LATELY)

    @property
    def are_slow(self) -> bool:
        """Whether any of the latest answers with files was slow: the next should be acknowledged first."""
        return any(seconds > SLOW for seconds in self._took)

    @contextmanager
    def timed(self, files: Sequence[discord.File] | None) -> Iterator[None]:
        """Note how long the block takes to send these files, whether it succeeds or not. Without files note nothing."""
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            yield
        finally:
            if files:
                self._took.append(clock() - began)


@dataclass(eq=False)
class Reply:
    """The answer to one interaction, which is acknowledged first if the answer is late."""

    interaction: Interaction
    private: bool  # whether only the person who typed or pressed sees it
    shown: bool = False  # whether `show` has succeeded
    #: The message that Discord named with the first answer or acknowledgement: after a press, the one pressed on.
    _message: int | None = None
    #: The files on the message that this answer brought.
    kept: Sequence[KeptFile] = ()
    #: The context (of `contextvars`) in which discord.py knows how to send answers: later edits run in copies of it.
    context: Context = field(default_factory=copy_context)
    #: A lock, because answer and acknowledgement must not cross.
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _hurry: asyncio.Task[None] | None = None

    async def say(self, text: str) -> None:
        """Send a sentence that only the person sees, with links to the commands that it names."""
        await self._send(private=True, content=clickable(text))

    async def _send(self, *, private: bool, **shown: Any) -> int:
        """Send a message as the first answer, or as a follow-up to it, and return its id.

        Before a private follow-up, delete an answer that still shows as loading to everybody.
        """
        async with self._turn, asyncio.timeout(REQUEST):
            if not self.interaction.response.is_done():
                first = await self._sent_first(private, shown)
                if first is not None:
                    return first
            if private and self._waits_in_public:  # the first follow-up would take its place, and be public too
                with contextlib.suppress(*LOST):
                    await self.interaction.delete_original_response()
            return (await self.interaction.followup.send(**shown, ephemeral=private, wait=True)).id

    async def _sent_first(self, private: bool, shown: dict[str, Any]) -> int | None:  # noqa: FBT001
        """Send a message as the first answer, and return its id.

        Return None if Discord has an answer already: an earlier one that seemed lost may have arrived.
        """
        try:
            return (await self.interaction.response.send_message(**shown, ephemeral=private)).message_id
        except discord.HTTPException as error:
            if error.code != ANSWERED:
                raise
            return None

    async def try_to_say(self, text: str) -> None:
        """Say a sentence, or log that Discord did not take it."""
        try:
            await self.say(text)
        except LOST as lost:
            log.warning("could not tell %s: %s", self.asked, lost)

    async def show(
        self, view: discord.ui.LayoutView, files: Sequence[discord.File] = (), *, within: float = REQUEST
    ) -> int:
        """Show the answer in a message of its own, or in place of a loading or earlier answer, and return its id.

        Raises TimeoutError after `within` seconds.
        """
        view.stop()  # discord.py need not keep it or a task for it: presses are known by their custom_id
        async with self._turn, asyncio.timeout(within):
            await self._hurry_before(files)
            with self.interaction.client.uploads.timed(files):
                message = await self._show(view, list(files))
            self.shown = True
            return message

    async def _show(self, view: discord.ui.LayoutView, files: list[discord.File]) -> int:
        if not self.interaction.response.is_done():
            answer = await self.interaction.response.send_message(view=view, files=files, ephemeral=self.private)
            assert answer.message_id is not None
            self._message = answer.message_id
            self._keep(answer.resource)
            return answer.message_id
        if self.interaction.response.type is discord.InteractionResponseType.deferred_message_update:
            extra = await self.interaction.followup.send(view=view, files=files, ephemeral=self.private, wait=True)
            self._keep(extra)
            return extra.id  # the original is the message that was pressed on
        sent = await self.interaction.edit_original_response(
            view=view, attachments=files, allowed_mentions=self._naming(view)
        )
        self._keep(sent)
        return sent.id

    def _keep(self, message: object) -> None:
        if isinstance(message, discord.Message):
            self.kept = files_of(message)

    async def redraw(
        self,
        view: discord.ui.LayoutView,
        files: Sequence[discord.File] | None = None,
        *,
        kept: Sequence[KeptFile] | None = None,
        strangers: bool = False,
    ) -> None:
        """Edit the message whose button was pressed, or the shown answer to a command.

        `files` replace the files on the message. If `files` is None, the message keeps the `kept` ones, or else those
        that this answer brought. `strangers` says that the view mentions people who may not be in the message's thread.
        Allowed mentions would add them to the thread, so then none are allowed.
        """
        view.stop()
        kept = self.kept if kept is None else kept
        sent: dict[str, Any] = attached(files, kept)
        sent["allowed_mentions"] = self._naming(view, strangers=strangers)
        async with self._turn, asyncio.timeout(REQUEST):
            await self._hurry_before(files)
            self.kept = kept if files is None else ()
            with self.interaction.client.uploads.timed(files):
                if self.interaction.response.is_done():
                    self._keep(await self.interaction.edit_original_response(view=view, **sent))
                elif (answer := await self.interaction.response.edit_message(view=view, **sent)) is not None:
                    self._keep(answer.resource)

    async def add(
        self, message: str | discord.ui.LayoutView, *, called: Iterable[int] = (), private: bool = False
    ) -> int:
        """Send a message that calls these people, as the first answer or as a further one, and return its id.

        The message is not edited afterwards (`resolve_names`) to show the names of people who were not called. Discord
        would mark it as *(edited)*, and so everybody would learn that these people did not want to be called.
        """
        shown: dict[str, Any] = {"content": message}
        if not isinstance(message, str):
            message.stop()
            shown = {"view": message}
        return await self._send(private=private, **shown, allowed_mentions=calling(called))

    async def resolve_names(self, view: discord.ui.LayoutView) -> None:
        """Edit the answer that was just shown, so that Discord shows the names of mentioned people to every reader.

        In a thread this does nothing, because the edit would add the mentioned people to the thread.
        """
        if not isinstance(self.interaction.channel, discord.Thread):
            async with self._turn, asyncio.timeout(REQUEST):
                await self.interaction.edit_original_response(view=view, allowed_mentions=naming(view))

    def _naming(self, view: discord.ui.LayoutView, *, strangers: bool = False) -> discord.AllowedMentions:
        adds = strangers and isinstance(self.interaction.channel, discord.Thread)
        return calling([]) if adds else naming(view)

    async def ask(self, form: discord.ui.Modal) -> None:
        """Show a form. Raises Sorry if there is an answer already: Discord accepts a form only as the first one."""
        async with self._turn, asyncio.timeout(REQUEST):
            if self.interaction.response.is_done():
                raise Sorry(_("That took too long just now. Press again."))
            await self.interaction.response.send_modal(form)

    @property
    def asked(self) -> str:
        """The command or the button, and its channel, for the log."""
        command, custom_id = self.interaction.command, self.interaction.custom_id
        name = command.qualified_name if command is not None else custom_id
        return f"{name} in channel {self.interaction.channel_id}"

    async def acknowledge(self) -> None:
        """Acknowledge the interaction, which tells Discord that an answer comes, unless there is one already."""
        async with self._turn, asyncio.timeout(REQUEST):
            if not self.interaction.response.is_done():
                await self._defer()

    async def announce(self) -> int | None:
        """Announce the answer as a message that shows as loading, if there is no answer or acknowledgement yet.

        Return the id of the message in which `show` will show it. Return None if Discord has not named it, and after a
        press that was acknowledged already: `show` then sends a new message.
        """
        async with self._turn, asyncio.timeout(REQUEST):
            if not self.interaction.response.is_done():
                await self._defer(thinking=True)
            return None if self.interaction.response.type in _UPDATES else self._message

    async def _defer(self, *, thinking: bool = False) -> None:
        announced = await self.interaction.response.defer(ephemeral=self.private, thinking=thinking)
        self._message = announced.message_id if announced is not None else None

    async def _hurry_before(self, files: Sequence[discord.File] | None) -> None:
        """Acknowledge the interaction before an answer with files, if such answers were slow lately."""
        if files and self.interaction.client.uploads.are_slow and not self.interaction.response.is_done():
            await self._defer()

    # -- afterwards ----------------------------------------------------------------------------------------------------

    @property
    def original(self) -> int | None:
        """The id of the message that the token edits: the one that was pressed on, or what `show` or `announce` sent.

        None before that, after another kind of answer, and if Discord has not named the message.
        """
        pressed_on = self.interaction.message
        if self.interaction.response.type in _UPDATES and pressed_on is not None:
            return pressed_on.id
        return self._message

    @property
    def lasts(self) -> bool:
        """Whether the interaction's token, which sends and edits its answers, can still be used."""
        return (discord.utils.utcnow() - self.interaction.created_at).total_seconds() < TOKEN

    # -- in time -------------------------------------------------------------------------------------------------------

    def late(self) -> None:
        """Begin to acknowledge the interaction, because its answer takes long. The work goes on beside it."""
        self._hurry = asyncio.create_task(self._acknowledge_quietly())

    async def _acknowledge_quietly(self) -> None:
        with contextlib.suppress(*LOST):
            await self.acknowledge()

    @property
    def _waits_in_public(self) -> bool:
        kind = self.interaction.response.type
        waits = kind is discord.InteractionResponseType.deferred_channel_message and not self.shown
        return waits and not self.private
