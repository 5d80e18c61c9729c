"""The box that one types into: every command, on a phone and on a desk, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from cogs.playground import MANAGER
from tests.browser.driving import Person, Playground

SCREENS: Final = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}

#: Composes each command, with all its options, with values far too large, and with what is said about them. Returns
#: what cannot be pressed or read, and the commands.
COMPOSE_EACH = """async () => {
    const drawn = () => new Promise((resolve) => setTimeout(resolve));
    const input = document.getElementById("channel-composer-input");
    const box = document.getElementById("channel-composer");
    const wrong = [];
    const within = (element, where) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
        if (!inside) wrong.push([where, "outside", element.outerHTML]);
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!element.contains(there) && !there?.contains(element)) wrong.push([where, "covered", element.outerHTML]);
    };
    const look = async (where) => {
        await drawn();
        for (const element of box.querySelectorAll("button, input, textarea, .command-error")) {
            if (element.checkVisibility({ opacityProperty: true })) within(element, where);
        }
        for (const element of box.querySelectorAll(".command-option-input, .command-error")) {
            if (element.scrollWidth > element.clientWidth) wrong.push([where, "cut off", element.outerHTML]);
        }
        for (const about of box.querySelectorAll(".command-suggestion-about")) {
            if (about.textContent.length < 5) wrong.push([where, "what for?", about.parentElement.textContent]);
        }
        for (const list of box.querySelectorAll(".command-popup:not([hidden])")) within(list, where);
    };
    const type = async (text) => {
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await look(text);
        return [...box.querySelectorAll(".command-entry-title strong")];
    };
    const names = (await type("/")).map((title) => title.textContent);
    for (const name of names) {
        (await type(name)).find((title) => title.textContent === name).click();
        await look(name);
        for (let more; (more = box.querySelector(".command-ghost")); ) {
            more.focus();
            more.click();
            await look(name);
            box.querySelector(".command-suggestion").click();
            await look(name);
        }
        for (const option of [...box.querySelectorAll(".command-option-input")].map((field) => field.dataset.option)) {
            const field = box.querySelector(`.command-option-input[data-option=${option}]`);
            field.focus();
            if (!field.matches("[role=combobox]")) field.value = "99999999999999999999";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            await look(`${name} ${option}`);
            if (!simcordPreview.commandPicker.draft.submittable) box.requestSubmit();  // it is said what is wrong
            await look(`${name} ${option} is sent`);
        }
        box.querySelector(".command-context-close").click();
        await drawn();
    }
    await type("");
    return [wrong, names];
}"""


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    with Playground(tmp_path_factory.mktemp("typing") / "playground.db") as running:
        yield running


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("screen", SCREENS)
def test_every_command_can_be_sent(browser: Browser, playground: Playground, screen: str, language: str) -> None:
    mona = Person(browser, playground.url, **SCREENS[screen], language=language)
    mona.plays_as(MANAGER)
    wrong, names = mona.page.evaluate(COMPOSE_EACH)
    assert not wrong
    expect(mona.page.get_by_role("article")).to_have_count(0)
    assert {"/blackjack", "/tournament schedule", "/casino audit"} <= set(names)


def test_rule_sets_are_suggested_before_the_first_letter(browser: Browser, playground: Playground) -> None:
    ada = Person(browser, playground.url, **SCREENS["phone"])
    ada.composer.fill("/blackjack")
    expect(ada.page.get_by_role("option", name="/blackjack")).to_be_visible()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("option", name="rules").click()
    expect(ada.page.get_by_role("option", name="vegas")).to_be_visible()
    ada.page.keyboard.type("zzz")
    expect(ada.page.get_by_text("Nothing by that name yet")).to_be_visible()


def test_where_nothing_can_be_suggested_that_is_said(browser: Browser, playground: Playground) -> None:
    ada = Person(browser, playground.url, **SCREENS["phone"])
    ada.composer.fill("/verify")
    expect(ada.page.get_by_role("option", name="/verify")).to_be_visible()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("option", name="round").click()
    expect(ada.page.get_by_text("Nothing to choose from yet")).to_be_visible()
