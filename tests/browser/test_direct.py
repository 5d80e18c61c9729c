"""A direct message with the bot, on a phone: what is played there stands there alone, and outlives the process."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.driving import Person, Playground


def test_todays_five_are_played_in_a_direct_message(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, width=390, height=844)
        ada.goes_to("Direct message")
        expect(ada.page.get_by_text("This is your direct message with Croupier.")).to_be_visible()
        ada.types("today")
        expect(ada.last).to_contain_text("Five hands, the same for everybody.")
        ada.presses("Play")
        expect(ada.last).to_contain_text("Hand 1 of 5")
        expect(ada.last.get_by_role("img").last).to_be_visible()
        ada.photographs("direct")
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390
        ada.plays_one_of_five()
        ada.presses("Next")
        expect(ada.last).to_contain_text("Hand 2 of 5")
        playground.kill()

    with Playground(database) as playground:
        ada = Person(browser, playground.url, width=390, height=844)
        ada.goes_to("Direct message")
        ada.types("today")
        expect(ada.last).to_contain_text("Hand 2 of 5")
        for hand in range(2, 6):
            ada.plays_one_of_five()
            ada.presses("Next" if hand < 5 else "Your result")
        expect(ada.last).to_contain_text("of 100")
        ada.photographs("direct-result")
        ada.goes_to("#casino")
        expect(ada.page.get_by_text("of 100")).to_have_count(0)
        ada.page.reload()
        expect(ada.composer).to_be_visible()
        ada.goes_to("Direct message")
        expect(ada.last).to_contain_text("of 100")
