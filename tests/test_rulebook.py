"""Every rule of the rulebook leads to the code that keeps it and to a test of it, by a search for its number."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from data.base.values import Length, Span
from data.ledger import chips, resets, settlement
from data.people import breaks
from data.people import limits as limits_of_people
from data.seasons import places
from data.seasons.calendar import Season
from data.sets import boards, days
from engine.elimination.terms import HEAT, MOST_LEFT, ROUNDS
from engine.games.contract import CHIP
from engine.sets import calendar, choosing, duels, scoring, shares
from engine.sets.programme import PERCENT, PROGRAMME, UNIT
from engine.tables.house import KEPT_SECONDS, HouseSettings
from engine.tournament import field
from engine.tournament.prizes import FEWEST_FOR_SHARES, PODIUM, SHARES
from engine.training import drill, problems

ROOT = Path(__file__).resolve().parent.parent
BOOK = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
RULES = re.findall(r"^- \*\*(R\d+\.\d+)", BOOK, re.MULTILINE)

HOUSE = HouseSettings()
MINUTE, HOUR, DAY = 60, 3_600, 86_400
#: What a rule says in words, and the same number in the code.
NUMBERS = [
    ("R7.2", "Three heats of three rounds", (ROUNDS, HEAT), (9, 3)),
    (
        "R7.2",
        "After round 3 at most three are left, after round 6 two, after round 9 one",
        MOST_LEFT,
        {3: 3, 6: 2, 9: 1},
    ),
    ("R7.9", "50, 30 and 20 % for the best three people", SHARES, (50, 30, 20)),
    ("R7.9", "fewer than four", FEWEST_FOR_SHARES, 4),
    ("R10.3", "200 chips, and again 20 hours after", (HOUSE.daily_chips, HOUSE.daily_hours), (200 * CHIP, 20)),
    ("R10.3", "a tenth more for each time in a row, up to twice as much", chips.MOST_TENTHS, 10),
    ("R10.3", "more than 68 hours since the last time", HOUSE.daily_hours * HOUR + chips.ROW_PAUSES, 68 * HOUR),
    ("R10.3", "fewer than 10 chips and nothing staked get 50", (chips.POOR, chips.HELP), (10 * CHIP, 50 * CHIP)),
    ("R10.4", "may give 1,000 chips, and may receive 1,000", {HOUSE.gift_cap, HOUSE.received_cap}, {1_000 * CHIP}),
    (
        "R10.4",
        "a Discord account of 30 days, 7 days on the server",
        (HOUSE.gift_account_days, HOUSE.gift_server_days),
        (30, 7),
    ),
    (
        "R10.4",
        "50 finished hands there, and leaves the giver at least 100",
        (HOUSE.gift_hands, HOUSE.kept_chips),
        (50, 100 * CHIP),
    ),
    ("R10.4", "between 1 and 10,000 chips", (HOUSE.smallest_stake, HOUSE.largest_stake), (CHIP, 10_000 * CHIP)),
    ("R10.8", "in 20 hands or more", settlement.ENOUGH, 20),
    ("R11.1", "within 60 minutes after the close", calendar.GRACE, 60 * MINUTE),
    ("R11.3", "at least 0.3 % of the unit", 1_000 * choosing.CLOSEST, 3 * UNIT),
    (
        "R11.3",
        "Monday, Tuesday, Thursday and Saturday 15 %, Wednesday 12 %, Friday 8 %, Sunday 4 %",
        [terms.width // PERCENT for terms in PROGRAMME],
        [15, 15, 12, 15, 8, 15, 4],
    ),
    ("R11.3", "in the last four weeks", choosing.WEEKS, 4),
    ("R11.3", "A condition that 10,000 deals do not meet", choosing.PATIENCE, 10_000),
    ("R11.4", "A deal brings 20 points", scoring.MOST_A_DEAL, 20 * scoring.HUNDREDTHS),
    ("R11.6", "in steps of 5 %, and only from 20 of them on", (shares.STEP, shares.ENOUGH), (5, 20)),
    ("R11.8", "down for more than 12 hours", days.NEUTRAL, 12 * HOUR),
    ("R11.8", "at least two of its people", boards.TOGETHER, 2),
    ("R12.1", "10 deals (5 to 20)", (duels.USUAL, duels.FEWEST, duels.MOST), (10, 5, 20)),
    ("R12.1", "with a width of 15 %", duels._WIDTH, 15 * PERCENT),
    ("R12.3", "open for 24 hours. From the acceptance on each has 24 hours", {duels.OPEN_FOR, duels.RUNS_FOR}, {DAY}),
    ("R12.3", "stands ten minutes later", duels.HAND, 10 * MINUTE),
    (
        "R12.7",
        "three open ones that a person has made, three received, and three running",
        {duels.MOST_OPEN, duels.MOST_RUNNING},
        {3},
    ),
    ("R12.8", "the same 20 deals", field.HANDS, 20),
    ("R12.10", "A win brings 2 points of the season (R14.1), a draw 1", (duels.WIN, duels.DRAW), (2, 1)),
    (
        "R13.1",
        "a day, a week, a month, six months, a year",
        [breaks.SECONDS[each] for each in Length if each in breaks.SECONDS],
        [DAY, 7 * DAY, 30 * DAY, 182 * DAY, 365 * DAY],
    ),
    (
        "R13.1",
        "asked to end after a year, and ends thirty days later",
        (breaks.ASKED_AFTER, breaks.ENDS_AFTER),
        (365 * DAY, 30 * DAY),
    ),
    ("R13.3", "rises a day later", limits_of_people.RISES_AFTER, DAY),
    (
        "R14.1",
        "best 20 days of Today's five (60 in a quarter)",
        [Season(span, 2027, 1).best_days for span in (Span.MONTH, Span.QUARTER)],
        [20, 60],
    ),
    ("R14.1", "5, 3 and 2 for the podium", PODIUM, (5, 3, 2)),
    (
        "R14.1",
        "take 200 decisions or hands; from 50 on a place is provisional",
        (places.ENOUGH, places.PROVISIONAL),
        (200, 50),
    ),
    ("R14.2", "announced a week before", resets.NOTICE, 7 * DAY),
    ("R14.2", "In the last 25 hours", resets.CLOSES, 25 * HOUR),
    ("R14.4", "Ten minutes after the last invitation", KEPT_SECONDS, 10 * MINUTE),
    ("R15.1", "gives away more than 0.3 % of the stake", problems.TOSS_UP, 0.003),
    ("R15.1", "differ by 15 % at first", drill.narrowed(0), 0.15),
    ("R15.1", "three of four hands are like those", drill._WEAK, (3, 4)),
]


@cache
def text_of(*folders: str) -> str:
    return "\n".join(path.read_text("utf-8") for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def test_the_rulebook_has_rules() -> None:
    assert len(RULES) > 50
    assert len(set(RULES)) == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_search_for_a_rules_number_finds_its_code_and_its_test(rule: str) -> None:
    code = re.search(rf"\b{re.escape(rule)}\b", text_of("engine", "data", "cogs"))
    test = re.search(rf"def test_{rule.lower().replace('.', '_')}_", text_of("tests"))
    assert code is not None
    assert test is not None


def test_no_rule_is_named_that_the_rulebook_does_not_have() -> None:
    named = set(re.findall(r"\bR\d+\.\d+\b", text_of("engine", "data", "cogs")))
    assert named <= set(RULES)


def test_the_tests_that_the_pages_name_are_there() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
    for name in re.findall(r"\btest_r\d+_\w+", pages):
        assert f"def {name}" in text_of("tests")


@pytest.mark.parametrize(("rule", "words", "found", "number"), NUMBERS, ids=[each[1][:40] for each in NUMBERS])
def test_a_number_of_a_rule_is_that_of_the_code(rule: str, words: str, found: object, number: object) -> None:
    text = BOOK.partition(f"- **{rule}")[2].partition("\n- **R")[0]
    assert words in " ".join(text.split())
    assert found == number
