"""/history: what was played can be looked at again."""

from __future__ import annotations

import shutil
from dataclasses import replace
from io import BytesIO

import pytest
import simcord
from PIL import Image

from cogs import history
from cogs.coach import evening
from cogs.pictures import animated
from cogs.table import finished
from data import Appearance, Length, Played, Rest
from engine.coach import Coach, CoachGone
from engine.fairness.record import RecordOne
from engine.games.contract import By, Step
from engine.tables.rebuilt import record_of
from engine.tables.snapshot import TablePhase
from engine.tables.values import Member, StoredRound
from tests.releases import Release

from . import raw
from .conftest import Casino, asked, keys, played, text_of


async def test_a_newcomers_history_is_empty(casino: Casino) -> None:
    assert "You haven't finished a round yet" in text_of(await casino.ask("history"))


async def test_a_round_is_replayed_step_by_step(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    assert listed.ephemeral
    assert f"`{code}`" in text_of(listed)
    await casino.alice.select(listed, [code])
    assert "The deal" in text_of(listed)
    assert "░" in text_of(listed)
    assert len(listed.attachments) == 1
    seen = 1
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        seen += 1
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    assert seen == len(record_of(stored).steps) + 1
    assert "░" not in text_of(listed)
    await casino.alice.click(listed, label="Previous")
    await casino.alice.click(listed, label="All rounds")
    assert f"`{code}`" in text_of(listed)
    assert listed.attachments == []


async def test_play_chips_are_named_in_the_list_the_menu_and_the_suggestions(casino: Casino) -> None:
    await casino.deal("A K / 9 8", bet=10)
    casino.cards.lay("T 3, T 9, T 9, T 9 / T 8")
    await casino.alice.slash(casino.channel, "elimination", level="amateur")
    await casino.click("Minimum")
    await casino.click("Stand")
    listed = await casino.ask("history")
    assert "🔴 **−50 play chips** · blackjack original" in text_of(listed)
    (menu,) = [part for part in raw.components(listed) if "options" in part]
    play, real = [(option["label"], option["value"]) for option in menu["options"]]
    assert real[0] == f"🟢 +15 · blackjack · {real[1]}"
    assert play[0] == f"🔴 −50 play chips · blackjack · {play[1]}"
    choices = await casino.alice.autocomplete(casino.channel, "verify", "round", "")
    assert [each["name"] for each in choices] == [
        f"{play[1]} · −50 play chips · blackjack",
        f"{real[1]} · +15 · blackjack",
    ]


def description(message: simcord.ResponseMessage) -> str:
    """What a screen reader reads in place of the picture."""
    ((picture,),) = (part["items"] for part in raw.components(message) if part["type"] == 12)
    return str(picture["description"])


async def test_a_round_moves_in_one_small_file_that_begins_with_its_end(casino: Casino) -> None:
    """Its end is the first picture, which is shown wherever nothing moves; then come the deal and each step."""
    code = await played(casino)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [code])
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
    end = description(listed)
    await casino.alice.click(listed, label="Animation")
    assert "Blackjack vegas in motion" in text_of(listed)
    assert description(listed) == end
    (file,) = listed.attachments
    assert (file.filename, file.size < animated.MOST_BYTES) == ("hand.gif", True)
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    with Image.open(BytesIO(await file.read())) as film:
        first = film.convert("RGB")
        frames = film.n_frames  # type: ignore[attr-defined]
        film.seek(frames - 1)
        assert first.tobytes() == film.convert("RGB").tobytes()
        film.seek(1)
        assert first.tobytes() != film.convert("RGB").tobytes()
    assert frames == len(record_of(stored).steps) + 2
    await casino.alice.click(listed, label="Previous")
    assert "hand.gif" not in [each.filename for each in listed.attachments]


async def lines_of_motion(casino: Casino) -> list[int]:
    """Return how bright each line below the table gets when something was pressed, in the animation of a round."""
    code = await played(casino)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [code])
    with Image.open(BytesIO(await listed.attachments[0].read())) as table:
        ratio = table.height / table.width
    await casino.alice.click(listed, label="Animation")
    with Image.open(BytesIO(await listed.attachments[0].read())) as film:
        film.seek(2)
        shown, strip = film.convert("L"), film.width // 14
        tops = range(round(film.width * ratio), film.height, strip)
        brightest = [shown.crop((0, top, film.width, top + strip)).getextrema()[1] for top in tops]
    return [int(each) for each in brightest]  # type: ignore[arg-type]


async def test_below_each_step_stands_what_each_choice_was_worth(casino: Casino) -> None:
    pressed, odds = await lines_of_motion(casino)
    assert (pressed > 200, odds > 200) == (True, True)


async def test_without_a_coach_an_animation_has_no_odds(casino: Casino) -> None:
    casino.bot.coach = None
    (pressed,) = await lines_of_motion(casino)
    assert pressed > 200


async def test_where_the_coach_is_lost_an_animation_has_no_odds(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(self: Coach, *asked: object) -> None:
        raise CoachGone("dead")

    monkeypatch.setattr(Coach, "ask", gone)
    (pressed,) = await lines_of_motion(casino)
    assert pressed > 200


async def test_r13_1_on_a_break_from_everything_an_animation_has_no_odds(casino: Casino) -> None:
    await casino.until(asked)
    await casino.bot.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.DAY)
    assert len(await lines_of_motion(casino)) == 1


async def test_one_animation_a_minute_for_each_person(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [code])
    await casino.alice.click(listed, label="Animation")
    assert "in motion" in text_of(listed)
    await casino.alice.click(listed, label="Previous")
    for seconds in (0.0, 59.5):
        await casino.env.advance_time(seconds)
        refused = await casino.alice.click(listed, label="Animation")
        assert refused.response is not None
        assert refused.response.content == "One animation a minute. Try again in a moment."
    await casino.env.advance_time(61)
    await casino.alice.click(listed, label="Animation")
    assert "in motion" in text_of(listed)


async def test_an_animation_that_cannot_be_made_is_said_and_who_sees_words_has_none(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [code])
    monkeypatch.setattr(animated, "PATIENCE", 0.0)
    (refused,) = await raw.press(casino.alice, listed, f"replay:motion:{code}")
    assert text_of(refused.response) == "The animation couldn't be made. Try again in a minute."  # type: ignore[arg-type]
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, shown=Appearance.TEXT))
    await casino.env.advance_time(61)
    for _ in range(2):
        (refused,) = await raw.press(casino.alice, listed, f"replay:motion:{code}")
        assert text_of(refused.response) == "You see tables in words, so there is nothing to animate."  # type: ignore[arg-type]


async def test_a_process_that_ends_without_an_animation_made_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animated.sys, "executable", shutil.which("false"))
    with pytest.raises(animated.NotAnimated, match="the process ended with 1"):
        await animated.apart([animated.Frame(b"", "Hit")])


async def test_a_process_is_given_some_seconds_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animated, "PATIENCE", 0.01)  # no process has begun by then
    with pytest.raises(animated.NotAnimated, match="it took too long"):
        await animated.apart([animated.Frame(b"", "Hit")])


def test_an_animation_is_narrower_until_it_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand colours at random are as much as a picture can hold."""
    noise = Image.effect_noise((960, 600), 90).convert("RGB")
    file = BytesIO()
    noise.save(file, "png")
    shown = animated.Frame(file.getvalue(), "The deal")
    with Image.open(BytesIO(animated.animated([shown] * 3))) as film:
        assert film.width == animated.WIDTHS[0]
    monkeypatch.setattr(animated, "MOST_BYTES", 1_000)
    with Image.open(BytesIO(animated.animated([shown] * 3))) as film:
        assert film.width == animated.WIDTHS[-1]


def test_an_animation_rests_on_its_result_and_longest_on_its_end() -> None:
    row = list[animated.Frame]()
    for shade in (0, 120, 240):
        file = BytesIO()
        Image.new("L", (96, 60), shade).save(file, "png")
        row.append(animated.Frame(file.getvalue(), "Hit"))
    times = list[int]()
    with Image.open(BytesIO(animated.animated(row))) as film:
        for number in range(len(row)):
            film.seek(number)
            times.append(film.info["duration"])
    assert times == [animated.FIRST, animated.STEP, animated.LAST]


def test_a_long_hand_begins_with_its_result_and_shows_its_last_steps() -> None:
    """The first picture is the one that is shown wherever nothing moves."""
    row = list[animated.Frame]()
    steps = [Image.new("L", (96, 60), 3 * number) for number in range(2 * animated.MOST_PICTURES)]
    for picture in (Image.linear_gradient("L").resize((96, 60)), *steps):
        file = BytesIO()
        picture.save(file, "png")
        row.append(animated.Frame(file.getvalue(), "Hit"))
    with Image.open(BytesIO(animated.animated(row))) as film:
        shades = list[tuple[int, int]]()
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            shades.append(film.convert("L").crop((0, 0, 600, 375)).getextrema())  # type: ignore[arg-type]
    (darkest, brightest), *others = shades
    assert brightest - darkest > 200
    assert all(low == high for low, high in others)
    assert others[-1][0] > 220


def test_a_round_of_the_first_release_is_shown_under_the_seal_that_it_had() -> None:
    record = Release("release_1").records[0]
    assert isinstance(record, RecordOne)
    stored = StoredRound(1, 1, record.seed, record.commitment, record=record, members=[None] * len(record.stakes))
    shown = finished.page(stored, 0, Member(1, 2, 3, 0))
    assert shown.footer == (f"🔒 Sealed before the deal ||`{record.commitment}`||",)


async def test_older_rounds_are_on_the_next_page(casino: Casino) -> None:
    await played(casino, 12)
    listed = await casino.ask("history")
    assert text_of(listed).count("blackjack vegas") == 10
    assert "Best play" in keys(listed)
    await casino.alice.click(listed, label="Older")
    assert text_of(listed).count("blackjack vegas") >= 2
    assert "Best play" not in keys(listed), "it is about the last evening"
    await casino.alice.click(listed, label="Newer")
    assert text_of(listed).count("blackjack vegas") == 10


async def test_a_key_of_an_earlier_release_that_names_a_page_shows_the_newest_rounds(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    await raw.press(casino.alice, listed, "history:3")
    assert f"`{code}`" in text_of(listed)


async def test_another_ones_round_is_not_replayed(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history", casino.bob)
    (answer,) = await raw.press(casino.bob, listed, f"replay:{code}:0")
    assert answer.response is not None
    assert "doesn't belong here" in answer.response.content


async def test_another_ones_round_is_not_chosen_from_ones_own_menu(casino: Casino) -> None:
    """A menu may send back anything."""
    code = await played(casino)
    await casino.click("Leave")
    await casino.blackjack(casino.bob, bet=10)
    await casino.play_on(casino.bob)
    listed = await casino.ask("history", casino.bob)
    menu = next(part["custom_id"] for part in raw.components(listed) if part["type"] == 3)
    answer = await raw.choose(casino.bob, listed, menu, 3, [code])
    assert answer.response is not None
    assert answer.response.content == "You haven't played that round here."


async def test_r0_5_the_step_that_time_took_says_so_and_no_other(casino: Casino) -> None:
    await casino.until(lambda seen: asked(seen) and seen.view.seats[0].hands[0].total < 10)
    await casino.click("Hit")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    assert await _steps_told(casino) == ["The deal", "Seat 1: Hit", "Seat 1: Out of time"]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (By.CLOCK, "Seat 1: Surrender, out of time"),
        (By.MEMBER, "Seat 1: Surrender"),
        (By.COMPUTER, "Seat 1: Surrender"),
    ],
)
def test_r0_5_an_answer_that_time_gave_says_so(by: By, told: str) -> None:
    assert finished.step_text("war", Step(0, "surrender", by)) == told


async def test_others_of_a_round_are_seats_without_names_and_computers_are_never_late(casino: Casino) -> None:
    await casino.blackjack(bet=1, ai=1)
    await casino.play_on()
    await casino.click("Join", casino.bob)
    await casino.click("Deal")
    await casino.click("Deal", casino.bob)
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.play_one(casino.bob if casino.snapshot.legal[2] else casino.alice)
    listed = await casino.ask("history")
    await casino.alice.select(listed, [casino.snapshot.seals.code])
    text = text_of(listed)
    assert (text.count(casino.alice.mention), casino.bob.mention in text) == (1, False)
    assert not [told for told in await _steps_told(casino) if "out of time" in told]


async def _steps_told(casino: Casino) -> list[str]:
    """Return the name of each step of the last round, from the deal to the end."""
    listed = await casino.ask("history")
    await casino.alice.select(listed, [casino.snapshot.seals.code])
    told = [_heading(listed)]
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        told.append(_heading(listed))
    return told


def _heading(listed: simcord.ResponseMessage) -> str:
    return text_of(listed).splitlines()[0].partition(" · ")[2]


@pytest.mark.parametrize(
    "forged",
    [
        "replay:ffffffff:0",
        "replay:{code}:-3",
        "replay:{code}:9999",
        "history:-5",
        "history:99999",
        "replay:motion:ffffffff",
    ],
)
async def test_forged_pages_and_steps_are_answered(casino: Casino, forged: str) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    (answer,) = await raw.press(casino.alice, listed, forged.format(code=code))
    assert answer.acknowledged


# -- the evening with best play ----------------------------------------------------------------------------------------


async def dealt(casino: Casino, cards: str, *labels: str) -> None:
    """A hand with these cards, and what is pressed in it."""
    await casino.deal(cards)
    for label in labels:
        await casino.click(label)
    await casino.env.settle()


async def asked_for_best_play(casino: Casino) -> list[str]:
    listed = await casino.ask("history")
    result = await casino.alice.click(listed, label="Best play")
    assert result.response is not None
    return text_of(result.response).splitlines()


async def test_an_evening_is_played_again_by_best_play_on_the_same_cards(casino: Casino) -> None:
    """Eleven is hit where it should be doubled, sixteen is hit and wins, and twenty loses to 21 either way."""
    for cards, *labels in (("6 5 / 6 T | T 9", "Hit"), ("T 6 / 6 T | 5 K", "Hit"), ("T T / 6 T | 5", "Stand")):
        await dealt(casino, cards, *labels)
    lines = await asked_for_best_play(casino)
    assert lines[:3] == [
        "### Your last evening with best play",
        "You made **+10 chips** in 3 hands. Best play would have made **±0 chips** of the same cards.",
        "It would have played 2 hands differently: 1 with a better result, 1 with a worse one.",
    ]
    assert "mostly luck" in lines[3]


async def test_an_evening_that_was_played_best_says_so(casino: Casino) -> None:
    await dealt(casino, "T T / 6 T | 5", "Stand")
    lines = await asked_for_best_play(casino)
    assert lines[2] == "You played every hand as best play would."


async def test_the_evening_begins_after_three_hours_without_a_round(casino: Casino) -> None:
    await dealt(casino, "6 5 / 6 T | T 9", "Hit")
    await casino.sleep(evening.APART + 1)
    await dealt(casino, "T T / 6 T | 5", "Stand")
    assert "in 1 hand." in (await asked_for_best_play(casino))[1]


async def test_only_blackjack_for_chips_is_asked_about(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "war", bet="10")
    await casino.env.settle()
    assert "Best play" not in keys(await casino.ask("history"))
    assert evening.evening_of([made(0), made(1, game="war"), made(2, real=False)]) == (made(0),)


async def test_best_play_is_not_offered_for_an_evening_without_blackjack(casino: Casino) -> None:
    await dealt(casino, "T T / 6 T | 5", "Stand")
    assert "Best play" in keys(await casino.ask("history"))
    await casino.sleep(evening.APART + 1)
    await casino.alice.slash(casino.channel, "war", bet="10")
    await casino.env.settle()
    assert "Best play" not in keys(await casino.ask("history"))


def made(hours: float, game: str = "blackjack", *, real: bool = True) -> Played:
    """A round that ended this many hours ago."""
    return Played("code", 1, 1, game, "vegas", 1000, 2000, real, 1e9 - hours * 3_600)


def test_a_round_is_green_if_it_won_and_red_if_it_lost() -> None:
    rounds = [replace(made(0), returned=returned) for returned in (1001, 1000, 999)]
    assert list(map(history._colour, rounds)) == ["🟢", "⚪", "🔴"]


def test_an_evening_goes_back_to_the_first_long_pause() -> None:
    row = [made(hours) for hours in (0, 1, 4, 8, 9)]
    assert evening.evening_of(row) == tuple(row[:3])
    assert evening.evening_of([]) == ()


async def test_without_the_coach_nobody_can_ask_for_best_play(casino: Casino) -> None:
    await dealt(casino, "T T / 6 T | 5", "Stand")
    listed = await casino.ask("history")
    casino.bot.coach = None
    assert "Best play" not in keys(await casino.ask("history"))
    result = await casino.alice.click(listed, label="Best play")
    assert result.response is not None
    assert "The coach is switched off here." in result.response.content
