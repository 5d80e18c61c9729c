"""Messages that a person sends arrive once, however slow the page, or the page says that they did not."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.driving import Person, Playground

PHONE = {"width": 390, "height": 844}
MISSED = "That was not taken"


def held_up(page: Page, kind: str) -> list[Route]:
    """The page's requests of a kind, from now on: each waits until it is let go."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        if json.loads(route.request.post_data or "{}").get("kind") == kind:
            waiting.append(route)
        else:
            route.fallback()

    page.route("**/api/action", hold)
    return waiting


def let_go(page: Page, waiting: list[Route]) -> None:
    for route in waiting:
        route.continue_()
    page.unroute("**/api/action")


def test_a_command_waits_for_the_suggestions_that_are_under_way(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        waiting = held_up(ada.page, "autocomplete_command")
        ada.composer.fill("/blackjack")
        expect(ada.page.get_by_role("option", name="/blackjack")).to_be_visible()
        ada.page.keyboard.press("Enter")
        ada.page.get_by_role("option", name="rules").click()
        ada.page.keyboard.type("classic")
        assert ada.sees(lambda: bool(waiting))
        ada.page.get_by_role("button", name="Send", exact=True).click()
        expect(ada.page.get_by_text("Sending…")).to_be_visible()
        let_go(ada.page, waiting)
        expect(ada.last).to_contain_text("classic")
        expect(ada.page.get_by_text("Sending…")).to_be_hidden()


def test_a_press_waits_for_the_page_but_not_for_another_press(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.types("help")
        ada.types("settings")
        waiting = held_up(ada.page, "configure_presentation")
        ada.page.set_viewport_size({"width": 390, "height": 700})  # the keyboard of a phone comes up
        assert ada.sees(lambda: bool(waiting))
        keys = ada.last.get_by_role("button").filter(has_not_text="⋯")
        keys.first.click(force=True)  # as a person does, whom no dimmed key holds back
        expect(ada.page.get_by_text("Sending…")).to_be_visible()
        let_go(ada.page, waiting)
        expect(ada.page.get_by_text("Sending…")).to_be_hidden()

        waiting = held_up(ada.page, "click")
        keys.nth(0).click()
        keys.nth(1).click(force=True)
        expect(ada.page.get_by_text(MISSED)).to_be_visible()
        let_go(ada.page, waiting)


def test_a_command_that_is_typed_to_its_end_is_a_command(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.composer.fill("/balance")
        expect(ada.page.get_by_role("option", name="/balance")).to_be_visible()
        ada.page.get_by_role("button", name="Send", exact=True).click()
        expect(ada.page.get_by_text("Ada used /balance")).to_be_visible()


def test_what_the_network_drops_is_sent_again_and_taken_once(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        dropped: list[str] = []

        def drop(route: Route) -> None:
            """The request arrives; its answer does not."""
            if not dropped and '"run_command"' in (route.request.post_data or ""):
                dropped.append(route.fetch().text())
                route.abort()
            else:
                route.fallback()

        ada.page.route("**/api/action", drop)
        ada.types("daily")
        expect(ada.page.get_by_text("Ada used /daily")).to_have_count(1)
        ada.types("balance")
        expect(ada.page.get_by_text("Ada used /balance")).to_be_visible()
        assert dropped


def test_what_a_restart_swallows_is_given_back(browser: Browser, database: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with Playground(database, PLAYGROUND_PORT=port) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.composer.fill("/balance")
        expect(ada.page.get_by_role("option", name="/balance")).to_be_visible()
        ada.page.keyboard.press("Enter")
        playground.kill()
        ada.page.get_by_role("button", name="Send", exact=True).click()
    with Playground(database, PLAYGROUND_PORT=port):
        expect(ada.page.get_by_text(MISSED)).to_be_visible()
        expect(ada.composer).to_have_value("/balance")
        ada.page.get_by_role("button", name="Send", exact=True).click()
        expect(ada.page.get_by_text("Ada used /balance")).to_be_visible()
