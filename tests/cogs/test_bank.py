"""/balance /daily /give /leaderboard"""

from __future__ import annotations

import pytest

from . import raw
from .conftest import Casino, asked, text_of

MOST = 2**53 - 1


def keys(message: object) -> list[str]:
    return [p["label"] for p in raw.components(message) if p["type"] == 2 and not p.get("disabled")]  # type: ignore[arg-type]


# -- balance -----------------------------------------------------------------------------------------------------------


async def test_a_newcomer_has_the_starting_chips(casino: Casino) -> None:
    answer = await casino.ask("balance")
    assert answer.ephemeral
    assert "1,000 chips" in text_of(answer)


async def test_what_is_staked_is_told_apart(casino: Casino) -> None:
    await casino.until(asked, bet=100)
    text = text_of(await casino.ask("balance"))
    assert "**100** more are staked" in text


async def test_somebody_elses_balance(casino: Casino) -> None:
    await casino.ask("balance", casino.bob)
    assert "1,000 chips" in text_of(await casino.ask("balance", member=casino.bob))


async def test_asking_about_somebody_opens_no_account(casino: Casino) -> None:
    assert "has not played here yet" in text_of(await casino.ask("balance", member=casino.bob))
    assert await casino.bot.bank.balance(casino.guild.id, casino.bob.id) is None


# -- daily -------------------------------------------------------------------------------------------------------------


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


# -- gifts -------------------------------------------------------------------------------------------------------------


async def test_a_gift_is_confirmed_and_then_told_to_everybody(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    assert question.ephemeral
    assert await casino.balance(casino.alice) == 1_000
    result = await casino.alice.click(question, label="Give")
    (public,) = result.followups
    assert not public.ephemeral
    assert casino.bob.mention in public.content
    assert await casino.balance(casino.alice) == 950
    assert await casino.balance(casino.bob) == 1_050


async def test_a_gift_confirmed_twice_is_given_once(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    (give,) = (part["custom_id"] for part in raw.components(question) if part["type"] == 2)
    await raw.press(casino.alice, question, give, times=2)
    await raw.press(casino.alice, question, give)
    assert await casino.balance(casino.alice) == 950


async def test_nobody_confirms_another_ones_gift(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    (give,) = (part["custom_id"] for part in raw.components(question) if part["type"] == 2)
    (answer,) = await raw.press(casino.bob, question, give)
    assert answer.response is not None
    assert "Only who gives" in answer.response.content
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("forged", ["gift:1:{alice}:{bob}:-5", "gift:1:{alice}:{bob}:0", "gift:1:{alice}:{alice}:100"])
async def test_a_forged_gift_moves_nothing(casino: Casino, forged: str) -> None:
    await casino.ask("balance")
    question = await casino.ask("give", member=casino.bob, amount=50)
    press = forged.format(alice=casino.alice.id, bob=casino.bob.id)
    (answer,) = await raw.press(casino.alice, question, press)
    assert answer.response is not None
    assert answer.response.content
    assert await casino.balance(casino.alice) == 1_000


async def test_a_bad_gift_gets_a_sentence(casino: Casino) -> None:
    few, many = "at least one chip", "You have 1,000 chips"
    for amount, words in {0: few, -5: few, -MOST: few, 1_001: many, MOST: many}.items():
        assert words in text_of(await casino.ask("give", member=casino.bob, amount=amount))


async def test_a_gift_to_oneself_or_to_a_bot_is_none(casino: Casino) -> None:
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    assert "your own purse" in text_of(await casino.ask("give", member=casino.alice, amount=5))
    assert "Bots have no purse" in text_of(await casino.ask("give", member=robot, amount=5))


async def test_gifts_stop_at_the_days_cap(casino: Casino) -> None:
    await casino.ask("daily")
    first = await casino.ask("give", member=casino.bob, amount=900)
    await casino.alice.click(first, label="Give")
    second = await casino.ask("give", member=casino.bob, amount=101)
    result = await casino.alice.click(second, label="Give")
    assert result.response is not None
    assert "100 chips are left of yours" in result.response.content
    assert await casino.balance(casino.alice) == 300


# -- leaderboard -------------------------------------------------------------------------------------------------------


async def crowd(casino: Casino, people: int) -> None:
    for place in range(people):
        user = casino.env.create_user(f"guest{place}")
        member = await casino.bot.bank.member(casino.guild.id, user.id)
        await casino.bot.bank.grant(member.id, 100 * (place + 1), actor=1, reason="test", press=10_000 + place)


async def test_the_leaderboard_has_pages_and_always_ones_own_rank(casino: Casino) -> None:
    await crowd(casino, 12)
    await casino.ask("balance")
    board = await casino.ask("leaderboard")
    assert "**1** · " in text_of(board)
    assert f"{casino.alice.mention} · **13** of 13 players" in text_of(board)
    assert keys(board) == ["Winnings", "Win rate", "Next"]
    await casino.alice.click(board, label="Next")
    assert "**11** · " in text_of(board)
    assert "**13** of 13 players" in text_of(board)
    assert "Previous" in keys(board)
    await casino.alice.click(board, label="Previous")
    assert "**1** · " in text_of(board)


async def test_another_ones_page_is_turned_in_a_copy(casino: Casino) -> None:
    await crowd(casino, 12)
    board = await casino.ask("leaderboard")
    before = text_of(board)
    result = await casino.bob.click(board, label="Next")
    assert result.ephemeral
    assert text_of(board) == before


async def test_the_other_ladders(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    board = await casino.ask("leaderboard", by="winnings")
    assert "Leaderboard · Winnings" in text_of(board)
    assert casino.alice.mention in text_of(board)
    await casino.alice.click(board, label="Win rate")
    assert "Leaderboard · Win rate" in text_of(board)


async def test_an_empty_leaderboard_says_so(casino: Casino) -> None:
    assert "Nobody stands here yet" in text_of(await casino.ask("leaderboard", by="winnings"))
