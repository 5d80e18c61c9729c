"""A hand in French: the page, the table, the private answers and the form."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from cogs.playground import MANAGER
from tests.browser.driving import Person, Playground


def test_a_hand_is_played_in_french(browser: Browser, tmp_path: Path) -> None:
    with Playground(tmp_path / "playground.db") as playground:
        mona = Person(browser, playground.url, language="fr")
        expect(mona.page.get_by_text("Personne ne joue encore ici.")).to_be_visible()
        mona.plays_as(MANAGER)
        mona.types("casino settings", page="Language and looks")
        mona.chooses("Language of the tables: the server's", "Français")

        ada = Person(browser, playground.url, width=390, height=844, language="fr")
        ada.types("settings")
        ada.chooses("Language: same as Discord", "Français")
        expect(ada.last).to_contain_text("Vos réglages")

        ada.types("blackjack", bet="25")
        expect(ada.last).to_contain_text("Scellé avant la donne")
        ada.photographs("french")
        ada.plays_out("Hit")
        assert re.search(r"@Ada [+−][\d\u202f,]+\n|Égalité · @Ada récupère 25\n", ada.last.inner_text())
        assert re.search(r"@Ada · .+ · [\d\u202f,]+ jetons?\n", ada.last.inner_text())

        ada.key("Bet").click()
        form = ada.page.get_by_role("dialog")
        expect(form).to_contain_text("Votre mise")
        form.get_by_role("textbox").fill("moitié")
        form.get_by_role("button", name="Submit").click()
        expect(form).to_be_hidden()
        ada.plays_out("Stand")
        ada.photographs("french-result")
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390
