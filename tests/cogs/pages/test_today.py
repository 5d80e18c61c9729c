"""Texts of Today's five, in every language (`tests/golden/pages`)."""

from __future__ import annotations

import re

import pytest

from cogs.words import DEFAULT, _, speaking
from engine.sets.calendar import DAY, GRACE, day_at, opens
from tests.data import fives

from .. import raw
from ..conftest import Casino, keys, text_of
from ..today.conftest import FirstDay, Hall
from . import writing
from .languages import FOLDERS
from .test_commands import answer, page
from .test_golden import agrees


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_todays_five_speaks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """Alice hits once where she can, and stands; then she looks back, at the board, and shares."""
    alice = casino.alice
    if language != DEFAULT:
        await alice.select(await casino.ask("settings"), [language], custom_id="settings:language")
    casino.bot.bank.days.chance = bytes  # the same cards, whatever else is drawn
    lines = [f"== before the first day\n{text_of(await casino.ask('today'))}", ""]
    now = casino.env.now().timestamp()
    await casino.sleep(opens(day_at(now) + 1) - now + DAY / 2)
    shown = await casino.ask("today")

    async def press(label: str, scene: str) -> None:
        await alice.click(shown, label=word(label, language))
        lines.extend(page(scene, answer(shown)))

    lines += page("/today", answer(shown))
    await press("Rules", "its rules")
    await press("Back", "back")
    await press("Play", "the first hand")
    while word("Your result", language) not in keys(shown):
        pressable = keys(shown)
        label = next(key for key in ("Next", "No insurance", "Hit", "Stand") if word(key, language) in pressable)
        await press(label, label)
    await press("Your result", "the result")
    await press("Hands", "looking back")
    await press("Back", "the result again")
    opened = (await alice.click(shown, label=word("Board", language))).response
    assert opened is not None
    shown = opened
    lines += page("the board", answer(shown))
    await press("Week", "the week")
    shown = await casino.ask("today")
    await press("Share", "after sharing")
    lines += page("the post", post(casino))
    agrees(request, f"{folder}/today.txt", lines)


def word(label: str, language: str) -> str:
    with speaking(language):
        return _(label)


def post(casino: Casino) -> list[str]:
    (message,) = casino.channel.history()
    return [text_of(message), *(part["label"] for part in raw.components(message) if part["type"] == 2)]


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_the_days_message_speaks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """A manager chooses channel, hour and role; two people play; the message comes, and its keys answer."""
    casino.bot.bank.days.chance = bytes
    await casino.ask("today")
    now = casino.env.now().timestamp()
    await casino.sleep(opens(day_at(now) + 1) - now)
    hall = Hall(FirstDay(casino))
    if language != DEFAULT:
        for who in (casino.alice, hall.boss):
            await who.select(await casino.ask("settings", who), [language], custom_id="settings:language")
        settings = await casino.ask("casino settings", hall.boss, page="language")
        await hall.boss.select(settings, [language], custom_id="office:language")
    await hall.choose(hall.channel)
    await hall.calls(casino.guild.create_role("Five", mentionable=True))
    await hall.sleep_until(1.5)
    lines = page("on the first day", shown(hall))
    await hall.plays(casino.bob, casino.person("carol"))
    await hall.sleep_until(1.5)
    lines += page("two played yesterday", shown(hall))
    for label in ("Play", "Yesterday"):
        pressed = await casino.alice.click(hall.posts[-1], label=word(label, language))
        lines += page(label, answer(pressed.response))  # type: ignore[arg-type]
    for scene in ("Board, before the five are over", "Tell me", "Tell me again"):
        pressed = await casino.alice.click(hall.posts[-1], label=word(re.split(",| again", scene)[0], language))
        lines += page(scene, [text_of(pressed.response)])  # type: ignore[arg-type]
    lines += page("the settings", answer(await hall.at_hour(19)))
    agrees(request, f"{folder}/day_message.txt", lines)


def shown(hall: Hall) -> list[str]:
    return writing.boxed(raw.components(hall.posts[-1])[0])


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_what_is_rarer_speaks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """Eleven others fill a board; Alice finishes after midnight, sees the day on paper, and plays it again."""
    alice = casino.alice
    if language != DEFAULT:
        await alice.select(await casino.ask("settings"), [language], custom_id="settings:language")
    casino.bot.bank.days.chance = bytes
    await casino.ask("today")
    now = casino.env.now().timestamp()
    await casino.sleep(opens(day_at(now) + 1) - now)
    await casino.ask("today", casino.bob)
    bank = casino.bot.bank  # sleeping has restarted the bot
    day = await bank.days.today()
    assert day is not None
    for user in range(700, 711):
        await fives.play(bank, day, user, fives.perfect(day)[: None if user < 710 else 3], casino.guild.id)
    begun = await casino.ask("today")
    await alice.click(begun, label=word("Play", language))
    await casino.sleep(DAY + 60)
    home = await casino.ask("today")
    lines = page("/today, with yesterday's to finish", answer(home))
    await alice.click(home, label=word("Finish yesterday's", language))
    while word("Your result", language) not in keys(home):
        label = next(key for key in ("Next", "No insurance", "Stand") if word(key, language) in keys(home))
        await alice.click(home, label=word(label, language))
    await alice.click(home, label=word("Your result", language))
    await casino.sleep(GRACE)
    board = (await alice.click(home, label=word("Board", language))).response
    assert board is not None
    lines += page("a board of two pages, a day later", answer(board))
    await alice.click(board, label=word("Next", language))
    lines += page("its second page", answer(board))
    checked = (await alice.click(board, label=word("Check it yourself", language))).response
    lines += page("the day on paper", answer(checked))  # type: ignore[arg-type]
    past = await casino.ask("today")
    await alice.click(past, label=word("Past days", language))
    lines += page("past days", answer(past))
    await alice.select(past, [str(day.id)])
    lines += page("a past day, begun", answer(past))
    agrees(request, f"{folder}/today_rarer.txt", lines)
