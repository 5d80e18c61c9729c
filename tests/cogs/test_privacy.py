"""/privacy"""

from __future__ import annotations

import json

from .conftest import Casino, asked, text_of


async def test_one_gets_all_that_is_stored(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    answer = await casino.ask("privacy")
    result = await casino.alice.click(answer, label="Get mine")
    assert result.response is not None
    (file,) = result.response.attachments
    stored = json.loads(await file.read())
    assert stored["rounds"]


async def test_forgetting_asks_first_and_then_forgets(casino: Casino) -> None:
    await casino.ask("daily")
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    assert await casino.balance(casino.alice) == 1_200
    await casino.alice.click(answer, label="Forget me for good")
    assert "You are forgotten here" in text_of(answer)
    assert await casino.bot.bank.balance(casino.guild.id, casino.alice.id) is None


async def test_nobody_is_forgotten_in_mid_hand(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    result = await casino.alice.click(answer, label="Forget me for good")
    assert result.response is not None
    assert "open table" in result.response.content
