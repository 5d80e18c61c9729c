"""/train: pressing through drills and counting, stopping, and going on anywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
import simcord

from cogs.table.page import Accent
from cogs.train import standing, texts
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.training.counting import COUNT, Count
from engine.training.drill import Drill, DrillKind
from engine.training.problems import Problem

from .. import raw
from ..conftest import Casino, keys, text_of
from ..test_strategy import own_set

Answer = simcord.ResponseMessage


async def drill(casino: Casino, who: Any, kind: DrillKind = DrillKind.RUN, name: str = "vegas") -> Drill:
    """Return the drill of a person, as it is stored."""
    stored = await casino.bot.bank.training.find(who.id, kind, name)
    assert stored is not None
    return Drill.from_json(kind, stored.doc)


async def count(casino: Casino, who: Any) -> Count:
    stored = await casino.bot.bank.training.find(who.id, COUNT, "vegas")
    assert stored is not None
    return Count.from_json(stored.doc)


def label(action: str) -> str:
    return action.capitalize()


async def play(casino: Casino, answer: Answer, *, right: bool = True, kind: DrillKind = DrillKind.RUN) -> None:
    asked = (await drill(casino, casino.alice, kind)).asked
    assert asked is not None
    choose = max if right else min
    await casino.alice.click(answer, label=label(choose(asked.worths, key=lambda action: asked.worths[action])))


# -- a run -------------------------------------------------------------------------------------------------------------


async def test_a_right_answer_counts_and_the_next_hand_is_there_at_once(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    assert "Run · vegas" in text_of(answer)
    for row in (1, 2, 3):
        await play(casino, answer)
        assert f"Right. {row} in a row" in text_of(answer)
    assert keys(answer)[-2:] == ["Why", "Stop"]
    assert (await drill(casino, casino.alice)).row == 3


async def test_a_wrong_answer_says_what_was_better_and_ends_the_run(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    for _ in range(2):
        await play(casino, answer)
    await play(casino, answer, right=False)
    ended = await drill(casino, casino.alice)
    assert ended.before is not None
    loss = ended.before.loss(ended.answer)
    assert f" was better by {loss * 100:.1f}% of your bet" in text_of(answer)
    assert raw.components(answer)[0]["accent_color"] == Accent.LOST
    assert "Your run: **2**, best **2**." in text_of(answer)
    assert keys(answer) == ["Again", "Why", "Stop"]
    await casino.alice.click(answer, label="Again")
    assert "Run · vegas" in text_of(answer)
    assert keys(answer)[-1] == "Stop"
    assert "Why" not in keys(answer)  # it would explain a hand that is not there any more
    await play(casino, answer)
    assert "Right. 1 in a row" in text_of(answer)
    assert "Why" in keys(answer)


async def test_why_lists_what_each_choice_was_worth(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await play(casino, answer)
    await play(casino, answer, right=False)
    before = (await drill(casino, casino.alice)).before
    assert before is not None
    pressed = await casino.alice.click(answer, label="Why")
    assert pressed.response is not None
    text = text_of(pressed.response)
    assert f"**{label(before.best)} · " in text
    assert "← yours" in text
    assert "Chance of busting with the next card" in text
    assert "Your run" in text_of(answer), "the page itself stays"


async def test_r15_1_a_question_is_stored_before_it_is_shown_and_asking_again_changes_nothing(casino: Casino) -> None:
    first = text_of(await casino.ask("train", what="run"))
    for _ in range(3):
        assert text_of(await casino.ask("train", what="run")) == first
    await casino.restart()
    assert text_of(await casino.ask("train", what="run")) == first
    (elsewhere,) = [(await casino.alice.user.slash("train", what="run")).response]
    assert elsewhere is not None
    assert text_of(elsewhere).splitlines()[0] == first.splitlines()[0]


async def test_an_old_question_on_another_device_counts_nothing_and_shows_what_is_asked_now(casino: Casino) -> None:
    phone, desk = await casino.ask("train", what="run"), await casino.ask("train", what="run")
    await play(casino, desk)
    now = await drill(casino, casino.alice)
    await casino.alice.click(phone, label=keys(phone)[0])
    assert await drill(casino, casino.alice) == now
    assert text_of(phone) == text_of(desk)


async def test_of_two_presses_at_once_one_counts(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    asked = (await drill(casino, casino.alice)).asked
    assert asked is not None
    button = next(part for part in raw.components(answer) if part.get("label") == label(asked.best))
    await raw.press(casino.alice, answer, button["custom_id"], times=3)
    assert (await drill(casino, casino.alice)).row == 1


async def test_a_training_without_a_right_answer_boasts_no_record(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await casino.alice.click(answer, label="Stop")
    assert "best" not in text_of(answer)


async def test_stop_puts_it_away_and_it_goes_on_from_there(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await play(casino, answer)
    asked = text_of(answer)
    await casino.alice.click(answer, label="Stop")
    assert "In a row: **1**, best **1**." in text_of(answer)
    assert keys(answer) == ["Go on"]
    await casino.alice.click(answer, label="Go on")
    assert text_of(answer) == asked


async def test_other_rules_have_a_record_of_their_own_and_changed_rules_begin_again(casino: Casino) -> None:
    await own_set(casino, "ours", decks=2)
    answer = await casino.ask("train", what="run", rules="ours")
    assert "Run · ours" in text_of(answer)
    asked = (await drill(casino, casino.alice, name="ours")).asked
    assert asked is not None
    await casino.alice.click(answer, label=label(asked.best))
    assert "Right. 1 in a row" in text_of(answer)
    await own_set(casino, "ours", decks=3)
    nothing = await casino.alice.click(answer, label="Why")
    assert text_of(nothing.response) == "There is nothing to explain yet."  # type: ignore[arg-type]
    await casino.alice.click(answer, label=keys(answer)[0])
    assert "Run · ours" in text_of(answer), "an old answer counts nothing, and a hand by the new rules is asked"
    assert (await drill(casino, casino.alice, name="ours")).row == 0
    counted = await casino.ask("train", what="count", rules="ours")
    await casino.alice.click(counted, label="Next cards")
    await own_set(casino, "ours", decks=4)
    taken = await casino.ask("train", what="count", rules="ours")
    assert "You take over a shoe whose running count is" in text_of(taken)


async def test_it_says_that_rules_are_unknown(casino: Casino) -> None:
    for what in ("run", "count"):
        assert "no rule set called **poker**" in text_of(await casino.ask("train", what=what, rules="poker"))
    assert "no rule set called **poker**" in text_of(await casino.ask("train", rules="poker"))


# -- the choice --------------------------------------------------------------------------------------------------------


async def test_without_a_word_it_offers_all_four_with_ones_own_record(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await play(casino, answer)
    await own_set(casino, "ours")
    assert "best" not in text_of(await casino.ask("train", rules="ours")), "that was by other rules"
    home = await casino.ask("train")
    assert keys(home) == ["Run", "Weak spots", "Charts", "Count"]
    assert "it grows harder · best **1**" in text_of(home)
    assert "best" not in text_of(await casino.ask("train", casino.bob))
    await casino.alice.click(home, label="Charts")
    assert "Charts · vegas" in text_of(home)
    assert "Cells you know: 0 of 330" in text_of(home)
    await play(casino, home, kind=DrillKind.CHARTS)
    assert "Cells you know: 1 of 330" in text_of(home)


async def test_r15_3_nobody_else_sees_it_and_nothing_else_counts_it(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await play(casino, answer, right=False)
    assert answer.ephemeral
    assert not casino.channel.history()
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.alice.id) is None
    (refused,) = await raw.press(casino.bob, answer, next(raw_id(answer)))
    assert "meant for somebody else" in text_of(refused.response)  # type: ignore[arg-type]


def raw_id(answer: Answer) -> Any:
    return (part["custom_id"] for part in raw.components(answer) if "custom_id" in part)


async def test_the_mistakes_of_stats_lead_to_weak_spots(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    monkeypatch.setattr(standing, "_chance", lambda: chance)
    await casino.deal("A 7 / 9 ?")
    await casino.click("Stand")
    answer = await casino.ask("stats")
    await casino.alice.click(answer, label="Train weak spots")
    rows = []
    for _ in range(8):
        await play(casino, answer, kind=DrillKind.SPOTS)
        stored = await drill(casino, casino.alice, DrillKind.SPOTS)
        rows.append(stored.recent[-1].row)
    assert rows.count("soft 18") >= 5


async def test_insurance_is_no_weak_spot_because_no_training_asks_about_it(casino: Casino) -> None:
    """To insure against an ace costs far more than to stand on soft 18 against a nine with a hundredth of the stake."""
    await casino.grant(casino.alice, 2_000)
    await casino.deal("T 9 / A 9", bet=1_000)
    await casino.click("Insure")
    await casino.play_on()
    await casino.deal("A 7 / 9 ?", bet=10)
    await casino.click("Stand")
    await casino.ask("stats")
    mistakes, bank = casino.bot.bank.mistakes, casino.bot.bank
    alice = await bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert [missed.doc["best"] for missed in await mistakes.costliest(alice.id, 10)] == ["decline", "hit"]
    (spot,) = await mistakes.of_person(casino.alice.id, 1)
    assert (spot.doc["hand"][0][0], spot.doc["hand"][1][0], spot.doc["up"][0]) == ("A", "7", "9")


async def test_in_a_direct_message_it_is_the_same_training(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    await play(casino, answer)
    at_home = (await casino.alice.user.slash("train", what="run")).response
    assert at_home is not None
    assert "Right. 1 in a row" in text_of(at_home)
    asked = (await drill(casino, casino.alice)).asked
    assert asked is not None
    await casino.alice.user.click(at_home, label=label(asked.best))
    assert "Right. 2 in a row" in text_of(at_home)


# -- without an answer of the coach ------------------------------------------------------------------------------------


async def test_an_answer_counts_while_the_coach_is_silent(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await casino.ask("train", what="run")
    with monkeypatch.context() as silent:
        silent.setattr(standing, "PATIENCE", 0.0)
        await play(casino, answer)
        assert "Right. 1 in a row" in text_of(answer)
        assert keys(answer) == ["Next", "Why", "Stop"]
        pressed = await casino.alice.click(answer, label="Next")
        assert "The coach is busy" in text_of(pressed.response)  # type: ignore[arg-type]
    await casino.alice.click(answer, label="Next")
    await play(casino, answer)
    assert "Right. 2 in a row" in text_of(answer)


async def test_without_a_coach_there_is_only_counting(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(casino.bot, "coach", None)
    for what in (DrillKind.RUN, DrillKind.SPOTS, DrillKind.CHARTS):
        assert "The coach is switched off here." in text_of(await casino.ask("train", what=what.value))
    assert "Count · vegas" in text_of(await casino.ask("train", what="count"))


# -- counting ----------------------------------------------------------------------------------------------------------


async def test_counting_to_its_end(casino: Casino) -> None:
    answer = await casino.ask("train", what="count")
    text = text_of(answer)
    assert "You take over a shoe whose running count is" in text
    assert "Counting wins nothing at these tables" in text
    assert text_of(await casino.ask("train", what="count")) == text, "a reload changes nothing"
    for _ in range(4):
        await casino.alice.click(answer, label="Next cards")
    await casino.alice.click(answer, label="I have counted")
    assert "What is the running count?" in text_of(answer)
    now = await count(casino, casino.alice)
    await casino.alice.click(answer, label=signed(now.running))
    assert "What is the true count?" in text_of(answer)
    await casino.alice.click(answer, label=signed(now.true))
    assert "Right. 1 in a row" in text_of(answer)
    await casino.alice.click(answer, label="Again")
    for press in ("Next cards",) * 4 + ("I have counted",):
        await casino.alice.click(answer, label=press)
    now = await count(casino, casino.alice)
    wrong = next(choice for choice in now.choices if choice != now.running)
    await casino.alice.click(answer, label=signed(wrong))
    assert f"Not {signed(wrong)}" in text_of(answer)
    assert "Your run: **1**, best **1**." in text_of(answer)


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value else "0"


async def test_old_keys_of_a_count_change_nothing(casino: Casino) -> None:
    answer, old = await casino.ask("train", what="count"), await casino.ask("train", what="count")
    await casino.alice.click(answer, label="Next cards")
    now = await count(casino, casino.alice)
    await casino.alice.click(old, label="Next cards")
    assert await count(casino, casino.alice) == now
    assert text_of(old) == text_of(answer)
    for forged in ("train:turn:1:vegas", "train:count:2:3:vegas"):
        await raw.press(casino.alice, answer, forged)
    assert await count(casino, casino.alice) == now


async def test_an_old_answer_to_a_count_counts_nothing(casino: Casino) -> None:
    answer = await casino.ask("train", what="count")
    for press in ("Next cards",) * 4 + ("I have counted",):
        await casino.alice.click(answer, label=press)
    old, asked = await casino.ask("train", what="count"), await count(casino, casino.alice)
    right = signed(asked.running)
    await casino.alice.click(answer, label=right)
    now = await count(casino, casino.alice)
    await casino.alice.click(old, label=next(signed(each) for each in asked.choices if each != asked.running))
    assert await count(casino, casino.alice) == now


@pytest.mark.parametrize(("up", "looks", "checked"), [("Kh", True, True), ("9h", True, False), ("Kh", False, False)])
def test_a_dealer_who_may_not_look_has_not_checked_for_a_blackjack(up: str, looks: bool, checked: bool) -> None:  # noqa: FBT001
    rules = replace(RULE_SETS["vegas"], dealer_looks=looks, surrender=False)
    problem = Problem(("Ts", "6d"), up, {"hit": -0.5, "stand": -0.6}, 0.6, {})
    small = texts.drilled("vegas", Drill(DrillKind.RUN, rules, asked=problem)).small
    assert (small == ["The dealer has checked: no blackjack."]) is checked


async def test_an_answer_that_was_not_offered_counts_nothing(casino: Casino) -> None:
    answer = await casino.ask("train", what="run")
    asked = await drill(casino, casino.alice)
    member = await casino.bot.bank.training.find(casino.alice.id, DrillKind.RUN, "vegas")
    assert asked.asked is not None
    assert member is not None
    training = standing.OwnTraining(member, asked)
    assert await standing.answered(None, training, "swap") is training  # type: ignore[arg-type]
    assert text_of(await casino.ask("train", what="run")) == text_of(answer)
