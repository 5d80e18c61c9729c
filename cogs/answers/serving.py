"""The one place where interactions are answered, in time and in words, even if something fails.

discord.py has several error paths and some of them end in silence. So commands, buttons and forms all run inside
`serving`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import discord
from discord import app_commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import leave_out_server, member_of
from cogs.answers.preferences import speak_to
from cogs.answers.reply import ANSWERED, Reply
from cogs.answers.time_limits import LOST
from cogs.operations.figures import MISHAPS, PRESSES
from cogs.operations.logs import ABOUT
from cogs.words import _, when
from cogs.words.refusals import sentence
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused

log = logging.getLogger(__name__)

#: Seconds after which an interaction is acknowledged while the work goes on. Discord waits for three.
PATIENCE: Final = 1.5

#: The mark on an interaction that is being served.
TAKEN: Final = "taken"


@asynccontextmanager
async def serving(interaction: Interaction, *, private: bool = True) -> AsyncIterator[Reply]:
    """Run the block that answers an interaction: in the person's language, acknowledged in time, and with a sentence
    for every error, which is not raised again. Nobody else sees a `private` answer.
    """
    interaction.extras[TAKEN] = True
    leave_out_server(interaction)
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
    """Answer with the sentence of a foreseen error, or with the number under which any other one is logged.

    If chips were missing, also say where to get more. If Discord did not take an earlier answer, there is no number:
    say that the press may have counted.
    """
    try:
        text = sentence(error)
    except KeyError as missing:  # the error lacks a detail that its sentence names
        missing.__cause__ = error
        text, error = None, missing
    if text is None:
        text = _unforeseen(reply, error)
    elif isinstance(error, Refused) and error.reason is Reason.CANNOT_PAY:
        text = "\n".join(filter(None, (text, await _more_chips(reply.interaction))))
    await reply.try_to_say(text)


async def _more_chips(interaction: Interaction) -> str:
    """Return the sentence about the next daily chips; an empty text outside a server or if the bank fails."""
    casino = interaction.client
    if interaction.guild_id is None:
        return ""
    try:
        member = await member_of(interaction)
        due = await casino.bank.chips.daily_due(member.id)
    except (BankError, OutcomeUnknown):
        return ""  # the refusal matters more
    if due <= casino.clock.now():
        return _("Today's free chips: `/daily`")
    return _("Next daily chips {when}.", when=when(due))


def _unforeseen(reply: Reply, error: Exception) -> str:
    if isinstance(error, LOST) and not is_our_fault(error):
        log.warning("Discord did not take the answer to %s: %s", reply.asked, error)
        return _("Discord didn't take my answer. It may have counted anyway: have a look before you try again.")
    number = secrets.token_hex(4)
    MISHAPS.inc()
    log.error("error %s in %s", number, reply.asked, exc_info=error, extra={"error": number})
    told = _(
        "Something went wrong on our side (error `{number}`). Your chips are safe: what the bank has recorded counts.",
        number=number,
    )
    support = reply.interaction.client.support_url
    if support is None:
        return told
    report = _("Please report that number [here]({link}).", link=support)
    return f"{told}\n{report}"


def is_our_fault(error: Exception) -> bool:
    """Return whether Discord rejected the request as invalid, which is a fault of this program."""
    return isinstance(error, discord.HTTPException) and error.status == 400 and error.code != ANSWERED


# -- what reaches no command -------------------------------------------------------------------------------------------


async def _on_command_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answer errors outside a command's own body: in its checks or options, or because the command is gone."""
    await speak_to(interaction)
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    await tell(Reply(interaction, private=True), cause)


def wire(bot: Casino) -> None:
    """Have errors of the command tree answered here. Buttons and forms need no handler: they run inside `serving`."""
    bot.tree.error(_on_command_error)
