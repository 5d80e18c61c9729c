"""/war: a table of one's own."""

from __future__ import annotations

import re

import discord
import pytest
import simcord

from engine.games.contract import CHIP
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino, text_of

MOST = 2**53 - 1


async def at_war(casino: Casino) -> None:
    """Two nines."""
    casino.cards.lay("9 9")
    await casino.alice.slash(casino.channel, "war", bet="10")
    assert casino.snapshot.phase is TablePhase.PLAYING


async def at_war_by_the_seed(casino: Casino) -> None:
    """Deal until the cards are equal: cards that were laid out fit no seal."""
    await casino.alice.slash(casino.channel, "war", bet="10")
    for _ in range(200):
        if casino.snapshot.phase is TablePhase.PLAYING:
            return
        await casino.click("Deal")
    raise AssertionError("no equal cards in 200 battles")


def said(answer: simcord.InteractionResult) -> str:
    assert answer.response is not None
    return text_of(answer.response)


def alt(casino: Casino) -> str:
    (gallery,) = (part for part in raw.components(casino.message) if part["type"] == 12)
    return str(gallery["items"][0]["description"])


# -- a battle ----------------------------------------------------------------------------------------------------------


async def test_a_battle_is_over_at_once_unless_the_cards_are_equal(casino: Casino) -> None:
    casino.cards.lay("9 5")
    await casino.alice.slash(casino.channel, "war", bet="10")
    assert "\nDealer · " in casino.text
    assert casino.labels() == ["Deal 10", "x2", "1/2", "Bet", "Leave"]
    assert re.search(rf"## {casino.alice.mention} [+−]10\n", casino.text)
    (sitter,) = casino.snapshot.sitters
    assert sitter.balance == await casino.balance(casino.alice) * CHIP
    assert f"{sitter.balance // CHIP:,} chips" in casino.text
    assert casino.snapshot.seals.code in casino.text


async def test_going_to_war_takes_a_second_stake(casino: Casino) -> None:
    await at_war(casino)
    assert f"## {casino.alice.mention}, war or surrender?\n" in casino.text
    assert re.search(r"<t:\d+:R>", casino.text)
    assert "stake 10\n" in casino.text
    assert casino.keys() == ["Go to war", "Surrender"]
    before = casino.snapshot.sitters[0].balance
    await casino.click("Go to war")
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.settlement.staked(0) == 20 * CHIP
    assert casino.snapshot.sitters[0].balance == before - 10 * CHIP + casino.snapshot.settlement.returned(0)
    assert "3 cards burnt" in casino.text


async def test_everything_in_the_picture_is_in_its_alt_text(casino: Casino) -> None:
    await at_war(casino)
    for press in (None, "Go to war"):
        if press:
            await casino.click(press)
        cards = re.findall(r"(?:10|[2-9AKQJ])[♠♥♦♣]", casino.text)
        assert len(cards) == (4 if press else 2)
        assert all(card in alt(casino) for card in cards)
        assert f"stake {20 if press else 10}" in alt(casino)
    assert "3 cards burnt" in alt(casino)


async def test_surrender_gives_half_back(casino: Casino) -> None:
    await at_war(casino)
    await casino.click("Surrender")
    assert f"## {casino.alice.mention} −5\n" in casino.text
    assert " · surrendered · " in casino.text


async def test_silence_surrenders(casino: Casino) -> None:
    await at_war(casino)
    await casino.env.advance_time(casino.settings.war_seconds + 1)
    assert f"## {casino.alice.mention} −5\n" in casino.text


async def test_a_restart_in_the_middle_of_a_war_asks_again(casino: Casino) -> None:
    await at_war(casino)
    before = casino.snapshot.view
    await casino.restart()
    assert casino.snapshot.view == before
    await casino.click("Go to war")
    assert casino.snapshot.view.player[0] == before.player[0]
    assert "3 cards burnt" in casino.text


async def test_the_last_stake_is_dealt_again_and_another_is_typed(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet="25", rules="casino")
    assert "**Casino war** · casino · 6 decks" in casino.text
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.click("Surrender")
    await casino.click("Deal")
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 25 * CHIP}
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.click("Surrender")
    await casino.alice.submit_modal(await casino.click("Bet"), {"chips": "7"})
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 7 * CHIP}


async def test_leaving_closes_the_table(casino: Casino) -> None:
    casino.cards.lay("9 5")
    await casino.alice.slash(casino.channel, "war", bet="10")
    await casino.click("Leave")
    assert "Table closed: everyone left" in casino.text
    assert casino.bot.registry.tables() == ()


# -- company -----------------------------------------------------------------------------------------------------------


async def test_many_play_in_one_channel_each_at_a_table_of_their_own(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet="10")
    alices = casino.message
    await casino.bob.slash(casino.channel, "war", bet="10")
    assert len(casino.bot.registry.tables()) == 2
    deal = next(p["custom_id"] for p in raw.components(alices) if p.get("label") in ("Deal 10", "Go to war +10"))
    (answer,) = await raw.press(casino.bob, alices, deal)
    assert "somebody else's table" in said(answer)


async def test_a_second_war_of_ones_own_brings_the_table_down(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet="10")
    old = casino.message
    await casino.alice.slash(casino.channel, "war")
    assert casino.message.id != old.id
    assert casino.table.state.message == casino.message.id
    assert old.id not in [message.id for message in casino.channel.history()]


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "words"),
    [
        ("0", "Stakes here are from 1 chip to 10,000 chips."),
        ("-5", "A bet must be positive."),
        ("10001", "Stakes here are from 1 chip to 10,000 chips."),
        (str(MOST), "Nobody has that many chips."),
        ("1,001", "You need 1,001 chips but have 1,000 chips."),
        ("nothing", "**nothing** isn't a number of chips."),
    ],
)
async def test_a_bad_bet_gets_a_sentence_and_no_table(casino: Casino, bet: str, words: str) -> None:
    answer = await casino.alice.slash(casino.channel, "war", bet=bet)
    assert answer.ephemeral
    assert words in said(answer)
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000


async def test_chips_that_lie_on_another_table_are_named(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet="900")
    answer = await casino.alice.slash(casino.channel, "war", bet="500")
    assert "Your bet in another round (900 chips) is still in play" in said(answer)


async def test_the_question_is_answered_once(casino: Casino) -> None:
    await at_war(casino)
    war = casino.custom_id("Go to war")
    answers = await raw.press(casino.alice, casino.message, war, times=3)
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.settlement.staked(0) == 20 * CHIP
    assert sum("out of date" in said(answer) for answer in answers if answer.response is not None) == 2


async def test_no_second_battle_is_staked_while_one_is_open(casino: Casino) -> None:
    await at_war(casino)
    before = await casino.balance(casino.alice)
    answer = await casino.alice.slash(casino.channel, "war", bet="10")
    assert "A round is being played" in said(answer)
    assert await casino.balance(casino.alice) == before


async def test_a_channel_that_is_closed_to_the_bot_is_said_before_a_chip_moves(casino: Casino) -> None:
    assert casino.bot.user is not None
    overwrites = {casino.bot.user: discord.PermissionOverwrite(attach_files=False)}
    closed = casino.guild.create_text_channel("closed", overwrites=overwrites)
    assert "Attach Files" in said(await casino.alice.slash(closed, "war", bet="10"))
    assert await casino.balance(casino.alice) == 1_000


# -- what is kept ------------------------------------------------------------------------------------------------------


async def test_the_history_replays_a_war_and_verify_checks_it(casino: Casino) -> None:
    await at_war_by_the_seed(casino)
    await casino.click("Go to war")
    code = casino.snapshot.seals.code
    listed = await casino.ask("history")
    await casino.alice.select(listed, [code])
    assert "stake 10" in text_of(listed)
    assert "burnt" not in text_of(listed)
    await casino.alice.click(listed, label="Next")
    assert "3 cards burnt" in text_of(listed)
    checked = text_of(await casino.ask("verify", round=code))
    assert f"Round {code} was dealt as sealed" in checked
    assert "Go to war" in checked
