"""/daily"""

from __future__ import annotations

from .conftest import Casino, text_of


async def test_todays_chips_come_once(casino: Casino) -> None:
    first, second = text_of(await casino.ask("daily")), text_of(await casino.ask("daily"))
    assert "+200 chips" in first
    assert "1 day in a row" in first
    assert "You have had today's chips" in second
    assert await casino.balance(casino.alice) == 1_200


async def test_a_second_day_in_a_row_is_worth_a_tenth_more(casino: Casino) -> None:
    await casino.ask("daily")
    await casino.env.advance_time(24 * 3600 + 60)
    text = text_of(await casino.ask("daily"))
    assert "+220 chips" in text
    assert "2 days in a row" in text


async def test_the_broke_get_something_to_go_on_with(casino: Casino) -> None:
    await casino.ask("daily")
    await casino.bot.bank.take(1, 120_000, actor=1, reason="test", press=1)
    assert "+50 chips" in text_of(await casino.ask("daily"))
    assert "You have had today's chips" in text_of(await casino.ask("daily"))
