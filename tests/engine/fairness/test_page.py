"""docs/fairness.md: its examples are those of the code, and it names every word that a record may have."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from typing import Any

import pytest

from engine import fairness
from engine.fairness import blocks, chain, length_prefixed
from engine.fairness.record import Record, RecordThree, RecordTwo
from engine.fairness.sets import duel_name, same_name, stream
from engine.fairness.verify import verify
from engine.games import blackjack, registry
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.cards import name
from engine.games.computer import Level
from engine.games.contract import By, Outcome
from engine.sets.duels import FEWEST, LINK, MOST, terms_of
from engine.solver.position import PLAYS
from engine.tournament.field import HANDS

from .test_scheme_three import tree

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "fairness.md").read_text(encoding="utf-8")
ROOT = bytes(range(32))
CHART = Path(blackjack.__file__).with_name("expert_chart.csv")


def example() -> RecordTwo:
    record = Record.from_json(PAGE.split("```json\n")[1].split("```")[0])
    assert isinstance(record, RecordTwo)
    return record


def test_the_published_record_fits() -> None:
    assert verify(example()).holds


def test_the_published_steps_lead_to_it() -> None:
    record = example()
    message = length_prefixed([b"seeds"]).hex()
    assert f"`{message[:8]} {message[8:]}`" in PAGE
    shown = [
        ROOT.hex(),
        chain.one_way(ROOT, "seeds").hex(),
        chain.tip_of(ROOT),
        chain.seed_of(ROOT, record.number).hex(),
        ", ".join(f"`{part}`" for part in record.mixed_in),
        next(blocks(record.seed, record.mixed_in)).hex(),
        " ".join(map(name, record.cards)),
    ]
    for value in shown:
        assert f"{value}" in PAGE.split("## Examples")[1], value
    assert record.seed == chain.seed_of(ROOT, record.number)


def test_the_published_slot_leads_to_its_promise_and_its_round_fits() -> None:
    record = Record.from_json(PAGE.split("```json\n")[2].split("```")[0])
    assert isinstance(record, RecordThree)
    tips = [bytes.fromhex(chain.tip_of(chain.slot_root(ROOT, slot))) for slot in range(1, chain.SLOTS + 1)]
    levels = tree(tips)
    assert record.promise.tip == levels[-1][0].hex()
    assert record.path == tuple(level[(record.slot - 1 >> depth) ^ 1].hex() for depth, level in enumerate(levels[:-1]))
    root, own = chain.slot_root(ROOT, record.slot), tips[record.slot - 1]
    inputs = ", ".join(f"`{part}`" for part in record.mixed_in)
    shown = [root.hex(), own.hex(), chain.leaf(own).hex(), inputs, " ".join(map(name, record.cards))]
    assert not [value for value in shown if value not in PAGE.split("### A slot, its path")[1]]
    assert verify(record).holds


@pytest.mark.parametrize("kind", ["duel", "same"])
def test_r12_6_the_same_cards_for_several_people_are_dealt_as_the_page_says(kind: str) -> None:
    """By the page's own shuffle, from a seed that is shown when all is over."""
    section = PAGE.split("## Duels, and the same cards for all")[1].split("\n## ")[0]
    assert f"`{kind}/`" in section
    root = ROOT if kind == "duel" else chain.one_way(ROOT, "table", 1, 0, 0)
    tip, seed = chain.tip_of(root), chain.seed_of(root, LINK)
    assert hashlib.sha256(seed).hexdigest() == tip
    shuffle = PAGE.split("```python\n")[1].split("```")[0]
    first, second = shuffle.index("seed = "), shuffle.index("decks = ")
    told: dict[str, Any] = {}
    inputs = ["set", f"{kind}/{tip[:16]}", "3", "6"]
    exec(f"{shuffle[:first]}seed, inputs = {seed!r}, {inputs!r}\n{shuffle[second:].rpartition('print(')[0]}", told)
    shoe = stream(seed, (duel_name if kind == "duel" else same_name)(tip), 6)(3)
    assert told["shoe"] == [shoe[place] for place in range(6 * 52)]
    assert f"width of\n{terms_of('vegas', VEGAS).width:,}:" in section
    assert f"the first {FEWEST} to {MOST} such deals, a tournament the first {HANDS}." in section


def words() -> set[str]:
    found = {outcome.value for outcome in Outcome} | {by.value for by in By} | {level.value for level in Level}
    for game in registry.GAMES.values():
        found |= {game.name, *game.spots, *game.actions}
        for rules in game.rule_sets.values():
            found |= {*rules.as_json(), *(word for word in rules.as_json().values() if isinstance(word, str))}
    return found


@pytest.mark.parametrize("word", sorted(words()))
def test_every_word_of_a_record_is_explained(word: str) -> None:
    assert f"`{word}`" in PAGE


def test_the_published_chart_is_the_experts() -> None:
    letters = {"hit": "H", "stand": "S", "double": "D", "pair": "P"}
    with CHART.open(encoding="utf-8", newline="") as file:
        plays = [" ".join(letters[play] for play in row[1:]) for row in list(csv.reader(file))[1:]]
    published = PAGE.split("| row | ")[1].split("\n\n")[0].splitlines()[2:]
    assert [line.split(" | ")[1].removesuffix(" |") for line in published] == plays


def test_r11_3_the_page_orders_plays_of_equal_worth_as_the_filter_does() -> None:
    assert f"in the order {', '.join(PLAYS)}." in " ".join(PAGE.split())


def test_the_second_verifier_needs_no_network() -> None:
    page = (Path(fairness.__path__[0]) / "verify.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not [word for word in ("src=", "href=", "import ", "fetch(", "XMLHttpRequest", "WebSocket") if word in page]
