"""Direct messages with the bot: a page can show them in place of the channel. simcord itself shows only the channel.

A page is asked for by an id: a person's own id shows the channel, and the id of their direct messages shows those.
simcord's private parts are used here; its exact version is pinned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcord import ChannelHandle, Preview


def directs_of(preview: Preview) -> dict[int, int]:
    """Return the id of each person's channel of direct messages, by the person's id."""
    return {viewer.id: viewer.user.dm_channel.id for viewer in preview.viewers}


def open_directs(preview: Preview) -> None:
    """Let the pages of a preview show direct messages too. Call this before the preview's web server starts."""
    channel, users = preview.channel, {viewer.user.dm_channel.id: viewer.user for viewer in preview.viewers}
    in_the_channel, prepare, act = preview._viewer, preview._prepare_action, preview._action
    open_in_the_channel = preview._open_page

    def found(number: Any) -> Any:
        """Return the person with this id, or the one whose direct messages have it."""
        return (users.get(int(number)) if str(number).isdecimal() else None) or in_the_channel(number)

    def place_of(viewer: Any) -> ChannelHandle:
        return viewer.dm_channel if viewer in users.values() else channel

    def prepared(page: Any, kind: str, body: Mapping[str, Any]) -> Any:
        if kind == "viewer":
            page.channel_id = place_of(found(body.get("viewer_id"))).id
        return prepare(page, kind, body)

    async def acted(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out an action where its page is: in the channel or in direct messages. `context` is the page's id."""
        preview.channel = place_of(preview._get_page(context).viewer)
        try:
            return await act(context, body)
        finally:
            preview.channel = channel

    def opened(viewer_id: Any = None, target_id: Any = None) -> Any:
        """Open a page in the channel, and go on to the direct message if that was asked for."""
        viewer = preview.viewers[0] if viewer_id is None else found(viewer_id)
        at, preview.channel = preview.channel, channel
        try:
            page = open_in_the_channel(viewer.id, target_id)
        finally:
            preview.channel = at
        if place_of(viewer) is not channel:
            page.viewer, page.channel_id = viewer, place_of(viewer).id
            page.target_id = page.window_end_id = preview._initial_target(viewer, page.channel_id)
            preview._publish(page, reason="navigation")
        return page

    replaced: Any = preview
    replaced._viewer, replaced._prepare_action = found, prepared
    replaced._action, replaced._open_page = acted, opened
