"""/daily"""

from __future__ import annotations

import pytest

from cogs.answers.panel import FELT
from cogs.today import daily_chips
from engine.tables.ports import BankUnavailable

from . import raw
from .conftest import Casino, text_of


async def test_todays_chips_come_once(casino: Casino) -> None:
    first, second = text_of(await casino.ask("daily")), text_of(await casino.ask("daily"))
    assert "+200 chips" in first
    assert "Streak: **1**" in first
    assert "You've had today's chips" in second
    assert await casino.balance(casino.alice) == 1_200


async def test_twenty_hours_later_they_come_again_and_a_row_brings_a_tenth_more(casino: Casino) -> None:
    await casino.ask("daily")
    await casino.sleep(20 * 3600 + 60)
    text = text_of(await casino.ask("daily"))
    assert "+220 chips" in text
    assert "🟩🟩" + "⬜" * 9 in text.splitlines()
    assert "Streak: **2**" in text


async def test_nobody_is_reminded_of_losing_a_row(casino: Casino) -> None:
    ends = int(casino.bot.clock.now()) + 68 * 3600
    assert str(ends) not in text_of(await casino.ask("daily"))


async def test_the_broke_get_something_to_go_on_with(casino: Casino) -> None:
    await casino.ask("daily")
    await casino.bot.bank.chips.take(1, 120_000, actor=1, reason="test", press=1)
    handed, due = await casino.ask("daily"), int(await casino.bot.bank.chips.daily_due(1))
    assert text_of(handed).splitlines() == [
        "### +50 chips",
        "A little help from the house. You have **50 chips**.",
        f"-# Next daily chips <t:{due}:R>",
    ]
    assert raw.components(handed)[0]["accent_color"] == FELT
    assert "You've had today's chips" in text_of(await casino.ask("daily"))


async def test_the_streak_is_a_bar_on_its_way_to_double_chips(casino: Casino) -> None:
    handed = await casino.ask("daily")
    assert "🟩" + "⬜" * 10 in text_of(handed).splitlines()
    assert raw.components(handed)[0]["accent_color"] == FELT
    assert [daily_chips._bar(days) for days in (10, 11, 12)] == ["🟩" * 10 + "⬜", "🟩" * 11, "🟩" * 11]


async def test_who_cannot_pay_is_sent_to_the_daily_chips_only_while_they_are_to_be_had(casino: Casino) -> None:
    known = casino.env.backend.commands[None]["daily", 1]["id"]
    assert f"Today's free chips: </daily:{known}>" in text_of(await casino.ask("blackjack", bet=5_000))
    await casino.ask("daily")
    refused = text_of(await casino.ask("blackjack", bet=5_000))
    assert "free chips" not in refused
    assert "Next daily chips <t:" in refused


async def test_who_cannot_pay_reads_that_alone_where_the_bank_does_not_know_of_the_daily_chips(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object) -> float:
        raise BankUnavailable

    monkeypatch.setattr(casino.bot.bank.chips, "daily_due", silent)
    refused = text_of(await casino.ask("blackjack", bet=5_000))
    assert refused == "You need 5,000 chips but have 1,000 chips."


@pytest.mark.parametrize(("seconds", "said"), [(0, "Today's free chips: "), (1, "Next daily chips <t:")])
async def test_who_cannot_pay_reads_of_the_daily_chips_from_their_very_second_on(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, seconds: int, said: str
) -> None:
    now = casino.bot.clock.now()

    async def due(*_: object) -> float:
        return now + seconds

    monkeypatch.setattr(casino.bot.bank.chips, "daily_due", due)
    monkeypatch.setattr(type(casino.bot.clock), "now", lambda _: now)
    assert said in text_of(await casino.ask("blackjack", bet=5_000))
