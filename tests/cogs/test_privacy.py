"""/privacy"""

from __future__ import annotations

import json

import pytest

from engine.tables.values import Member

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
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.alice.id) is None


async def test_nobody_is_forgotten_in_mid_hand(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    result = await casino.alice.click(answer, label="Forget me for good")
    assert result.response is not None
    assert "open table" in result.response.content


@pytest.mark.parametrize("press", ["Join", "blackjack", "baccarat", "war", "elimination"])
async def test_who_is_forgotten_in_the_same_instant_is_not_written_down_again(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, press: str
) -> None:
    """Bob has been looked up for a seat; before he sits down, his "Forget me" goes through."""
    await casino.sealed_table()
    bank, found = casino.bot.bank, casino.bot.bank.members.sign_in
    for _ in range(2):  # from the second time on their language is known
        await casino.ask("balance", casino.bob)

    async def and_forgotten(guild: int, user: int) -> Member:
        member = await found(guild, user)
        if user == casino.bob.id:
            await bank.privacy.forget(guild, user)
        return member

    with monkeypatch.context() as patched:
        patched.setattr(bank.members, "sign_in", and_forgotten)
        if press == "Join":
            result = await casino.click("Join", casino.bob)
        else:
            result = await casino.bob.slash(casino.guild.create_text_channel("other"), press)
    assert result.response is not None
    assert "You were forgotten here a moment ago" in result.response.content
    assert not any(table.state.chair_of(casino.bob.id) for table in casino.bot.registry.tables())
    stored = await bank.tables.still_open()
    assert not [table.row.doc for table in stored if str(casino.bob.id) in table.row.doc]
