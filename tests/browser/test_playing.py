"""The playground as a person finds it: typed, clicked, left alone, killed, and found again."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from engine.games.computer import NAMES
from tests.browser.driving import Person, Playground


def chips(text: str) -> int:
    """``1,012.50`` or ``−25`` in cents."""
    return round(float(text.replace(",", "").replace("−", "-").replace("±", "")) * 100)


def outcome(person: Person, name: str) -> tuple[int, int]:
    """Return the gain or loss of a finished hand of one player, as the headline says it, and the balance behind the
    cards.
    """
    text = person.last.inner_text()
    pushed = re.search(rf"Push · @{name} gets [\d,.]+ back", text)
    net = re.search(rf"@{name} ([−+][\d,.]+)\n", text)
    balance = re.search(rf"@{name} · .+ · ([\d,.]+) chips?\n", text)
    assert balance, text
    assert pushed or net, text
    return chips(net[1]) if net else 0, chips(balance[1])


def test_three_hands_are_played_by_typing_and_clicking(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        ada.types("blackjack", bet="25")
        expect(ada.last).to_contain_text("Blackjack")
        ada.photographs("hand")

        balance = 1000_00
        for wishes in (("Hit",), ("Double",), ("Stand",)):
            if not ada.may_press("Deal"):
                ada.plays_out(*wishes)
            net, now = outcome(ada, "Ada")
            assert now == balance + net
            balance = now
            ada.photographs("result")
            ada.presses("Deal")


def test_a_stake_is_changed_in_the_form(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        ada.types("blackjack", bet="10")
        ada.plays_out("Stand")
        _, before = outcome(ada, "Ada")

        ada.key("Bet").click()
        form = ada.page.get_by_role("dialog")
        form.get_by_role("textbox").fill("40")
        ada.photographs("form")
        form.get_by_role("button", name="Submit").click()
        expect(form).to_be_hidden()
        ada.plays_out("Stand")
        net, after = outcome(ada, "Ada")
        assert after == before + net
        assert net in {-40_00, -20_00, 0, 40_00, 60_00}


def test_what_happens_without_a_click_appears(browser: Browser, database: Path) -> None:
    """Ben's page shows Ada's hand as she plays it, and its end when she lets the time run out."""
    with Playground(database, TURN_SECONDS="5") as playground:
        ada, ben = Person(browser, playground.url), Person(browser, playground.url)
        ben.plays_as("Ben")
        ada.types("blackjack", bet="25")
        expect(ben.last).to_contain_text("@Ada")
        assert ben.sees(lambda: ben.may_press("Deal"), seconds=25)  # insurance may be asked before the turn
        net, balance = outcome(ben, "Ada")
        assert balance == 1000_00 + net
        assert ada.sees(lambda: ada.may_press("Deal"))


def test_computer_players_move_by_themselves(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        ada.types("blackjack", bet="10", ai="2", level="expert")
        if ada.may_press("No insurance"):
            ada.presses("No insurance")
        assert ada.sees(lambda: ada.may_press("Deal") or "@Ada, your move" in ada.last.inner_text())
        if not ada.may_press("Deal"):
            ada.presses("Stand")
        assert ada.sees(lambda: ada.may_press("Deal"))
        assert sum(name in ada.last.inner_text() for name in NAMES) == 2, "both are told, on one small line"
        ada.photographs("computers")


def test_the_table_fits_a_phone(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url, width=390, height=844)
        ada.types("blackjack", bet="25")
        expect(ada.last.get_by_role("img").last).to_be_visible()
        ada.photographs("phone")
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390
        picture = ada.last.locator("figure").bounding_box()
        assert picture is not None
        assert picture["x"] + picture["width"] <= 390


def test_chips_and_hand_outlive_the_process(browser: Browser, database: Path) -> None:
    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        ada.types("blackjack", bet="25")
        expect(ada.last).to_contain_text("@Ada")
        over = ada.may_press("Deal")  # a natural
        seal = re.search(r"[0-9a-f]{8}-\d+", ada.last.text_content() or "")
        assert seal
        playground.kill()

    with Playground(database) as playground:
        ada = Person(browser, playground.url)
        expect(ada.last).to_contain_text(seal[0])  # the same hand is posted again
        if not over:
            ada.plays_out("Stand")
        net, balance = outcome(ada, "Ada")
        assert balance == 1000_00 + net
