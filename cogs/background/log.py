"""The lines of a server's log, in its language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cogs.answers.client import Interaction
from cogs.answers.here import here, member_of, server
from cogs.answers.preferences import reader_of
from cogs.table.permissions import missing_to_post
from cogs.words import _, counted, mention, ngettext, reading
from cogs.words.refusals import Sorry
from data import Feeding, GuildSettings, Logged, LogLine

#: The placeholders of people in a line, which are filled when it is posted.
ACTOR: Final = "{actor}"
MEMBER: Final = "{member}"


async def noted(
    interaction: Interaction,
    write: Callable[[], str],
    member: int | None = None,
    wanted: GuildSettings | None = None,
) -> LogLine | None:
    """Return the line for the server's log about what this person does, or None if the server has no log channel.

    `write` makes its text, in the server's language; `member` is the number of the other person concerned. `wanted` are
    settings that are about to be stored: then their log channel counts. If there is a line, an account is opened for
    this person, unless they have one.
    """
    client, guild = interaction.client, here(interaction).guild
    if (wanted or await client.bank.guilds.settings(guild)).log_channel is None:
        return None
    with reading(await reader_of(client, guild)):
        text = write()
    return LogLine(text, (await member_of(interaction)).id, member)


def posted(line: Logged) -> str:
    """Return the text of a line as it is posted: with its time, and with the people in place of their placeholders."""
    # once each: a manager's reason comes later in the line, and may have the same signs
    text = line.text.replace(ACTOR, somebody(line.actor), 1).replace(MEMBER, somebody(line.member), 1)
    return f"<t:{int(line.at)}:t> {text}"


def dropped(count: int) -> str:
    """Return the sentence about lines that could not be posted."""
    return ngettext(
        "-# {count} earlier line could not be posted here and was dropped.",
        "-# {count} earlier lines could not be posted here and were dropped.",
        count,
    )


def gifts(fed: tuple[Feeding, ...]) -> str:
    """Return the daily digest of the chips that gifts and duels passed on, or an empty text if there were none."""
    if not fed:
        return ""
    return "\n".join((_("**Gifts and duels of the last day**"), *map(gift, fed)))


def gift(each: Feeding) -> str:
    """Return the line about the chips that one person passed to another."""
    values = {"giver": somebody(each.giver), "receiver": somebody(each.receiver), "chips": counted(each.amount)}
    return _("{giver} → {receiver} · **{chips}**", **values)


def somebody(user: int | None) -> str:
    """Return a mention of a person, or words for one who was forgotten."""
    return mention(user) if user is not None else _("someone who was forgotten")


def expect_room(interaction: Interaction, channel: int) -> None:
    """Refuse a channel that the bot cannot find, or in which it cannot post."""
    lacking = missing_to_post(server(interaction), channel)
    if lacking is None:
        raise Sorry(_("I can't find that channel. Choose another one."))
    if lacking:
        raise Sorry(
            _(
                "I can't post in {channel}: I need {permissions} there.",
                channel=f"<#{channel}>",
                permissions=", ".join(f"**{_(label)}**" for label in lacking),
            )
        )
