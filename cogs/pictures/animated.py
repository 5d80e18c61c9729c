"""Pictures in a row as an animated GIF, made in a process of its own (`python -m cogs.pictures.animated`).

Reducing many large pictures to the colours of a GIF takes up to a second of a core, which no table should wait for.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from cogs.pictures.lettering import can_write, shortened, text, text_width
from cogs.pictures.palette import INK, IVORY

FORMAT: Final = "gif"
#: Milliseconds for which each picture is shown, the first one, and the last one.
STEP: Final = 1_100
FIRST: Final = 1_600  # the only one that people see who have animations off
LAST: Final = 3_500
#: The widths that are tried until the file is small enough, and the most bytes of a file.
WIDTHS: Final = (600, 450, 340)
MOST_BYTES: Final = 1_000_000
#: The most pictures in an animation. Of more, the first one and the last ones are shown, without those between.
MOST_PICTURES: Final = 40
_COLOURS: Final = 128
#: The smallest size of letters for a line that has to fit.
_SMALLEST: Final = 12
#: Seconds after which the process is ended.
PATIENCE: Final = 15.0

_ROOT: Final = Path(__file__).resolve().parents[2]
_turn = asyncio.Semaphore(1)


class NotAnimated(Exception):
    """Raised if the process that makes an animation took too long or ended without one."""


class Frame(NamedTuple):
    """A picture of an animation, and the lines below it: what happened, and what each choice was worth."""

    picture: bytes  # the content of its file
    line: str
    odds: str = ""


def animated(row: Sequence[Frame]) -> bytes:
    """Return the file of an animation: as wide as fits into `MOST_BYTES`, or of the least width if none does.

    Of more than `MOST_PICTURES` pictures, it shows the first one and the last ones.
    """
    first, *others = row
    made, lines = b"", 1 + any(shown.odds for shown in row)
    for width in WIDTHS:
        made = _file([_small(shown, width, lines) for shown in (first, *others[1 - MOST_PICTURES :])])
        if len(made) < MOST_BYTES:
            break
    return made


async def apart(row: Sequence[Frame]) -> bytes:
    """Return the file of an animation, or raise NotAnimated. Another process makes it, and only one at a time."""
    async with _turn:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cogs.pictures.animated"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=_ROOT,
            env={name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        )
        try:
            async with asyncio.timeout(PATIENCE):
                made, _nothing = await process.communicate(pickle.dumps([tuple(shown) for shown in row]))
        except TimeoutError as error:
            raise NotAnimated("it took too long") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode or not made:
        raise NotAnimated(f"the process ended with {process.returncode}")
    return made


def _small(shown: Frame, width: int, lines: int) -> Image.Image:
    """Return a frame's picture at this width, with its text below, where there is room for `lines` lines (one or two).

    A line of odds that the font cannot write is left out.
    """
    image = Image.open(BytesIO(shown.picture)).convert("RGB")
    image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    strip = width // 14
    sheet = Image.new("RGB", (width, image.height + lines * strip), INK)
    sheet.paste(image, (0, 0))
    size, room = strip * 6 // 10, width - strip
    _write(sheet, text(shortened(shown.line, size, room), size), image.height + strip // 2)
    if shown.odds and can_write(shown.odds):
        smaller = next((each for each in range(size, _SMALLEST, -1) if text_width(shown.odds, each) <= room), _SMALLEST)
        _write(sheet, text(shown.odds, smaller), image.height + strip * 3 // 2)
    return sheet


def _write(sheet: Image.Image, line: Image.Image, middle: int) -> None:
    sheet.paste(IVORY, ((sheet.width - line.width) // 2, middle - line.height // 2), line)


def _file(images: Sequence[Image.Image]) -> bytes:
    """Return the animation's file. All pictures share the colours of the first, so that only what changes is written
    again.
    """
    colours = images[0].quantize(_COLOURS, dither=Image.Dither.NONE)
    shared = [image.quantize(palette=colours, dither=Image.Dither.NONE) for image in images]
    file = BytesIO()
    times = [FIRST, *[STEP] * (len(shared) - 2), LAST][: len(shared)]
    first, *others = shared
    first.save(file, FORMAT, save_all=True, append_images=others, duration=times, loop=0, optimize=False)
    return file.getvalue()


def main() -> None:
    """Read the pictures from standard input, and write the animation to standard output."""
    sys.stdout.buffer.write(animated([Frame(*shown) for shown in pickle.load(sys.stdin.buffer)]))


if __name__ == "__main__":
    main()
