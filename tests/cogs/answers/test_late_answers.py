"""Discord waits three seconds. What takes longer is acknowledged first, and answered in the right place."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import discord
import pytest

from cogs.answers import serving
from engine.tables.refused import Reason, Refused
from engine.tables.table import Table

from ..conftest import Casino, text_of

#: Seconds after which a press is late here.
SOON = 0.1


@contextlib.contextmanager
def slow(part: object, name: str) -> Iterator[None]:
    """Let the part of the bank take longer over this than anybody waits."""
    at_once: Callable[..., Awaitable[Any]] = getattr(part, name)

    async def late(*args: Any, **more: Any) -> Any:
        await asyncio.sleep(2 * SOON)
        return await at_once(*args, **more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(part, name, late)
        patched.setattr(serving, "PATIENCE", SOON)
        yield


async def test_a_form_cannot_follow_an_acknowledgement_and_the_person_is_told(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.restart()  # nobody's language is known
    with slow(casino.bot.bank.members, "balance"):
        result = await casino.click("Bet")
    assert result.modal is None
    assert [answer.content for answer in result.followups] == ["That took too long just now. Press again."]
    assert (await casino.click("Bet")).modal is not None


async def test_a_late_copy_of_the_leaderboard_leaves_the_first_one_alone(casino: Casino) -> None:
    await casino.ask("leaderboard")
    shown, before = casino.message, text_of(casino.message)
    with slow(casino.bot.bank.ladders, "leaderboard"):
        result = await casino.bob.click(shown, label="Winnings")
    (copy,) = result.followups
    assert copy.ephemeral
    assert "Winnings" in text_of(copy)
    assert text_of(shown) == before


async def test_a_table_that_came_late_stays_when_its_first_stake_is_refused(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: Any, **__: Any) -> Any:
        raise Refused(Reason.BANK_UNAVAILABLE)

    monkeypatch.setattr(Table, "stake", refused)
    with slow(casino.bot.bank.guilds, "house"):
        result = await casino.blackjack(bet=5)
    (told,) = result.followups
    assert told.ephemeral
    assert "The bank can't save anything right now" in told.content
    assert "[Sealed before the deal](" in casino.text
    assert casino.snapshot.message == casino.message.id
    assert not [request for request in casino.env.http_requests if request.method == "DELETE"]


async def test_nobody_else_sees_why_a_late_command_was_refused(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """All see that the bot thinks, and the first answer after that would be public: what stands there goes first."""

    async def refused(*_: Any, **__: Any) -> Any:
        await asyncio.sleep(2 * SOON)
        raise Refused(Reason.BANK_UNAVAILABLE)

    monkeypatch.setattr(serving, "PATIENCE", SOON)
    monkeypatch.setattr(casino.bot.registry, "open", refused)
    await casino.blackjack(bet=5)
    deleted, told = casino.env.http_requests[-2:]
    assert (deleted.method, deleted.path.rpartition("/")[2]) == ("DELETE", "@original")
    assert isinstance(told.json, dict)
    assert "The bank can't save anything right now" in told.json["content"]
    assert told.json["flags"] == discord.MessageFlags(ephemeral=True).value
