"""The playground as a person has it: a process started from the shell, and a browser that types and clicks."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect, sync_playwright

from cogs.words import DEFAULT, _, speaking

ROOT: Final = Path(__file__).resolve().parents[2]
OUT: Final = Path(__file__).with_name("out")
PATIENCE: Final = 30.0

#: No sandbox for root, and none of Chromium's own conversations with the world.
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


#: The script that returns the words of a message, without its times.
TOLD: Final = """message => {
    const copy = message.cloneNode(true);
    copy.querySelectorAll("time").forEach((time) => time.remove());
    return copy.textContent;
}"""


#: The mark of the private answer that explains the keys in somebody's first hand, below the table.
GREETING = "👋"


class Playground:
    """`python bot.py` without a token."""

    def __init__(self, database: Path, **settings: str) -> None:
        self._environment = {
            **os.environ,
            "DISCORD_TOKEN": "",
            "PLAYGROUND_PORT": "0",
            "PLAYGROUND_DATABASE_URL": f"sqlite:///{database}",
            **settings,
        }
        self.said: list[str] = []
        self.log = database.with_suffix(".log")

    def __enter__(self) -> Self:
        with self.log.open("ab") as log:  # a pipe that nobody reads would fill up and stop it
            self.process = subprocess.Popen(
                [sys.executable, "bot.py"],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,  # what is read ahead, a selector does not see
            )
        try:
            self.url = self._address()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGTERM)

    def stop(self, number: signal.Signals) -> int:
        """Ask it to stop; its exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.kill()

    def kill(self) -> None:
        """The plug pulled."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _address(self) -> str:
        for line in self._lines():
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/#\S+", line):
                return found[0]
        raise AssertionError("the playground did not open:\n" + "".join(self.said) + self.log.read_text())

    def _lines(self) -> Iterator[str]:
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while selector.select(max(0.0, until - time.monotonic())):
                line = self.process.stdout.readline().decode(errors="replace")
                if not line:
                    return
                yield line


@contextmanager
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as driver:
        executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = driver.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


class Person:
    """Somebody at a browser; labels are given in English, and found in the language that this person reads."""

    def __init__(
        self, browser: Browser, url: str, width: int = 1280, height: int = 900, language: str = DEFAULT
    ) -> None:
        self.language = language
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, locale=language)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.goto(url)
        expect(self.composer).to_be_visible()

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("textbox", name="Message", exact=True)

    @property
    def last(self) -> Locator:
        """The newest message."""
        return self.page.get_by_role("article").filter(has_not_text=GREETING).last

    def reads(self, english: str) -> str:
        """Return the label in this person's language."""
        with speaking(self.language):
            return _(english)

    def chooses(self, shown: str, wanted: str) -> None:
        """Choose from a menu of the newest message."""
        self.last.get_by_role("combobox").filter(has_text=shown).click()
        self.page.get_by_role("option", name=wanted, exact=True).click()
        expect(self.last.get_by_role("combobox").filter(has_text=wanted)).to_be_visible()

    def plays_as(self, name: str) -> None:
        self.page.get_by_label("Viewing as").select_option(label=name)
        assert self.sees(lambda: bool(self.page.evaluate("simcordPreview.ready && !simcordPreview.pendingAction")))

    def goes_to(self, place: str) -> None:
        """Go to the channel or to the direct message with the bot."""
        self.page.get_by_role("button", name=self.reads(place), exact=True).click()
        expect(self.page.get_by_role("button", name=self.reads(place), exact=True)).to_be_hidden()

    def plays_one_of_five(self) -> None:
        """Stand until the hand is over and its mark is shown."""
        until = time.monotonic() + PATIENCE
        while not self.sees(lambda: self.may_press("Next") or self.may_press("Your result"), seconds=0.5):
            assert time.monotonic() < until, f"the hand does not end:\n{self.last.inner_text()}"
            self.presses(next(key for key in ("No insurance", "Stand") if self.may_press(key)))

    def types(self, command: str, **options: str) -> None:
        """A slash command, the way one types it: its beginning, Enter, the options, Send."""
        self.composer.click()
        self.composer.press_sequentially(f"/{command}")
        offered = self.page.get_by_role("option", name=re.compile(rf"^.{command}\b")).first
        expect(offered).to_be_visible()
        for _attempt in range(3):  # a key that meets an update of the page is lost
            self.page.keyboard.press("Enter")
            if self.sees(lambda: not offered.is_visible(), seconds=3):
                break
        for name, value in options.items():
            self._fills(name, value)
        self.page.get_by_role("button", name="Send", exact=True).click()
        expect(self.composer).to_be_visible()

    def _fills(self, name: str, value: str) -> None:
        """One option's pill; what it offers to choose from is clicked, anything else is typed."""
        option = self.page.get_by_role("option", name=re.compile(rf"^{name}\b"))
        if not option.count():
            self.page.get_by_role("button", name=re.compile(r"^\+\d+ ")).click()
        option.click()
        choice = self.page.get_by_role("option", name=value, exact=True)
        typed = self.page.get_by_role("textbox", name=name, exact=True)
        expect(choice.or_(typed)).to_be_visible()
        if typed.count():
            typed.fill(value)
        else:
            choice.click()

    def key(self, label: str) -> Locator:
        """A button of the newest message."""
        written = re.compile(rf"^{re.escape(self.reads(label))}( [+−]?[\d,.\u202f]+)?$")
        return self.last.get_by_role("button", name=written)

    def may_press(self, label: str) -> bool:
        """Return whether a key can be pressed, asked in one step because the page may change between two."""
        return bool(self.key(label).evaluate_all("keys => keys.length === 1 && !keys[0].matches(':disabled')"))

    def presses(self, label: str) -> None:
        """Press until the message answers, because the page takes no press while it is being updated."""
        expect(self.key(label)).to_be_enabled()
        before = self._told()
        for _attempt in range(5):
            with suppress(TimeoutError):  # gone by now: the message has answered
                self.key(label).click(timeout=3000)
            if self.sees(lambda: self._told() != before, seconds=3):
                return
        raise AssertionError(f"{label} was pressed and nothing happened:\n{before}")

    def _told(self) -> str:
        """Return the newest message without its times, which count on by themselves."""
        return str(self.last.evaluate(TOLD))

    def plays_out(self, *wishes: str) -> list[str]:
        """Presses the first wish that may be pressed, and then the rest, until the hand is over. What was pressed."""
        pressed: list[str] = []
        until = time.monotonic() + PATIENCE
        while not self.sees(lambda: self.may_press("Deal"), seconds=0.5):
            assert time.monotonic() < until, f"the hand does not end:\n{self.last.inner_text()}"
            for wish in ("No insurance", *wishes[len(pressed) :], "Stand"):
                if self.may_press(wish):
                    self.presses(wish)
                    pressed.append(wish)
                    break
        return pressed

    def sees(self, what: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        until = time.monotonic() + seconds
        while not what():
            if time.monotonic() > until:
                return False
            self.page.wait_for_timeout(50)
        return True

    def photographs(self, name: str) -> Path:
        OUT.mkdir(exist_ok=True)
        path = OUT / f"{name}.png"
        loaded = "[...document.images].every(image => image.complete && image.naturalWidth)"
        assert self.sees(lambda: bool(self.page.evaluate(loaded)))
        self.page.screenshot(path=path)
        return path
