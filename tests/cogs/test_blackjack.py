"""/blackjack as members meet it: the message, its buttons, and what happens to their chips."""

from __future__ import annotations

import re
from dataclasses import replace

import discord
import pytest
import simcord

from engine.games.contract import CHIP
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino, asked, is_promise, priced, text_of

MOST = 2**53 - 1


# -- a hand ------------------------------------------------------------------------------------------------------------


async def test_a_fresh_table_is_announced_and_appears_with_its_first_hand_dealt(casino: Casino) -> None:
    """One step for those who look on: nobody sees a table without cards that changes a moment later."""
    await casino.deal("5 4 / 9 ?")
    (announced,) = [request.json for request in casino.env.http_requests if request.path.endswith("/callback")]
    assert announced == {"type": 5}
    assert casino.edits() == 1
    assert casino.keys()[0] == "Hit"


async def test_the_promise_stands_before_the_first_hand_is_dealt(casino: Casino) -> None:
    await casino.deal("5 4 / 9 ?")
    (promise,) = casino.promises
    assert promise.id < casino.message.id
    code = casino.snapshot.seals.code
    assert promise.jump_url in casino.text
    assert code in casino.text
    assert promise.content.count(code[:8]) == 1
    assert re.fullmatch(r"-# 🔒 The next 256,000 shuffles [^|\n]{,60}\|\|[0-9a-f]{64}\|\|", promise.content), (
        "one short line"
    )
    assert promise.edited_at is None
    assert promise.interaction_metadata is None


async def test_a_tip_that_is_edited_in_later_is_shown_by_the_edit_mark(casino: Casino) -> None:
    """The house may write what it likes into its own message: not without Discord's mark."""
    await casino.blackjack(bet=10)
    (promise,) = casino.promises
    message = casino.bot.get_partial_messageable(casino.channel.id).get_partial_message(promise.id)
    await message.edit(content=promise.content.replace(casino.snapshot.seals.code[:8], "00000000"))
    (edited,) = casino.promises
    assert "00000000" in edited.content
    assert edited.edited_at is not None


async def test_a_hand_by_buttons(casino: Casino) -> None:
    await casino.until(asked)
    assert {"Hit", "Stand", "Double"} <= set(casino.keys())
    assert "your move" in casino.text
    assert "\nDealer · " in casino.text
    assert "░" in casino.text
    assert casino.snapshot.seals.code in casino.text
    await casino.click("Hit")
    await casino.play_on()
    assert casino.snapshot.phase is TablePhase.BETTING
    assert casino.labels() == ["Deal 10", "x2", "1/2", "Bet", "Join", "Leave"]
    assert f"||`/verify {casino.snapshot.seals.code}` · `{casino.snapshot.seals.hash[:16]}`||" in casino.text


async def test_the_new_balance_is_shown_after_the_hand(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    (sitter,) = casino.snapshot.sitters
    assert sitter.balance == await casino.balance(casino.alice) * CHIP
    assert f"{sitter.balance // CHIP:,}" in casino.text


async def test_everything_in_the_picture_is_in_its_alt_text(casino: Casino) -> None:
    await casino.until(asked)
    (gallery,) = (part for part in raw.components(casino.message) if part["type"] == 12)
    (item,) = gallery["items"]
    for card in re.findall(r"(?:10|[2-9AKQJ])[♠♥♦♣]", casino.text):
        assert card in item["description"]
    assert len(item["description"]) <= 1024


async def test_a_press_is_answered_with_the_redraw_and_costs_no_edit(casino: Casino) -> None:
    await casino.until(asked)
    before = casino.edits()
    await casino.play_on()
    await casino.click("Deal")
    assert casino.edits() == before


async def test_the_same_table_goes_on_with_deal_and_the_last_stake(casino: Casino) -> None:
    await casino.blackjack(bet=25)
    await casino.play_on()
    await casino.click("Deal")
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 25 * CHIP}


async def test_without_a_bet_ten_chips_are_staked(casino: Casino) -> None:
    await casino.blackjack()
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 10 * CHIP}


async def test_a_bet_is_typed_into_a_form_that_has_the_last_one(casino: Casino) -> None:
    await casino.blackjack(bet=25)
    await casino.play_on()
    form = await casino.click("Bet")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "25"
    await casino.alice.submit_modal(form, {"chips": " 1٥ "})
    (sitter,) = casino.snapshot.sitters
    assert sitter.last_stakes == {"main": 15 * CHIP}


async def test_r5_1_who_leaves_in_mid_hand_can_stay_though_no_seat_is_free(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    settings = await bank.guilds.settings(guild)
    await bank.guilds.keep_settings(guild, replace(settings, house=replace(settings.house, think_seconds=5)))
    await casino.deal("2 3, 4 5, 6 7, 8 9 / 9 8", rules="four-seat", bet=1)
    (told,) = (await casino.click("Leave")).followups
    assert "Press **Join** to stay." in text_of(told)
    await casino.click("Join")
    (alice,) = casino.table.state.people
    assert not alice.leaving


async def test_leaving_an_idle_table_closes_it(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Leave")
    assert "Table closed: everyone left" in casino.text
    assert casino.keys() == []
    assert casino.bot.registry.tables() == ()


async def test_out_of_time_stands_and_the_message_says_so(casino: Casino) -> None:
    await casino.until(asked)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.BETTING
    assert casino.labels() == ["Deal 10", "x2", "1/2", "Bet", "Join", "Leave"]


async def test_an_idle_table_closes_and_says_so(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert "Table closed: nobody played for a while" in casino.text


async def test_who_insures_for_another_price_than_others_is_told_it_in_private(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    casino.cards.lay("T 6, T 9 / A ?")
    await casino.blackjack(bet=10)
    await casino.blackjack(casino.bob, bet=40)
    assert casino.labels()[:2] == ["Insure", "No insurance"]
    answer = await casino.click("Insure", casino.bob)
    told = [message for message in answer.followups if message.ephemeral]
    assert [text_of(message) for message in told] == ["Insure: 20 chips"]


async def test_a_price_that_the_key_shows_is_not_told_again(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    casino.cards.lay("T 6, T 9 / A ?")
    for who in (casino.alice, casino.bob):
        await casino.blackjack(who, bet=40)
    assert casino.labels()[:2] == ["Insure +20", "No insurance"]
    assert (await casino.click("Insure", casino.bob)).followups == []


@pytest.mark.parametrize(
    ("word", "refused"),
    [
        ("cards", "The rules of this table don't allow that."),
        ("juggle", "The rules of this table don't allow that."),
        ("deal-twice", "Nobody has staked yet."),
        ("deal-half", "Nobody has staked yet."),
    ],
)
async def test_a_key_that_this_table_never_had_is_refused(casino: Casino, word: str, refused: str) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    (answer,) = await raw.press(casino.bob, casino.message, f"t:{casino.table.id}:{casino.snapshot.to_come}:0:{word}")
    assert text_of(answer.response) == refused  # type: ignore[arg-type]
    assert answer.ephemeral
    assert await casino.balance(casino.bob) == 1_000


async def test_insurance_is_asked_before_anything_else(casino: Casino) -> None:
    await casino.deal("T 6 / A 9")
    assert casino.labels() == ["Insure +5", "No insurance", "Join", "Leave", "Odds"]
    await casino.click("Insure")
    assert "insur" in casino.text


async def test_splitting_shows_both_hands(casino: Casino) -> None:
    await casino.deal("8 8 / 6 ? | 2 3")
    await casino.click("Split")
    (line,) = (line for line in casino.text.splitlines() if "▸" in line)
    assert line.count("**") == 2 * 2
    assert " | " in line


# -- company -----------------------------------------------------------------------------------------------------------


async def test_a_second_blackjack_in_the_channel_sits_you_at_its_table(casino: Casino) -> None:
    await casino.sealed_table()
    answer = await casino.blackjack(casino.bob, bet=5)
    assert answer.ephemeral
    assert answer.response is not None
    assert answer.response.content.startswith("Your bet of 5 chips is on [the table](https://")
    assert len(casino.snapshot.sitters) == 2
    assert casino.bob.mention in casino.text


async def test_cards_come_as_soon_as_everybody_has_staked(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    await casino.click("Deal")
    assert casino.snapshot.phase is TablePhase.BETTING
    assert " · next stake 1 · " in casino.text  # under her last hand
    await casino.click("Deal", casino.bob)
    assert len(casino.snapshot.view.seats) == 2


async def test_a_table_of_one_channel_means_nothing_in_another(casino: Casino) -> None:
    await casino.sealed_table()
    elsewhere = casino.guild.create_text_channel("elsewhere")
    await casino.bob.slash(elsewhere, "blackjack", bet="5")
    assert len(casino.bot.registry.tables()) == 2


async def test_names_are_mentions_that_ping_nobody(casino: Casino) -> None:
    """A new message calls nobody; an edit, which never does, lets the names of those who sit here be shown."""
    await casino.until(asked)
    assert casino.alice.mention in casino.text
    (shown,) = [request.json for request in casino.env.http_requests if request.method == "PATCH"]
    assert shown["allowed_mentions"]["users"] == [casino.alice.id]
    await casino.click("Stand")
    redraw = [request.json for request in casino.env.http_requests if request.path.endswith("/callback")][-1]
    assert redraw["data"]["allowed_mentions"]["users"] == [casino.alice.id]


# -- bad input ---------------------------------------------------------------------------------------------------------


BAD_BETS = {
    0: "Stakes here are from 1 chip to 10,000 chips.",
    -5: "A bet must be positive.",
    10_001: "Stakes here are from 1 chip to 10,000 chips.",
    MOST: "Nobody has that many chips.",
    -MOST: "A bet must be positive.",
    1_001: "You need 1,001 chips but have 1,000 chips.",
}


async def test_a_bad_bet_gets_a_sentence_and_no_table(casino: Casino) -> None:
    for bet, words in BAD_BETS.items():
        answer = await casino.ask("blackjack", bet=bet)
        assert answer.ephemeral
        assert words in answer.content
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000


async def test_a_table_opens_for_the_largest_stake_and_for_no_more(casino: Casino) -> None:
    await casino.grant(casino.alice, 20_000)
    assert "Stakes here are from 1 chip to 10,000 chips." in (await casino.ask("blackjack", bet=10_001)).content
    await casino.deal("5 4 / 9 ?", bet=10_000)
    assert await casino.balance(casino.alice) == 11_000


async def test_a_bad_stake_in_the_form_gets_a_sentence(casino: Casino) -> None:
    await casino.sealed_table()
    before = await casino.balance(casino.alice)
    for typed in ("0", "-5", "-100x", "1.5", str(2**60), "٥٠٠٠٠", " ", "half a chip"):
        form = await casino.click("Bet")
        answer = await casino.alice.submit_modal(form, {"chips": typed})
        assert answer.ephemeral
        assert answer.response is not None
        assert answer.response.content.endswith(".")
    assert await casino.balance(casino.alice) == before


async def test_chips_that_lie_on_another_table_are_named(casino: Casino) -> None:
    await casino.grant(casino.alice, 100_000)
    await casino.until(asked, bet=1_000)
    await casino.grant(casino.alice, -int(await casino.balance(casino.alice)))
    elsewhere = casino.guild.create_text_channel("elsewhere")
    answer = await casino.alice.slash(elsewhere, "blackjack", bet="500")
    assert answer.response is not None
    assert "Your bet in another round (1,000 chips) is still in play" in answer.response.content
    assert len(casino.bot.registry.tables()) == 1


async def test_two_bets_at_once_of_which_the_wallet_pays_one(casino: Casino) -> None:
    """Both tables see the same thousand chips; only the bank knows that one bet of 600 has taken them."""
    rooms = [casino.channel, casino.guild.create_text_channel("elsewhere")]
    for room in rooms:
        casino.cards.lay("A T / T A")
        await casino.alice.slash(room, "blackjack", bet="600")
    here, elsewhere = (next(each for each in reversed(room.history()) if not is_promise(each)) for room in rooms)
    casino.cards.lay("5 4 / 9 ?", "5 4 / 9 ?")
    pressed = raw.dispatched_press(casino.alice, here, priced(here, "Deal")["custom_id"])
    (last,) = await raw.press(casino.alice, elsewhere, priced(elsewhere, "Deal")["custom_id"])
    answers = [answer.response for answer in (simcord.InteractionResult(casino.env, pressed), last)]
    assert sum(answer is not None and "You don't have the chips for that." in answer.content for answer in answers) == 1
    assert sorted(table.state.round for table in casino.bot.registry.tables()) == [1, 2]


async def test_an_unknown_rule_set_is_named(casino: Casino) -> None:
    answer = await casino.blackjack(rules="**nope**")
    assert answer.response is not None
    assert "There is no rule set called" in answer.response.content
    assert casino.bot.registry.tables() == ()


@pytest.mark.parametrize(
    ("denied", "words"),
    [("send_messages", "Send Messages"), ("attach_files", "Attach Files"), ("view_channel", "View Channel")],
)
async def test_a_channel_that_is_closed_to_the_bot_is_said_before_a_chip_moves(
    casino: Casino, denied: str, words: str
) -> None:
    assert casino.bot.user is not None
    overwrites = {casino.bot.user: discord.PermissionOverwrite(**{denied: False})}
    closed = casino.guild.create_text_channel("closed", overwrites=overwrites)
    answer = await casino.alice.slash(closed, "blackjack", bet="10")
    assert answer.response is not None
    assert answer.ephemeral
    assert words in answer.response.content
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000


async def test_text_of_helper_reads_subtext_too(casino: Casino) -> None:
    await casino.sealed_table()
    assert "-# 🔒" in text_of(casino.message)


async def test_cards_that_are_laid_out_are_dealt_whoever_plays_and_lie_there_after_a_restart(casino: Casino) -> None:
    snapshot = await casino.deal("A 6 / 9 ? | 3", who=casino.bob)
    assert [card[0] for card in snapshot.view.seats[0].hands[0].cards] == ["A", "6"]
    await casino.click("Hit", casino.bob)
    await casino.restart()
    assert [card[0] for card in casino.snapshot.view.seats[0].hands[0].cards] == ["A", "6", "3"]
    assert casino.snapshot.view.dealer.cards[0][0] == "9"
