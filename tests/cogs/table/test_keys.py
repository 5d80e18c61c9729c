"""The keys that all tables share: who may press them, and for which stake."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.table.keys import can_stake, seat_keys, usual
from engine.games.contract import CHIP

from ..pages.scenes import before, person, stakes
from ..pages.tables import TABLES


@pytest.mark.parametrize(
    ("scene", "open_to_more"), [("four-seat: the round is over", False), ("company, the dealer is over 21", True)]
)
def test_r5_a_table_of_stacks_that_has_begun_takes_nobody_in(scene: str, open_to_more: bool) -> None:  # noqa: FBT001
    """Also where a seat has become free."""
    seen = TABLES["blackjack"][scene]
    join, *_others = seat_keys(replace(seen, sitters=seen.sitters[:-1]))
    assert (join.cap.word, join.enabled) == ("join", open_to_more)


@pytest.mark.parametrize(("chips", "may"), [(4, False), (5, True), (50, True), (51, False), (81, False)])
def test_r0_4_a_stake_is_offered_within_the_limits_and_the_balance(chips: int, may: bool) -> None:  # noqa: FBT001
    rich, poor = person(balance=80), person(balance=50)
    seen = replace(before("blackjack", "vegas"), smallest=5 * CHIP, largest=50 * CHIP)
    assert can_stake(seen, rich, stakes(chips)) is may
    assert can_stake(replace(seen, largest=1_000 * CHIP), poor, stakes(chips)) is may


def test_a_spot_without_a_last_stake_is_offered_the_largest_one_at_the_table() -> None:
    sitter = person(last_stakes={**stakes(20, "player"), **stakes(5, "tie")})
    seen = before("baccarat", "punto-banco", sitter)
    assert [usual(seen, sitter, spot) // CHIP for spot in ("player", "banker", "tie")] == [20, 20, 5]
