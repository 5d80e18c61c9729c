"""/baccarat: one coup for the whole channel."""

from __future__ import annotations

import simcord

from engine.games.contract import CHIP
from engine.live.snapshot import TablePhase

from .conftest import Casino


async def staked(casino: Casino, who: simcord.MemberActor, label: str, chips: str) -> simcord.InteractionResult:
    return await who.submit_modal(await casino.click(label, who), {"chips": chips})


async def test_a_table_is_open_to_the_channel_until_its_opener_deals(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=10, on="banker")
    assert casino.keys() == ["Player", "Banker", "Tie", "Deal", "Leave"]
    assert "Banker 10" in casino.text
    await staked(casino, casino.bob, "Player", "20")
    await staked(casino, casino.bob, "Tie", "5")
    assert "Player 20" in casino.text
    assert "Tie 5" in casino.text
    answer = await casino.click("Deal", casino.bob)
    assert answer.response is not None
    assert "Whoever opened this table deals" in answer.response.content
    await casino.click("Deal")
    assert casino.snapshot.settlement is not None
    assert "**Player** · `" in casino.text
    assert "Road `" in casino.text
    assert casino.snapshot.phase is TablePhase.BETTING


async def test_without_a_stake_the_table_just_opens(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat")
    assert casino.keys() == ["Player", "Banker", "Tie", "Leave"]
    assert await casino.balance(casino.alice) == 1_000


async def test_the_window_ends_by_itself(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=10)
    await casino.env.advance_time(casino.settings.betting_seconds + 1)
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.settlement.staked(0) == 10 * CHIP


async def test_the_form_remembers_the_last_stake_on_a_spot(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=35, on="tie")
    await casino.click("Deal")
    form = await casino.click("Tie")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "35"
    assert form.modal["title"] == "Your bet on Tie"


async def test_the_road_goes_on_after_a_restart(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=10)
    for _ in range(3):
        await casino.click("Deal")
        await staked(casino, casino.alice, "Player", "10")
    await casino.restart()
    await casino.click("Deal")
    assert len(casino.snapshot.road) == 4
    for word in ("P", "B", "T"):
        assert casino.text.count(word) >= casino.snapshot.road.count(word)


async def test_twenty_four_people_fit_one_message(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=10)
    for number in range(23):
        user = casino.env.create_user(f"guest{number}")
        member = await casino.bot.bank.member(casino.guild.id, user.id)
        await casino.table.join(member, 10_000 + number)
        for at, spot in enumerate(("player", "banker", "tie")):
            await casino.table.stake(user.id, {spot: 100 * CHIP}, 20_000 + 10 * number + at)
    await casino.env.settle()
    await casino.click("Deal")
    assert len(casino.text) <= 4_000
    assert casino.text.count("<@") >= 24


async def test_the_history_shows_a_coup(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet=10, on="tie")
    await casino.click("Deal")
    code = casino.snapshot.commitment[:8]
    listed = await casino.ask("history")
    result = await casino.alice.select(listed, [code])
    assert result.acknowledged
    assert len(listed.attachments) == 1
