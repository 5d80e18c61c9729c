"""A member's first hand on a server explains its keys: once, in private, whatever the game and the way to stake."""

from __future__ import annotations

import pytest
import simcord

from ..conftest import Casino

FIRST = "Your first "


def told(result: simcord.InteractionResult) -> list[str]:
    """Return the explanations among what the person was told in private."""
    return [each.content for each in result.followups if each.ephemeral and FIRST in each.content]


async def test_the_first_hand_explains_its_keys_and_no_other_does(casino: Casino) -> None:
    first = await casino.blackjack(bet=10)
    (explained,) = told(first)
    assert "**Hit** takes another card, **Stand** keeps what you have" in explained
    await casino.play_on()
    assert told(await casino.click("Deal")) == []
    await casino.play_on()
    assert told(await casino.alice.slash(casino.channel, "war", bet="10")) == []
    assert told(await casino.alice.slash(casino.channel, "baccarat", bet="10")) == []


@pytest.mark.parametrize(
    ("command", "words"), [("war", "The higher card wins"), ("baccarat", "Bet on the hand that comes closer to 9")]
)
async def test_each_game_explains_its_own_keys(casino: Casino, command: str, words: str) -> None:
    (explained,) = told(await casino.alice.slash(casino.channel, command, bet="10"))
    assert words in explained
    await casino.restart()
    assert told(await casino.blackjack(bet=10)) == []


async def test_who_comes_to_an_open_table_is_told_with_their_own_first_stake(casino: Casino) -> None:
    await casino.sealed_table()
    assert told(await casino.click("Join", casino.bob)) == []
    assert len(told(await casino.click("Deal", casino.bob))) == 1
    assert told(await casino.click("Deal")) == [], "Alice's was the table's first"


async def test_a_stake_from_the_form_is_a_first_one_too(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    form = await casino.click("Bet", casino.bob)
    assert len(told(await casino.bob.submit_modal(form, {"chips": "25"}))) == 1


async def test_a_stack_that_is_brought_is_a_first_stake(casino: Casino) -> None:
    assert len(told(await casino.blackjack(rules="four-seat", bet=1))) == 1
    await casino.play_on()
    assert told(await casino.click("Deal")) == []


async def test_of_two_first_stakes_only_the_earlier_one_is_the_first(casino: Casino) -> None:
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await casino.blackjack(bet=10)
    mine = casino.table.id
    await casino.alice.slash(casino.channel, "war", bet="10")
    members = casino.bot.bank.members
    opened = [table.id for table in casino.bot.registry.tables()]  # a command's press is its table's id
    assert [await members.staked_first(member, table, table) for table in opened] == [True, False]
    assert opened[0] == mine
