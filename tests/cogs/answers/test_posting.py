"""Messages that the bot posts by itself: they notify whom they call, and name others without notifying them."""

from __future__ import annotations

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
