"""Times until tables are shown on a line like a real one: 150 ms each way and a megabyte a second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cogs.table import display
from engine.games.contract import CHIP

from ..conftest import Casino
from ..line import Line


@pytest.fixture
def real(line: Line) -> Line:
    line.each_way, line.bytes_a_second = 0.15, 1_000_000.0
    return line


async def shown(casino: Casino, deed: Awaitable[object]) -> list[tuple[str, int, float]]:
    """Return what happens to messages, by their ids, with the seconds since the beginning."""
    seen: list[tuple[str, int, float]] = []
    began = casino.env._virtual_time

    def note(event: str, payload: Any) -> None:
        if event.startswith("MESSAGE_"):
            seen.append((event.removeprefix("MESSAGE_"), int(payload["id"]), casino.env._virtual_time - began))

    casino.env.backend.subscribers.append(note)
    await deed
    await casino.env.settle()
    casino.env.backend.subscribers.remove(note)
    return seen


@pytest.mark.usefixtures("real")
async def test_a_table_appears_in_one_step_within_a_second_where_the_channel_has_its_promise(casino: Casino) -> None:
    """First a message that loads; then the table with its cards, and no change after that."""
    await casino.bob.slash(casino.channel, "war", bet="1")
    casino.cards.lay("5 4 / 9 ?")
    seen = await shown(casino, casino.blackjack(bet=10))
    table = casino.bot.registry.table_in(casino.channel.id, "blackjack")
    assert table is not None
    mine = [(what, when) for what, message, when in seen if message == table.state.message]
    assert [what for what, _ in mine] == ["CREATE", "UPDATE"]
    (_, announced), (_, dealt) = mine
    assert announced < 0.5, "one round trip asks whether the promise still stands"
    assert dealt < 1.0


@pytest.mark.usefixtures("real")
async def test_a_hit_is_shown_in_one_edit_after_one_way(casino: Casino) -> None:
    """Its picture costs a twentieth of a second more than words would."""
    await casino.deal("5 4 / 9 ? | 2 3")
    ((what, message, when),) = await shown(casino, casino.click("Hit"))
    assert (what, message) == ("UPDATE", casino.table.state.message)
    assert 0.15 <= when < 0.3


async def test_of_bets_that_follow_each_other_the_words_come_first_and_a_picture_after_them(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture is loaded by everybody who looks on and blinks, so a turn has one a second; here one in 0.2 s."""
    monkeypatch.setattr(display, "PICTURE_PAUSE", 0.2)
    await casino.alice.slash(casino.channel, "baccarat")
    await casino.env.advance_time(5)
    since, message = len(casino.env.http_requests), casino.bot.presenter._displays[casino.table]
    for who in map(casino.person, ("bob", "carol", "dave")):
        member = await casino.bot.bank.members.sign_in(casino.guild.id, who.id)
        await casino.table.stake(who.id, {"player": CHIP}, who.id, newcomer=member)
        await until(lambda: not message.is_outdated)
    await until(lambda: not message.behind)
    edits = [request.json for request in casino.env.http_requests[since:] if request.method == "PATCH"]
    assert [brings_a_picture(edit) for edit in edits][:2] == [True, False]
    assert brings_a_picture(edits[-1])
    assert casino.person("dave").mention in casino.text


async def test_every_turn_has_its_picture_at_once(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the pictures of one turn wait for each other. Here the player acts twice, and then time does."""
    monkeypatch.setattr(display, "PICTURE_PAUSE", 3_600.0)
    await casino.deal("2 2 / 9 ? | 2 2")
    since = len(casino.env.http_requests)
    for _ in range(2):
        await casino.click("Hit")
    assert [brings_a_picture(answer) for answer in answers_of(casino, since)] == [True, True]
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    (edit,) = [request.json for request in casino.env.http_requests[since:] if request.method == "PATCH"]
    assert brings_a_picture(edit)


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something that a task of the table does."""
    async with asyncio.timeout(10):
        while not happened():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def answers_of(casino: Casino, since: int) -> list[dict[str, Any]]:
    """Return what presses were answered with."""
    sent = casino.env.http_requests[since:]
    return [request.json["data"] for request in sent if request.path.endswith("/callback")]


def brings_a_picture(body: dict[str, Any]) -> bool:
    """Return whether an answer uploads a picture, rather than naming the one that is there."""
    return any(int(file["id"]) < 10 for file in body.get("attachments", ()))
