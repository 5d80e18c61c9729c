"""The README's pictures: a hand on a desk, and two tables on a phone. ``python -m tests.browser.screenshot FOLDER``"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser

from tests.browser.driving import Person, Playground, chromium

PHONE: Final = {"width": 390, "height": 760}


def take(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as kept, chromium() as browser:
        with Playground(Path(kept) / "hand.db") as playground:
            _small(_hand(browser, playground), folder / "playground.png")
        with Playground(Path(kept) / "phone.db", THINK_SECONDS="0") as playground:
            _small(_company(browser, playground), folder / "company.png")
            _small(_elimination(browser, playground), folder / "elimination.png")


def _hand(browser: Browser, playground: Playground) -> Path:
    """Return a picture of a hand with something to decide."""
    ada = Person(browser, playground.url, width=1160, height=880)
    ada.page.emulate_media(color_scheme="dark")
    ada.types("blackjack", bet="25")
    while not ada.may_press("Double"):
        ada.plays_out("Stand")
        ada.presses("Deal")
    return _photograph(ada, "hand")


def _company(browser: Browser, playground: Playground) -> Path:
    """A hand that was won among computer players."""
    ada = Person(browser, playground.url, **PHONE)
    ada.page.emulate_media(color_scheme="dark")
    ada.types("blackjack", bet="25", ai="3")
    ada.plays_out("Stand")
    while "@Ada +" not in ada.last.inner_text():
        ada.presses("Deal")
        ada.plays_out("Stand")
    return _photograph(ada, "company")


def _elimination(browser: Browser, playground: Playground) -> Path:
    """Against three computer players, in daylight."""
    ben = Person(browser, playground.url, **PHONE)
    ben.plays_as("Ben")
    ben.types("elimination")
    assert ben.sees(lambda: ben.may_press("Minimum"))
    ben.presses("Minimum")
    assert ben.sees(lambda: ben.may_press("Hit") or ben.may_press("Minimum"))
    return _photograph(ben, "elimination")


def _photograph(person: Person, name: str) -> Path:
    """The mouse out of the way."""
    person.page.mouse.move(0, 0)
    return person.photographs(name)


def _small(taken: Path, target: Path) -> None:
    with Image.open(taken) as picture:
        picture.convert("RGB").quantize(192).save(target, optimize=True)
    print(f"{target}: {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
