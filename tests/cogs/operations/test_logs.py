"""The log: readable or JSON, with ids, and without what nobody may read."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextvars import copy_context

import discord
import pytest
from prometheus_client import REGISTRY

from cogs.operations import logs
from data.people.members import Members

from ..conftest import Casino

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gh1jKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture
def as_set_up() -> Iterator[None]:
    """Levels and handlers as they were, afterwards."""
    before = {name: logging.getLogger(name).level for name in [None, *logs._AT_LEAST]}
    handlers = list(logging.getLogger().handlers)
    yield
    logging.getLogger().handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_a_line_of_json_says_when_who_what_and_about_whom(as_set_up: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", as_json=True)
    served = copy_context()
    served.run(logs.ABOUT.set, {"press": 7, "guild": 5, "channel": None})
    served.run(logging.getLogger("croupier").error, "error %s ♠", "ab12", extra={"error": "ab12"})
    written = capsys.readouterr().err
    line = json.loads(written)
    assert "♠" in written
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
    assert line == {
        "level": "ERROR",
        "logger": "croupier",
        "message": "error ab12 ♠",
        "error": "ab12",
        "press": 7,
        "guild": 5,
    }


def test_a_readable_line_ends_with_what_it_is_about(as_set_up: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("INFO", as_json=False)
    served = copy_context()
    served.run(logs.ABOUT.set, {"press": 7, "guild": 5, "channel": 3})
    served.run(logging.getLogger("croupier").info, "dealt")
    logging.getLogger("croupier").info("closed")
    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO    croupier: dealt \[press 7 guild 5 channel 3\]", first)
    assert second.endswith("croupier: closed")


@pytest.mark.parametrize("as_json", [True, False])
def test_what_happened_is_there_with_its_trace(
    as_set_up: None, capsys: pytest.CaptureFixture[str], *, as_json: bool
) -> None:
    logs.set_up("INFO", as_json=as_json)
    try:
        raise ValueError(f"Authorization: Bot {TOKEN}")
    except ValueError:
        logging.getLogger("croupier").exception("it broke")
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert "Authorization: Bot ***" in said
    assert TOKEN not in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"the token {TOKEN} is", "the token *** is"),
        ("POST /webhooks/12345/aW50ZXJhY3Rpb246MTIzNDU2Nzg5/messages", "POST /webhooks/12345/***/messages"),
        ("interactions/12345/aW50ZXJhY3Rpb246MTIzNDU2Nzg5/callback", "interactions/12345/***/callback"),
        ("postgresql://me:hunter2@here/casino", "postgresql://me:***@here/casino"),
        ("postgresql://me:hun/ter==@here/casino", "postgresql://me:***@here/casino"),
        (
            "postgresql://here/casino?user=me&password=hunter2&ssl=on",
            "postgresql://here/casino?user=me&password=***&ssl=on",
        ),
        ("guild 1234567890123456789 has 7 tables", "guild 1234567890123456789 has 7 tables"),
    ],
)
def test_secrets_are_blotted_out_and_nothing_else(text: str, shown: str) -> None:
    assert logs.blotted(text) == shown


def test_libraries_that_write_down_what_they_send_are_kept_quiet(as_set_up: None) -> None:
    logs.set_up("DEBUG", as_json=False)
    for name in ("discord.gateway", "discord.http", "aiosqlite", "asyncpg", "asyncio", "aiohttp.client", "PIL.Image"):
        assert not logging.getLogger(name).isEnabledFor(logging.DEBUG)
        assert logging.getLogger(name).isEnabledFor(logging.INFO)
    for name in ("sqlalchemy.engine", "alembic.runtime.plugins"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
        assert logging.getLogger(name).isEnabledFor(logging.WARNING)
    assert logging.getLogger("croupier").isEnabledFor(logging.DEBUG)


async def test_the_number_that_a_member_is_told_leads_to_the_line(
    casino: Casino, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("something nobody foresaw")

    monkeypatch.setattr(Members, "sign_in", broken)
    before = REGISTRY.get_sample_value("croupier_mishaps_total") or 0.0
    answer = await casino.ask("balance")
    assert REGISTRY.get_sample_value("croupier_mishaps_total") == before + 1
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert f"`{record.error}`" in (answer.content or "")
    assert record.exc_info is not None
    caplog.clear()
    monkeypatch.undo()


async def test_what_is_logged_about_a_press_names_it(casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    said: list[logging.LogRecord] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record)

    listener = Listener()
    listener.addFilter(logs._Ids())
    logging.getLogger("test").addHandler(listener)

    @casino.bot.tree.command(name="news", description="Says something to the log")
    async def news(interaction: discord.Interaction) -> None:
        from cogs.answers.serving import serving

        async with serving(interaction) as reply:
            logging.getLogger("test").warning("here")
            await reply.say("done")

    await casino.bot.tree.sync()
    await casino.ask("news")
    (record,) = said
    assert (record.guild, record.channel) == (casino.guild.id, casino.channel.id)
    assert record.press > 0
