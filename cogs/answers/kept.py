"""Files that a message has already: an edit keeps them by naming the ids that Discord gave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that is attached to a message already, for an edit that keeps it."""

    id: int
    name: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON with which an edit keeps the file. discord.py calls this for each attachment."""
        return {"id": str(self.id), "filename": self.name}


def files_of(message: discord.Message) -> Sequence[KeptFile]:
    """Return the files that a message shows in its galleries. Discord names them nowhere else in such messages."""
    media = [item.media for gallery in _galleries(message.components) for item in gallery.items]
    return [KeptFile(each.attachment_id, _name(each.url)) for each in media if each.attachment_id is not None]


def attached(files: Sequence[discord.File] | None, kept: Sequence[KeptFile]) -> dict[str, Any]:
    """Return the argument of an edit about files: these new ones or, if that is None, the `kept` ones.

    If no kept ones are known either, there is no argument: then Discord leaves the message's files as they are.
    """
    if files is not None:
        return {"attachments": list(files)}
    return {"attachments": list(kept)} if kept else {}


def _galleries(parts: Iterable[Any]) -> Iterator[discord.MediaGalleryComponent]:
    for part in parts:
        if isinstance(part, discord.MediaGalleryComponent):
            yield part
        elif isinstance(part, discord.Container):
            yield from _galleries(part.children)


def _name(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).name
