"""The page of figures: what is measured is written again, what somebody wrote beside it stays."""

from __future__ import annotations

from bench._told import page

FIGURES = {"edges": {"bench": "edges", "unit": "percent", "war": {"tie": 2.5, "surrender": 3.7}}}
REMARKS = "\n**Remarks**\n\nIt was 3 before.\n\nAnd 4 before that.\n"


def test_figures_become_tables_below_what_the_bench_says_of_itself() -> None:
    told = page(FIGURES)
    assert "## edges\n\n`python -m bench edges`: the exact house edges of baccarat and war.\n\n" in told
    assert "| war |  |\n| --- | ---: |\n| tie | 2.5 |\n| surrender | 3.7 |\n" in told


def test_remarks_stay_and_figures_do_not() -> None:
    before = page(FIGURES) + REMARKS
    after = page({"edges": {"bench": "edges", "seconds": 1}}, before)
    assert after.endswith(f"| seconds | 1 |\n{REMARKS}")
    assert "surrender" not in after


def test_what_was_not_measured_now_stays_as_it_was() -> None:
    before = page(FIGURES) + REMARKS
    after = page({"travel": {"bench": "travel", "files": 40}}, before)
    assert before.partition("## edges")[2] in after
    assert "| files | 40 |" in after


def test_the_same_figures_write_the_same_page() -> None:
    before = page(FIGURES) + REMARKS
    assert page(FIGURES, before) == before


def test_a_bench_that_failed_says_so() -> None:
    assert "It could not be measured here." in page({"edges": {}})


def test_the_page_begins_with_what_people_ask_first_as_far_as_it_was_measured() -> None:
    told = page({"engine": {"croupier": 86027, "blackjack21": 44672}})
    assert "| blackjack rounds/s on one core | 86,027 | blackjack21: 44,672 |\n\n## engine" in told
    assert "asyncpg:" not in told


def test_a_bench_alone_leaves_the_beginning_as_it_was() -> None:
    before = page({"engine": {"croupier": 86027, "blackjack21": 44672}, **FIGURES})
    after = page({"edges": {"seconds": 1}}, before)
    assert after.partition("\n## ")[0] == before.partition("\n## ")[0]
