"""Messages that the bot posts by itself: they notify whom they call, and name others without notifying them."""

from __future__ import annotations

from io import BytesIO

import discord
from discord import ui

from cogs.answers.kept import files_of
from cogs.answers.naming import calling
from cogs.answers.panel import panel
from cogs.answers.posting import post

from ..conftest import Casino
from ..line import Line


async def test_a_post_is_edited_only_to_name_others_than_it_calls_and_never_in_a_thread(
    casino: Casino, line: Line
) -> None:
    ada, ben = casino.alice.id, casino.bob.id
    regulars = casino.guild.create_role("Regulars")
    casino.env.backend.create_thread(casino.channel.id, "hall", ada)
    server, (thread,) = casino.bot.get_guild(casino.guild.id), casino.channel.threads
    assert server is not None
    role = server.get_role(regulars.id)
    assert role is not None
    both = f"<@{ada}> and <@!{ben}>"
    for channel, text, called, edits in (
        (casino.channel, "nobody", (), []),
        (casino.channel, f"<@{ada}>", (ada,), []),
        (casino.channel, both, (ada,), [[ada, ben]]),
        (thread, both, (ada,), []),
    ):
        since = len(casino.env.http_requests)
        await post(
            casino.bot, server.id, channel.id, panel("News", f"<@&{role.id}> {text}"), called=called, roles=[role]
        )
        sent, *edited = casino.env.http_requests[since:]
        assert sent.json["allowed_mentions"] == {"parse": [], "users": list(called), "roles": [role.id]}
        allowed = [each.json["allowed_mentions"] for each in edited]
        assert allowed == [{"parse": [], "users": users, "roles": [role.id]} for users in edits]
    line.cut("PATCH", "/channels/*/messages/*")
    await post(casino.bot, server.id, casino.channel.id, panel("News", both), silent=True)
    assert casino.message.flags.silent, "only names are missing"


async def test_a_picture_from_elsewhere_is_no_file_that_a_message_keeps(casino: Casino) -> None:
    view, own = ui.LayoutView(), discord.File(BytesIO(b"picture"), "own.png")
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery()
    for media in ("attachment://own.png", "https://example.org/theirs.png"):
        gallery.add_item(media=media)
    view.add_item(gallery)
    sent = await casino.bot.get_partial_messageable(casino.channel.id).send(view=view, files=[own])
    assert [file.name for file in files_of(sent)] == ["own.png"]


def test_of_those_whom_a_message_may_mention_discord_takes_a_hundred() -> None:
    mentions = calling(range(1, 102)).to_dict()
    assert mentions == {"parse": [], "users": list(range(1, 101))}
    assert calling([]).to_dict() == {"parse": [], "users": []}
