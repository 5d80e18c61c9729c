"""/elimination as members meet it: stakes by buttons, danger, falls, absence and the end."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from simcord.enums import InteractionType

from cogs.answers.panel import panel
from cogs.elimination import PRESENTATION
from cogs.elimination.again import AgainButton
from cogs.elimination.page import page_of
from cogs.pictures.bars import StacksPicture
from data import Appearance, Currency, GuildSettings
from engine.games.contract import CHIP
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import TablePhase
from engine.tables.state import Seated

from .. import raw
from ..conftest import Casino, text_of
from ..pages.elimination import played, seen
from ..pages.tables import TABLES
from ..table.test_opening import keep

STAKES = ["Minimum", "2x minimum", "Half", "All in", "Other"]


async def elimination(casino: Casino, **options: object) -> None:
    result = await casino.alice.slash(casino.channel, "elimination", **options)
    assert not result.ephemeral, text_of(result.response)  # type: ignore[arg-type]


def pressable(casino: Casino) -> list[str]:
    return casino.keys()


async def press_something(casino: Casino, stake: str = "Minimum") -> None:
    """Stake so, and stand."""
    await casino.click(next(key for key in (stake, "Stand") if key in pressable(casino)))


async def play_on(casino: Casino, stake: str = "Minimum") -> list[str]:
    """Play to the end, and return every text that was shown."""
    told = [casino.text]
    while casino.bot.registry.tables():
        await press_something(casino, stake)
        told.append(casino.text)
    return told


# -- the table ---------------------------------------------------------------------------------------------------------


async def test_r7_1_you_and_three_computer_players_of_the_level_you_chose(casino: Casino) -> None:
    await elimination(casino, budget=500, level="expert")
    assert "**Elimination** · original · 500 play chips\n" in casino.text
    assert "Minimum 25" in casino.labels()
    assert f"\n{casino.alice.mention} · **500**" in casino.text
    assert casino.text.count("🤖") == 3
    assert {standing.entrant.level for standing in casino.snapshot.elimination.seats} == {None, "expert"}


@pytest.mark.parametrize("budget", [0, -5, 2**53 - 1])
async def test_a_budget_that_discord_lets_nobody_type_opens_no_table(casino: Casino, budget: int) -> None:
    known = casino.env.backend.commands[None]["elimination", 1]
    typed = {"name": "budget", "type": 4, "value": budget}
    data = {"id": known["id"], "name": "elimination", "type": 1, "options": [typed]}
    (result,) = await raw._send(casino.alice, casino.channel, InteractionType.APPLICATION_COMMAND, data)
    assert result.response is not None
    assert "A table's budget is from 1 play chip to 1,000,000 play chips." in result.response.content
    assert not casino.bot.registry.tables()


async def test_r7_1_rules_with_fewer_than_four_seats_open_no_table(casino: Casino) -> None:
    await keep(casino, "for-three", most_seats=3)
    result = await casino.alice.slash(casino.channel, "elimination", rules="for-three")
    told = "Four players take part, and **for-three** has fewer seats. Choose other rules."
    assert text_of(result.response) == told  # type: ignore[arg-type]
    assert not casino.bot.registry.tables()


async def test_the_round_and_the_danger_are_told(casino: Casino) -> None:
    await elimination(casino)
    assert "Round **1**/9 · lowest stack is out after round 3" in casino.text
    assert " needs " not in casino.text, "all are equal"
    told = await play_on(casino)
    assert any(" · needs " in text for text in told)
    assert any("safe by" in text for text in told)
    assert any("lowest stack is out after this one" in text for text in told)


@pytest.mark.parametrize(
    ("rounds", "marked"),
    [
        ([(20, 0, -10, -10)], [3, 4]),
        ([(20, 10, 0, -30), (0, 0, 0, 0), (0, 0, 0, 0), (-10, 0, 10, 0)], [3]),  # all have 110; C had least before
        ([(0, 0, 0, 0)], []),  # naming all of them would say nothing
    ],
)
def test_the_picture_marks_those_in_danger_whom_the_text_names(
    rounds: list[tuple[int, ...]], marked: list[int]
) -> None:
    page = page_of(seen(played(*rounds)))
    assert page.picture is not None
    assert isinstance(page.picture.key, StacksPicture)
    assert [stack.number for stack in page.picture.key.stacks if stack.danger] == marked
    assert page.picture.alt.count("is in danger") == len(marked)


async def test_who_falls_and_why_is_told_and_so_are_the_places(casino: Casino) -> None:
    """At the first table at which alice is not the first to go."""
    told: list[str] = []
    while not any("is **out**, 4th of 4: " in text for text in told):
        await elimination(casino)
        told = await play_on(casino)
    assert "wins the table" in told[-1] or "is out, " in told[-1]
    places = r"🥇 .* · \*\*[\d,.]+ play chips\*\*\n🥈 .*\n🥉 .*\n\*\*4\.\*\* .* in round \d"
    assert re.search(places, told[-1])
    assert casino.keys() == ["Play again"]


async def test_the_last_hand_is_shown_and_then_the_podium(casino: Casino) -> None:
    """Alice stakes all she has on thirteen; the dealer has eighteen."""
    casino.cards.lay("T 3, T 9, T 9, T 9 / T 8")
    await elimination(casino, level="amateur")
    while casino.bot.registry.tables():
        await press_something(casino, "All in")
    who = casino.alice.mention
    assert f"## {who} is out, 4th of 4\n" in casino.text
    hand, podium = casino.text.index(f"{who} · `10♠ 3"), casino.text.index("🥇")
    assert "**13** · **−1,000**" in casino.text[hand:podium]
    assert "Dealer · " in casino.text[:hand]
    shown = [part["items"][0]["media"]["url"] for part in raw.components(casino.message) if part["type"] == 12]
    assert [url.rpartition("/")[2].partition("?")[0] for url in shown] == ["table.png", "podium.png"]
    assert casino.keys() == ["Play again"]


async def test_between_rounds_a_table_in_words_alone_tells_the_hands(casino: Casino) -> None:
    """Where there are pictures, they show them."""
    casino.cards.lay("T 3, T 9, T 9, T 9 / T 8")
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, shown=Appearance.TEXT))
    await elimination(casino, level="amateur")
    await press_something(casino, "Minimum")
    await press_something(casino)
    assert f"{casino.alice.mention} · `10♠ 3" in casino.text
    assert "Round **2**/9" in casino.text


async def test_play_again_opens_a_table_like_the_one_that_is_over_for_whoever_presses(casino: Casino) -> None:
    await elimination(casino, budget=500, level="amateur", rules="kitchen")
    await play_on(casino, "All in")
    over = casino.message
    await casino.click("Play again", casino.bob)
    assert casino.message.id != over.id
    now = casino.snapshot
    assert (now.opener, now.rules_name, now.standings.budget) == (casino.bob.id, "kitchen", 500 * CHIP)
    assert {standing.entrant.level for standing in now.standings.seats} == {None, "amateur"}
    again = await casino.bob.click(over, label="Play again")
    assert "already" in text_of(again.response)  # type: ignore[arg-type]
    assert len(casino.bot.registry.tables()) == 1


async def test_play_again_still_works_after_a_restart_and_nowhere_but_on_its_message(casino: Casino) -> None:
    await elimination(casino)
    await play_on(casino, "All in")
    over = casino.message
    (refused,) = await raw.press(casino.bob, over, "again:1")
    assert "doesn't belong here" in text_of(refused.response)  # type: ignore[arg-type]
    await casino.restart()
    await casino.alice.click(over, label="Play again")
    assert casino.snapshot.opener == casino.alice.id


async def test_play_again_opens_nothing_for_a_table_of_another_server_or_one_that_the_bank_does_not_know(
    casino: Casino,
) -> None:
    await elimination(casino)
    await play_on(casino, "All in")
    (over,) = (part["custom_id"] for part in raw.components(casino.message) if part.get("label") == "Play again")
    guild = casino.env.create_guild("Elsewhere")
    channel, mallory = guild.create_text_channel("casino"), guild.add_member(casino.env.create_user("mallory"))
    for table in (int(over.partition(":")[2]), 99):
        view = panel("Over", rows=[[AgainButton.of(table)]])
        await casino.bot.get_partial_messageable(channel.id, guild_id=guild.id).send(view=view)
        assert channel.last_message is not None
        result = await mallory.click(channel.last_message, label="Play again")
        assert text_of(result.response) == "That button doesn't belong here. Nothing was changed."  # type: ignore[arg-type]
        assert result.ephemeral
    assert casino.bot.registry.tables() == ()


async def test_no_chip_of_a_wallet_moves(casino: Casino) -> None:
    await elimination(casino)
    await play_on(casino)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_title_is_won_and_kept(casino: Casino) -> None:
    """Everybody has naturals only, and Alice stakes the most on them."""
    for seats in (4, 4, 4, 3, 3, 3, 2, 2, 2):
        casino.cards.lay(", ".join(["A K"] * seats) + " / T T")
    await elimination(casino, level="amateur")
    assert f"A title for {casino.alice.mention}" in (await play_on(casino, "Half"))[-1]
    champions = await casino.bot.bank.titles.champions(casino.guild.id)
    assert [(who.user, who.tournaments, who.tables) for who in champions] == [(casino.alice.id, 0, 1)]


async def test_any_rule_set_can_be_played(casino: Casino) -> None:
    for rules in ("vegas", "kitchen", "four-seat"):
        await elimination(casino, rules=rules)
        while casino.bot.registry.tables():
            keys = casino.keys()
            await casino.click(next(key for key in ("All in", "No insurance", "Stand") if key in keys))


async def test_a_second_table_of_ones_own_is_refused_with_the_way_to_the_first(casino: Casino) -> None:
    await elimination(casino)
    result = await casino.alice.slash(casino.channel, "elimination")
    assert str(casino.message.id) in text_of(result.response)  # type: ignore[arg-type]
    assert len(casino.bot.registry.tables()) == 1


async def test_an_unknown_rule_set_opens_nothing(casino: Casino) -> None:
    result = await casino.alice.slash(casino.channel, "elimination", rules="nonsense")
    assert "no rule set" in text_of(result.response)  # type: ignore[arg-type]
    assert casino.bot.registry.tables() == ()


# -- stakes ------------------------------------------------------------------------------------------------------------


async def test_five_keys_stake_and_say_what_they_stake(casino: Casino) -> None:
    await elimination(casino)
    assert casino.keys()[:5] == STAKES
    assert casino.labels()[:5] == ["Minimum 50", "2x minimum 100", "Half 500", "All in 1,000", "Other"]


@pytest.mark.parametrize(("key", "stake"), [("Minimum", 50), ("Half", 500), ("2x minimum", 100), ("All in", 1000)])
async def test_each_key_stakes_what_it_says(casino: Casino, key: str, stake: int) -> None:
    await elimination(casino)
    await casino.click(key)
    assert casino.snapshot.sitter_of(casino.alice.id).last_stakes == {"main": stake * CHIP}  # type: ignore[union-attr]


async def test_a_key_whose_stake_the_stack_cannot_pay_any_more_stakes_nothing(casino: Casino) -> None:
    """Alice has lost 950 of a thousand, and twice the minimum would be a hundred."""
    casino.cards.lay("T 3, T 9, T 9, T 9 / T 8")
    await elimination(casino, level="amateur")
    await casino.alice.submit_modal(await casino.click("Other"), {"chips": "950"})
    await casino.click("Stand")
    assert "2x minimum" in casino.keys(enabled=False)
    (refused,) = await raw.press(casino.alice, casino.message, casino.custom_id("2x minimum"))
    assert "That button is out of date" in text_of(refused.response)  # type: ignore[arg-type]
    assert casino.snapshot.phase is TablePhase.BETTING


async def test_another_stake_is_typed(casino: Casino) -> None:
    await elimination(casino)
    form = await casino.click("Other")
    assert "50 to 1,000" in str(form.modal)
    await casino.alice.submit_modal(form, {"chips": "123"})
    assert casino.snapshot.sitter_of(casino.alice.id).last_stakes == {"main": 123 * CHIP}  # type: ignore[union-attr]


async def test_a_typed_stake_under_the_smallest_or_over_the_stack_is_refused(casino: Casino) -> None:
    await elimination(casino)
    for typed in ("49", "1001", "0", "-5", "x"):
        form = await casino.click("Other")
        result = await casino.alice.submit_modal(form, {"chips": typed})
        assert result.ephemeral
    assert casino.snapshot.round == 0


async def test_the_limits_of_a_stake_are_play_chips_and_not_the_servers_own(casino: Casino) -> None:
    await casino.bot.bank.guilds.keep_settings(
        casino.guild.id, GuildSettings(currency=Currency("shell", "shells", "🐚"))
    )
    await elimination(casino)
    result = await casino.alice.submit_modal(await casino.click("Other"), {"chips": "49"})
    said = text_of(result.response)  # type: ignore[arg-type]
    assert said == "Stakes here are from 50 play chips to 1,000 play chips."


async def test_the_price_of_an_insurance_is_told_in_play_chips(casino: Casino) -> None:
    casino.cards.lay("T 6, T 9, 9 8, 9 8 / A ?")
    await elimination(casino, rules="vegas", level="amateur")
    await casino.click("Join", casino.bob)
    await casino.click("Minimum")
    await casino.click("2x minimum", casino.bob)
    (told,) = (await casino.click("Insure", casino.bob)).followups
    assert text_of(told) == "Insure: 50 play chips"


async def test_a_bet_of_real_chips_elsewhere_is_not_named_where_play_chips_are_short(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "baccarat", bet="50")
    await elimination(casino)
    form = await casino.click("Other")
    result = await casino.alice.submit_modal(form, {"chips": "1001"})
    said = text_of(result.response)  # type: ignore[arg-type]
    assert said == "You need 1,001 play chips but have 1,000 play chips at this table."


async def test_only_the_asked_may_stake(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    (told,) = await raw.press(casino.bob, casino.message, casino.custom_id("Minimum"))
    assert "not your turn" in text_of(told.response)  # type: ignore[arg-type]
    await casino.click("Minimum")
    (told,) = await raw.press(casino.alice, casino.message, casino.custom_id("Minimum"))
    assert "not your turn" in text_of(told.response)  # type: ignore[arg-type]
    await casino.click("Minimum", casino.bob)
    assert casino.snapshot.round == 1


async def test_a_doubled_press_stakes_once(casino: Casino) -> None:
    await elimination(casino)
    await raw.press(casino.alice, casino.message, casino.custom_id("Minimum"), times=3)
    assert casino.snapshot.round == 1
    assert casino.snapshot.sitter_of(casino.alice.id).last_stakes == {"main": 50 * CHIP}  # type: ignore[union-attr]


# -- who is there ------------------------------------------------------------------------------------------------------


async def test_r7_1_join_takes_a_computers_seat_before_the_first_card_only(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    assert casino.text.count("🤖") == 2
    await casino.click("Minimum")
    await casino.click("Minimum", casino.bob)
    assert "Join" not in [*casino.keys(), *casino.keys(enabled=False)]


async def test_r7_7_leaving_ends_a_lone_table_and_names_the_leader(casino: Casino) -> None:
    await elimination(casino)
    await press_something(casino)
    while casino.snapshot.phase is TablePhase.PLAYING:
        await press_something(casino)
    await casino.click("Leave")
    assert f"## {casino.alice.mention} is out, 4th of 4\n" in casino.text
    assert casino.bot.registry.tables() == ()


async def test_who_leaves_in_mid_hand_is_told_that_there_is_no_way_back(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    await casino.click("Minimum")
    casino.cards.lay("T 9, T 9, T 9, T 9 / 9 T")
    await casino.click("Minimum", casino.bob)
    (told,) = (await casino.click("Leave")).followups
    assert text_of(told).endswith("It stands as it is, and you can't come back to this table.")
    assert "Join" not in pressable(casino)


async def test_a_stranger_is_told_so(casino: Casino) -> None:
    await elimination(casino)
    (told,) = await raw.press(casino.bob, casino.message, casino.custom_id("Minimum"))
    assert "not sitting at this table" in text_of(told.response)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        ("one fell", "You finished 4th of 4. Stay and watch who wins."),
        ("cards, one is in danger", "You are out at this table. Stay and watch who wins."),
    ],
)
def test_who_has_no_seat_any_more_is_told_their_place_as_soon_as_it_is_known(scene: str, told: str) -> None:
    seen = TABLES["elimination"][scene]
    user = 777
    out = next(at for at, seat in enumerate(seen.standings.seats) if (seat.fall is None) is (scene != "one fell"))
    players = (*seen.players[:out], Seated(out + 1, user, None), *seen.players[out + 1 :])
    refused = PRESENTATION.explain(Refused(Reason.NOT_SEATED), replace(seen, players=players), user)
    assert str(refused) == told


async def test_who_is_out_is_told_so(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    while casino.snapshot.sitter_of(casino.bob.id) is not None:
        asked = casino.snapshot
        mine = asked.sitter_of(casino.alice.id)
        alices = asked.elimination.asked == 0 if asked.phase is TablePhase.BETTING else asked.legal[mine.seat]  # type: ignore[union-attr, index]
        if alices:
            await press_something(casino)
        else:
            await casino.click(next(key for key in ("All in", "Hit") if key in pressable(casino)), casino.bob)
        if not casino.bot.registry.tables():
            return
    (told,) = await raw.press(casino.bob, casino.message, casino.custom_id("Leave"))
    assert "You finished 4th of 4. Stay and watch" in text_of(told.response)  # type: ignore[arg-type]


# -- absence -----------------------------------------------------------------------------------------------------------


async def test_r0_5_out_of_time_stakes_the_smallest_and_the_table_goes_on_alone(casino: Casino) -> None:
    await elimination(casino)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert not casino.bot.registry.tables() or casino.snapshot.round >= 1
    assert "away" in casino.text.casefold() or "wins" in casino.text or "is out" in casino.text


async def test_r7_8_any_press_brings_an_absent_person_back(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    stale = casino.custom_id("Minimum")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)  # alice is away, bob is asked
    assert "away" in casino.text
    (told,) = await raw.press(casino.alice, casino.message, stale)
    assert "Welcome back" in text_of(told.response)  # type: ignore[arg-type]
    assert "away" not in casino.text


async def test_r7_8_there_is_a_key_to_come_back(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    await casino.click("I'm back")
    assert "away" not in casino.text
    assert "I'm back" not in pressable(casino)


async def test_who_left_for_good_has_no_key_to_come_back(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    await casino.click("Minimum")
    await casino.click("Leave")
    assert "away" in casino.text
    assert "I'm back" not in pressable(casino)


async def test_a_stranger_is_sent_to_join_only_before_the_first_card(casino: Casino) -> None:
    await elimination(casino)
    (before,) = await raw.press(casino.bob, casino.message, casino.custom_id("Minimum"))
    assert "**Join** gives you a seat" in text_of(before.response)  # type: ignore[arg-type]
    await press_something(casino)
    (later,) = await raw.press(casino.bob, casino.message, casino.custom_id("Leave"))
    assert text_of(later.response) == "This table has begun, so nobody can join it any more."  # type: ignore[arg-type]


async def test_who_left_before_the_first_card_is_told_their_place_and_not_that_all_seats_are_taken(
    casino: Casino,
) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    await casino.click("Leave", casino.bob)
    (told,) = await raw.press(casino.bob, casino.message, casino.custom_id("Join"))
    assert text_of(told.response).startswith("You finished 4th of 4.")  # type: ignore[arg-type]


async def test_who_left_for_good_is_told_that_they_are_out_and_not_welcomed_back(casino: Casino) -> None:
    await elimination(casino)
    await casino.click("Join", casino.bob)
    await casino.click("Minimum")
    await casino.click("Leave")
    (told,) = await raw.press(casino.alice, casino.message, casino.custom_id("Leave"))
    assert text_of(told.response) == "You are out at this table. Stay and watch who wins."  # type: ignore[arg-type]
    (told,) = await raw.press(casino.alice, casino.message, casino.custom_id("Join"))
    assert text_of(told.response) == "You are out at this table. Stay and watch who wins."  # type: ignore[arg-type]


# -- limits, restarts --------------------------------------------------------------------------------------------------


async def test_every_message_keeps_discords_limits_and_says_what_its_picture_shows(casino: Casino) -> None:
    await elimination(casino, rules="kitchen")
    while casino.bot.registry.tables():
        parts = raw.components(casino.message)
        assert len(parts) <= 40
        assert len(casino.text) <= 4_000
        (gallery,) = (part for part in parts if part["type"] == 12)
        assert 0 < len(gallery["items"][0]["description"]) <= 1_024
        keys = casino.keys()
        await casino.click(next(key for key in ("Half", "No insurance", "Split", "Hit", "Stand") if key in keys))


async def test_a_restart_at_every_press_goes_on_with_the_same_message(casino: Casino) -> None:
    await elimination(casino)
    message = casino.message.id
    while casino.bot.registry.tables():
        before = casino.snapshot.elimination
        await casino.restart()
        assert casino.snapshot.elimination == before
        await press_something(casino, "Half")
        assert casino.message.id == message


async def test_a_round_takes_few_edits_beside_the_answers_to_presses(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    settings = await bank.guilds.settings(guild)
    await bank.guilds.keep_settings(guild, replace(settings, house=replace(settings.house, think_seconds=0.05)))
    await elimination(casino)
    before = casino.edits()
    table = casino.table
    while table.state.round < 2 and casino.bot.registry.tables():
        if {"Minimum", "Stand"} & set(pressable(casino)):
            await press_something(casino)
        else:
            await casino.env.advance_time(1)
    assert 0 < casino.edits() - before <= 6 * table.state.round


async def test_a_table_elsewhere_is_not_the_one_of_this_channel(casino: Casino) -> None:
    await elimination(casino)
    (here,) = casino.bot.registry.tables()
    there = casino.guild.create_text_channel("elsewhere")
    assert casino.bot.registry.elimination_of(casino.channel.id, casino.alice.id) is here
    assert casino.bot.registry.elimination_of(there.id, casino.alice.id) is None
    assert casino.bot.registry.elimination_of(casino.channel.id, casino.bob.id) is None
    await casino.alice.slash(there, "elimination")
    assert {table.state.channel for table in casino.bot.registry.tables()} == {casino.channel.id, there.id}
