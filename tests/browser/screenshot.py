"""The README's picture: a hand in the middle of being played. ``python -m tests.browser.screenshot FILE``"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser.driving import Person, Playground, chromium


def take(target: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Playground(Path(folder) / "p.db") as playground,
        chromium() as browser,
    ):
        ada = Person(browser, playground.url, width=1160, height=860)
        ada.types("blackjack", bet="25")
        while not ada.may_press("Double"):
            ada.plays_out("Stand")
            ada.presses("Deal")
        ada.page.mouse.move(0, 0)
        taken = ada.photographs("readme")
    with Image.open(taken) as picture:
        picture.convert("RGB").quantize(192).save(target, optimize=True)
    print(f"{target}: {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
