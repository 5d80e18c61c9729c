"""The playground's page, as somebody on a phone has it: nothing jumps, flickers, or is lost on the way."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.driving import Person, Playground

PHONE: Final = {"width": 390, "height": 844}

#: Notes each frame in which a table that has shown its picture shows none.
WATCH_PICTURES = """() => {
    window.gaps = [];
    const whole = (image) => image.complete && image.naturalWidth > 0 && image.offsetHeight > 50;
    const look = () => {
        const message = [...document.querySelectorAll("article[data-message-id]")]
            .findLast((each) => !each.textContent.includes("👋"));  // which greets a first hand
        if (!message || ![...message.querySelectorAll("figure img")].some(whole)) gaps.push(performance.now());
        for (const emoji of document.querySelectorAll("img.custom-emoji")) {
            if (emoji.offsetWidth > 24) gaps.push(emoji.alt);  // its name instead of the card
        }
        for (const shown of document.querySelectorAll(".media-lightbox-trigger")) {
            if (getComputedStyle(shown).opacity !== "1") gaps.push("dimmed");
        }
        requestAnimationFrame(look);
    };
    look();
}"""

#: The lowest contrast of any words in the channel with what lies behind them, and the words.
LOWEST_CONTRAST = """() => {
    const read = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
    const over = ([r, g, b, a = 1], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a)];
    const behind = (element) => {
        if (!element) return [255, 255, 255];
        const own = read(getComputedStyle(element).backgroundColor);
        return own[3] === undefined ? own : over(own, behind(element.parentElement));
    };
    const light = (colour) => {
        const [r, g, b] = colour.map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    const words = document.createTreeWalker(document.getElementById("channel-layout"), NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const element = words.currentNode.parentElement;
        const text = words.currentNode.textContent.trim();
        if (!text || !element.checkVisibility()) continue;
        if (element.closest("[disabled], [aria-disabled=true], [inert], .message-avatar")) continue;
        const ground = behind(element);
        const lights = [light(over(read(getComputedStyle(element).color), ground)), light(ground)];
        found.push([(Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05), text]);
    }
    return found.sort((a, b) => a[0] - b[0])[0];
}"""


def in_view(person: Person, what: Locator) -> bool:
    """Whole, and between the channel's heading and the box for messages."""
    box = what.bounding_box()
    view = person.page.locator("#channel-timeline").bounding_box()
    if box is None or view is None:  # just being drawn again
        return False
    return box["y"] >= view["y"] - 1 and box["y"] + box["height"] <= view["y"] + view["height"] + 1


def test_the_result_stays_in_view_after_each_press(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        for command in ("balance", "daily", "help"):
            ada.types(command)
            assert ada.sees(lambda: in_view(ada, ada.last.get_by_role("heading").first))
        ada.types("blackjack", bet="25")
        for _ in range(3):
            while (key := next_key(ada)) != "Deal":
                ada.presses(key)
                assert ada.sees(lambda: in_view(ada, ada.last.get_by_role("heading").first), 3), "the headline"
                assert ada.sees(lambda: in_view(ada, ada.last.locator("figure")), 3), "the picture"
            assert ada.sees(lambda: in_view(ada, ada.key("Deal")), 3), "the key for the next hand"
            ada.presses("Deal")


def next_key(person: Person) -> str:
    """Return the key to press next, as soon as there is one: a hand may be over at once."""
    keys = ("Deal", "No insurance", "Stand")
    assert person.sees(lambda: any(map(person.may_press, keys)))
    return next(key for key in keys if person.may_press(key))


def test_who_scrolls_back_is_left_there(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada, ben = Person(browser, playground.url, **PHONE), Person(browser, playground.url, **PHONE)
        ben.plays_as("Ben")
        for _ in range(3):
            ben.types("help")
        ben.page.locator("#channel-timeline").hover()
        ben.page.mouse.wheel(0, -900)
        top = at_rest(ben)
        ada.types("blackjack", bet="25")
        expect(ben.last).to_contain_text("@Ada")
        assert at_rest(ben) == top


def at_rest(person: Person) -> float:
    """Return where the channel is scrolled to, once that has not changed for half a second."""
    seen: list[float] = []
    while len(seen) < 6 or len(set(seen[-6:])) > 1:
        assert len(seen) < 300, "it scrolls for ever"
        seen.append(person.page.locator("#channel-timeline").evaluate("element => element.scrollTop"))
        person.page.wait_for_timeout(100)
    return seen[-1]


def test_pictures_stay_while_computer_players_move(browser: Browser, database: Path) -> None:
    with Playground(database, THINK_SECONDS="0.2") as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.types("blackjack", bet="10", ai="3", level="expert")
        expect(ada.last.locator("figure img").first).to_be_visible()
        assert ada.sees(lambda: bool(ada.last.locator("figure img").first.evaluate("image => image.naturalWidth > 0")))
        ada.page.evaluate(WATCH_PICTURES)
        for _ in range(3):
            ada.plays_out("Hit")
            ada.presses("Deal")
        assert ada.page.evaluate("gaps") == []
        expect(ada.page.locator(".still")).to_have_count(0)


def test_a_picture_that_is_outdated_turns_grey_until_the_next_is_there(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        errors: list[str] = []
        ada.page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        ada.types("blackjack", bet="10")
        ada.plays_out("Stand")
        expect(ada.page.locator(".still")).to_have_count(0)
        waiting: list[Route] = []
        ada.page.route("**/api/assets/*", lambda route: waiting.append(route))
        ada.presses("Deal")
        still = ada.last.locator(".still")
        expect(still).to_have_css("filter", "grayscale(1)")
        for route in waiting:
            route.continue_()
        ada.page.unroute("**/api/assets/*")
        expect(still).to_have_count(0)
        assert not [error for error in errors if "404" in error], "no picture is asked for in vain"


def test_who_one_is_outlives_a_reload(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ben = Person(browser, playground.url)
        ben.plays_as("Ben")
        ben.page.reload()
        expect(ben.composer).to_be_visible()
        assert ben.page.get_by_label("Viewing as").locator("option:checked").inner_text() == "Ben"
        ben.types("balance")
        expect(ben.page.get_by_text("Ben used")).to_be_visible()
        ada = Person(browser, playground.url)
        assert ada.page.get_by_label("Viewing as").locator("option:checked").inner_text() == "Ada", "another tab"


def test_an_open_page_outlives_a_restart(browser: Browser, database: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with Playground(database, PLAYGROUND_PORT=port) as playground:
        address = playground.url
        ben = Person(browser, address)
        ben.plays_as("Ben")
        ben.types("war", bet="10")
        expect(ben.last).to_contain_text("Casino war")
        playground.kill()
        expect(ben.page.get_by_role("alert").filter(has_text="The playground has stopped")).to_be_visible()
    with Playground(database, PLAYGROUND_PORT=port) as playground:
        assert playground.url == address
        expect(ben.page.get_by_role("alert").filter(has_text="stopped")).to_have_count(0)
        expect(ben.last).to_contain_text("Casino war")
        assert ben.page.get_by_label("Viewing as").locator("option:checked").inner_text() == "Ben"
        ben.types("balance")
        expect(ben.page.get_by_text("Ben used /balance")).to_be_visible()


def test_only_what_a_newcomer_needs_is_said(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        expect(ada.page.get_by_text("Type /blackjack into the box below")).to_be_visible()
        for tool in ("Capture", "Inspector", "Refresh preview", "Messages"):
            expect(ada.page.get_by_role("button", name=tool)).to_have_count(0)
        assert len("".join(playground.said).split("\n\n")) == 2, "one sentence and the address"
        assert playground.log.read_text() == ""


def test_times_count_on_before_ones_eyes(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.page.clock.install()
        ada.types("daily")
        due = ada.last.locator("time.discord-timestamp").first
        expect(due).to_have_text(re.compile(r"^in \d+ hours$"))
        hours = int(due.inner_text().split()[1])
        ada.page.clock.fast_forward("03:00:00")
        expect(due).to_have_text(f"in {hours - 3} hours")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_it_is_read_on_a_phone_dark_and_light(browser: Browser, database: Path, scheme: str) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        ada.types("blackjack", bet="25")
        ada.types("leaderboard")
        expect(ada.last).to_contain_text("Leaderboard")
        contrast, words = ada.page.evaluate(LOWEST_CONTRAST)
        assert contrast >= 4, words
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert ada.page.evaluate("document.getElementById('preview-app').offsetWidth") == PHONE["width"]
        ada.photographs(f"page-{scheme}")
        ada.page.get_by_role("button", name="Light" if scheme == "dark" else "Dark", exact=True).click()
        assert ada.page.evaluate("document.documentElement.dataset.theme") != scheme
        assert ada.page.evaluate(LOWEST_CONTRAST)[0] >= 4
