"""Things that people point at: links into Discord, names, messages, and a table that others must not take away."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.driving import Person, Playground
from tests.browser.test_page import in_view

PHONE = {"width": 390, "height": 844}


def test_a_link_leads_to_its_message(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.types("blackjack", bet="25")
        link = ada.last.locator('a[href*="/channels/"]').first
        address = link.get_attribute("href") or ""
        ada.types("help")
        promise = ada.page.locator(f'[data-message-id="{address.rpartition("/")[2]}"]')
        link = ada.page.locator(f'a[href="{address}"]').first
        link.click()
        assert ada.sees(lambda: in_view(ada, promise))
        assert len(ada.page.context.pages) == 1, "no dead page is opened"
        link.evaluate("link => { link.href = link.href.replace(/\\d+$/, '1'); link.click(); }")
        expect(ada.page.get_by_text("That message is of an earlier run")).to_be_visible()


def test_a_tap_on_a_name_offers_balance_and_give(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada, ben = Person(browser, playground.url, **PHONE), Person(browser, playground.url, **PHONE)
        ben.plays_as("Ben")
        ada.types("blackjack", bet="25")
        name = ben.last.locator(".mention", has_text="@Ada").first
        name.click()
        ben.page.get_by_role("menuitem", name="Balance").click()
        expect(ben.page.get_by_text("Ben used Balance · Ada")).to_be_visible()
        name.click(button="right")
        ben.page.get_by_role("menuitem", name="Give").click()
        expect(ben.page.get_by_role("dialog")).to_contain_text("Give Ada chips")


def test_the_apps_of_a_message_verify_its_round(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, **PHONE)
        ada.types("war", bet="10")
        ada.last.get_by_role("button", name="Apps").click()
        item = ada.page.get_by_role("menuitem", name="Verify")
        box = item.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]
        item.click()
        expect(ada.page.get_by_text("Ada used Verify")).to_be_visible()


def test_a_menu_below_the_picture_of_a_table_opens_where_it_stands(browser: Browser, database: Path) -> None:
    """Opening it draws all messages again; the page would jump, and the menu close, while the picture has no size."""
    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        ada.types("blackjack", bet="50")
        expect(ada.page.get_by_text("Your first hand here!")).to_be_attached()
        ada.types("settings")
        menu = ada.last.get_by_role("combobox").last
        before = menu.bounding_box()
        menu.click()
        expect(menu).to_have_attribute("aria-expanded", "true")
        ada.page.wait_for_timeout(1500)
        expect(menu).to_have_attribute("aria-expanded", "true")
        assert menu.bounding_box() == before


def test_nobody_is_taken_away_from_a_table_by_another(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada, ben = Person(browser, playground.url, **PHONE), Person(browser, playground.url, **PHONE)
        ben.plays_as("Ben")
        ada.types("war", bet="10")  # a first hand is greeted below its table
        ada.types("blackjack", bet="25")
        mine = ada.last
        table = ada.page.locator(f'[data-message-id="{mine.get_attribute("data-message-id")}"]')
        ben.types("elimination")
        expect(ada.page.get_by_text("Ben used /elimination")).to_be_attached()
        ada.page.wait_for_timeout(500)
        assert in_view(ada, table.get_by_role("heading").first)
        ada.page.get_by_role("button", name="New messages").click()
        assert ada.sees(lambda: in_view(ada, ada.last.get_by_role("heading").first))
