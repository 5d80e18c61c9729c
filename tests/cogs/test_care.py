"""Breaks and limits in /settings: private throughout, on a server and in a direct message."""

from __future__ import annotations

import re

import pytest
import simcord
import sqlalchemy as sa

from cogs.care import sittings
from cogs.care.keys import BeginBreakKey
from cogs.care.sittings import LONG, PAUSE
from data import NEVER, Challenges, Ladder, Length, LimitKind, Rest
from data.base.schema import transfers
from data.people.fingerprints import DAY
from engine.games.contract import CHIP
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino, asked, keys, text_of
from .test_war import at_war_by_the_seed


async def page(casino: Casino, who: simcord.MemberActor | None = None) -> simcord.ResponseMessage:
    """The page behind `/settings`."""
    who = who or casino.alice
    answer = await casino.ask("settings", who)
    await who.click(answer, label="Breaks and limits")
    return answer


def said(result: simcord.InteractionResult) -> str:
    assert result.response is not None
    return text_of(result.response)


async def fill(
    casino: Casino, answer: simcord.ResponseMessage, opened: simcord.InteractionResult, **fields: str
) -> simcord.InteractionResult:
    """Send the form back that was opened from this answer."""
    assert opened.modal is not None
    return await raw.submit(casino.alice, answer, opened.modal["custom_id"], fields)


async def began(casino: Casino, *, what: str = "From chips", length: str = "A week") -> simcord.ResponseMessage:
    answer = await page(casino)
    for label in ("Take a break", what, length, "Begin the break"):
        await casino.alice.click(answer, label=label)
    return answer


# -- breaks ------------------------------------------------------------------------------------------------------------


async def test_r13_1_a_break_is_begun_by_one_confirmation_that_names_its_end(casino: Casino) -> None:
    answer = await page(casino)
    for label in ("Take a break", "From chips", "A week"):
        await casino.alice.click(answer, label=label)
    end = int(casino.bot.clock.now() + 7 * DAY)
    assert f"<t:{end}:F>" in text_of(answer)
    assert "nobody can end it early" in text_of(answer)
    assert (await casino.bot.bank.breaks.of(casino.alice.id)).chips is None
    await casino.alice.click(answer, label="Begin the break")
    assert int((await casino.bot.bank.breaks.of(casino.alice.id)).chips or 0) == end
    await casino.alice.click(answer, label="Breaks and limits")
    assert f"Break** from chips until <t:{end}:F>" in text_of(answer)
    refused = (await casino.blackjack(bet=10)).response
    assert refused is not None
    assert refused.ephemeral
    assert f"You are taking a break until <t:{end}:F>" in text_of(refused)


async def test_a_break_from_everything_has_one_line_and_a_longer_one_from_chips_a_second(casino: Casino) -> None:
    answer = await began(casino, what="From everything", length="A day")
    await casino.alice.click(answer, label="Breaks and limits")
    assert text_of(answer).count("**Break**") == 1
    assert "**Break** from everything until" in text_of(answer)
    longer = await began(casino, what="From chips", length="A week")
    await casino.alice.click(longer, label="Breaks and limits")
    assert "**Break** from everything until" in text_of(longer)
    assert "**Break** from chips until" in text_of(longer)


async def test_a_confirmation_that_is_declined_begins_nothing(casino: Casino) -> None:
    answer = await page(casino)
    for label in ("Take a break", "From everything", "A year", "No"):
        await casino.alice.click(answer, label=label)
    assert "Break**: none" in text_of(answer)


def test_r13_1_no_key_alone_begins_a_break_for_good() -> None:
    begins = BeginBreakKey.carries.pattern.fullmatch
    assert begins("care:begin:chips:year")
    assert not begins("care:begin:chips:for_good")


async def test_r13_1_for_good_asks_to_type_it(casino: Casino) -> None:
    answer = await page(casino)
    for label in ("Take a break", "From everything"):
        await casino.alice.click(answer, label=label)
    opened = await casino.alice.click(answer, label="For good")
    assert opened.modal is not None
    declined = await fill(casino, answer, opened, sure="yes")
    assert "No break has begun" in said(declined)
    assert (await casino.bot.bank.breaks.of(casino.alice.id)).chips is None
    opened = await casino.alice.click(answer, label="For good")
    assert opened.modal is not None
    await fill(casino, answer, opened, sure=" For Good ")
    resting = await casino.bot.bank.breaks.of(casino.alice.id)
    assert resting.everything is not None
    assert resting.may_ask is not None


async def test_r13_1_a_break_for_good_may_be_confirmed_in_ones_own_language_and_in_english(casino: Casino) -> None:
    await casino.alice.select(await casino.ask("settings"), ["fr"], custom_id="settings:language")
    where = await casino.ask("settings")
    for words, what in (("Pour toujours", Rest.CHIPS), ("for good", Rest.EVERYTHING)):
        form = f"care:good:{what}"
        begun = await raw.submit(casino.alice, where, form, {"sure": words})  # type: ignore[arg-type]
        assert begun.acknowledged
        assert getattr(await casino.bot.bank.breaks.of(casino.alice.id), what) == NEVER


async def test_r13_1_nothing_on_the_page_ends_a_break(casino: Casino) -> None:
    answer = await began(casino)
    await casino.alice.click(answer, label="Breaks and limits")
    assert keys(answer) == ["Take a break", "Limits", "Hide me from leaderboards", "What the house does"]


async def test_r13_1_a_break_for_good_is_asked_to_end_after_a_year(casino: Casino) -> None:
    bank = casino.bot.bank
    await casino.ask("balance")
    answer = await page(casino)
    for label in ("Take a break", "From chips"):
        await casino.alice.click(answer, label=label)
    opened = await casino.alice.click(answer, label="For good")
    assert opened.modal is not None
    await fill(casino, answer, opened, sure="for good")
    (early,) = await raw.press(casino.alice, await page(casino), "care:ask")
    assert early.response is not None
    assert "doesn't belong here" in text_of(early.response)
    until = (await bank.breaks.of(casino.alice.id)).may_ask
    assert until is not None
    assert f"You may ask for it to end from <t:{int(until)}:F> on." in text_of(await page(casino))
    async with bank._store.rewriting() as connection:  # a year later, without a year of chores
        await connection.exec_driver_sql(f"UPDATE breaks SET began_at = began_at - {366 * DAY}")
    answer, second, third = [await page(casino) for _ in range(3)]
    await casino.alice.click(answer, label="Ask for the break to end")
    assert "Ask for the break to end" not in keys(answer)
    end = (await bank.breaks.of(casino.alice.id)).chips
    assert end is not None
    assert abs(end - casino.bot.clock.now() - 30 * DAY) < 60
    assert said(await casino.alice.click(second, label="Ask for the break to end")) == "You have no break for good."
    await bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.FOR_GOOD)
    again = (await bank.breaks.of(casino.alice.id)).may_ask
    refused = said(await casino.alice.click(third, label="Ask for the break to end"))
    assert refused == f"You may ask for it to end from <t:{int(again or 0)}:F> on."
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql(f"UPDATE breaks SET began_at = began_at + {366 * DAY} WHERE id = 1")
        await connection.exec_driver_sql("DELETE FROM breaks WHERE ends IS NOT NULL")
        await connection.exec_driver_sql(f"UPDATE members SET resting_until = {2.0**40} WHERE resting_until > 0")


async def test_it_works_in_a_direct_message_for_all_servers(casino: Casino) -> None:
    user = casino.env.create_user("carol")
    result = await user.slash("settings")
    assert result.response is not None
    assert result.response.ephemeral
    for label in ("Breaks and limits", "Take a break", "From chips", "A day", "Begin the break"):
        await user.click(result.response, label=label)
    assert "has begun" in text_of(result.response)
    assert (await casino.bot.bank.breaks.of(user.id)).chips is not None


@pytest.mark.parametrize("command", ["help", "privacy", "settings"])
async def test_the_page_is_found_from_where_people_look(casino: Casino, command: str) -> None:
    answer = await casino.ask(command)
    await casino.alice.click(answer, label="Breaks and limits")
    await casino.alice.click(answer, label="What the house does")
    assert "nothing to win back" in text_of(answer)


async def test_r13_1_a_break_from_everything_covers_odds(casino: Casino) -> None:
    await casino.until(asked)
    answer = await page(casino)
    for label in ("Take a break", "From everything", "A day", "Begin the break"):
        await casino.alice.click(answer, label=label)
    assert "You are taking a break from everything" in text_of(await casino.ask("odds"))
    await casino.play_on()


@pytest.mark.parametrize("past_a_limit", [False, True])
@pytest.mark.parametrize(
    ("key", "word"), [("Double", "double"), ("Split", "split"), ("Insure", "insure"), ("Go to war", "war")]
)
async def test_r13_2_a_hand_that_has_begun_may_take_more_chips(
    casino: Casino,
    key: str,
    word: str,
    past_a_limit: bool,  # noqa: FBT001
) -> None:
    """On a break, and past a limit; the next hand may not begin."""
    if word == "war":
        await at_war_by_the_seed(casino)
    else:
        await casino.until(lambda snapshot: snapshot.phase is TablePhase.PLAYING and word in snapshot.legal[0])
    bank, stakes = casino.bot.bank, sa.select(sa.func.count()).where(transfers.c.reason == "stake")
    before = await bank._store.value(stakes)
    if past_a_limit:
        await bank.limits.set(casino.alice.id, LimitKind.LOSS_WEEK, 0)
        await bank.limits.set(casino.alice.id, LimitKind.HANDS_DAY, 0)
    else:
        await bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.DAY)
    await casino.click(key)
    assert await bank._store.value(stakes) == before + 1
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.click("Surrender" if word == "war" else quietly(casino))
    await casino.click("Deal")
    assert await bank._store.value(stakes) == before + 1


# -- limits ------------------------------------------------------------------------------------------------------------


async def test_r13_3_limits_are_set_in_a_form_and_a_stake_past_one_is_refused(casino: Casino) -> None:
    answer = await page(casino)
    opened = await casino.alice.click(answer, label="Limits")
    assert opened.modal is not None
    await fill(casino, answer, opened, limit0="1,000", limit1="", limit2="50")
    limits = await casino.bot.bank.limits.of(casino.alice.id)
    assert [limit.most for limit in limits.values()] == [1_000 * CHIP, None, 50]
    opened = await casino.alice.click(answer, label="Limits")
    assert opened.modal is not None
    await fill(casino, answer, opened, limit0="100", limit1="", limit2="70")
    assert "**Loss in 24 hours**: 100 chips\n" in text_of(answer)
    assert re.search(r"\*\*Hands in 24 hours\*\*: 50, then 70 <t:\d+:R>", text_of(answer))
    await casino.ask("balance")  # which opens an account
    assert "**Loss in 24 hours**: 0 of 100 chips\n**Loss in 7 days**: no limit" in text_of(await page(casino))
    result = await casino.blackjack(bet=101)
    refused = [
        said for said in (result.response, *result.followups) if said is not None and "past a limit" in said.content
    ]
    assert [said.ephemeral for said in refused] == [True]


async def test_r13_3_a_form_shows_what_was_asked_for_last_and_the_present_limit_cancels_a_rise(casino: Casino) -> None:
    limits, alice = casino.bot.bank.limits, casino.alice.id
    for kind, now, later in (
        (LimitKind.LOSS_DAY, 100 * CHIP, 1_000 * CHIP),
        (LimitKind.LOSS_WEEK, 500 * CHIP, None),
        (LimitKind.HANDS_DAY, 50, 70),
    ):
        await limits.set(alice, kind, now)
        await limits.set(alice, kind, later)
    before = await limits.of(alice)
    answer = await page(casino)
    opened = await casino.alice.click(answer, label="Limits")
    assert opened.modal is not None
    fields = opened.modal["components"]
    shown = [field["component"].get("value", "") for field in fields]
    assert shown == ["1,000", "", "70"]
    assert [field["description"] for field in fields] == [
        "Now: 100 chips · In chips, on each server; empty: no limit",
        "Now: 500 chips · In chips, on each server; empty: no limit",
        "Now: 50 · All servers together; empty: no limit",
    ]
    await casino.env.advance_time(60)
    await fill(casino, answer, opened, limit0=shown[0], limit1=shown[1], limit2=shown[2])
    assert await limits.of(alice) == before, "no rise begins again"
    await fill(casino, answer, opened, limit0="100", limit1="500", limit2="70")
    after = await limits.of(alice)
    assert [(limit.most, limit.later_at) for limit in after.values()] == [
        (100 * CHIP, None),
        (500 * CHIP, None),
        (50, before[LimitKind.HANDS_DAY].later_at),
    ]
    await limits.set(alice, LimitKind.LOSS_DAY, 0)
    opened = await casino.alice.click(answer, label="Limits")
    assert opened.modal is not None
    assert opened.modal["components"][0]["component"]["value"] == "0", "an empty field would be no limit"


async def test_r13_3_what_counts_so_far_is_told_with_and_without_a_limit(casino: Casino) -> None:
    limits, alice = casino.bot.bank.limits, casino.alice.id
    await limits.set(alice, LimitKind.LOSS_DAY, 1_000 * CHIP)
    await limits.set(alice, LimitKind.HANDS_DAY, 5)
    await casino.deal("9 8 / 9 ? | T T", bet=25)
    await casino.play_on()
    lost = 1_000 - await casino.balance(casino.alice)
    assert lost == 25
    assert text_of(await page(casino)).splitlines()[2:5] == [
        "**Loss in 24 hours**: 25 of 1,000 chips",
        "**Loss in 7 days**: 25 chips so far, no limit",
        "**Hands in 24 hours**: 1 of 5",
    ]


async def test_what_is_no_number_sets_no_limit(casino: Casino) -> None:
    answer = await page(casino)
    opened = await casino.alice.click(answer, label="Limits")
    assert opened.modal is not None
    result = await fill(casino, answer, opened, limit0="a lot", limit1="10", limit2="")
    assert said(result) == "**a lot** isn't a whole number."
    assert (await casino.bot.bank.limits.of(casino.alice.id))[LimitKind.LOSS_WEEK].most is None


# -- choices -----------------------------------------------------------------------------------------------------------


async def test_r13_5_somebody_hidden_is_on_no_leaderboard_and_leaves_no_hole(casino: Casino) -> None:
    for name in ("bob", "alice", "carol"):
        await casino.ask("balance", casino.person(name))
    await casino.grant(casino.bob, 500)
    await casino.grant(casino.alice, 300)
    assert casino.alice.mention in text_of(await casino.ask("leaderboard"))
    await casino.alice.click(await page(casino), label="Hide me from leaderboards")
    board = text_of(await casino.ask("leaderboard", casino.bob))
    assert casino.alice.mention not in board
    there = await casino.bot.bank.ladders.leaderboard(casino.guild.id, Ladder.CHIPS)
    assert [(row.place, row.user) for row in there.rows] == [(1, casino.bob.id), (2, casino.person("carol").id)]
    assert there.people == 2
    await casino.alice.click(await page(casino), label="Show me on leaderboards")
    assert casino.alice.mention in text_of(await casino.ask("leaderboard", casino.bob))


async def test_r12_7_whose_challenges_are_taken_is_kept(casino: Casino) -> None:
    answer = await page(casino)
    await casino.alice.select(answer, [str(Challenges.FOR_FUN)], custom_id="care:challenges")
    await casino.restart()
    assert (await casino.bot.bank.wishes.of(casino.alice.id)).challenges is Challenges.FOR_FUN
    (menu,) = [part for part in raw.components(await page(casino)) if part.get("custom_id") == "care:challenges"]
    assert menu["placeholder"] == "Challenges and invitations: for fun only"
    assert [option["label"] for option in menu["options"] if option.get("default")] == [menu["placeholder"]]


async def test_r12_7_being_hidden_and_whose_challenges_are_taken_are_kept_beside_each_other(casino: Casino) -> None:
    async def kept() -> tuple[bool, Challenges]:
        wishes = await casino.bot.bank.wishes.of(casino.alice.id)
        return wishes.hidden, wishes.challenges

    answer = await page(casino)
    await casino.alice.click(answer, label="Hide me from leaderboards")
    assert "**Leaderboards**: hidden" in text_of(answer)
    await casino.alice.select(answer, [str(Challenges.NOBODY)], custom_id="care:challenges")
    assert await kept() == (True, Challenges.NOBODY)
    await raw.choose(casino.alice, answer, "care:challenges", 3, ["somebody"])  # type: ignore[arg-type]
    assert await kept() == (True, Challenges.NOBODY)
    await casino.alice.click(answer, label="Show me on leaderboards")
    assert "**Leaderboards**: shown" in text_of(answer)
    assert await kept() == (False, Challenges.NOBODY)
    assert (await page(casino, casino.bob)).ephemeral


def quietly(casino: Casino) -> str:
    return "No insurance" if "No insurance" in set(casino.keys()) else "Stand"


# -- two hours ---------------------------------------------------------------------------------------------------------


async def test_r13_5_after_two_hours_without_a_pause_the_next_press_brings_one_private_line(casino: Casino) -> None:
    await casino.sealed_table()
    noted = list[int]()
    for hand in range(40):
        said = [(await casino.click("Deal")).followups]
        while casino.snapshot.phase is TablePhase.PLAYING:
            said.append((await casino.click(quietly(casino))).followups)
        lines = [line for lines in said for line in lines if "two hours" in line.content]
        assert all(line.ephemeral for line in lines)
        noted += [hand] * len(lines)
        await casino.env.advance_time(240)
    assert noted == [30]  # two hours of four minutes each, and never again


async def test_r13_5_a_pause_of_ten_minutes_begins_the_two_hours_again(casino: Casino) -> None:
    clock = casino.bot.clock.now()
    sittings._sittings.clear()
    before = [five_minutes * 300.0 for five_minutes in range(12)]
    again = before[-1] + PAUSE
    times = [*before, *(again + five_minutes * 300.0 for five_minutes in range(24))]
    assert not any(sittings._is_long(casino.bot, 1, clock + time) for time in times)
    assert sittings._is_long(casino.bot, 1, clock + again + LONG)


async def test_the_sittings_of_ten_thousand_people_are_remembered_and_the_latest_press_counts(casino: Casino) -> None:
    sittings._sittings.clear()
    for user in (1, *range(2, 10_001), 1, 10_001):
        sittings._is_long(casino.bot, user, 0.0)
    known = sittings._sittings[casino.bot]
    assert len(known) == 10_000
    assert (1 in known, 2 in known, 10_001 in known) == (True, False, True)
