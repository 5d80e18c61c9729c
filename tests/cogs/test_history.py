"""/history: what was played can be looked at again."""

from __future__ import annotations

import pytest

from engine.tables.rebuilt import record_of

from . import raw
from .conftest import Casino, keys, played, text_of


async def test_a_newcomers_history_is_empty(casino: Casino) -> None:
    assert "You haven't finished a round yet" in text_of(await casino.ask("history"))


async def test_a_round_is_replayed_step_by_step(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    assert listed.ephemeral
    assert f"`{code}`" in text_of(listed)
    await casino.alice.select(listed, [code])
    assert "The deal" in text_of(listed)
    assert "░" in text_of(listed)
    assert len(listed.attachments) == 1
    seen = 1
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        seen += 1
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    assert seen == len(record_of(stored).steps) + 1
    assert "░" not in text_of(listed)
    await casino.alice.click(listed, label="Previous")
    await casino.alice.click(listed, label="All rounds")
    assert f"`{code}`" in text_of(listed)
    assert listed.attachments == []


async def test_older_rounds_are_on_the_next_page(casino: Casino) -> None:
    await played(casino, 12)
    listed = await casino.ask("history")
    assert text_of(listed).count("blackjack vegas") == 10
    await casino.alice.click(listed, label="Older")
    assert text_of(listed).count("blackjack vegas") >= 2
    await casino.alice.click(listed, label="Newer")
    assert text_of(listed).count("blackjack vegas") == 10


async def test_another_ones_round_is_not_replayed(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history", casino.bob)
    (answer,) = await raw.press(casino.bob, listed, f"replay:{code}:0")
    assert answer.response is not None
    assert "doesn't belong here" in answer.response.content


@pytest.mark.parametrize(
    "forged", ["replay:ffffffff:0", "replay:{code}:-3", "replay:{code}:9999", "history:-5", "history:99999"]
)
async def test_forged_pages_and_steps_are_answered(casino: Casino, forged: str) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    (answer,) = await raw.press(casino.alice, listed, forged.format(code=code))
    assert answer.acknowledged
