"""A trial in a named channel: post a picture, edit the text below it, delete it, and say what Discord did."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from io import BytesIO
from typing import Final, TypeVar

import discord
from discord import ui
from PIL import Image

from cogs.answers.panel import panel
from cogs.answers.time_limits import LOST
from cogs.doctor.results import CheckResult

T = TypeVar("T")

_FILE: Final = "trial.png"
#: Seconds for one request; if it takes longer, a table feels slow.
SLOW: Final = 1.0


async def trial(client: discord.Client, channel: int) -> AsyncIterator[CheckResult]:
    """Post, edit and delete a message with a picture, as tables have it, and yield the result of each request."""
    where, message = client.get_partial_messageable(channel), None
    try:
        file = discord.File(BytesIO(await asyncio.to_thread(_picture)), _FILE)
        message, said = await _timed(where.send(view=_view("A trial of make doctor."), files=[file], silent=True))
        yield _result("posted a message with a picture", said)
        edited, said = await _timed(message.edit(view=_view("The same picture, another text.")))
        yield _kept(edited, said)
        _nothing, said = await _timed(message.delete())
        yield _result("deleted it again", said)
    except LOST as error:
        remedy = "Look up the permissions of that channel above; with a code that says nothing, report it."
        yield CheckResult("trial", _refused(error), remedy)
        if message is not None:
            with contextlib.suppress(*LOST):
                await message.delete()


def _refused(error: Exception) -> str:
    if isinstance(error, discord.HTTPException):
        return f"Discord refused: status {error.status}, code {error.code}, {error.text}"
    return f"Discord did not answer: {type(error).__name__}"


def _kept(edited: discord.Message, seconds: float) -> CheckResult:
    if [file.filename for file in edited.attachments] == [_FILE]:
        return _result("edited its text, and the picture stayed", seconds)
    remedy = "Report it: tables upload their picture again with each edit until this is mended."
    return CheckResult("trial", f"an edit of the text left {len(edited.attachments)} pictures", remedy)


def _result(what: str, seconds: float) -> CheckResult:
    slow = "; slow: players will see this" if seconds > SLOW else ""
    return CheckResult("trial", f"{what} in {seconds:.1f} s{slow}")


async def _timed(request: Awaitable[T]) -> tuple[T, float]:
    clock = asyncio.get_running_loop().time
    began = clock()
    return await request, clock() - began


def _view(text: str) -> ui.LayoutView:
    return panel("Croupier", text, picture=(_FILE, "An empty table"))


def _picture() -> bytes:
    """Return a picture of the size that tables have."""
    written = BytesIO()
    Image.new("RGB", (960, 600), (31, 77, 59)).save(written, "PNG")
    return written.getvalue()
