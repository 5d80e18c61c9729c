"""/leaderboard"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from discord import ui

from cogs.leaderboard import ladders, podium, seasons
from cogs.words import READER, reading, speaking
from data import Graded, Ladder, SeasonBoard, SeasonStanding, Span, season_at
from data.seasons import places
from engine.coach.grading import VALUATION
from engine.sets.calendar import day_at

from . import raw
from .conftest import Casino, asked, keys, text_of


async def crowd(casino: Casino, people: int) -> None:
    for place in range(people):
        user = casino.env.create_user(f"guest{place}")
        member = await casino.bot.bank.members.sign_in(casino.guild.id, user.id)
        await casino.bot.bank.chips.grant(member.id, 100 * (place + 1), actor=1, reason="test", press=10_000 + place)


async def test_the_leaderboard_has_pages_and_always_ones_own_rank(casino: Casino) -> None:
    await crowd(casino, 12)
    await casino.ask("balance")
    await casino.grant(casino.bob, -50)
    board = await casino.ask("leaderboard")
    assert "🥇 · " in text_of(board)
    assert "◂" in text_of(board)
    assert "**12** · " in text_of(board)  # who stands before her
    assert f"**13** · {casino.alice.mention} · **1,000** ◂" in text_of(board)
    assert f"**14** · {casino.bob.mention} · 950" in text_of(board)  # and behind her
    assert len(text_of(board).splitlines()) == 1 + 10 + 3 + 1
    assert "14 players" in text_of(board)
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


async def test_one_of_many_equals_sees_who_stands_before_and_behind_them(casino: Casino) -> None:
    guests = [casino.env.create_user(f"guest{place}").id for place in range(24)]
    for user in (*guests[:22], casino.alice.id, *guests[22:]):
        await casino.bot.bank.members.sign_in(casino.guild.id, user)
    board = await casino.ask("leaderboard")
    near = [
        f"🥇 · <@{guests[21]}> · 1,000",
        f"🥇 · {casino.alice.mention} · **1,000** ◂",
        f"🥇 · <@{guests[22]}> · 1,000",
    ]
    assert text_of(board).splitlines()[11:-1] == near


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


async def test_all_who_share_a_rank_have_its_medal_on_every_page(casino: Casino) -> None:
    for place in range(10):
        await casino.bot.bank.members.sign_in(casino.guild.id, casino.env.create_user(f"guest{place}").id)
    await casino.ask("balance")
    board = await casino.ask("leaderboard")
    first = text_of(board).splitlines()[1:-1]
    await casino.alice.click(board, label="Next")
    second = text_of(board).splitlines()[1:-1]
    assert (len(first), len(second)) == (11, 1), "the page already has the line before hers"
    assert {line.partition(" · ")[0] for line in first + second} == {"🥇"}


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
    assert text_of(board).count("◂") == 1, "one's own line stands on this page already"
    assert keys(board) == ["Today's five", "Blackjack", "Points", "Chips"]
    assert "of 50." not in text_of(board)
    await casino.alice.click(board, label="Blackjack")
    assert "Nobody is on this list yet." in text_of(board)
    assert f"{casino.alice.mention} has 1 of 50." in text_of(board), "everybody in the channel reads it"
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


def test_r14_1_a_quarter_is_named_in_the_language_of_each_reader_in_turn() -> None:
    said = []
    for language in ("de", "en", "fr", "es", "pt"):
        with speaking(language):
            said.append(seasons.season_text(season_at(datetime(2026, 11, 20, tzinfo=UTC).timestamp(), Span.QUARTER)))
    assert said == [
        *("4. Quartal 2026", "4th quarter 2026", "4e trimestre 2026", "4.º trimestre de 2026"),
        "4º trimestre de 2026",
    ]


async def test_r14_1_a_server_chooses_how_long_its_season_is(casino: Casino) -> None:
    await close_decisions(casino)
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, season=Span.QUARTER))
    board = text_of(await casino.ask("leaderboard"))
    assert " quarter 20" in board
    assert casino.alice.mention in board


async def test_a_board_of_a_season_has_pages_of_ten_and_always_ones_own_place(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    people = [casino.env.create_user(f"guest{place}").id for place in range(11)]
    for points, user in enumerate([casino.alice.id, *people], 1):
        member, batch = await bank.members.sign_in(guild, user), bank._store.batch()
        places.award(batch, guild, f"cup/{user}", [(member.id, points)], day_at(casino.bot.clock.now()) * 86_400.0)
        await bank._store.write.run(batch)
    board = await casino.ask("leaderboard", by="points")
    own = f"**12** · {casino.alice.mention} · **1 point** ◂"
    first = text_of(board).splitlines()
    assert first[1:3] == [f"🥇 · <@{people[10]}> · 12 points", f"🥈 · <@{people[9]}> · 11 points"]
    assert first[10:12] == [f"**10** · <@{people[1]}> · 3 points", own]
    assert first[-1] == "-# 12 players"
    assert keys(board) == ["Accuracy", "Today's five", "Blackjack", "Chips", "Next"]
    await casino.alice.click(board, label="Next")
    assert text_of(board).splitlines()[1:3] == [f"**11** · <@{people[0]}> · 2 points", own]
    assert keys(board)[-1] == "Previous"
    await casino.alice.click(board, label="Previous")
    assert text_of(board).splitlines() == first


async def test_a_season_that_there_never_was_is_not_looked_up(casino: Casino) -> None:
    await close_decisions(casino)
    await casino.sleep(31 * 86_400)
    board = await casino.ask("leaderboard", by="accuracy")
    (menu,) = [part for part in raw.components(board) if part["type"] == 3]
    assert [option["label"] for option in menu["options"] if option.get("default")] == [month(casino)]
    for made_up in ("2026-13", "soon"):
        refused = await raw.choose(casino.alice, board, menu["custom_id"], 3, [made_up])  # type: ignore[arg-type]
        assert text_of(refused.response) == "There is no such season."  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("by", "value", "told"),
    [
        (Ladder.CHIPS, 123_456, "1,234.56"),
        (Ladder.WINNINGS, 123_400, "+1,234"),
        (Ladder.WINNINGS, -50, "−0.50"),
        (Ladder.WIN_RATE, 456_789, "45.6%"),
    ],
)
def test_each_ladder_has_a_unit_of_its_own(by: Ladder, value: int, told: str) -> None:
    assert ladders._value(by, value) == told


@pytest.mark.parametrize(
    ("board", "value", "amount", "told"),
    [
        (SeasonBoard.ACCURACY, 912_345, 1_200, "91.2% of 1,200 decisions"),
        (SeasonBoard.FIVE, 9_687, 1, "96.9 in 1 day"),
        (SeasonBoard.BLACKJACK, 32_100, 200, "+3.2 in 200 hands"),
        (SeasonBoard.BLACKJACK, -12_345_600, 1_000, "−1,234.6 in 1,000 hands"),
        (SeasonBoard.BLACKJACK, 400, 1, "0.0 in 1 hand"),
        (SeasonBoard.POINTS, 1, 9, "1 point"),
    ],
)
def test_each_board_of_a_season_has_a_unit_of_its_own(board: SeasonBoard, value: int, amount: int, told: str) -> None:
    standing = SeasonStanding(4, None, value, amount, provisional=False)
    assert seasons.line(board, standing) == f"**4** · a former player · {told}"
    assert seasons.line(board, replace(standing, provisional=True)).endswith(f"{told} · provisional")


async def test_a_podium_names_whom_it_can(casino: Casino) -> None:
    """By the name last seen, else by the server's; nobody who was forgotten or has left."""
    server, gone = casino.bot.get_guild(casino.guild.id), casino.env.create_user("gone")
    assert server is not None
    users = (casino.alice.id, None, gone.id)
    row = [SeasonStanding(place, user, 5, 1, provisional=False) for place, user in enumerate(users, 1)]
    names = [await podium._name(server, each) for each in row]
    assert names == ["alice", "", ""]
    assert podium._alt(row, names) == "The podium. 1st: alice; 2nd: a person; 3rd: a person."
    with reading(replace(READER.get(), names={casino.alice.id: "Al"})):
        assert await podium._name(server, row[0]) == "Al"


async def test_r14_1_a_podium_has_three_places(casino: Casino) -> None:
    bank, server, now = casino.bot.bank, casino.bot.get_guild(casino.guild.id), casino.bot.clock.now()
    assert server is not None
    batch, people = bank._store.batch(), [casino.person(name) for name in ("alice", "bob", "carol", "dora")]
    for points, who in enumerate(people, 2):
        member = await bank.members.sign_in(server.id, who.id)
        places.award(batch, server.id, f"cup/{who.id}", [(member.id, points)], now)
    await bank._store.write.run(batch)
    shown = await podium.podium(bank, server, season_at(now, Span.MONTH), pictures=False)
    assert shown is not None
    parts = [part.content for part in shown[0].walk_children() if isinstance(part, ui.TextDisplay)]
    lines = "\n".join(parts).splitlines()
    placed = zip("🥇🥈🥉", people[:0:-1], (5, 4, 3), strict=True)
    assert lines[1:5] == [
        "**Points**",
        *(f"{medal} · {who.mention} · {points} points" for medal, who, points in placed),
    ]
    assert lines[5:] == ["-# A new season has begun: `/leaderboard`"]
    for pictures in (True, False):
        with reading(replace(READER.get(), pictures=pictures)):
            drawn = await podium.podium(bank, server, season_at(now, Span.MONTH), pictures=True)
        assert drawn is not None
        assert len(drawn[1]) == pictures, "a server may want words alone"
