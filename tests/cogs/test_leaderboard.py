"""/leaderboard"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from data import Graded, Span
from engine.coach.grading import VALUATION

from .conftest import Casino, asked, keys, text_of


async def crowd(casino: Casino, people: int) -> None:
    for place in range(people):
        user = casino.env.create_user(f"guest{place}")
        member = await casino.bot.bank.members.sign_in(casino.guild.id, user.id)
        await casino.bot.bank.chips.grant(member.id, 100 * (place + 1), actor=1, reason="test", press=10_000 + place)


async def test_the_leaderboard_has_pages_and_always_ones_own_rank(casino: Casino) -> None:
    await crowd(casino, 12)
    await casino.ask("balance")
    board = await casino.ask("leaderboard")
    assert "🥇 · " in text_of(board)
    assert "◂" in text_of(board)
    assert "**12** · " in text_of(board)  # who stands before her
    assert f"**13** · {casino.alice.mention} · **1,000** ◂" in text_of(board)
    assert "13 players" in text_of(board)
    assert keys(board) == ["Winnings", "Win rate", month(casino).split()[0], "Next"]
    await casino.alice.click(board, label="Next")
    assert "**11** · " in text_of(board)
    assert text_of(board).count(casino.alice.mention) == 1, "nothing is said twice"
    assert "Previous" in keys(board)
    await casino.alice.click(board, label="Previous")
    assert "🥇 · " in text_of(board)


async def test_the_last_one_of_a_page_sees_from_the_next_one_who_stands_before_them(casino: Casino) -> None:
    await crowd(casino, 9)
    await casino.ask("balance")
    await casino.grant(casino.bob, -50)
    board = await casino.ask("leaderboard")
    await casino.alice.click(board, label="Next")
    assert "**9** · " in text_of(board)
    assert f"**10** · {casino.alice.mention} · **1,000** ◂" in text_of(board)


async def test_another_ones_page_is_turned_in_a_copy(casino: Casino) -> None:
    await crowd(casino, 12)
    board = await casino.ask("leaderboard")
    before = text_of(board)
    result = await casino.bob.click(board, label="Next")
    assert result.ephemeral
    assert text_of(board) == before


async def test_the_other_ladders(casino: Casino) -> None:
    await casino.until(asked)
    await casino.play_on()
    board = await casino.ask("leaderboard", by="winnings")
    assert "Leaderboard · Winnings" in text_of(board)
    assert casino.alice.mention in text_of(board)
    await casino.alice.click(board, label="Win rate")
    assert "Leaderboard · Win rate" in text_of(board)


async def test_a_medal_that_more_than_three_would_wear_is_a_number(casino: Casino) -> None:
    for place in range(6):
        user = casino.env.create_user(f"guest{place}")
        member = await casino.bot.bank.members.sign_in(casino.guild.id, user.id)
        more = {0: 300, 1: 200}.get(place, 100)
        await casino.bot.bank.chips.grant(member.id, more, actor=1, reason="test", press=20_000 + place)
    board = text_of(await casino.ask("leaderboard"))
    assert board.count("🥇") == board.count("🥈") == 1
    assert "🥉" not in board
    assert board.count("**3** · ") == 4


async def test_an_empty_leaderboard_says_so(casino: Casino) -> None:
    assert "Nobody is on this list yet" in text_of(await casino.ask("leaderboard", by="winnings"))


def edits(casino: Casino) -> list[Any]:
    """Bodies of the edits of answers."""
    sent = [request for request in casino.env.http_requests if request.path.endswith("@original")]
    return [request.json for request in sent if request.method == "PATCH"]


async def test_names_are_shown_to_those_who_never_met_these_people(casino: Casino) -> None:
    """The post calls nobody; an edit behind it, which cannot, lets every name be shown."""
    await crowd(casino, 3)
    await casino.ask("leaderboard")
    (edit,) = edits(casino)
    assert len(edit["allowed_mentions"]["users"]) == 4, "hers too"


async def test_in_a_thread_nobody_is_added_by_their_name(casino: Casino) -> None:
    await casino.ask("balance", casino.bob)
    await casino.ask("balance")
    casino.env.backend.create_thread(casino.channel.id, "hall", casino.alice.id)
    (thread,) = casino.channel.threads
    board = (await casino.alice.slash(thread, "leaderboard")).response
    assert board is not None
    assert "🥇 · alice · **1,000** ◂" in text_of(board)
    await casino.alice.click(board, label="Winnings")
    await casino.alice.click(board, label="Chips")
    assert "bob" in text_of(board)
    assert edits(casino) == []
    bodies = [request.json for request in casino.env.http_requests if request.path.endswith("/callback")]
    assert all(not body["data"]["allowed_mentions"].get("users") for body in bodies if body["type"] == 7)


# -- seasons -----------------------------------------------------------------------------------------------------------


async def close_decisions(casino: Casino) -> None:
    """A hand of Alice's with 200 close decisions, of which she played 150 best."""
    await casino.until(asked)
    await casino.play_on()
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (last,) = await casino.bot.bank.grades.ungraded_of(me.id, 1, valuation=VALUATION)
    net = casino.snapshot.settlement.net(0) if casino.snapshot.settlement else 0
    grade = Graded(last.table, last.number, me.id, last.at, net, None, valuation=VALUATION, close=200, close_right=150)
    await casino.bot.bank.grades.keep(replace(grade, units=0))


def month(casino: Casino) -> str:
    return datetime.fromtimestamp(casino.bot.clock.now(), UTC).strftime("%B %Y")


async def test_r14_1_this_season_comes_first_once_somebody_has_a_place(casino: Casino) -> None:
    assert "Leaderboard · Chips" in text_of(await casino.ask("leaderboard"))
    await close_decisions(casino)
    board = await casino.ask("leaderboard")
    assert f"Leaderboard · Accuracy · {month(casino)}" in text_of(board)
    assert f"🥇 · {casino.alice.mention} · **75.0% of 200 decisions** ◂" in text_of(board)
    assert keys(board) == ["Today's five", "Blackjack", "Points", "Chips"]
    assert "You have" not in text_of(board)
    await casino.alice.click(board, label="Blackjack")
    assert "Nobody is on this list yet." in text_of(board)
    assert "You have 1 of 50." in text_of(board)
    await casino.alice.click(board, label="Chips")
    assert "Leaderboard · Chips" in text_of(board)
    await casino.alice.click(board, label=month(casino))
    assert f"Leaderboard · Accuracy · {month(casino)}" in text_of(board)


async def test_r14_1_an_ended_season_is_looked_up_in_a_menu(casino: Casino) -> None:
    await close_decisions(casino)
    ended = month(casino)
    await casino.sleep(31 * 86_400)
    board = await casino.ask("leaderboard", by="accuracy")
    assert f"Leaderboard · Accuracy · {month(casino)}" in text_of(board)
    assert casino.alice.mention not in text_of(board)
    was = datetime.fromtimestamp(casino.bot.clock.now() - 31 * 86_400, UTC)
    copy = await casino.bob.select(board, [f"{was:%Y-%m}"])
    assert copy.ephemeral
    await casino.alice.select(board, [f"{was:%Y-%m}"])
    assert f"Leaderboard · Accuracy · {ended}" in text_of(board)
    assert casino.alice.mention in text_of(board)


async def test_r14_1_a_server_chooses_how_long_its_season_is(casino: Casino) -> None:
    await close_decisions(casino)
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, season=Span.QUARTER))
    board = text_of(await casino.ask("leaderboard"))
    assert " quarter 20" in board
    assert casino.alice.mention in board
