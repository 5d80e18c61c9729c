"""/baccarat: one coup for the whole channel."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
import simcord

from engine.games.baccarat import Spot
from engine.games.contract import CHIP
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino, as_typed, text_of

MOST = 2**53 - 1


async def staked(casino: Casino, who: simcord.MemberActor, label: str, chips: str) -> simcord.InteractionResult:
    return await who.submit_modal(await casino.click(label, who), {"chips": chips})


async def baccarat(casino: Casino, who: simcord.MemberActor | None = None, **options: Any) -> simcord.InteractionResult:
    return await (who or casino.alice).slash(casino.channel, "baccarat", **as_typed(options))


def said(answer: simcord.InteractionResult) -> str:
    assert answer.response is not None
    return text_of(answer.response)


def lying(casino: Casino, who: simcord.MemberActor) -> dict[str, int]:
    """Return the stakes that a person has on the table for the next coup."""
    sitter = casino.snapshot.sitter_of(who.id)
    assert sitter is not None
    return {spot: cents // CHIP for spot, cents in (sitter.staked or {}).items()}


# -- a coup ------------------------------------------------------------------------------------------------------------


async def test_a_table_is_open_to_the_channel_until_its_opener_deals(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="banker")
    assert casino.keys() == ["Player", "Banker", "Tie", "Deal", "Leave"]
    assert f"\n{casino.alice.mention} · Banker 10 · 990 left" in casino.text
    assert "## Place your bets\n" in casino.text
    assert re.search(r"\n-# Dealing <t:\d+:R>\n", casino.text)
    await staked(casino, casino.bob, "Player", "20")
    await staked(casino, casino.bob, "Tie", "5")
    assert f"**2** · {casino.bob.mention} · Player 20, Tie 5 · 975 left" in casino.text
    assert "Only the person who opened this table" in said(await casino.click("Deal", casino.bob))
    await casino.click("Deal")
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.phase is TablePhase.BETTING


@pytest.mark.parametrize(("word", "lies"), [("all", 10_000), ("half", 10_000), ("9980", 10_000), ("9981", 20)])
async def test_r0_4_the_words_and_numbers_count_what_lies_there_towards_the_tables_limit(
    casino: Casino, word: str, lies: int
) -> None:
    """10,000 at most, of which 20 lie there."""
    await casino.grant(casino.alice, 49_000)
    await baccarat(casino, bet=20, on="tie")
    await staked(casino, casino.alice, "Tie", word)
    assert lying(casino, casino.alice) == {"tie": lies}


async def test_r0_4_all_typed_with_the_command_counts_what_lies_there_too(casino: Casino) -> None:
    await casino.grant(casino.alice, 49_000)
    await baccarat(casino, bet=20, on="tie")
    await baccarat(casino, bet="all", on="tie")
    assert lying(casino, casino.alice) == {"tie": 10_000}


async def test_the_coup_is_told_with_hands_results_balances_and_the_next_seal(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="tie")
    await staked(casino, casino.bob, "Banker", "20")
    await casino.click("Deal")
    view, text = casino.snapshot.view, casino.text
    assert text.split("\nPlayer · ")[1].splitlines()[0].endswith(f"**{view.player.total}**")
    assert text.split("\nBanker · ")[1].splitlines()[0].endswith(f"**{view.banker.total}**")
    for who in (casino.alice, casino.bob):
        sitter = casino.snapshot.sitter_of(who.id)
        assert sitter is not None
        assert sitter.balance == await casino.balance(who) * CHIP
        assert re.search(rf"## .*{who.mention} [−+±][\d.]+", text)
        assert re.search(rf"{who.mention} · \w+ \d+ · {sitter.balance // CHIP:,}", text)
    assert f"/verify {casino.snapshot.seals.code}" in text
    assert f"Last results `{view.result.value[0].upper()}`" in text


async def test_everything_in_the_picture_is_in_its_alt_text(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="tie")
    await casino.click("Deal")
    (gallery,) = (part for part in raw.components(casino.message) if part["type"] == 12)
    told = gallery["items"][0]["description"]
    view = casino.snapshot.view
    for card in re.findall(r"(?:10|[2-9AKQJ])[♠♥♦♣]", casino.text):
        assert card in told
    for word in (
        f", {view.player.total}.",
        f", {view.banker.total}.",
        "10 on Tie",
        "wins" if view.result != "tie" else "tie",
    ):
        assert word in told
    assert f"Results so far: {view.result.value.capitalize()}." in told


async def test_without_a_stake_the_table_just_opens(casino: Casino) -> None:
    await baccarat(casino)
    assert casino.keys() == ["Player", "Banker", "Tie", "Leave"]
    assert casino.edits() == 0
    assert await casino.balance(casino.alice) == 1_000


async def test_a_bet_alone_goes_on_player(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    assert lying(casino, casino.alice) == {"player": 10}


async def test_a_spot_alone_gets_ten_chips_and_later_the_last_stake(casino: Casino) -> None:
    await baccarat(casino, on="tie")
    assert lying(casino, casino.alice) == {"tie": 10}
    await staked(casino, casino.alice, "Banker", "35")
    await casino.click("Deal")
    await baccarat(casino, on="banker")
    assert lying(casino, casino.alice) == {"banker": 35}


async def test_the_command_in_a_busy_channel_stakes_at_its_table(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    answer = await baccarat(casino, casino.bob, bet=5, on="tie")
    assert answer.ephemeral
    assert said(answer).startswith("Your bet of 5 chips is on [the table](https://")
    assert lying(casino, casino.bob) == {"tie": 5}
    assert "Tie 5" in casino.text
    assert len(casino.bot.registry.tables()) == 1


@pytest.mark.parametrize(("bet", "staked"), [("half", 500), ("all", 1_000)])
async def test_half_or_all_may_be_typed(casino: Casino, bet: str, staked: int) -> None:
    await baccarat(casino, bet=bet, on="banker")
    assert lying(casino, casino.alice) == {"banker": staked}
    await baccarat(casino, casino.bob, bet=bet)
    assert lying(casino, casino.bob) == {"player": staked}


async def test_the_window_ends_by_itself(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await casino.env.advance_time(casino.settings.betting_seconds + 1)
    assert casino.snapshot.settlement is not None
    assert casino.snapshot.settlement.staked(0) == 10 * CHIP
    assert "\nPlayer · " in casino.text


async def test_who_staked_is_shown_and_who_waits_keeps_the_last_result(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await staked(casino, casino.bob, "Tie", "5")
    await casino.click("Deal")
    await casino.click("Bet again")
    assert "Last round · " in casino.text
    assert f"**1** · {casino.alice.mention} · Player 10 · " in casino.text
    assert re.search(rf"\*\*2\*\* · {casino.bob.mention} · last round \*\*[−+±]", casino.text)


# -- the same again, the form, leaving ---------------------------------------------------------------------------------


async def test_bet_again_repeats_all_of_the_last_stakes_once(casino: Casino) -> None:
    await baccarat(casino, bet=35, on="tie")
    await staked(casino, casino.alice, "Banker", "20")
    assert "Bet again" in casino.keys(enabled=False)
    await staked(casino, casino.bob, "Tie", "5")
    await casino.click("Deal")
    again = casino.custom_id("Bet again")
    answers = await raw.press(casino.alice, casino.message, again, times=2)
    assert lying(casino, casino.alice) == {"tie": 35, "banker": 20}
    assert sum("already" in said(answer) for answer in answers if answer.response is not None) == 1


async def test_the_next_coup_of_a_lone_player_is_one_press(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="banker")
    await casino.click("Deal")
    assert casino.labels()[3:6] == ["Deal 10", "x2", "1/2"]
    for key, stake in (("Deal", 10), ("x2", 20), ("1/2", 10)):
        dealt = casino.snapshot.round
        await raw.press(casino.alice, casino.message, casino.custom_id(key), times=2)
        assert (casino.snapshot.round, casino.snapshot.phase) == (dealt + 1, TablePhase.BETTING)
        assert casino.snapshot.settlement is not None
        assert casino.snapshot.settlement.staked(0) == stake * CHIP


async def test_a_lone_players_deal_that_is_pressed_after_somebody_joined_only_stakes(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="banker")
    await casino.click("Deal")
    deal = casino.custom_id("Deal")
    await staked(casino, casino.bob, "Tie", "5")
    await raw.press(casino.alice, casino.message, deal)
    assert (lying(casino, casino.alice), lying(casino, casino.bob)) == ({"banker": 10}, {"tie": 5})


async def test_who_has_nothing_to_repeat_is_told(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await casino.click("Deal")
    assert "Press **Player**, **Banker** or **Tie** to bet" in said(await casino.click("Deal", casino.bob))
    await baccarat(casino, casino.bob)
    assert "nothing to repeat" in said(await casino.click("Bet again", casino.bob))


async def test_the_form_remembers_the_last_stake_on_a_spot(casino: Casino) -> None:
    await baccarat(casino, bet=35, on="tie")
    await casino.click("Deal")
    form = await casino.click("Tie")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "35"
    assert form.modal["title"] == "Your bet on Tie"


async def test_the_form_says_what_lies_there_already(casino: Casino) -> None:
    await baccarat(casino, bet=35, on="tie")
    form = await casino.click("Tie")
    assert form.modal is not None
    hint = "35 staked there, 10,000 at most, or half, or all; you have 965"
    assert form.modal["components"][0]["description"] == hint


async def test_who_left_may_come_back_with_a_stake(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await staked(casino, casino.bob, "Tie", "5")
    await casino.click("Deal")
    await casino.click("Leave", casino.bob)
    await staked(casino, casino.bob, "Player", "7")
    assert lying(casino, casino.bob) == {"player": 7}
    assert casino.text.count(casino.bob.mention) == 1


async def test_when_the_opener_has_left_anybody_deals(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await staked(casino, casino.bob, "Tie", "5")
    await casino.click("Leave")
    assert "Player 10 · leaving" in casino.text
    await casino.click("Deal", casino.bob)
    assert casino.snapshot.settlement is not None


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "words"),
    [
        (0, "Stakes here are from 1 chip to 10,000 chips."),
        (-5, "A bet must be positive."),
        (10_001, "Stakes here are from 1 chip to 10,000 chips."),
        (MOST, "Nobody has that many chips."),
        (-MOST, "A bet must be positive."),
        (1_001, "You need 1,001 chips but have 1,000 chips."),
    ],
)
async def test_a_bad_bet_gets_a_sentence_no_table_and_no_seat(casino: Casino, bet: int, words: str) -> None:
    answer = await baccarat(casino, bet=bet, on="tie")
    assert answer.ephemeral
    assert words in said(answer)
    assert casino.bot.registry.tables() == ()
    await baccarat(casino)
    assert words in said(await baccarat(casino, casino.bob, bet=bet, on="tie"))
    assert casino.snapshot.sitter_of(casino.bob.id) is None
    assert await casino.balance(casino.bob) == 1_000


@pytest.mark.parametrize("typed", ["0", "-5", "-100x", "1.5", str(2**60), "٥٠٠٠٠", " ", "1001"])
async def test_a_bad_stake_in_a_strangers_form_gets_a_sentence_and_no_seat(casino: Casino, typed: str) -> None:
    await baccarat(casino)
    answer = await staked(casino, casino.bob, "Banker", typed)
    assert answer.ephemeral
    assert said(answer).splitlines()[0].endswith(".")
    assert casino.snapshot.sitter_of(casino.bob.id) is None
    assert await casino.balance(casino.bob) == 1_000


async def test_chips_that_lie_on_another_table_are_named(casino: Casino) -> None:
    await baccarat(casino, bet=900)
    elsewhere = casino.guild.create_text_channel("elsewhere")
    answer = await casino.alice.slash(elsewhere, "baccarat", bet="500")
    assert "Your bet in another round (900 chips) is still in play" in said(answer)


async def test_a_bet_on_this_coup_is_not_named_as_one_in_another_round(casino: Casino) -> None:
    await baccarat(casino, bet=600)
    answer = await staked(casino, casino.alice, "Tie", "500")
    assert said(answer).startswith("You need 500 chips but have 400 chips.\n")


async def test_a_form_of_an_earlier_coup_stakes_on_no_later_one(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    form = await casino.click("Tie", casino.bob)
    await casino.click("Deal")
    answer = await casino.bob.submit_modal(form, {"chips": "10"})
    assert "out of date" in said(answer)
    assert await casino.balance(casino.bob) == 1_000


async def test_a_doubled_deal_is_one_coup(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    await raw.press(casino.alice, casino.message, casino.custom_id("Deal"), times=3)
    assert casino.snapshot.round == 1


@pytest.mark.parametrize("word", ["deal", "hit", "war", "join", "main", "nonsense", "bet"])
async def test_keys_that_this_table_does_not_have_change_nothing(casino: Casino, word: str) -> None:
    await baccarat(casino, bet=10)
    before = casino.snapshot
    (answer,) = await raw.press(casino.alice, casino.message, f"t:{casino.table.id}:1:0:{word}")
    assert answer.acknowledged
    assert casino.snapshot == before


async def test_a_channel_that_is_closed_to_the_bot_is_said_before_a_chip_moves(casino: Casino) -> None:
    assert casino.bot.user is not None
    overwrites = {casino.bot.user: discord.PermissionOverwrite(send_messages=False)}
    closed = casino.guild.create_text_channel("closed", overwrites=overwrites)
    assert "Send Messages" in said(await casino.alice.slash(closed, "baccarat", bet="10"))
    assert await casino.balance(casino.alice) == 1_000


# -- what is kept ------------------------------------------------------------------------------------------------------


async def test_the_road_goes_on_after_a_restart(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    for _ in range(3):
        await casino.click("Deal")
    await casino.restart()
    await casino.click("Deal")
    assert len(casino.snapshot.road) == 4
    letters = " ".join(result[0].upper() for result in casino.snapshot.road)
    assert f"Last results `{letters}`" in casino.text


async def test_the_history_shows_a_coup_and_verify_checks_it(casino: Casino) -> None:
    await baccarat(casino, bet=10, on="tie")
    await staked(casino, casino.bob, "Player", "10")
    await casino.click("Deal")
    code = casino.snapshot.seals.code
    listed = await casino.ask("history")
    assert "baccarat punto-banco" in text_of(listed)
    await casino.alice.select(listed, [code])
    assert len(listed.attachments) == 1
    shown = text_of(listed)
    assert "The deal" in shown
    assert casino.alice.mention in shown
    assert "another player · Player 10" in shown
    checked = text_of(await casino.ask("verify", round=code))
    assert f"Round {code} was dealt as sealed" in checked
    assert "there was nothing to decide" in checked


async def test_a_coup_of_very_many_can_be_checked_too(casino: Casino) -> None:
    await baccarat(casino, bet=10)
    for number in range(23):
        member = await casino.bot.bank.members.sign_in(casino.guild.id, 10_000 + number)
        await casino.table.stake(member.user, {"tie": CHIP}, 20_000 + number, phrase="x" * 100, newcomer=member)
    await casino.env.settle()
    await casino.click("Deal")
    answer = await casino.ask("verify")
    assert "was dealt as sealed" in text_of(answer)
    assert text_of(answer).count("`") % 2 == 0
    assert len(text_of(answer)) <= 4_000


async def test_rules_tell_baccarat_in_words(casino: Casino) -> None:
    told = text_of(await casino.ask("rules", name="punto-banco"))
    assert "8 decks" in told
    for spot in Spot:
        assert f"**{spot.value.capitalize()}** · pays" in told
