"""/balance"""

from __future__ import annotations

from data import Wishes

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
    await casino.ask("daily", casino.bob)
    answers = [
        await casino.ask("balance", member=casino.bob),
        (await casino.alice.context_menu(casino.channel, "Balance", casino.bob)).response,
    ]
    for answer in answers:
        assert answer is not None
        assert answer.ephemeral
        assert text_of(answer) == f"### 1,200 chips\n{casino.bob.mention}"
    assert await casino.bot.bank.members.known(casino.guild.id, casino.alice.id) is None


async def test_a_right_click_on_oneself_shows_what_the_command_does(casino: Casino) -> None:
    typed = await casino.ask("balance")
    for answer in (
        await casino.ask("balance", member=casino.alice),
        (await casino.alice.context_menu(casino.channel, "Balance", casino.alice)).response,
    ):
        assert answer is not None
        assert text_of(answer) == text_of(typed)
    assert "Ranked 1st of 1 player by chips" in text_of(typed)


async def test_who_is_hidden_from_leaderboards_has_no_rank(casino: Casino) -> None:
    await casino.bot.bank.wishes.keep(casino.alice.id, Wishes(hidden=True))
    daily = casino.env.backend.commands[None]["daily", 1]["id"]
    assert text_of(await casino.ask("balance")) == f"### 1,000 chips\n-# Today's free chips: </daily:{daily}>"


async def test_asking_about_somebody_opens_no_account(casino: Casino) -> None:
    refused = await casino.ask("balance", member=casino.bob)
    assert text_of(refused) == f"{casino.bob.mention} has not played here yet."
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
