"""/war: a table of one's own."""

from __future__ import annotations

from engine.games.contract import CHIP
from engine.live.snapshot import TablePhase

from . import raw
from .conftest import Casino


async def at_war(casino: Casino) -> None:
    """Deal until the cards are equal."""
    await casino.alice.slash(casino.channel, "war", bet=10)
    for _ in range(200):
        if casino.snapshot.phase is TablePhase.PLAYING:
            return
        await casino.click("Deal")
    raise AssertionError("no equal cards in 200 battles")


async def test_a_battle_is_over_at_once_unless_the_cards_are_equal(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet=10)
    assert "**Dealer** · `" in casino.text
    assert casino.keys()[:2] == ["Deal", "Bet"] or casino.keys() == ["Go to war", "Surrender"]


async def test_going_to_war_takes_a_second_stake(casino: Casino) -> None:
    await at_war(casino)
    assert "Equal cards" in casino.text
    assert casino.keys()[:2] == ["Go to war", "Surrender"]
    before = casino.snapshot.sitters[0].balance
    await casino.click("Go to war")
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.settlement.staked(0) == 20 * CHIP
    assert casino.snapshot.sitters[0].balance == before - 10 * CHIP + casino.snapshot.settlement.returned(0)
    assert casino.text.count("░░") == 6, "three cards of each side are burnt"


async def test_surrender_gives_half_back(casino: Casino) -> None:
    await at_war(casino)
    await casino.click("Surrender")
    assert "You lose 5" in casino.text


async def test_silence_surrenders(casino: Casino) -> None:
    await at_war(casino)
    await casino.env.advance_time(casino.settings.war_seconds + 1)
    assert "You lose 5" in casino.text


async def test_many_play_in_one_channel_each_at_a_table_of_their_own(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet=10)
    alices = casino.message
    await casino.bob.slash(casino.channel, "war", bet=10)
    assert len(casino.bot.registry.tables()) == 2
    (deal,) = [p["custom_id"] for p in raw.components(alices) if p.get("label") in ("Deal", "Go to war")]
    (answer,) = await raw.press(casino.bob, alices, deal)
    assert answer.response is not None
    assert "You are not sitting at this table" in answer.response.content


async def test_a_second_war_of_ones_own_brings_the_table_down(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet=10)
    old = casino.message
    await casino.alice.slash(casino.channel, "war")
    assert casino.message.id != old.id
    assert casino.table.state.message == casino.message.id
    assert not [part for part in raw.components(old) if part["type"] == 2]
