"""Changes to simcord that keep long evenings as fast as their first hand.

simcord shows what a test has done, and builds every page again for each request of the bot. With these changes it
leaves out what is not visible, caches what it has parsed, and serves the bot's own pictures without checking each in
another process. They use simcord's private parts, so its exact version is pinned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simcord import Preview

#: The number of messages on a page. Older ones are loaded on request.
WINDOW: Final = 30
#: The number of messages that *Load earlier messages* adds.
STEP: Final = 15
#: The number of cached texts, enough for several pages.
TEXTS: Final = 4_000


def lighten(preview: Preview) -> None:
    """Make simcord's pages and this preview's pictures faster. Call this before the preview's server starts."""
    from simcord.preview import _action_plans, _component_projection, _messages, _snapshot

    plans: Any = _action_plans
    snapshots: Any = _snapshot
    snapshots._message_navigation = _no_list
    plans.HISTORY_WINDOW_SIZE = snapshots.HISTORY_WINDOW_SIZE = WINDOW
    plans.HISTORY_STEP = STEP
    readers: tuple[Any, ...] = (_snapshot, _component_projection, _messages)
    for reader in readers:
        reader.markdown_tokens = _read_once
    preview._prepare_asset = _handed_out(preview)  # type: ignore[method-assign]


def _no_list(preview: Preview, page: Any, visible: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return no messages for simcord's list of all messages, because our page does not show that list."""
    cursors = {"hasPrevious": False, "hasNext": False, "previousCursor": None, "nextCursor": None}
    return [], {"query": "", "filter": "all", **cursors}


def _read_once(value: Any, profile: str = "message", *, context: Any = None) -> list[dict[str, Any]]:
    """Return a text's parsed parts from a cache. Each caller gets a copy, because callers change them."""
    return deepcopy(_parts(None if value is None else str(value), profile, json.dumps(context or {}, sort_keys=True)))


@lru_cache(TEXTS)
def _parts(value: str | None, profile: str, context: str) -> list[dict[str, Any]]:
    from simcord.preview._markdown import markdown_tokens

    return markdown_tokens(value, profile, context=json.loads(context))


def _handed_out(preview: Preview) -> Any:
    """Return a function that serves a picture as the bot has made it, whatever size is wished."""

    async def handed_out(context: str | None, asset: str, **_wishes: Any) -> tuple[str, bytes, str]:
        _page, record, picture = preview._authorized_asset(context, asset)
        return record.contentType, picture, record.filename

    return handed_out
