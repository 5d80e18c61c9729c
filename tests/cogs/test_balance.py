"""/balance"""

from __future__ import annotations

from .conftest import Casino, asked, text_of


async def test_a_newcomer_has_the_starting_chips(casino: Casino) -> None:
    answer = await casino.ask("balance")
    assert answer.ephemeral
    assert "1,000 chips" in text_of(answer)


async def test_what_is_staked_is_told_apart(casino: Casino) -> None:
    await casino.until(asked, bet=100)
    text = text_of(await casino.ask("balance"))
    assert "In play: **100 chips**" in text


async def test_somebody_elses_balance(casino: Casino) -> None:
    await casino.ask("balance", casino.bob)
    assert "1,000 chips" in text_of(await casino.ask("balance", member=casino.bob))


async def test_asking_about_somebody_opens_no_account(casino: Casino) -> None:
    assert "has not played here yet" in text_of(await casino.ask("balance", member=casino.bob))
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.bob.id) is None


async def test_ones_own_balance_tells_the_rank_and_when_the_daily_chips_are_due(casino: Casino) -> None:
    await casino.ask("daily", casino.bob)
    before = text_of(await casino.ask("balance"))
    assert "Ranked 2nd of 2 players by chips" in before
    assert "</daily:" in before
    await casino.ask("daily")
    after = text_of(await casino.ask("balance"))
    assert "</daily:" not in after
    assert "Next daily chips <t:" in after
