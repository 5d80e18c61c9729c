"""Baccarat with all of its seats taken, and the scenes of every game, within what Discord takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from cogs.table import components
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT
from cogs.table.presentation import presented
from cogs.words import LANGUAGES, speaking
from engine.games import baccarat
from engine.games.baccarat import Baccarat, BaccaratRules, Spot
from engine.games.contract import Cents
from engine.tables.house import ROAD
from engine.tables.snapshot import GameSnapshot, SealsShown, Sitter, Snapshot, TablePhase
from tests.cogs.pages.tables import TABLES

USER = 1_234_567_890_123_456_789
#: The limit that a server may set at most, and as much as many years of luck may bring.
STAKE: Cents = 1_000_000 * 100
FORTUNE: Cents = 10**12 + 50
MOST = baccarat.BaccaratRules().seating.most
STAKES = {spot.value: STAKE for spot in Spot}
#: Three cards each.
CARDS = ("2s", "3d", "Th", "Kc", "3h", "5s")

SEALS = SealsShown(
    code="ffffffff-1000", next_code="ffffffff-1000", hash="f" * 64, promise="https://discord.com/channels/" + "9" * 60
)


def sitter(place: int, *, seat: int | None, staked: dict[str, Cents] | None = None) -> Sitter:
    return Sitter(
        place, USER + place, place, balance=FORTUNE, last_stakes=STAKES, staked=staked, seat=seat, leaving=False
    )


def table(game: str, rules: Any, sitters: tuple[Sitter, ...], **more: Any) -> Snapshot:
    return GameSnapshot(
        table=2**63 - 1, guild=USER, channel=USER, message=USER, version=1, game=game,
        rules_name="a-name-of-thirty-two-characters-", rules=rules, solo=False, opener=USER,
        phase=TablePhase.BETTING, round=999_999_999, sitters=sitters, turn=999_999_999, deadline=4e9,
        seals=SEALS, **more,
    )  # fmt: skip


def dealt() -> Snapshot:
    coup = Baccarat(BaccaratRules(), [STAKES] * MOST, CARDS)
    sitters = tuple(sitter(place, seat=place - 1) for place in range(1, MOST + 1))
    road = ("player", "banker", "tie", "banker") * (ROAD // 4)
    return table("baccarat", BaccaratRules(), sitters, view=coup.view(), settlement=coup.settlement(), road=road)


def calling() -> Snapshot:
    """All have staked on the next coup."""
    return replace(dealt(), sitters=tuple(replace(seated, staked=STAKES) for seated in dealt().sitters))


def first() -> Snapshot:
    return replace(calling(), view=None, settlement=None, seals=SealsShown(), road=())


def changed_hands() -> Snapshot:
    """All have left after the coup, and as many others have sat down."""
    gone = tuple(replace(seated, member=None, leaving=True) for seated in dealt().sitters)
    return replace(dealt(), sitters=gone + tuple(sitter(place, seat=None) for place in range(1, MOST + 1)))


def rich(seen: Snapshot) -> Snapshot:
    """Return a scene whose people have a fortune, and whose names and numbers are as long as they can be."""
    return replace(
        seen, table=2**63 - 1, guild=USER, channel=USER, message=USER, rules_name="a-name-of-thirty-two-characters-",
        round=999_999_999, turn=999_999_999, seals=SEALS, largest=FORTUNE,
        sitters=tuple(replace(sitter, balance=FORTUNE) for sitter in seen.sitters),
    )  # fmt: skip


STATES: dict[str, Callable[[], Snapshot]] = {
    "baccarat, the first stakes": first,
    "baccarat, a coup": dealt,
    "baccarat, the next stakes": calling,
    "baccarat, all left": changed_hands,
    "baccarat, closed": lambda: replace(dealt(), phase=TablePhase.CLOSED),
} | {f"{kind}, {name}": partial(rich, seen) for kind, scenes in TABLES.items() for name, seen in scenes.items()}


def parts(tree: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for top in tree for part in (top, *parts(top.get("components", [])))]


def text_of(snapshot: Snapshot) -> str:
    view = components.build(presented(snapshot).page_of(snapshot), snapshot)
    return "\n".join(part["content"] for part in parts(view.to_components()) if part["type"] == 10)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_every_state_fits_one_message(state: Callable[[], Snapshot], language: str) -> None:
    snapshot = state()
    with speaking(language):
        page = presented(snapshot).page_of(snapshot)
        view = components.build(page, snapshot)
    sent = parts(view.to_components())
    assert len(sent) <= 40
    assert view.content_length() <= TEXT_LIMIT
    assert page.picture is not None
    assert len(page.picture.alt) <= ALT_LIMIT
    assert all(len(part["custom_id"]) <= 100 for part in sent if "custom_id" in part)


@pytest.mark.parametrize("state", [first, dealt, calling])
def test_r8_5_each_of_twenty_four_is_told_by_number_and_mention(state: Callable[[], Snapshot]) -> None:
    text = text_of(state())
    for place in range(1, MOST + 1):
        (line,) = (line for line in text.splitlines() if line.startswith(f"**{place}** · <@{USER + place}>"))
        assert line.count("1,000,000") >= len(STAKES)
        assert "10,000,000,000.50" in line


def test_whom_there_is_no_room_for_is_counted() -> None:
    text = text_of(changed_hands())
    shown = text.count("<@")
    assert f"and {2 * MOST - shown} more" in text
    assert shown > MOST


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_the_same_snapshot_gives_the_same_page(state: Callable[[], Snapshot]) -> None:
    first, second = presented(state()).page_of(state()), presented(state()).page_of(state())
    assert (first.headline, first.groups, first.rows) == (second.headline, second.groups, second.rows)
    assert first.picture is not None
    assert second.picture is not None
    assert first.picture.key == second.picture.key
