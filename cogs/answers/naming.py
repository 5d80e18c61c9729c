"""The one policy for the people whom a message's mentions reach.

Only if a message may mention a person do all clients show the mention as a name. Edits never notify, so an edit allows
exactly the people that it names. In a thread an edit would add these people to the thread, so it allows only people who
are in the thread already. A new message notifies everyone it allows: it allows the people it calls (pings), and nobody
else. Where it names others too, an edit follows (`posting.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import discord
from discord import ui

#: The most people that Discord accepts in one message's allowed mentions.
_MOST: Final = 100
_MENTION: Final = re.compile(r"<@!?(\d{1,20})>")


def naming(view: ui.LayoutView) -> discord.AllowedMentions:
    """Return the allowed mentions of an edit to this message: the people whom its texts mention."""
    return calling(named(view))


def named(view: ui.LayoutView) -> Sequence[int]:
    """Return the ids of the people whom the texts of a message mention, each once."""
    texts = "\n".join(part.content for part in view.walk_children() if isinstance(part, ui.TextDisplay))
    return [int(user) for user in dict.fromkeys(_MENTION.findall(texts))]


def calling(users: Iterable[int], roles: Sequence[discord.Role] = ()) -> discord.AllowedMentions:
    """Return the allowed mentions of a message that calls these people (the first hundred) and these roles."""
    people = [discord.Object(user) for user in users]
    return discord.AllowedMentions(everyone=False, roles=roles or False, replied_user=False, users=people[:_MOST])
