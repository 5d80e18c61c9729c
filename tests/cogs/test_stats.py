"""/stats and Try again: what mistakes cost, what was luck, and misplayed hands asked again until they are learned."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import simcord
from sqlalchemy import text

from cogs.coach import grader, stats_text, trying
from data import Graded, Missed, PlotPoint, Skill
from data.coach.grades import Grades
from engine.coach import Coach, CoachGone
from engine.coach.grading import VALUATION
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.contract import CHIP
from engine.solver import Position, decision, game
from engine.tables.ports import BankUnavailable
from engine.tables.snapshot import TablePhase
from tests.data.by_hand import by_hand

from . import raw
from .conftest import Casino, keys, text_of

VEGAS = RULE_SETS["vegas"]
DAY = 24 * 3600


async def slip(casino: Casino) -> float:
    """A hundred chips, ten and six against a six: Alice hits, gets a two, and stands. What that cost, in chips."""
    await casino.deal("T 6 / 6 ? | 2", bet=100)
    worth = decision(VEGAS, Position.fresh(VEGAS, ("T", "6"), "6")).actions
    await casino.click("Hit")
    await casino.play_on()
    return 100 * (worth["stand"] - worth["hit"])


def numbers(text: str) -> dict[str, float]:
    """Return the numbers of the page, in chips."""
    found = {
        "net": r"\*\*([+−±][\d.,]+) chips?\*\* in",
        "given away": r"Lost to mistakes: \*\*([\d.]+) chips?\*\*",
        "expected": r"Expected ([+−±][\d.,]+)",
        "luck": r"luck (?:brought|cost) you \*\*([\d.,]+)\*\*",
    }
    told = {name: re.search(pattern, text) for name, pattern in found.items()}
    return {
        name: float(match[1].replace("−", "-").replace("±", "").replace(",", ""))
        for name, match in told.items()
        if match
    }


async def test_what_was_given_away_and_what_was_luck(casino: Casino) -> None:
    lost = await slip(casino)
    net = await casino.balance(casino.alice) - 1_000
    text = text_of(await casino.ask("stats"))
    expected = 100 * game(VEGAS).value - lost
    assert numbers(text) == {
        "net": net,
        "given away": pytest.approx(lost, abs=0.01),
        "expected": pytest.approx(expected, abs=0.01),
        "luck": pytest.approx(abs(net - expected), abs=0.01),
    }
    assert "in 1 hand" in text
    assert "Accuracy **50.0%** of 2 decisions" in text


@pytest.mark.parametrize(
    ("net", "told"),
    [
        (50, "good luck brought you **0.50**"),
        (0, "good luck brought you **0**"),
        (-50, "bad luck cost you **0.50**"),
    ],
)
def test_luck_is_good_or_bad(net: int, told: str) -> None:
    skill = Skill(1, 1, 0, net, net, net, expected=0.0, measured=net, given_away=0.0, decisions=1, right=1)
    assert told in stats_text.lines(skill)


async def test_the_costliest_mistakes_are_told_with_the_better_play(casino: Casino) -> None:
    lost = await slip(casino)
    text = text_of(await casino.ask("stats"))
    assert re.search(rf"−{lost:.2f} · `10. 6.` against `6.` · Hit instead of \*\*Stand\*\*", text), text


async def test_others_see_how_somebody_plays_and_not_their_mistakes(casino: Casino) -> None:
    await slip(casino)
    answer = await casino.ask("stats", casino.bob, member=casino.alice)
    assert "Accuracy **50.0%**" in text_of(answer)
    assert "Costliest" not in text_of(answer)
    assert keys(answer) == []


async def test_the_plot_is_told_in_its_alt_text(casino: Casino) -> None:
    await slip(casino)
    answer = await casino.ask("stats")
    (gallery,) = (part for part in raw.components(answer) if part["type"] == 12)
    told = gallery["items"][0]["description"]
    sign = "+" if "luck brought you" in text_of(answer) else "−"
    assert f"luck {sign}{numbers(text_of(answer))['luck']:.2f}" in told


async def test_rounds_are_graded_by_themselves_a_while_after_they_were_played(casino: Casino) -> None:
    await slip(casino)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.grades.skill(me.id)).waiting == 1
    await casino.env.advance_time(31)
    skill = await casino.bot.bank.grades.skill(me.id)
    assert (skill.hands, skill.waiting, skill.decisions) == (1, 0, 2)


async def test_what_an_earlier_process_left_is_graded_at_the_start(casino: Casino) -> None:
    await slip(casino)
    await casino.restart()
    await casino.env.settle()
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.grades.skill(me.id)).waiting == 0
    assert await casino.bot.bank.notes.number(f"graded/v{VALUATION}") > 0


@pytest.mark.parametrize("fault", [BankUnavailable(), CoachGone()])
async def test_a_bank_or_a_coach_that_fails_once_does_not_end_what_is_graded_at_the_start(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    await slip(casino)
    keep, faults = Grades.keep, [fault]

    async def kept(*of: Any, **more: Any) -> None:
        if faults:
            raise faults.pop()
        await keep(*of, **more)

    monkeypatch.setattr(Grades, "keep", kept)
    await casino.restart()
    await casino.env.settle()
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.grades.skill(me.id)).waiting == 1
    await casino.env.advance_time(31)
    assert (await casino.bot.bank.grades.skill(me.id)).waiting == 0


async def test_hands_that_end_while_older_ones_are_graded_are_left_to_the_next_start(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await slip(casino)
    bank, began = casino.bot.bank, casino.bot.clock.now()
    keep = bank.grades.keep

    async def slowly(*grade: Any) -> None:
        casino.env.backend.clock.advance(60)
        await keep(*grade)

    monkeypatch.setattr(bank.grades, "keep", slowly)
    assert casino.bot.grader is not None
    await casino.bot.grader._catch_up()
    assert await bank.notes.number(f"graded/v{VALUATION}") == began < casino.bot.clock.now()


async def test_hands_that_ended_in_the_same_instant_are_all_graded_at_the_start(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _hand in range(3):
        await casino.deal("T T / 9 T", bet=100)
        await casino.play_on()
    for table, column in (("plays", "at"), ("rounds", "finished_at")):
        same = f"UPDATE {table} SET {column} = (SELECT MAX(at) FROM plays) WHERE {column} > 0"
        await by_hand(casino.bot.bank, same)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    monkeypatch.setattr(grader, "PAGE", 2)
    await casino.restart()
    await casino.env.settle()
    skill = await casino.bot.bank.grades.skill(me.id)
    assert (skill.hands, skill.waiting) == (3, 0)


async def test_a_new_valuation_grades_everything_again_and_stats_says_how_much_is_left(casino: Casino) -> None:
    lost = await slip(casino)
    assert "graded again" not in text_of(await casino.ask("stats"))
    for table in ("grades", "member_days"):
        await by_hand(casino.bot.bank, f"UPDATE {table} SET valuation = 1, given_away = 99999, expected = 0")
    await by_hand(casino.bot.bank, "DELETE FROM season_places")  # as an audit wants it before the grader comes round
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.grades.skill(me.id, valuation=VALUATION)).outdated == 1
    await casino.restart()
    await casino.env.settle()
    skill = await casino.bot.bank.grades.skill(me.id, valuation=VALUATION)
    assert (skill.outdated, skill.hands) == (0, 1)
    assert skill.given_away / CHIP == pytest.approx(lost, abs=0.01)


async def test_what_waits_to_be_graded_again_is_told_while_the_coach_is_busy(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await slip(casino)
    await casino.ask("stats")
    for table in ("grades", "member_days"):
        await by_hand(casino.bot.bank, f"UPDATE {table} SET valuation = 1")
    await by_hand(casino.bot.bank, "DELETE FROM season_places")
    monkeypatch.setattr(grader, "PATIENCE", 0.0)
    text = text_of(await casino.ask("stats"))
    assert "1 hand is still to be graded again: the coach has learned to value hands better" in text


async def test_without_an_answer_of_the_coach_the_graded_hands_are_shown(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> None:
        raise CoachGone("too many questions are waiting")

    await slip(casino)
    await casino.ask("stats")
    await casino.deal("T T / 9 T", bet=100)
    await casino.play_on()
    monkeypatch.setattr(casino.bot.coach, "ask", gone)
    text = text_of(await casino.ask("stats"))
    assert "in 1 hand" in text
    assert "1 hand is still to be graded" in text


async def test_play_chips_are_not_graded(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "elimination")
    await casino.click("Minimum")
    for _ in range(60):
        if casino.snapshot.phase is TablePhase.BETTING:
            break
        await casino.env.advance_time(5)
    assert re.search(r"Nothing is graded yet. </blackjack:\d+> deals a hand.$", text_of(await casino.ask("stats")))


async def test_hands_that_nobody_can_grade_are_told_apart(casino: Casino) -> None:
    """As of a game that the coach was not taught: they won or lost, and say nothing of skill or luck."""
    for ungraded in (1, 2):
        await casino.deal("T 9 / 9 T", bet=100)
        await casino.play_on()
        await nobody_knows(casino)
        text, picture = await told_of_skill(casino)
        assert f"in {ungraded} hand" in text
        assert f"\nLuck leaves out {ungraded} of these hands: " in text
        assert numbers(text).keys() == {"net"}
        assert not picture
    await slip(casino)
    text, picture = await told_of_skill(casino)
    assert "in 3 hands" in text
    assert "\nLuck leaves out 2 of these hands: nobody has worked out what to expect of them\n" in text
    assert numbers(text).keys() == {"net", "given away", "expected", "luck"}
    assert picture.endswith(" over 1 hand.")


async def nobody_knows(casino: Casino) -> None:
    """The hand that Alice has just finished gets no grade."""
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (last,) = await casino.bot.bank.grades.ungraded_of(me.id, 1, valuation=VALUATION)
    net = casino.snapshot.settlement.net(0) if casino.snapshot.settlement else 0
    await casino.bot.bank.grades.keep(Graded(last.table, last.number, me.id, last.at, net, None, valuation=VALUATION))


async def told_of_skill(casino: Casino) -> tuple[str, str]:
    """Return the text of /stats, and its plot in words."""
    answer = await casino.ask("stats")
    galleries = [part for part in raw.components(answer) if part["type"] == 12]
    return text_of(answer), "".join(gallery["items"][0]["description"] for gallery in galleries)


async def test_a_hand_that_the_coach_was_not_taught_has_no_luck(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(self: Coach, *asked: object) -> None:
        return None

    monkeypatch.setattr(Coach, "ask", nothing)
    await casino.deal("T 9 / 9 T", bet=100)
    await casino.play_on()
    lines = text_of(await casino.ask("stats")).splitlines()
    assert lines[1:3] == ["**±0 chips** in 1 hand", "Best hand ±0 · Worst hand ±0"]
    assert lines[3].startswith("Luck leaves out 1 of these hands: ")


async def test_a_hand_that_was_called_off_is_graded_as_nothing_won(casino: Casino) -> None:
    await casino.deal("T 6 / 9 ?", bet=100)
    await casino.restart(restored=True)
    await casino.env.settle()
    text = text_of(await casino.ask("stats"))
    assert "**±0 chips** in 1 hand" in text
    assert "Accuracy" not in text
    listed = await casino.ask("history")
    asked = await casino.alice.click(listed, label="Best play")
    assert text_of(asked.response) == "There is no hand of blackjack here whose best play is known."  # type: ignore[arg-type]


async def test_of_more_new_rounds_than_are_remembered_the_oldest_waits_for_the_next_start(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "MOST", 1)
    for _round in range(2):
        await casino.deal("T T / 9 T", bet=100)
        await casino.play_on()
    assert casino.bot.grader is not None
    assert casino.bot.grader.waiting == 1
    await casino.env.advance_time(29)
    assert casino.bot.grader.waiting == 1, "half a minute has not passed"
    await casino.env.advance_time(2)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (left,) = await casino.bot.bank.grades.ungraded_of(me.id, 9, valuation=VALUATION)
    assert left.number == casino.snapshot.round - 1


async def test_a_table_that_changes_between_hands_has_its_last_one_graded_once(casino: Casino) -> None:
    await casino.deal("T T / 9 T", bet=100)
    await casino.play_on()
    assert casino.bot.grader is not None
    assert casino.bot.grader.waiting == 1
    await casino.env.advance_time(31)
    assert casino.bot.grader.waiting == 0
    await casino.click("Join", casino.bob)
    assert casino.bot.grader.waiting == 0


async def test_a_hand_that_cannot_be_graded_now_holds_up_no_other_and_is_graded_later(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert casino.bot.grader is not None
    found, waiting = casino.bot.bank.grades.finished_round, list[int]()

    async def silent(table: int, number: int) -> object:
        if number == 2:
            raise BankUnavailable
        return await found(table, number)

    async def plays() -> None:
        await casino.deal("T T / 9 T", bet=100)
        await casino.play_on()

    await plays()
    with monkeypatch.context() as patched:
        patched.setattr(casino.bot.bank.grades, "finished_round", silent)
        for _round in (2, 3):
            await plays()
            await casino.env.advance_time(31)
            waiting.append(casino.bot.grader.waiting)
    assert waiting == [2, 1]
    await plays()
    await casino.env.advance_time(31)
    assert casino.bot.grader.waiting == 0
    assert "in 4 hands" in text_of(await casino.ask("stats"))


async def test_a_hand_of_blackjack_counts_in_stakes_for_the_season_and_a_war_does_not(casino: Casino) -> None:
    await casino.deal("A K / 6 ?", bet=100)
    await casino.alice.slash(casino.channel, "war", bet="1")
    while any(table.snapshot().phase is TablePhase.PLAYING for table in casino.bot.registry.tables()):
        await casino.click("Surrender")
    await casino.env.advance_time(31)
    async with casino.bot.bank._store.reading() as connection:
        units = (await connection.execute(text("SELECT units FROM grades ORDER BY at"))).scalars().all()
    assert units == [1_500_000, None]


async def test_the_five_costliest_mistakes_are_listed(casino: Casino) -> None:
    await slip(casino)
    await casino.ask("stats")
    for place in range(2, 8):
        columns = f"table_id, number, {place}, member, at, loss + {100 * place}, doc, due, streak"
        await by_hand(casino.bot.bank, f"INSERT INTO mistakes SELECT {columns} FROM mistakes LIMIT 1")
    listed = text_of(await casino.ask("stats")).partition("**Costliest mistakes**\n")[2].splitlines()
    losses = [line.partition(" · ")[0] for line in listed if line.startswith("−")]
    assert len(losses) == 5
    assert losses == sorted(losses, key=lambda loss: -float(loss[1:]))


def test_the_plot_adds_up_from_the_first_hand_to_the_last_in_chips() -> None:
    shown = stats_text.plot([PlotPoint(1.0, 5_000, -50.0), PlotPoint(2.0, -10_000, -50.0)], 1_234)
    luck, expected, result = (curve.values for curve in shown.curves)
    assert result == (0, 50, -50)
    assert expected == (0, -0.5, -1)
    assert luck == (0, 50.5, -49)
    assert (shown.curves[0].name, shown.curves[2].name) == ("Luck", "Result")


def test_the_best_and_the_worst_hand_are_told() -> None:
    skill = Skill(2, 0, 0, 200, 500, -300, expected=0.0, measured=0, given_away=0.0, decisions=0, right=0)
    assert "Best hand +5 · Worst hand −3" in stats_text.lines(skill)


@pytest.mark.parametrize(("waiting", "told"), [(1, ["1 hand is still to be graded"]), (0, [])])
def test_what_is_not_graded_yet_is_told(waiting: int, told: list[str]) -> None:
    skill = Skill(1, 1, waiting, 0, 0, 0, expected=0.0, measured=0, given_away=0.0, decisions=0, right=0)
    assert list(stats_text.waiting(skill)) == told


def test_the_lines_of_the_plot_are_round_numbers_and_zero_is_one_of_them() -> None:
    assert [label for _level, label in stats_text._levels(-30.0, 120.0)] == ["±0", "+50", "+100"]
    assert [label for _level, label in stats_text._levels(-450.0, 350.0)] == ["−400", "−200", "±0", "+200"]
    assert [level for level, _label in stats_text._levels(0.0, 0.0)] == [0.0]


async def test_who_never_played_is_told_so(casino: Casino) -> None:
    assert "has not played here yet" in text_of(await casino.ask("stats", member=casino.bob))
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.bob.id) is None


async def test_r14_3_who_has_no_graded_hand_finds_their_milestones_too(casino: Casino) -> None:
    """Many need no hand for chips, such as a perfect day of Today's five."""
    for who in (casino.alice, casino.bob):
        await casino.ask("balance", who)
    answer = await casino.ask("stats")
    assert "Nothing is graded yet." in text_of(answer)
    opened = await casino.alice.click(answer, label="Milestones")
    assert "💯 Perfect day" in text_of((*opened.followups, opened.response)[0])  # type: ignore[arg-type]
    assert keys(await casino.ask("stats", member=casino.bob)) == []


# -- try again ---------------------------------------------------------------------------------------------------------


async def tried(casino: Casino) -> simcord.ResponseMessage:
    """Return the misplayed hand as it is asked again."""
    answer = await casino.ask("stats")
    await casino.alice.click(answer, label="Try again")
    return answer


async def test_a_misplayed_hand_is_asked_anew_with_the_same_cards(casino: Casino) -> None:
    await slip(casino)
    question = await tried(casino)
    text = text_of(question)
    assert re.search(r"`10. 6.` against `6.`", text)
    assert "stake 100" in text
    assert keys(question) == ["Hit", "Stand", "Double", "Surrender"]
    assert "best" not in text.replace("What's the best play?", "")


async def test_the_answer_is_told_with_what_each_play_is_worth(casino: Casino) -> None:
    await slip(casino)
    question = await tried(casino)
    await casino.alice.click(question, label="Stand")
    text = text_of(question)
    worth = decision(VEGAS, Position.fresh(VEGAS, ("T", "6"), "6")).actions
    assert "Right: Stand" in text
    assert f"**Stand · −{-100 * worth['stand']:.2f}" in text
    assert "← yours at the table" in next(line for line in text.splitlines() if line.startswith("Hit"))


async def test_a_right_answer_comes_back_at_growing_intervals_and_a_wrong_one_soon(casino: Casino) -> None:
    await slip(casino)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    waits = []
    for answer in ("Stand", "Stand", "Hit", "Stand"):
        question = await tried(casino)
        await casino.alice.click(question, label=answer)
        (missed,) = await casino.bot.bank.mistakes.costliest(me.id, 2)
        assert missed.due is not None
        waits.append(missed.due - casino.bot.clock.now())
        passed = replace(missed, due=casino.bot.clock.now() - 1)
        await casino.bot.bank.mistakes.learn(passed, missed.due)
    assert waits == [pytest.approx(seconds, abs=5) for seconds in (DAY, 3 * DAY, 600, DAY)]


def test_after_five_right_answers_in_a_row_and_one_more_a_hand_is_learned() -> None:
    missed, days = Missed(1, 1, 0, 1, 0.0, 5.0, {"best": "stand"}, due=0.0), []
    for _answer in range(5):
        missed = trying.answered(missed, "stand", 0.0)
        assert missed.due is not None
        days.append(missed.due / DAY)
    assert days == [1, 3, 7, 21, 60]
    learned = trying.answered(missed, "stand", 0.0)
    assert (learned.due, trying._again(learned)) == (None, "Learned!")
    again = trying.answered(missed, "hit", 0.0)
    assert (again.due, again.streak) == (600.0, 0)


async def test_a_hand_that_was_answered_elsewhere_or_is_gone_is_not_asked(casino: Casino) -> None:
    await slip(casino)
    old, question = await casino.ask("stats"), await tried(casino)
    await casino.alice.click(question, label="Stand")
    asked = await casino.alice.click(old, label="Try again")
    assert text_of(asked.response) == "There is no hand to try again just now."  # type: ignore[arg-type]
    await by_hand(casino.bot.bank, "UPDATE mistakes SET due = 0")
    question = await tried(casino)
    await by_hand(casino.bot.bank, "UPDATE mistakes SET due = NULL")
    await casino.alice.click(question, label="Stand")
    assert "Learned!" in text_of(question)
    await by_hand(casino.bot.bank, "UPDATE mistakes SET due = 0")
    question = await tried(casino)
    await by_hand(casino.bot.bank, "DELETE FROM mistakes")
    answered = await casino.alice.click(question, label="Stand")
    assert text_of(answered.response) == "That hand isn't one of yours to try."  # type: ignore[arg-type]


async def test_an_answer_counts_once(casino: Casino) -> None:
    await slip(casino)
    question = await tried(casino)
    pressed = next(part["custom_id"] for part in raw.components(question) if part.get("label") == "Stand")
    await raw.press(casino.alice, question, pressed, times=3)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (missed,) = await casino.bot.bank.mistakes.costliest(me.id, 2)
    assert missed.streak == 1


async def test_nobody_answers_for_another(casino: Casino) -> None:
    await slip(casino)
    question = await tried(casino)
    pressed = next(part["custom_id"] for part in raw.components(question) if part.get("label") == "Stand")
    await casino.ask("balance", casino.bob)
    await raw.press(casino.bob, question, pressed)
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (missed,) = await casino.bot.bank.mistakes.costliest(me.id, 2)
    assert missed.streak == 0


async def test_where_nothing_is_due_nothing_can_be_tried(casino: Casino) -> None:
    await slip(casino)
    question = await tried(casino)
    await casino.alice.click(question, label="Stand")
    assert keys(question) == []
    assert keys(await casino.ask("stats")) == ["Train weak spots", "Milestones"]


async def test_without_a_coach_there_are_no_stats(casino: Casino) -> None:
    casino.settings = type(casino.settings)(database_url=casino.settings.database_url, coach=False, think_seconds=0)
    await casino.restart()
    assert text_of(await casino.ask("stats")) == "The coach is switched off here."
    assert casino.bot.grader is None


async def test_chips_of_the_page_are_chips(casino: Casino) -> None:
    """Not cents: a natural of a hundred chips wins 150."""
    await casino.deal("A K / 6 ?", bet=100)
    assert await casino.balance(casino.alice) == 1_150
    assert numbers(text_of(await casino.ask("stats")))["net"] == 150
    assert CHIP == 100


async def test_r14_3_milestones_are_shown_to_oneself_and_to_others_only_by_oneself(casino: Casino) -> None:
    """Twenty close decisions in one day, all of them right."""
    await casino.deal("T 9 / 9 T", bet=100)
    await casino.play_on()
    me = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    (last,) = await casino.bot.bank.grades.ungraded_of(me.id, 1, valuation=VALUATION)
    net = casino.snapshot.settlement.net(0) if casino.snapshot.settlement else 0
    grade = Graded(last.table, last.number, me.id, last.at, net, None, valuation=VALUATION)
    await casino.bot.bank.grades.keep(grade)
    answer = await casino.ask("stats")
    private = await casino.alice.click(answer, label="Milestones")
    (told,) = private.followups or [private.response]
    assert told is not None
    assert "None yet." in text_of(told)
    assert keys(told) == []
    assert told.ephemeral
    (nothing,) = await raw.press(casino.alice, told, "stats:milestones:show")
    assert text_of((*nothing.followups, nothing.response)[0]) == "There is nothing to show yet."  # type: ignore[arg-type]
    await casino.bot.bank.grades.keep(replace(grade, close=20, close_right=20))
    await casino.sleep(DAY)
    opened = await casino.alice.click(answer, label="Milestones")
    (told,) = opened.followups or [opened.response]
    assert told is not None
    assert "🎯 **Clean day** · 20 close decisions in one day, all of them right" in text_of(told)
    assert "-# 🏹 Clean marathon" in text_of(told)
    shown = await casino.alice.click(told, label="Show")
    (post,) = shown.followups or [shown.response]
    assert post is not None
    assert not post.ephemeral
    assert casino.alice.mention in text_of(post)
    assert "Clean marathon" not in text_of(post)
