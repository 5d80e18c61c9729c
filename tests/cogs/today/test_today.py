"""/today: five hands from the first press to the last, and what comes of them."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import discord
import pytest
import simcord
import sqlalchemy as sa
from PIL import Image
from prometheus_client import generate_latest
from sqlalchemy import event

from cogs.background.removals import Removals
from cogs.today import texts
from cogs.today.hand import picture_of
from cogs.today.motion import moments
from cogs.words import READER, reading, speaking
from data import Length, OutdatedTry, Rest
from data.base.set_tables import standings
from data.base.sets import ArchivedDay
from engine.coach import Coach, CoachGone
from engine.fairness.days import Day, verify_day
from engine.fairness.reading import parse
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.blackjack.rules import Double, Split
from engine.games.computer import Level
from engine.games.registry import GAMES
from engine.sets.calendar import DAY, GRACE, SUNDAY, closes, public_from
from engine.sets.levels import played_by
from engine.sets.programme import PROGRAMME
from engine.sets.scoring import Mark
from engine.sets.tries import deal_again
from engine.training.drill import Drill, DrillKind
from tests.data.by_hand import by_hand

from .. import raw
from ..background.test_removals import days_pass, remove
from ..conftest import Casino, keys, text_of
from ..line import Line
from ..pages.tournament import DEALS, dealt, tried
from .conftest import LABELS, FirstDay


def picture(answer: simcord.ResponseMessage) -> str:
    (gallery,) = [part for part in raw.components(answer) if part["type"] == 12]
    return str(gallery["items"][0]["description"])


async def finished(first_day: FirstDay, who: simcord.MemberActor, choose: Any = max) -> simcord.ResponseMessage:
    answer = await first_day.begins(who)
    await first_day.plays(who, answer, choose=choose)
    await who.click(answer, label="Your result")
    return answer


# -- a day from its beginning to its end -------------------------------------------------------------------------------


async def test_it_says_in_three_lines_what_it_is(first_day: FirstDay) -> None:
    answer = await first_day.casino.ask("today")
    assert text_of(answer).splitlines() == [
        "### Today's five · #1 · Friday",
        "Five hands, the same for everybody. Only your decisions count, not your luck.",
        f"One try, no chips; it closes <t:{int(closes(first_day.date))}:R>.",
        "-# original: 6 decks, swap instead of split, no surrender",
    ]
    assert keys(answer) == ["Play", "Rules", "Past days", "Free chips"]
    await first_day.casino.alice.click(answer, label="Rules")
    assert "A perfect day is 100" in text_of(answer)
    await first_day.casino.alice.click(answer, label="Back")
    assert "Five hands" in text_of(answer)


async def test_a_hand_shows_its_cards_and_only_what_may_be_done(first_day: FirstDay) -> None:
    answer = await first_day.begins(first_day.casino.alice)
    found = await first_day.try_of(first_day.casino.alice)
    assert "### Hand 1 of 5 ▫️▫️▫️▫️▫️" in text_of(answer)
    assert keys(answer) == [LABELS[letter] for letter in "hsdpwrin" if LABELS[letter].lower() in found.legal]
    assert picture(answer).count("░░") == 1, "the hole card lies face down"
    shown = picture(answer)
    await first_day.casino.alice.select(await first_day.casino.ask("settings"), ["text"], custom_id="settings:shown")
    asked = text_of(answer).splitlines()[1]
    again = await first_day.casino.ask("today")
    assert text_of(again).splitlines() == ["### Hand 1 of 5 ▫️▫️▫️▫️▫️", *shown.splitlines(), asked]
    assert again.attachments == []


async def test_r11_4_a_perfect_day_brings_100_points(first_day: FirstDay) -> None:
    answer = await finished(first_day, first_day.casino.alice)
    text = text_of(answer)
    assert "## 100.0 of 100 🟢🟢🟢🟢🟢" in text
    assert "1st of 1 here · computers: expert " in text
    assert text.endswith(" · streak 1")
    assert keys(answer) == ["Share", "Hands", "Board", "Train these", "Past days", "Free chips"]


def test_points_of_computers_are_told_apart_where_a_comma_stands_in_a_number(first_day: FirstDay) -> None:
    with speaking("es"):
        told = texts.levels(first_day.day)
    assert re.search(r": experto \d+,\d; aficionado \d+,\d$", told), told


async def test_at_its_end_a_hand_says_how_it_was_played_whatever_luck_brought(first_day: FirstDay) -> None:
    casino, said = first_day.casino, set()
    answer = await first_day.begins(casino.alice)
    while not (found := await first_day.try_of(casino.alice)).over:
        if found.round.over:
            grade, net = found.grades[found.place], found.net(found.place)
            line = text_of(answer).splitlines()[-1]
            assert line.startswith("**Won" if net > 0 else "**Lost" if net else "**A push")
            assert ("played right" in line) is (grade.mark is Mark.RIGHT)
            if grade.mark is not Mark.RIGHT:
                assert f"was better by {grade.worst.loss / 10_000:.1f}% of your bet" in line
            said.add(grade.mark)
            await casino.alice.click(answer, label="Next")
        else:
            worths = found.prepared.answers[found.place][found.letters[-1]]
            choose = min if found.place % 2 else max
            await casino.alice.click(answer, label=LABELS[choose(worths, key=worths.__getitem__)])
    assert Mark.RIGHT in said
    assert said != {Mark.RIGHT}


async def test_the_mark_of_a_hand_names_the_total_of_the_mistake_if_there_were_several_decisions(
    first_day: FirstDay,
) -> None:
    casino, totals, named = first_day.casino, dict[str, str](), 0
    answer = await first_day.begins(casino.alice)
    while not (found := await first_day.try_of(casino.alice)).over:
        shown = text_of(answer).splitlines()[-1]
        if found.round.over:
            grade = found.grades[found.place]
            several = len(grade.decisions) > 1 and grade.mark is not Mark.RIGHT
            assert (f" with {totals[grade.worst.path]}, " in shown) is several
            named += several
            await casino.alice.click(answer, label="Next")
        else:
            totals[found.letters[-1]] = shown.removeprefix("**You ").partition(",")[0]
            await casino.alice.click(answer, label="Hit")
    assert named


async def test_mistakes_are_told_with_what_was_better(first_day: FirstDay) -> None:
    answer = await finished(first_day, first_day.casino.alice, min)
    found = await first_day.try_of(first_day.casino.alice)
    lines = [line for line in text_of(answer).splitlines() if line.startswith("Hand ")]
    assert len(lines) == sum(grade.mark is not Mark.RIGHT for grade in found.grades) > 0
    for line in lines:
        assert ": you " in line
        assert line.endswith("% of your bet.")


async def test_hands_shows_deal_by_deal_what_each_choice_was_worth(first_day: FirstDay) -> None:
    answer = await finished(first_day, first_day.casino.alice, min)
    await first_day.casino.alice.click(answer, label="Hands")
    found = await first_day.try_of(first_day.casino.alice)
    for place in range(5):
        if place:
            await first_day.casino.alice.click(answer, label=str(place + 1))
        text = text_of(answer)
        assert f"### Hand {place + 1} " in text
        for decision in found.grades[place].decisions:
            assert text.count("← best") >= 1
            assert f"{LABELS[decision.letter]} · " in text
    await first_day.casino.alice.click(answer, label="Back")
    assert " of 100 " in text_of(answer)


async def test_the_board_of_yesterday_stands_below_a_day_that_was_not_begun(first_day: FirstDay) -> None:
    """The first day has none, and a direct message has no board."""
    casino = first_day.casino
    await finished(first_day, casino.alice)
    assert "Yesterday" not in keys(await casino.ask("today", casino.bob))
    await casino.sleep(DAY)
    opened = await casino.ask("today", casino.bob)
    board = (await casino.bob.click(opened, label="Yesterday")).response
    assert board is not None
    assert text_of(board).splitlines()[0] == "### Today's five · #1 · Friday"
    assert casino.alice.mention in text_of(board)
    assert "Yesterday" not in keys((await casino.bob.user.slash("today")).response)


# -- it is stored before it is shown -----------------------------------------------------------------------------------


async def test_it_goes_on_where_it_stood_after_a_restart_and_in_a_direct_message(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    await casino.alice.click(answer, label=keys(answer)[1])
    shown = text_of(answer)
    await casino.restart()
    assert text_of(await casino.ask("today")) == shown
    at_home = (await casino.alice.user.slash("today")).response
    assert at_home is not None
    assert text_of(at_home) == shown
    await first_day.plays(casino.alice.user, at_home)
    assert (await first_day.try_of(casino.alice)).over


async def test_an_old_press_from_another_device_counts_nothing(first_day: FirstDay) -> None:
    casino = first_day.casino
    phone = await first_day.begins(casino.alice)
    desk = await casino.ask("today")
    await casino.alice.click(desk, label="Stand")
    before = await first_day.try_of(casino.alice)
    await casino.alice.click(phone, label="Stand")
    assert (await first_day.try_of(casino.alice)).steps == before.steps
    assert text_of(phone) == text_of(desk)


async def test_of_two_presses_at_once_one_counts(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    button = next(part for part in raw.components(answer) if part.get("label") == "Stand")
    await raw.press(casino.alice, answer, button["custom_id"], times=3)
    assert (await first_day.try_of(casino.alice)).steps == "s"


async def test_r11_6_there_is_one_try_a_person(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    for again in (await casino.ask("today"), (await casino.alice.user.slash("today")).response):
        assert again is not None
        assert " of 100 " in text_of(again)
    play = f"today:play:0:{first_day.day.id}"
    await raw.press(casino.alice, answer, play)
    assert (await first_day.try_of(casino.alice)).over


async def test_r11_1_a_try_begun_in_time_is_finished_within_the_hour_after_midnight(first_day: FirstDay) -> None:
    casino = first_day.casino
    await first_day.begins(casino.alice)
    await casino.sleep(closes(first_day.date) - first_day.now + 60)
    answer = await casino.ask("today")
    assert keys(answer) == ["Play", "Rules", "Yesterday", "Finish yesterday's", "Past days", "Free chips"]
    assert f"You began yesterday's five: they close <t:{closes(first_day.day.day) + GRACE:.0f}:R>." in text_of(answer)
    await casino.alice.click(answer, label="Finish yesterday's")
    await first_day.plays(casino.alice, answer)
    assert (await first_day.try_of(casino.alice)).over
    assert "Finish yesterday's" not in keys(await casino.ask("today"))
    await casino.sleep(GRACE)
    assert "Finish yesterday's" not in keys(await casino.ask("today"))


async def test_r11_6_in_that_hour_it_still_gets_onto_the_board_of_the_server_where_it_is_opened(
    first_day: FirstDay,
) -> None:
    casino, day, boards = first_day.casino, first_day.day, first_day.bank.boards
    alone = (await casino.alice.user.slash("today")).response
    assert alone is not None
    await casino.alice.user.click(alone, label="Play")
    await casino.sleep(closes(first_day.date) - first_day.now + 60)
    answer = await casino.ask("today")
    await casino.alice.click(answer, label="Finish yesterday's")
    await first_day.plays(casino.alice, answer)
    assert (await boards.of_day(casino.guild.id, day)).people == 1


async def test_r11_1_in_that_hour_both_days_can_be_reached_whichever_was_begun(first_day: FirstDay) -> None:
    casino = first_day.casino
    await first_day.begins(casino.alice)
    await casino.sleep(closes(first_day.date) - first_day.now + 60)
    await casino.alice.click(await casino.ask("today"), label="Play")
    answer = await casino.ask("today")
    assert keys(answer) == ["Play", "Rules", "Yesterday", "Finish yesterday's", "Past days", "Free chips"]
    await casino.alice.click(answer, label="Finish yesterday's")
    await first_day.plays(casino.alice, answer)
    assert "Hand 1 of 5" in text_of(await casino.ask("today"))


async def test_in_that_hour_the_board_of_yesterday_says_when_it_opens(first_day: FirstDay) -> None:
    casino, day = first_day.casino, first_day.day
    await finished(first_day, casino.alice)
    await casino.sleep(closes(first_day.date) - first_day.now + 60)
    yesterday = (await casino.bob.click(await casino.ask("today", casino.bob), label="Yesterday")).response
    assert yesterday is not None
    assert text_of(yesterday) == f"Some may still finish that day. Its board opens <t:{public_from(day.day):.0f}:R>."
    seen = (await casino.alice.click(await casino.ask("today"), label="Yesterday")).response
    assert seen is not None
    assert casino.alice.mention in text_of(seen)


async def test_r11_1_after_that_hour_it_is_closed(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    await casino.sleep(closes(first_day.date) - first_day.now + GRACE + 1)
    pressed = await casino.alice.click(answer, label="Stand")
    assert pressed.response is not None
    assert "That day is closed" in text_of(pressed.response)


# -- free chips --------------------------------------------------------------------------------------------------------


async def test_a_key_takes_the_free_chips_where_they_are_due(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await casino.ask("today")
    assert await first_day.bank.members.known(casino.guild.id, casino.alice.id) is None
    pressed = await casino.alice.click(answer, label="Free chips")
    assert "+200 chips" in text_of(pressed.response)  # type: ignore[arg-type]
    assert "Free chips" not in keys(await casino.ask("today"))
    assert "Free chips" not in keys(await finished(first_day, casino.alice))
    at_home = (await casino.bob.user.slash("today")).response
    assert at_home is not None
    assert "Free chips" not in keys(at_home)


# -- boards ------------------------------------------------------------------------------------------------------------


async def test_r11_6_the_board_has_who_played_here_with_shared_places(first_day: FirstDay) -> None:
    casino = first_day.casino
    for who in (casino.bob, casino.person("carol")):
        await finished(first_day, who)
    answer = await finished(first_day, casino.alice, min)
    assert "3rd of 3 here" in text_of(answer)
    board = (await casino.alice.click(answer, label="Board")).response
    assert board is not None
    assert "Check it yourself" not in keys(board), "others may still be playing"
    before = await casino.alice.click(board, label="Day before")
    assert text_of(before.response) == "There is no board for that day."  # type: ignore[arg-type]
    text = text_of(board)
    assert text.count("🥇") == 2
    assert "🥉" in text
    assert "◂" in text.splitlines()[3]
    assert "Server streak: 1" in text
    await casino.alice.click(board, label="Week")
    assert "· 1 day" in text_of(board)
    other = casino.env.create_guild("Elsewhere")
    elsewhere = other.create_text_channel("hall")
    bob = other.add_member(casino.bob.user)
    there = (await bob.slash(elsewhere, "today")).response
    assert there is not None
    assert "1st of 1 here" in text_of(there)


async def test_r11_1_who_has_not_finished_stands_at_the_end_of_the_board(first_day: FirstDay) -> None:
    casino, day, tries = first_day.casino, first_day.day, first_day.bank.tries
    await first_day.begins(casino.alice)
    for user in range(1, 12):
        stored = await tries.begin(day, user)
        await tries.stand(day, stored.person, casino.guild.id)
        expert = played_by(Level.EXPERT, day.prepared, day.shoes)
        await tries.press(stored, expert)
    await casino.sleep(closes(first_day.date) - first_day.now + GRACE)
    opened = await casino.ask("today", casino.bob)
    board = (await casino.bob.click(opened, label="Yesterday")).response
    assert board is not None
    assert "not finished" not in text_of(board)
    await casino.bob.click(board, label="Next")
    assert f"{casino.alice.mention} · not finished" in text_of(board)


async def test_r11_7_nobody_sees_a_board_of_the_day_before_their_own_result(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.bob)
    mine = await first_day.begins(casino.alice)
    for forged in (f"today:board:day:{first_day.date}:0", f"today:board:week:{first_day.date}:0"):
        (pressed,) = await raw.press(casino.alice, mine, forged)
        assert "doesn't belong here" in text_of(pressed.response)  # type: ignore[arg-type]
    await casino.bob.click(answer, label="Share")
    post = casino.channel.history()[-1]
    opened = await casino.alice.click(post, label="Play")
    assert opened.response is not None
    assert "Hand 1 of 5" in text_of(opened.response)


# -- training ----------------------------------------------------------------------------------------------------------


def second(worths: Any, key: Any) -> str:
    """The second best choice, which is often a close one."""
    return str(sorted(worths, key=key)[-2])


@pytest.mark.parametrize("choose", [second, max])
async def test_train_these_asks_for_the_hands_with_a_mistake_or_for_all_five(first_day: FirstDay, choose: Any) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice, choose)
    found = await first_day.try_of(casino.alice)
    missed = [n for n, grade in enumerate(found.grades) if grade.mark is not Mark.RIGHT] or list(range(5))
    pressed = await casino.alice.click(answer, label="Train these")
    assert pressed.response is not None
    assert "Today's five · original" in text_of(pressed.response)
    for _ in range(6):
        stored = await first_day.bank.training.find(casino.alice.id, DrillKind.FIVE, "original")
        drill = Drill.from_json(DrillKind.FIVE, stored.doc)
        assert drill.asked is not None
        assert " v ".join(drill.recent[-1]) in {found.prepared.situations[n] for n in missed}
        assert drill.rules == found.prepared.terms.rules
        assert len(drill.wanted) == len(missed)
        await casino.alice.click(pressed.response, label=drill.asked.best.capitalize())
    await casino.alice.click(pressed.response, label="Stop")
    assert keys(pressed.response) == ["Go on"]
    assert "goes on from here" not in text_of(pressed.response), "/train offers other trainings only"


async def test_train_these_asks_for_other_hands_once_others_were_missed(first_day: FirstDay) -> None:
    """For the one with a mistake; and, played again without any, for all five."""
    casino, asked, slips = first_day.casino, list[int](), iter([min])
    answer = await finished(first_day, casino.alice, lambda worths, key: next(slips, max)(worths, key=key))
    for archive in (False, True):
        if archive:
            await casino.sleep(DAY + GRACE)
            answer = await casino.ask("today")
            await casino.alice.click(answer, label="Past days")
            await casino.alice.select(answer, [str(first_day.day.id)])
            await first_day.plays(casino.alice, answer, archive=True)
            await casino.alice.click(answer, label="Your result")
        await casino.alice.click(answer, label="Train these")
        stored = await first_day.bank.training.find(casino.alice.id, DrillKind.FIVE, "original")
        asked.append(len(Drill.from_json(DrillKind.FIVE, stored.doc).wanted))
    assert asked == [1, 5]


async def test_r11_8_a_restore_makes_the_day_void_and_its_old_keys_say_so(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    opened = await casino.ask("today", casino.bob)
    await casino.restart(restored=True)
    void = "That day does not count any more: the casino was restored from a backup."
    for who, page in ((casino.alice, answer), (casino.bob, opened)):
        assert text_of((await who.click(page, label=keys(page)[0])).response) == void  # type: ignore[arg-type]
    opens = f"<t:{closes(first_day.date):.0f}:R>"
    told = f"There are no five hands today. The next ones open {opens}."
    assert text_of(await casino.ask("today")) == told
    assert first_day.now < closes(first_day.date)
    await casino.sleep(DAY)
    board = await casino.bob.click(await casino.ask("today", casino.bob), label="Yesterday")
    assert text_of(board.response) == "There is no board for that day.", "not that nobody played"  # type: ignore[arg-type]


async def test_a_past_day_that_became_void_or_was_made_up_is_not_played(first_day: FirstDay) -> None:
    casino = first_day.casino
    await casino.sleep(DAY + GRACE)
    answer = await casino.ask("today")
    await casino.alice.click(answer, label="Past days")
    menu = next(part["custom_id"] for part in raw.components(answer) if part["type"] == 3)
    await by_hand(first_day.bank, f"UPDATE sets SET void = 1 WHERE id = {first_day.day.id}")
    for chosen in ("tomorrow", "9" * 12, str(first_day.day.id)):
        refused = await raw.choose(casino.alice, answer, menu, 3, [chosen])
        assert text_of(refused.response) == "There is no earlier day to play."  # type: ignore[arg-type]
    await by_hand(first_day.bank, f"UPDATE sets SET void = 0 WHERE id = {first_day.day.id}")


async def test_old_keys_of_somebody_who_was_forgotten_tell_nothing(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    await first_day.bank.privacy.forget(casino.guild.id, casino.alice.id)

    async def pressed(label: str) -> str:
        return text_of((await casino.alice.click(answer, label=label)).response)  # type: ignore[arg-type]

    today = f"</today:{casino.env.backend.commands[None]['today', 1]['id']}>"
    for label in ("Hands", "Share", "Train these"):
        assert await pressed(label) == f"You have not played that day. {today} opens the one of today."
    assert casino.channel.history() == []
    again = await casino.alice.click(await casino.ask("today"), label="Play")
    told = "You asked to be forgotten today. You can play Today's five again from tomorrow."
    assert text_of(again.response) == told  # type: ignore[arg-type]


async def removed_for_good(casino: Casino) -> None:
    """The server removes the bot, and is forgotten three months later."""
    removals = Removals(casino.bot, 90)
    remove(casino)
    await removals.do()
    await days_pass(casino, 91)
    await removals.do()


async def test_a_server_that_removed_the_bot_is_forgotten_with_its_boards_although_nobody_has_an_account(
    first_day: FirstDay,
) -> None:
    casino = first_day.casino
    await finished(first_day, casino.alice)
    await casino.ask("today", casino.bob)
    privacy = first_day.bank.privacy
    assert [await privacy.servers(who.id) for who in (casino.alice, casino.bob)] == [[], []]
    await removed_for_good(casino)
    assert await privacy.on_boards(casino.guild.id) == []
    assert await privacy.servers_after(0, 9) == []
    assert (await first_day.bank.boards.of_day(casino.guild.id, first_day.day)).rows == ()
    assert not any((await privacy.own(casino.alice.id)).values()), "she was on no other board"


async def test_who_is_on_the_boards_of_another_server_too_stays_there_when_one_is_forgotten(
    first_day: FirstDay,
) -> None:
    casino, privacy = first_day.casino, first_day.bank.privacy
    await finished(first_day, casino.alice)
    stored = await first_day.bank.tries.begin(first_day.day, casino.alice.id)
    await first_day.bank.tries.stand(first_day.day, stored.person, casino.guild.id + 1)
    await removed_for_good(casino)
    assert await privacy.on_boards(casino.guild.id) == []
    assert await privacy.on_boards(casino.guild.id + 1) == [casino.alice.id]
    assert len((await privacy.own(casino.alice.id))["today"]) == 1


async def test_where_the_coach_is_lost_the_day_is_still_being_prepared(
    first_day: FirstDay, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(self: Coach, *asked: object, **how: object) -> None:
        raise CoachGone("dead")

    await first_day.casino.sleep(3 * DAY)
    with monkeypatch.context() as lost:
        lost.setattr(Coach, "ask", gone)
        told = text_of(await first_day.casino.ask("today"))
    assert told == "Today's five are still being prepared. Try again in a moment."
    assert "Five hands, the same for everybody." in text_of(await first_day.casino.ask("today"))


async def test_nobody_trains_hands_that_are_not_over(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    (pressed,) = await raw.press(casino.alice, answer, f"today:train:0:{first_day.day.id}")
    assert "doesn't belong here" in text_of(pressed.response)  # type: ignore[arg-type]
    assert await first_day.bank.training.of(casino.alice.id) == ()


# -- sharing -----------------------------------------------------------------------------------------------------------


async def test_share_posts_marks_and_points_and_its_key_opens_the_day_privately(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    await casino.alice.click(answer, label="Share")
    (post,) = casino.channel.history()
    assert text_of(post) == f"### <@{casino.alice.id}> · Today's five #1\n🟢🟢🟢🟢🟢 **100.0**"
    opened = await casino.bob.click(post, label="Play")
    assert opened.ephemeral
    assert "Five hands, the same for everybody" in text_of(opened.response)  # type: ignore[arg-type]
    refused = await casino.alice.click(answer, label="Share")
    assert "already been shared" in text_of(refused.response)  # type: ignore[arg-type]
    assert len(casino.channel.history()) == 1


async def test_everybody_reads_the_name_of_who_shares_and_a_lost_edit_costs_only_that(
    first_day: FirstDay, line: Line
) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    line.cut("PATCH", "/channels/*/messages/*")
    await casino.alice.click(answer, label="Share")
    assert (line.lost, len(casino.channel.history())) == (1, 1)
    hall = casino.guild.create_text_channel("hall")
    await casino.alice.click((await casino.alice.slash(hall, "today")).response, label="Share")
    assert posts_in(casino, hall.id) == [("POST", []), ("PATCH", [casino.alice.id])]
    casino.env.backend.create_thread(casino.channel.id, "aside", casino.alice.id)
    (thread,) = casino.channel.threads
    await casino.alice.click((await casino.alice.slash(thread, "today")).response, label="Share")
    assert [method for method, _users in posts_in(casino, thread.id)] == ["POST"], "an edit would add people to it"


def posts_in(casino: Casino, channel: int) -> list[tuple[str, list[int]]]:
    """Return posts and edits in a channel, each with the people whom it may mention."""
    path = f"/channels/{channel}/messages"
    found = [each for each in casino.env.http_requests if each.path.startswith(path) and isinstance(each.json, dict)]
    return [(each.method, each.json["allowed_mentions"]["users"]) for each in found]


async def test_a_result_is_shared_once_a_channel_even_by_presses_at_once_and_after_a_restart(
    first_day: FirstDay,
) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    await raw.press(casino.alice, answer, f"today:share:{first_day.day.id}", times=3)
    assert len(casino.channel.history()) == 1
    await casino.restart()
    refused = await casino.alice.click(await casino.ask("today"), label="Share")
    assert "already been shared" in text_of(refused.response)  # type: ignore[arg-type]
    hall = casino.guild.create_text_channel("hall")
    there = (await casino.alice.slash(hall, "today")).response
    await casino.alice.click(there, label="Share")
    assert len(hall.history()) == len(casino.channel.history()) == 1
    await casino.bob.click(await finished(first_day, casino.bob), label="Share")
    assert len(casino.channel.history()) == 2, "others share theirs"


async def test_where_discord_loses_the_post_there_is_a_text_to_copy_and_it_may_be_shared_again(
    first_day: FirstDay, line: Line
) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    line.cut("POST", "/channels/*/messages")
    shared = await casino.alice.click(answer, label="Share")
    (told,) = shared.followups or [shared.response]
    assert text_of(told).splitlines()[:2] == ["### Your result to share", "I can't post here. Copy this:"]  # type: ignore[arg-type]
    assert casino.channel.history() == []
    settings = await first_day.bank.guilds.settings(casino.guild.id)
    await first_day.bank.guilds.keep_settings(casino.guild.id, replace(settings, language="de"))
    await casino.alice.click(answer, label="Share")
    (post,) = casino.channel.history()
    assert text_of(post).endswith(" **100,0**"), "in the server's language"


async def test_where_the_bot_may_not_post_there_is_a_text_to_copy(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await finished(first_day, casino.alice)
    at_home = (await casino.alice.user.slash("today")).response
    assert at_home is not None
    assert "Board" not in keys(at_home), "a board is a server's"
    shared = await casino.alice.user.click(at_home, label="Share")
    assert "```\nalice · Today's five #1\n🟢🟢🟢🟢🟢 100.0\n```" in text_of(shared.response)  # type: ignore[arg-type]
    silent = discord.PermissionOverwrite(send_messages=False)
    closed = casino.guild.create_text_channel("closed", overwrites={casino.guild.default_role: silent})
    there = (await casino.alice.slash(closed, "today")).response
    shared = await casino.alice.click(there, label="Share")
    assert "Copy this" in text_of(shared.response)  # type: ignore[arg-type]
    assert not closed.history()
    assert text_of(answer)


async def test_in_a_thread_it_is_the_right_to_write_in_threads_that_counts(first_day: FirstDay) -> None:
    casino = first_day.casino
    await finished(first_day, casino.alice)
    threads = discord.PermissionOverwrite(send_messages=False, send_messages_in_threads=True)
    news = casino.guild.create_text_channel("news", overwrites={casino.guild.default_role: threads})
    made = await casino.bot.get_channel(news.id).create_thread(name="five", type=discord.ChannelType.public_thread)  # type: ignore[union-attr]
    await casino.env.settle()
    thread = next(each for each in news.threads if each.id == made.id)
    there = (await casino.alice.slash(thread, "today")).response
    await casino.alice.click(there, label="Share")
    assert "🟢🟢🟢🟢🟢 **100.0**" in text_of(thread.last_message)  # type: ignore[arg-type]


async def test_r11_6_opening_a_page_puts_a_person_on_the_board_and_a_press_writes_nothing_of_it(
    first_day: FirstDay,
) -> None:
    casino, store = first_day.casino, first_day.bank._store
    on_boards = sa.select(sa.func.count()).select_from(standings)
    answer = await first_day.begins(casino.alice)
    assert await store.value(on_boards) == 1
    async with store.rewriting() as connection:
        await connection.execute(sa.delete(standings))
    await first_day.plays(casino.alice, answer)
    assert await store.value(on_boards) == 0
    await casino.ask("today")
    assert await store.value(on_boards) == 1


async def test_r11_6_a_try_stands_nowhere_that_is_opened_after_its_day(first_day: FirstDay) -> None:
    casino, day = first_day.casino, first_day.day
    await finished(first_day, casino.alice)
    other = casino.env.create_guild("Elsewhere")
    hall = other.create_text_channel("hall")
    alice = other.add_member(casino.alice.user)
    await casino.sleep(closes(first_day.date) - first_day.now + 60)
    opened = (await alice.slash(hall, "today")).response
    assert opened is not None
    board = (await alice.click(opened, label="Yesterday")).response
    assert board is not None
    assert casino.alice.mention not in text_of(board)
    assert (await first_day.bank.boards.of_day(other.id, day)).people == 0
    assert (await first_day.bank.boards.of_day(casino.guild.id, day)).people == 1


# -- past days ---------------------------------------------------------------------------------------------------------


async def test_r11_9_past_days_are_played_without_points(first_day: FirstDay) -> None:
    casino, day = first_day.casino, first_day.day
    first = await casino.ask("today")
    refused = await casino.alice.click(first, label="Past days")
    assert "no earlier day" in text_of(refused.response)  # type: ignore[arg-type]
    await casino.sleep(DAY + GRACE)
    answer = await casino.ask("today")
    await casino.alice.click(answer, label="Past days")
    await casino.alice.select(answer, [str(day.id)])
    assert "Hand 1 of 5" in text_of(answer)
    await first_day.plays(casino.alice, answer, archive=True)
    await casino.alice.click(answer, label="Your result")
    assert "100.0 of 100" in text_of(answer)
    assert "here" not in text_of(answer)
    assert keys(answer) == ["Hands", "Train these", "Again", "Past days", "Check it yourself", "Free chips"]
    assert (await first_day.bank.boards.of_day(casino.guild.id, day)).people == 0


async def test_r11_9_a_past_day_is_played_as_often_as_one_likes(first_day: FirstDay) -> None:
    casino, day = first_day.casino, first_day.day
    await casino.sleep(DAY + GRACE)
    phone = await casino.ask("today")
    await casino.alice.click(phone, label="Past days")
    await casino.alice.select(phone, [str(day.id)])
    await first_day.plays(casino.alice, phone, archive=True)
    await casino.alice.click(phone, label="Your result")
    desk = await casino.ask("today")
    await casino.alice.click(desk, label="Past days")
    await casino.alice.select(desk, [str(day.id)])
    again = next(part for part in raw.components(phone) if part.get("label") == "Again")
    await raw.press(casino.alice, phone, again["custom_id"], times=2)
    await casino.alice.click(phone, label=keys(phone)[0])
    steps = (await first_day.try_of(casino.alice, archive=True)).steps
    assert steps
    for label, done in (("Hands", "look back at your hands"), ("Train these", "train these hands")):
        refused = (await casino.alice.click(desk, label=label)).response
        assert text_of(refused) == f"You can {done} once all five are over."  # type: ignore[arg-type]
    await casino.alice.click(desk, label="Again")
    assert (await first_day.try_of(casino.alice, archive=True)).steps == steps


async def test_r13_1_nobody_on_a_break_starts_a_past_day_over(first_day: FirstDay) -> None:
    casino, day = first_day.casino, first_day.day
    await casino.sleep(DAY + GRACE)
    answer = await casino.ask("today")
    await casino.alice.click(answer, label="Past days")
    await casino.alice.select(answer, [str(day.id)])
    await first_day.plays(casino.alice, answer, archive=True)
    await casino.alice.click(answer, label="Your result")
    await first_day.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.WEEK)
    refused = (await casino.alice.click(answer, label="Again")).response
    assert refused is not None
    assert "You are taking a break from everything" in text_of(refused)
    assert (await first_day.try_of(casino.alice, archive=True)).over


async def test_r11_7_a_hand_moves_once_its_day_is_over_for_everybody(
    first_day: FirstDay, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, day = first_day.casino, first_day.day
    answer = await finished(first_day, casino.alice)
    await casino.alice.click(answer, label="Hands")
    assert "Animation" not in keys(answer)
    (forged,) = await raw.press(casino.alice, answer, f"today:motion:0:{day.id}:0")
    assert "doesn't belong here" in text_of(forged.response)  # type: ignore[arg-type]
    await casino.sleep(DAY)
    answer = await casino.ask("today")
    await casino.alice.click(answer, label="Past days")
    await casino.alice.select(answer, [str(day.id)])
    press = first_day.bank.tries.press

    async def outrun(*given: Any) -> None:
        await press(*given)
        raise OutdatedTry

    with monkeypatch.context() as patched:
        patched.setattr(first_day.bank.tries, "press", outrun)
        await casino.alice.click(answer, label=keys(answer)[0])
    assert text_of(answer).startswith("### Hand 1 of 5"), "the slower of two presses does not show the day itself"
    await first_day.plays(casino.alice, answer, archive=True)
    await casino.alice.click(answer, label="Your result")
    assert "streak" not in text_of(answer), "a past day adds nothing to it"
    assert "here" not in text_of(answer), "nor has it a place, though there is one of the day itself"
    await casino.alice.click(answer, label="Hands")
    await casino.alice.click(answer, label="Animation")
    assert text_of(answer).startswith("### Hand 1 🟢")
    (file,) = answer.attachments
    played = await first_day.try_of(casino.alice, day, archive=True)
    with Image.open(BytesIO(await file.read())) as film:
        assert film.n_frames == len(played.letters[0]) + 2  # type: ignore[attr-defined]
    await casino.alice.click(answer, label="2")
    assert answer.attachments == []
    again = await casino.alice.click(answer, label="Animation")
    assert "One animation a minute" in text_of(again.response)  # type: ignore[arg-type]
    monkeypatch.setattr("cogs.today.keys.public_from", lambda day: closes(day) + DAY)
    refused = await casino.alice.click(answer, label="Animation")
    assert "once its day is over for everybody" in text_of(refused.response)  # type: ignore[arg-type]


# -- a past day on paper -----------------------------------------------------------------------------------------------


async def test_r11_7_a_past_day_is_handed_out_with_ones_own_try_and_a_page_that_checks_it(
    first_day: FirstDay, monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, day = first_day.casino, first_day.day
    mine: simcord.ResponseMessage | None = await finished(first_day, casino.alice, min)
    assert mine is not None
    (early,) = await raw.press(casino.alice, mine, f"today:proof:{day.day}")
    assert "doesn't belong here" in text_of(early.response)  # type: ignore[arg-type]
    mine = (await casino.alice.click(mine, label="Board")).response
    assert mine is not None
    assert "Check it yourself" not in keys(mine)
    points = (await first_day.try_of(casino.alice)).points
    await casino.sleep(DAY + GRACE)
    await casino.alice.click(mine, label="Week")
    assert keys(mine) == ["Day"], "only a day is handed out"
    await casino.alice.click(mine, label="Day")
    assert keys(mine) == ["Week", "Day before", "Check it yourself"]
    with monkeypatch.context() as earlier:
        earlier.setattr("data.sets.days.public_from", lambda day: public_from(day) + DAY)
        early = (await raw.press(casino.alice, mine, f"today:proof:{day.day}"))[0]
        assert text_of(early.response) == "A day's files are ready one hour after it has closed."  # type: ignore[arg-type]
    handed = (await casino.alice.click(mine, label="Check it yourself")).response
    assert handed is not None
    page, text = [(await file.read()).decode() for file in handed.attachments]
    assert [file.filename for file in handed.attachments] == ["five-2026-01-02.html", "five-2026-01-02.json"]
    found = Day.read(parse(text))
    assert all(check.fits for check in verify_day(found, solver=False))
    assert (found.day, found.played and found.played.points) == (day.day, points)
    assert html.escape(text) in page
    board = await board_of_yesterday(casino.bob, first_day)
    others = (await casino.bob.click(board, label="Check it yourself")).response
    assert others is not None
    assert '"try"' not in (await others.attachments[1].read()).decode()


async def board_of_yesterday(who: simcord.MemberActor, first_day: FirstDay) -> simcord.ResponseMessage:
    answer = await first_day.begins(who)
    first_day.day = await first_day.bank.days.on(first_day.date)
    await first_day.plays(who, answer)
    await who.click(answer, label="Your result")
    board = (await who.click(answer, label="Board")).response
    assert board is not None
    await who.click(board, label="Day before")
    return board


# -- a break from everything -------------------------------------------------------------------------------------------


async def test_r13_1_a_break_from_everything_keeps_its_person_out(first_day: FirstDay) -> None:
    casino, away = first_day.casino, "You are taking a break from everything"
    opened = await casino.ask("today", casino.bob)
    answer = await finished(first_day, casino.alice)
    await casino.alice.click(answer, label="Share")
    await casino.bot.bank.breaks.begin(casino.bob.id, Rest.EVERYTHING, Length.DAY)
    shared = await casino.bob.click(casino.channel.history()[-1], label="Play")
    begun = await casino.bob.click(opened, label="Play")
    for refused in (shared.response, begun.response, await casino.ask("today", casino.bob)):
        assert refused is not None
        assert away in text_of(refused)
    assert away in text_of(await casino.ask("train", casino.bob))
    assert await first_day.bank.tries.known(casino.bob.id) is None


async def test_r13_2_five_hands_that_were_begun_before_a_break_may_be_finished(first_day: FirstDay) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    await casino.bot.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.WEEK)
    await first_day.plays(casino.alice, answer)
    await casino.alice.click(answer, label="Your result")
    assert "100.0 of 100" in text_of(answer)


async def test_r11_8_a_day_of_a_break_is_no_missed_day_of_the_streak_that_is_shown(first_day: FirstDay) -> None:
    casino = first_day.casino
    await finished(first_day, casino.alice)
    await casino.bot.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.DAY)
    await casino.sleep(3 * DAY)
    await first_day.bank.notes.keep_numbers({"heartbeat": first_day.now})  # another process of the house was up
    await casino.ask("today", casino.bob)
    first_day.day = await first_day.bank.days.on(first_day.date)
    assert text_of(await finished(first_day, casino.alice)).endswith(" · streak 2")


# -- nobody learns a card ----------------------------------------------------------------------------------------------


async def test_r11_7_whoever_has_not_finished_learns_no_card_from_any_command(first_day: FirstDay) -> None:
    """A second member, who also manages the server, walks through all commands while others have finished."""
    casino, day = first_day.casino, first_day.day
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    answer = await finished(first_day, casino.alice)
    await casino.alice.click(answer, label="Share")
    await casino.alice.click(answer, label="Hands")
    said, walked = [], set[str]()
    whole = discord.AppCommandOptionType.integer
    given = {"member": casino.alice, "file": ("chips.csv", b"id,chips")}
    for command in casino.bot.tree.walk_commands(type=discord.AppCommandType.chat_input):
        dealt = command.name in (*GAMES, "elimination", "train")  # cards of their own
        if isinstance(command, discord.app_commands.Group) or dealt:
            continue
        options = {
            each.name: given.get(each.name, 5 if each.type is whole else "5")
            for each in command.parameters
            if each.required
        }
        reply = await casino.ask(command.qualified_name, boss, **options)
        said += [json.dumps(raw.components(reply), ensure_ascii=False), reply.content]
        said += [(await file.read()).decode(errors="replace") for file in reply.attachments]
        walked.add(command.qualified_name)
    assert {"history", "verify", "casino export", "tournament list", "duel", "leaderboard", "odds"} <= walked
    said += [json.dumps(raw.components(message), ensure_ascii=False) for message in casino.channel.history()]
    for forged in ("today:hands:0:{set}:0", "today:share:{set}", "today:act:0:{set}:1:stand", "today:play:1:{set}"):
        own = await casino.ask("today", casino.bob)
        (pressed,) = await raw.press(casino.bob, own, forged.format(set=day.id))
        said.append(text_of(pressed.response))  # type: ignore[arg-type]
    for place in range(5):
        for card in (*day.prepared.situations[place].split(" v "),):
            assert len(card) < 3 or not any(card in text for text in said), card
    cards = {day.shoes(deal.number)[index] for deal in day.prepared.deals for index in range(4)}
    written = [f"{card[0].replace('T', '10')}{suit}" for card in cards for suit in "♠♥♦♣"]
    assert not [text for text in said if any(card in text for card in written)]


async def test_r11_7_no_page_of_another_person_no_export_log_or_metric_tells_a_card(
    first_day: FirstDay, caplog: pytest.LogCaptureFixture
) -> None:
    """Bob has begun and not finished; he presses Alice's pages, asks about her, and manages the server."""
    casino, day = first_day.casino, first_day.day
    caplog.set_level("INFO")
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    await first_day.begins(boss)
    answer = await finished(first_day, casino.alice, min)
    hands = f"today:hands:0:{day.id}:0"
    said: list[str] = []
    for custom_id in (hands, f"today:share:{day.id}", f"today:train:0:{day.id}", f"today:boards:{day.day}"):
        (pressed,) = await raw.press(boss, answer, custom_id)
        said.append(text_of(pressed.response))  # type: ignore[arg-type]
    asks: list[tuple[str, dict[str, Any]]] = [
        *((command, {"member": casino.alice}) for command in ("balance", "stats")),
        *((command, {}) for command in ("history", "verify", "odds", "casino export", "casino audit", "casino setup")),
    ]
    for command, options in asks:
        reply = await casino.ask(command, boss, **options)
        said += [text_of(reply), *[(await file.read()).decode(errors="replace") for file in reply.attachments]]
    said += [caplog.text, generate_latest().decode()]
    secrets = [day.seed.hex(), day.prepared.answers_as_json(), day.prepared.deals_as_json()]
    for deal in day.prepared.deals:
        cards = [day.shoes(deal.number)[index] for index in range(4)]
        secrets += [f"{card[0].replace('T', '10')}{suit}" for card in cards for suit in "♠♥♦♣"]
    assert [secret for secret in secrets if any(secret in text for text in said)] == []
    shown = picture(await first_day.begins(casino.person("eve")))
    assert [secret for secret in secrets if secret in shown], "the walk would see a card"


async def test_r11_7_how_long_a_press_takes_tells_nothing_of_what_others_did_or_what_lies_face_down(
    first_day: FirstDay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob plays before anybody has finished and Carol after it, and the house does the same for both: as many looks
    into the bank, and not one question to the coach. So it does on the next day, with other cards.
    """
    casino, done = first_day.casino, [list[str]()]
    store, asked = first_day.bank._store, list[object]()
    event.listen(store.engine.sync_engine, "before_cursor_execute", lambda *told: done[-1].append(told[2]))
    fetch, ask = store.write.fetch, casino.bot.coach.ask  # type: ignore[union-attr]

    async def noted(statement: Any, values: Any) -> Any:
        done[-1].append(statement.sql)
        return await fetch(statement, values)

    async def answered(question: Any, *more: Any) -> Any:
        asked.append(question)
        return await ask(question, *more)

    monkeypatch.setattr(store.write, "fetch", noted)
    monkeypatch.setattr(casino.bot.coach, "ask", answered)

    async def plays_a_hand(name: str) -> list[str]:
        done.append([])
        answer = await first_day.begins(casino.person(name))
        found = await first_day.try_of(casino.person(name))
        done[-1].append("a press")
        await casino.person(name).click(answer, label=LABELS[next(iter(found.prepared.answers[0][""]))])
        return done.pop()

    for name in ("dora", "emil", "fred", "gina"):
        await casino.ask("balance", casino.person(name))
    first = await plays_a_hand("dora")
    await finished(first_day, casino.alice)
    assert await plays_a_hand("emil") == first
    await casino.sleep(DAY)
    await casino.ask("today")
    first_day.day = await first_day.bank.days.on(first_day.date)
    asked.clear()
    second = await plays_a_hand("fred")
    await finished(first_day, casino.alice)
    assert await plays_a_hand("gina") == second
    assert asked == []


@pytest.mark.parametrize("place", range(5))
async def test_r11_7_what_is_shown_of_a_hand_has_no_card_that_lies_face_down(first_day: FirstDay, place: int) -> None:
    casino = first_day.casino
    answer = await first_day.begins(casino.alice)
    while (found := await first_day.try_of(casino.alice)).place < place:
        label = "Next" if found.round.over else "Stand" if "Stand" in keys(answer) else keys(answer)[0]
        await casino.alice.click(answer, label=label)
    view = found.round.view()
    assert None in view.dealer.cards
    shown = picture(answer)
    assert shown.count("♠") + shown.count("♥") + shown.count("♦") + shown.count("♣") == 3


# -- without a coach ---------------------------------------------------------------------------------------------------


async def test_without_a_coach_there_is_no_day(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(casino.bot, "coach", None)
    assert "The coach is switched off here." in text_of(await casino.ask("today"))


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "paused", "told"), [(0, True, ""), (1, False, "streak 1"), (1_200, True, "streak 1,200 (paused)")]
)
def test_a_streak_of_nothing_is_not_told(days: int, told: str, *, paused: bool) -> None:
    assert texts.streak(days, paused=paused) == told


@pytest.mark.parametrize(
    ("points", "later", "told"),
    [
        (None, False, ""),
        (None, True, " · played later"),
        (0, False, " · 0.0"),
        (9_687, True, " · 96.9 · played again"),
    ],
)
def test_a_past_day_of_no_points_was_played(points: int | None, told: str, *, later: bool) -> None:
    day = ArchivedDay(7, 20_455, 1_200, "original", points, later)
    assert texts.archived(day) == f"#1,200 · original{told}"


@pytest.mark.parametrize("place", range(DEALS))
def test_an_animation_begins_with_the_deal_and_ends_with_the_last_decision(place: int) -> None:
    """Before any decision the hole card lies face down, and after the last one it does not."""
    moved = moments(tried(), dealt().shoes, place)
    assert len(moved) == len(tried().letters[place]) + 1
    assert ["░░" in moment.picture.alt for moment in moved] == [True] * (len(moved) - 1) + [False]


def test_the_pictures_of_a_hand_have_the_suits_that_the_reader_chose() -> None:
    round = deal_again(dealt().prepared, dealt().shoes, 0, "")
    plain = picture_of(round).draw()
    with reading(replace(READER.get(), four_colours=True)):
        assert picture_of(round).draw() != plain


def test_the_terms_of_a_day_name_what_may_not_be_done() -> None:
    plain = replace(VEGAS, surrender=True)
    assert texts.terms_line("ours", plain) == "ours: 6 decks"
    poor = replace(plain, double=Double.NO, split=Split.NO, surrender=False)
    assert texts.terms_line("ours", poor) == "ours: 6 decks, no double, no split, no surrender"
    assert texts.terms_line("ours", replace(plain, split=Split.NO, swap=True)) == "ours: 6 decks, swap instead of split"


def test_r11_2_on_sunday_it_is_said_what_differs_from_the_rule_set_of_that_name() -> None:
    sunday = PROGRAMME[SUNDAY]
    assert texts.terms_line(sunday.name, sunday.rules) == "vegas: 1 deck, the dealer hits soft 17"
