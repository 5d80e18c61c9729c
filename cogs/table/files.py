"""Pictures as files: drawn off the event loop, and the last ones kept, so that the same view is not drawn twice."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from io import BytesIO
from typing import Final

import discord

from cogs.operations.figures import PARTS
from cogs.table.components import PICTURE
from cogs.table.page import Picture

_MOST: Final = 64
_kept: Final[OrderedDict[Hashable, bytes]] = OrderedDict()


async def file_of(picture: Picture) -> discord.File:
    image = _kept.get(picture.key)
    if image is None:
        with PARTS.labels("picture").time():
            image = _kept[picture.key] = await asyncio.to_thread(picture.draw)
    _kept.move_to_end(picture.key)
    while len(_kept) > _MOST:
        _kept.popitem(last=False)
    return discord.File(BytesIO(image), filename=PICTURE, description=picture.alt)
