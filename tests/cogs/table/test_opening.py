"""Coming to a table: what the rules fix is not to be chosen, and a busy channel has a seat for you."""

from __future__ import annotations

import itertools
from typing import Any

import discord
import pytest
import simcord

from data import RuleSet
from engine.games.blackjack.rules import BlackjackRules, Split
from engine.games.contract import CHIP
from engine.tables.orders import Order
from engine.tables.snapshot import Snapshot, TablePhase

from .. import raw
from ..conftest import Casino, asked, text_of
from ..line import Line

#: The number of looks that find no table: two for the person's own one, and two for the channel's.
EARLY = 4


async def keep(casino: Casino, name: str, **fields: Any) -> None:
    await casino.bot.bank.guilds.keep_rule_set(
        casino.guild.id, RuleSet("blackjack", name, BlackjackRules(**fields).as_json())
    )


# -- what the rules fix ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bet": 5}, "The stake at this table is fixed: always 1 chip."),
        ({"bet": 0}, "The stake at this table is fixed: always 1 chip."),
        ({"ai": 3}, "computer players take all free seats"),
        ({"ai": 0}, "computer players take all free seats"),
    ],
)
async def test_r5_1_bet_and_ai_are_refused_where_the_rules_fix_them(
    casino: Casino, options: dict[str, int], words: str
) -> None:
    answer = await casino.ask("blackjack", rules="four-seat", **options)
    assert answer.ephemeral
    assert words in answer.content
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("options", [{}, {"bet": 1}, {"level": "expert"}])
async def test_r5_1_a_four_seat_table_by_one_command(casino: Casino, options: dict[str, Any]) -> None:
    await casino.blackjack(rules="four-seat", **options)
    assert await casino.balance(casino.alice) == 990
    assert len(casino.snapshot.view.seats) == 4
    levels = {sitter.level for sitter in casino.snapshot.sitters if sitter.computer}
    assert levels == {options.get("level", "intermediate")}
    await casino.play_on()
    assert casino.keys() == ["Deal", "Leave"], "no other stake, and nobody joins any more"
    assert casino.keys(enabled=False) == ["Join"]
    told = (await casino.ask("blackjack", casino.bob)).content
    assert told.startswith("This table has begun; ")
    assert told.endswith(" With `solo` the command opens a table for you alone.")


async def test_more_computer_players_than_seats_are_refused(casino: Casino) -> None:
    await keep(casino, "small", most_seats=3)
    await keep(casino, "lonely", most_seats=1, split=Split.NO)
    assert "there are 3 seats" in (await casino.ask("blackjack", rules="small", ai=3)).content
    assert "there is 1 seat" in (await casino.ask("blackjack", rules="lonely", ai=1)).content
    assert casino.bot.registry.tables() == ()
    await casino.blackjack(rules="small", ai=2)
    assert len(casino.snapshot.view.seats) == 3


# -- a busy channel ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"bet": 25}])
async def test_a_seat_is_to_be_had_while_a_round_is_played(casino: Casino, options: dict[str, int]) -> None:
    await casino.until(asked)
    answer = await casino.ask("blackjack", casino.bob, **options)
    assert answer.content.startswith("You have a seat at [the table]")
    assert ("Your bet of 25 chips was not placed: a round is being played" in answer.content) == bool(options)
    assert await casino.balance(casino.bob) == 1_000
    await casino.play_on()
    assert [sitter.user for sitter in casino.snapshot.sitters] == [casino.alice.id, casino.bob.id]


async def test_who_plays_cannot_stake_in_mid_round(casino: Casino) -> None:
    await casino.until(asked)
    before = casino.snapshot
    assert "A round is being played" in (await casino.ask("blackjack", bet=5)).content
    assert casino.snapshot == before


async def test_nobody_is_sat_down_at_rules_that_they_did_not_ask_for(casino: Casino) -> None:
    await casino.sealed_table()
    answer = await casino.ask("blackjack", casino.bob, rules="kitchen", bet=5)
    assert "plays **vegas**" in answer.content
    assert await casino.balance(casino.bob) == 1_000
    assert len(casino.snapshot.sitters) == 1
    await casino.blackjack(casino.bob, rules="vegas", bet=5)
    assert len(casino.snapshot.sitters) == 2


async def test_a_table_that_was_opened_in_the_same_instant_is_joined(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob's command has found the channel empty when Alice's table is there."""
    registry = casino.bot.registry
    await casino.sealed_table()
    there, glances = registry.table_in, itertools.count()
    monkeypatch.setattr(registry, "table_in", lambda *place: there(*place) if next(glances) >= EARLY else None)
    answer = await casino.ask("blackjack", casino.bob, bet=5)
    assert "Your bet of 5 chips is on [the table]" in answer.content
    assert len(registry.tables()) == 1
    assert len(casino.snapshot.sitters) == 2


# -- leaving and coming back -------------------------------------------------------------------------------------------


async def test_who_presses_join_after_leave_keeps_the_seat(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    await casino.click("Deal")
    await casino.click("Leave")
    assert casino.snapshot.sitters[0].leaving
    await casino.click("Join")
    assert not casino.snapshot.sitters[0].leaving
    await casino.click("Deal", casino.bob)
    assert casino.snapshot.round == 2
    while casino.snapshot.phase is TablePhase.PLAYING:
        sitter = casino.snapshot.sitter_at(casino.snapshot.view.asked[0])
        assert sitter is not None
        await casino.play_one(casino.alice if sitter.user == casino.alice.id else casino.bob)
    assert [sitter.user for sitter in casino.snapshot.sitters] == [casino.alice.id, casino.bob.id]


@pytest.mark.parametrize("typed", [{}, {"bet": 5}], ids=str)
async def test_who_types_the_command_after_leave_keeps_the_seat(casino: Casino, typed: dict[str, Any]) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    casino.cards.lay("9 7, 9 7 / 9 ?")
    await casino.click("Deal")
    await casino.click("Deal", casino.bob)
    await casino.click("Leave", casino.bob)
    assert "leaves after this hand" in casino.text
    await casino.blackjack(casino.bob, **typed)
    assert "leaves after this hand" not in casino.text
    await casino.play_one()
    await casino.play_on(casino.bob)
    assert [sitter.user for sitter in casino.snapshot.sitters] == [casino.alice.id, casino.bob.id]
    assert not casino.snapshot.sitters[1].leaving


async def test_who_left_and_whose_last_hand_still_lies_there_sits_down_again_by_the_command(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.blackjack(casino.bob, bet=10)
    await casino.click("Deal")
    while casino.snapshot.phase is TablePhase.PLAYING:
        sitter = casino.snapshot.sitter_at(casino.snapshot.view.asked[0])
        await casino.play_one(casino.people["bob"] if sitter.user == casino.bob.id else casino.alice)  # type: ignore[union-attr]
    await casino.click("Leave", casino.bob)
    assert (casino.snapshot.sitter_of(casino.bob.id).member, len(casino.snapshot.sitters)) == (None, 2)  # type: ignore[union-attr]
    before = casino.message.id
    told = (await casino.ask("blackjack", casino.bob)).content
    assert told == f"You are at [the table]({casino.message.jump_url})."
    assert casino.snapshot.sitter_of(casino.bob.id).member is not None  # type: ignore[union-attr]
    assert casino.message.id == before, "it is not posted again for a newcomer"


async def test_the_opener_may_leave_the_server_in_mid_hand(casino: Casino) -> None:
    """Nobody tells the bot: the hand stands when its time is up, and later the seat is free."""
    await casino.until(asked)
    await casino.click("Join", casino.bob)
    casino.guild.remove_member(casino.alice)
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert casino.snapshot.phase is TablePhase.BETTING
    for _ in range(2):
        await casino.click("Deal", casino.bob)
        await casino.env.advance_time(casino.settings.betting_seconds + 1)
        await casino.play_on(casino.bob)
    assert [sitter.user for sitter in casino.snapshot.sitters] == [casino.bob.id]
    await casino.click("Deal", casino.bob)
    assert casino.snapshot.sitters[0].last_stakes == {"main": 10 * CHIP}


# -- a table that nobody can see ---------------------------------------------------------------------------------------


async def unseen_table(casino: Casino) -> None:
    """Opened in the bank, and then the process ended before its message was posted."""
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await casino.bot.registry.open(Order(1, casino.guild.id, casino.channel.id, "blackjack", "vegas", member))
    await casino.restart()
    assert casino.snapshot.message is None


@pytest.mark.parametrize("options", [{}, {"bet": 5}])
@pytest.mark.parametrize("name", ["alice", "bob"])
async def test_a_table_that_was_never_posted_is_shown_before_anybody_stakes(
    casino: Casino, name: str, options: dict[str, int]
) -> None:
    casino.cards.lay("9 7 / 9 ?")
    await unseen_table(casino)
    sealed = casino.snapshot.seals.next_code
    answer = await casino.blackjack(casino.person(name), **options)
    assert not answer.ephemeral
    assert casino.snapshot.message == casino.message.id
    assert sealed in casino.text
    created = next(request for request in casino.env.http_requests if request.path.endswith("/callback"))
    assert "Place your bets" in str(created.json or created)
    assert casino.snapshot.sitter_of(casino.person(name).id) is not None
    if not options:
        assert await casino.balance(casino.person(name)) == 1_000


async def test_a_table_that_was_never_posted_closes_like_any_other_and_no_message_says_so(casino: Casino) -> None:
    await unseen_table(casino)
    await casino.env.advance_time(casino.settings.idle_seconds + 1)
    assert (casino.bot.registry.tables(), casino.edits()) == ((), 0)


async def test_who_leaves_in_mid_hand_is_told_so_and_the_line_says_it(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.blackjack(casino.bob, bet=10)
    await casino.click("Deal")
    result = await casino.click("Leave", casino.bob)
    (told,) = result.followups
    assert told.ephemeral
    assert told.content.endswith("you keep any winnings. Press **Join** to stay.")
    assert "leaves after this hand" in casino.text


# -- a table of one's own ----------------------------------------------------------------------------------------------


def own(casino: Casino, who: simcord.MemberActor) -> Snapshot:
    table = casino.bot.registry.table_in(casino.channel.id, "blackjack", who.id)
    assert table is not None
    return table.snapshot()


async def test_who_sits_elsewhere_or_nowhere_may_play_with_computers_beside_an_open_table(casino: Casino) -> None:
    await casino.sealed_table()
    adas = casino.table
    await casino.blackjack(casino.bob, ai=3)
    assert [sitter.computer is None for sitter in own(casino, casino.bob).sitters] == [True, False, False, False]
    assert own(casino, casino.bob).solo
    await casino.blackjack(casino.bob)
    await casino.blackjack(casino.bob, solo=True)
    assert len(casino.bot.registry.tables()) == 2, "the same table each time"
    await casino.blackjack(casino.person("carol"), ai=0)
    assert own(casino, casino.person("carol")).solo, "with none of them just as well"
    assert adas.state.chair_of(casino.bob.id) is None
    assert adas.state.chain_place != casino.bot.registry.tables()[1].state.chain_place


async def test_who_plays_elimination_here_may_sit_at_the_table_of_the_channel_as_well(casino: Casino) -> None:
    await casino.sealed_table()
    shared = casino.table
    await casino.bob.slash(casino.channel, "elimination")
    await casino.blackjack(casino.bob)
    assert shared.state.chair_of(casino.bob.id) is not None


async def test_r2_7_a_table_of_ones_own_leaves_the_channel_to_the_others(casino: Casino) -> None:
    await casino.blackjack(solo=True, bet=10)
    mine = own(casino, casino.alice).table
    await casino.blackjack(casino.bob, bet=10)
    shared = casino.bot.registry.table_in(casino.channel.id, "blackjack")
    assert shared is not None
    assert [sitter.user for sitter in shared.snapshot().sitters] == [casino.bob.id]
    await casino.restart()
    await casino.bot.registry.present(casino.guild.id)
    assert own(casino, casino.alice).table == mine
    assert casino.bot.registry.table_in(casino.channel.id, "blackjack").id == shared.id  # type: ignore[union-attr]


async def test_r2_7_at_a_table_of_ones_own_nobody_is_told_how_to_have_one(casino: Casino) -> None:
    await casino.deal("9 7 / 9 ?", solo=True)
    link = casino.message.jump_url
    assert (await casino.ask("blackjack", ai=2)).content == (
        f"You are sitting at [a table]({link}) here, and `ai` is for a new one. **Leave** that table first."
    )


async def test_r2_7_a_stranger_at_a_table_of_ones_own_is_told_how_to_have_one(casino: Casino) -> None:
    await casino.deal("9 7 / 9 ?", solo=True)
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Hit"))
    told = text_of(refused.response)  # type: ignore[arg-type]
    known = casino.env.backend.commands[None]["blackjack", 1]["id"]
    assert told == f"This is somebody else's table. </blackjack:{known}> with `solo` opens one of your own."


async def test_a_stranger_at_an_open_table_is_told_that_there_is_a_seat(casino: Casino) -> None:
    await casino.deal("9 7 / 9 ?")
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Hit"))
    told = text_of(refused.response)  # type: ignore[arg-type]
    assert told == "You are not sitting at this table. **Join** gives you a seat for the next round."


async def test_a_stranger_at_a_full_table_is_not_sent_to_a_seat_that_is_not_there(casino: Casino) -> None:
    await keep(casino, "small", most_seats=1, split=Split.NO)
    await casino.deal("9 7 / 9 ?", rules="small")
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Hit"))
    assert "All seats of this table are taken. With " in text_of(refused.response)  # type: ignore[arg-type]


async def test_r5_1_a_stranger_at_a_table_of_stacks_is_told_that_it_has_begun(casino: Casino) -> None:
    await casino.blackjack(rules="four-seat")
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Leave"))
    assert text_of(refused.response).startswith("This table has begun")  # type: ignore[arg-type]


async def test_who_sat_down_after_the_deal_is_told_that_this_round_is_not_theirs(casino: Casino) -> None:
    await casino.deal("9 7 / 9 ?")
    await casino.click("Join", casino.bob)
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Hit"))
    assert text_of(refused.response) == "You are not in this round."  # type: ignore[arg-type]


async def test_at_a_full_table_the_command_says_how_to_play_all_the_same(casino: Casino) -> None:
    await keep(casino, "small", most_seats=1, split=Split.NO)
    await casino.blackjack(rules="small")
    told = (await casino.ask("blackjack", casino.bob)).content
    assert told == "All seats of this table are taken. With `solo` the command opens a table for you alone."
    await casino.blackjack(casino.bob, solo=True)
    assert own(casino, casino.bob).solo


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ai": 2}, "`ai` is for a new one. **Leave** that table first. With `solo` the command opens a table for"),
        ({"rules": "kitchen"}, "Leave `rules` out, or **Leave** that table first. With `solo` the command opens"),
    ],
)
async def test_what_is_for_a_new_table_is_refused_where_one_sits(
    casino: Casino, options: dict[str, Any], told: str
) -> None:
    await casino.sealed_table()
    assert told in (await casino.ask("blackjack", **options)).content
    (refused,) = [await casino.ask("blackjack", casino.bob, rules="kitchen")]
    assert refused.content.startswith("The table of this channel plays **vegas**. Leave `rules` out to sit down.")


# -- a bet in words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bet", "staked"), [("half", 500), ("all", 1_000), ("1,000", 1_000), ("MOITIÉ", 500)])
async def test_half_or_all_may_be_typed(casino: Casino, bet: str, staked: int) -> None:
    await casino.deal("9 7 / 9 ?", bet=bet)
    assert casino.snapshot.view.seats[0].hands[0].stake == staked * CHIP


async def test_all_is_what_somebody_has_who_comes_to_an_open_table(casino: Casino) -> None:
    await casino.sealed_table()
    assert "Your bet of 1,000 chips is on [the table]" in (await casino.ask("blackjack", casino.bob, bet="all")).content
    assert await casino.balance(casino.bob) == 0


# -- the coach is switched off -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "options"), [("blackjack", {"ai": 1}), ("elimination", {})])
async def test_where_the_coach_is_switched_off_no_computer_player_thinks(
    casino: Casino, command: str, options: dict[str, Any]
) -> None:
    casino.bot.coach = None
    answer = await casino.ask(command, level="perfect", **options)
    assert answer.ephemeral
    assert answer.content == "Computer players can't play at that level here: the coach is switched off."
    assert casino.bot.registry.tables() == ()
    await casino.ask(command, level="expert", **options)
    assert len(casino.bot.registry.tables()) == 1


# -- where no table can be ---------------------------------------------------------------------------------------------


def private_thread(casino: Casino, *, manages: bool = False) -> simcord.ChannelHandle:
    """One that alice opened, and that nobody has asked the bot into, which may manage threads or not."""
    me = casino.env.bot.user
    assert me is not None
    denied = discord.PermissionOverwrite(manage_threads=manages)
    casino.channel = casino.guild.create_text_channel("quiet", overwrites={me: denied})  # type: ignore[dict-item]
    kind = discord.ChannelType.private_thread.value
    casino.env.backend.create_thread(casino.channel.id, "secret", casino.alice.id, type=kind, broadcast=False)
    return casino.channel.threads[-1]


@pytest.mark.parametrize("command", ["blackjack", "war", "baccarat", "elimination"])
async def test_in_a_private_thread_the_bot_is_not_in_it_says_what_helps(casino: Casino, command: str) -> None:
    """Discord takes its answers there, and no message of its own: a table would refuse every stake."""
    answer = (await casino.alice.slash(private_thread(casino), command)).response
    assert answer is not None
    assert "Mention me here once" in answer.content
    assert answer.ephemeral
    assert casino.bot.registry.tables() == ()


async def test_who_may_manage_threads_is_in_every_private_thread(casino: Casino) -> None:
    thread = private_thread(casino, manages=True)
    await casino.alice.slash(thread, "blackjack")
    assert [table.state.channel for table in casino.bot.registry.tables()] == [thread.id]


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (403, 160005), (400, 160005), (400, 200000)], ids=str)
@pytest.mark.parametrize("command", ["blackjack", "elimination"])
async def test_where_nothing_can_be_posted_no_table_opens(casino: Casino, command: str, status: int, code: int) -> None:
    casino.env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=None)
    answer = await casino.ask(command)
    assert "not write a message of my own" in answer.content
    assert answer.ephemeral
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000
    casino.env.backend.faults.clear()
    await casino.ask(command)
    assert casino.table.state.message == casino.message.id


async def test_a_table_opens_where_discord_is_only_out_of_order(casino: Casino) -> None:
    casino.env.inject_error("POST", "/channels/*/messages", status=500)
    await casino.blackjack()
    assert casino.table.state.message == casino.message.id


async def test_a_promise_that_cannot_be_looked_at_counts_as_there(casino: Casino, line: Line) -> None:
    """The second table looks whether the channel's promise still stands, and that request is cut off."""
    await casino.blackjack(bet=10)
    line.cut("GET", "/channels/*/messages/*")
    await casino.blackjack(casino.bob, bet=10, solo=True)
    assert line.lost == 1
    assert len(casino.bot.registry.tables()) == 2
    assert len(casino.promises) == 1
