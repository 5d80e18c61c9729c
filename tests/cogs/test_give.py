"""/give"""

from __future__ import annotations

import pytest

from . import raw
from .conftest import Casino, text_of

MOST = 2**53 - 1


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
    assert "meant for somebody else" in answer.response.content
    other = await casino.ask("give", casino.bob, member=casino.alice, amount=1)
    (answer,) = await raw.press(casino.bob, other, give)
    assert answer.response is not None
    assert "Only the giver" in answer.response.content
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
    few, many = "at least one chip", "and you have 1,000 chips"
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
    assert "You can still give 100 chips" in text_of(second)  # said before it is asked about
    assert await casino.balance(casino.alice) == 300


async def test_a_right_click_asks_how_much_and_then_once_more(casino: Casino) -> None:
    asked = await casino.alice.context_menu(casino.channel, "Give", casino.bob)
    question = await casino.alice.submit_modal(asked, {"chips": "1,000"})
    assert question.response is not None
    await casino.alice.click(question.response, label="Give")
    assert await casino.balance(casino.bob) == 2_000
