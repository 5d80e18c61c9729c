"""Keep the pages of a long evening as quick as those of its first hand.

simcord shows what a test has done, and works out every page again for each request of the bot. Here it leaves out what
nobody sees, remembers what it has read, and hands out the bot's own pictures without a process that looks at each.
What is private in simcord is touched here; its exact version is pinned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simcord import Preview

#: Messages on a page; older ones are loaded when they are asked for.
WINDOW: Final = 30
#: Messages by which *Load earlier messages* moves it.
STEP: Final = 15
#: Texts whose parts are remembered: those of several pages.
TEXTS: Final = 4_000


def lighten(preview: Preview) -> None:
    """Make simcord's pages light, before its server starts."""
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
    """Return nothing for simcord's list of all messages, which our page does not show."""
    cursors = {"hasPrevious": False, "hasNext": False, "previousCursor": None, "nextCursor": None}
    return [], {"query": "", "filter": "all", **cursors}


def _read_once(value: Any, profile: str = "message", *, context: Any = None) -> list[dict[str, Any]]:
    """Return a text's parts; callers change them, so each gets a copy."""
    return deepcopy(_parts(None if value is None else str(value), profile, json.dumps(context or {}, sort_keys=True)))


@lru_cache(TEXTS)
def _parts(value: str | None, profile: str, context: str) -> list[dict[str, Any]]:
    from simcord.preview._markdown import markdown_tokens

    return markdown_tokens(value, profile, context=json.loads(context))


def _handed_out(preview: Preview) -> Any:
    """Return what hands out a picture as the bot has made it."""

    async def handed_out(context: str | None, asset: str, **_wishes: Any) -> tuple[str, bytes, str]:
        _page, record, picture = preview._authorized_asset(context, asset)
        return record.contentType, picture, record.filename

    return handed_out
