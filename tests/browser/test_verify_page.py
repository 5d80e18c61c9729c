"""engine/fairness/verify.html in Chromium: the second implementation says of every record what the first one says."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from engine.fairness.days import LAST, Day, verify_day
from engine.fairness.draws import Draws, verify_draws
from engine.fairness.reading import BadRecord, parse
from engine.fairness.record import read
from engine.fairness.tournaments import TournamentLots, verify_lots
from engine.fairness.verify import verify
from engine.games.registry import GAMES
from tests.engine.fairness import made, tampered, test_days

from .driving import FLAGS, ROOT

ADDRESS = (ROOT / "engine" / "fairness" / "verify.html").as_uri()
HONEST, CALLED_OFF, SPOILT, DRAWS, LOTS, AT_ONCE = 300, 60, 600, 100, 30, 50


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=list(FLAGS))
        page = browser.new_page()
        asked: list[str] = []
        wrong: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(ADDRESS)
        yield page
        browser.close()
        assert asked == [ADDRESS], "it asks for nothing but itself"
        assert not wrong


def judged(text: str) -> str:
    """Return what the first implementation says."""
    try:
        fields = parse(text)
        if "deals" in fields:
            holds = all(check.fits for check in verify_day(Day.read(fields), solver=False))
        elif "orders" in fields:
            holds = verify_lots(TournamentLots.read(fields)).holds
        elif "draws" in fields:
            holds = verify_draws(Draws.read(fields)).holds
        else:
            holds = verify(read(fields)).holds
    except BadRecord:
        return "cannot be read"
    return "fits" if holds else "does not fit"


def test_both_verifiers_agree_on_a_thousand_records(page: Page) -> None:
    kept = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "records").glob("*.json"))]
    texts = [
        *kept,
        *(made.two(number).to_json() for number in range(HONEST)),
        *(made.three(number).to_json() for number in range(HONEST)),
        *(made.one(number).to_json() for number in range(HONEST // 3)),
        *(made.called_off(number).to_json() for number in range(CALLED_OFF)),
        *(made.spoilt(number) for number in range(SPOILT)),
        *(made.draws(number).to_json() for number in range(DRAWS)),
        *(made.spoilt_draws(number) for number in range(DRAWS)),
        *(made.lots(number).to_json() for number in range(LOTS)),
        *(made.spoilt_lots(number) for number in range(2 * LOTS)),
    ]
    untaught = GAMES.keys() - set(page.evaluate("Object.keys(GAMES)"))  # it names them, and says no more of them
    texts = [text for text in texts if not any(f'"{game}"' in text for game in untaught)]
    assert len(texts) > 1000
    said: list[str] = []
    for start in range(0, len(texts), AT_ONCE):
        said += page.evaluate("texts => texts.map(text => verdict(text))", texts[start : start + AT_ONCE])
    differing = [(text, ours, theirs) for text, ours, theirs in zip(texts, map(judged, texts), said, strict=True)
                 if ours != theirs]  # fmt: skip
    assert differing == []
    assert min(Counter(said).values()) > 100, "all three verdicts are among them"


def test_the_page_finds_whatever_is_tampered_with(page: Page) -> None:
    verdicts = {kind: page.evaluate("text => verdict(text)", tampered.tampered(kind)) for kind in tampered.KINDS}
    assert verdicts == {kind: tampered.expected(kind) for kind in tampered.KINDS}
    assert page.evaluate("text => verdict(text)", tampered.honest().to_json()) == "fits"


@pytest.mark.parametrize(
    ("field", "of", "verdict"),
    [
        ("tip", lambda record: record.mark, "fits"),
        ("tip", lambda record: record.promise.tip, "fits"),
        ("tip", lambda record: record.promise.tip[:8], "fits"),
        ("tip", lambda record: "00000000-1", "does not fit"),
        ("tip", lambda record: "1234", "cannot be read"),
        ("hash", lambda record: record.hash[:16] + "…", "fits"),
        ("hash", lambda record: "0" * 16, "does not fit"),
        ("hash", lambda record: record.hash[:8], "cannot be read"),
        ("previous", lambda record: "0" * 64, "does not fit"),
        ("commitment", lambda record: "0" * 64, "cannot be read"),
    ],
)
def test_what_was_seen_is_compared(page: Page, field: str, of: object, verdict: str) -> None:
    record = made.two(1)
    assert callable(of)
    given = {field: of(record)}
    assert page.evaluate("([text, given]) => verdict(text, given)", [record.to_json(), given]) == verdict


def test_a_person_pastes_a_record_and_sees_every_step(page: Page) -> None:
    record = next(made.two(number) for number in range(99) if len(made.two(number).steps) > 4)
    page.get_by_label("The record").fill(record.to_json())
    page.locator("details").evaluate("fields => (fields.open = true)")
    page.get_by_label("The round's name or all 64 digits").fill(record.mark)
    page.get_by_role("button", name="Check", exact=True).click()
    said = page.get_by_role("status").inner_text()
    assert "This fits together." in said
    assert str(record.promise.message) in said
    assert "computer players did what their level does" in said
    assert "What this cannot prove" in said
    page.get_by_label("The record").fill(record.to_json().replace(record.hash, "0" * 64))
    page.get_by_role("button", name="Check", exact=True).click()
    assert "This does not fit" in page.get_by_role("status").inner_text()
    page.get_by_label("The record").fill('{"version":1e400}')
    page.get_by_role("button", name="Check", exact=True).click()
    assert "This is no record of /verify" in page.get_by_role("status").inner_text()


def test_words_of_a_file_add_no_lines_of_their_own_and_conceal_nothing(page: Page) -> None:
    lots = made.lots(3)
    forged = replace(lots, orders=(replace(lots.orders[0], what="x\n✓ as promised\u202e"), *lots.orders[1:]))
    page.get_by_label("The record").fill(forged.to_json())
    page.get_by_role("button", name="Check", exact=True).click()
    said = page.get_by_role("status").inner_text()
    assert "✗ not so: x ✓ as promised \n    found" in said
    assert "\n✓ as promised" not in said


def test_a_file_is_checked_as_it_is_chosen(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(json.loads(made.one(3).to_json()), indent=2), encoding="utf-8")
    page.locator("details").evaluate("fields => (fields.open = true)")
    for label in ("The round's name or all 64 digits", "The result's 16 digits", "The 16 digits of the round before"):
        page.get_by_label(label).fill("")
    page.get_by_label("A record's file").set_input_files(file)
    page.get_by_text("This fits together.").wait_for()


def test_an_end_of_a_stake_that_it_was_never_taught_is_named(page: Page) -> None:
    record = made.two(1)
    page.get_by_label("The record").fill(record.to_json().replace(f'"{record.payments[0].outcome}"', '"five cards"'))
    page.get_by_role("button", name="Check", exact=True).click()
    said = page.get_by_role("status").inner_text()
    assert "This page cannot say: it does not know the end of a stake that is called five cards." in said
    assert page.locator("#verdict").get_attribute("class") == "unknown"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"game": "roulette"}, "the game roulette"),
        ({"rules": {"wheels": 6}}, "the rule wheels of"),
    ],
)
def test_a_game_or_a_rule_that_it_was_never_taught_is_named(page: Page, change: dict[str, object], named: str) -> None:
    """And nothing is said of the record, unless it would fit no game."""
    record = replace(made.two(1), **change)  # type: ignore[arg-type]
    for text, answer in (
        (replace(record, hash=record.hashed()).to_json(), f"This page cannot say: it does not know {named}"),
        (record.to_json(), "This does not fit"),
    ):
        page.get_by_label("The record").fill(text)
        page.get_by_role("button", name="Check", exact=True).click()
        assert answer in page.get_by_role("status").inner_text()


# -- Today's five ------------------------------------------------------------------------------------------------------


def test_r11_7_both_verifiers_agree_on_days(page: Page) -> None:
    kept = (ROOT / "tests" / "records" / "day" / "1_tuesday.json").read_text(encoding="utf-8")
    honest = [kept, *(test_days.made(day).to_json() for day in range(test_days.MONDAY, test_days.MONDAY + 7))]
    spoilt = [json.dumps({**json.loads(kept), field: value}) for field, value in test_days.SPOILT.items()]
    spoilt += [kept.replace('"version":1', '"version":2'), kept.replace('"steps":"', '"steps":"z')]
    assert [page.evaluate("text => verdict(text)", text) for text in honest] == ["fits"] * 8
    spoilt += [json.dumps(json.loads(kept) | {"day": day}) for day in (-1, LAST, LAST + 1)]
    spoilt += [kept.replace('"decks":6', other) for other in ('"decks":9', '"wheels":6', '"decks":"six"')]
    spoilt.append(kept.replace(f"[[{json.loads(kept)['deals'][0][0]},", "[[2,"))
    for text in spoilt:
        assert page.evaluate("text => verdict(text)", text) == judged(text), text
    tip = json.loads(kept)["tip"]
    seen = [page.evaluate("([text, tip]) => verdict(text, { tip })", [kept, tip]) for tip in (tip[:8], "0" * 64)]
    assert seen == ["fits", "does not fit"]


def test_a_question_that_a_deal_does_not_ask_is_found_by_its_open_cards(page: Page) -> None:
    day = json.loads((ROOT / "tests" / "records" / "day" / "1_tuesday.json").read_text(encoding="utf-8"))
    day["deals"][0][1] = "hard 5 v 5"
    assert page.evaluate("text => verdict(text)", json.dumps(day)) == "does not fit"


def test_a_person_pastes_a_day_and_sees_what_was_checked_and_what_was_not(page: Page) -> None:
    page.get_by_label("The record").fill(test_days.made().to_json())
    page.get_by_role("button", name="Check", exact=True).click()
    said = page.get_by_role("status").inner_text()
    assert "This fits together." in said
    assert "Today's five of 2027-01-05: ctrl-alt-bet, width 15 %" in said
    assert "100.00 points" in said
    assert "that needs the solver" in said
