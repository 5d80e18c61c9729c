"""The frame: what the bot asks of Discord, how it starts, what it says when it cannot, how it stops."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import discord
import pytest
import simcord
from aiohttp import web

import bot as frame
from bot import CannotStart, CasinoBot, create_bot, extensions
from cogs.doctor.examination import Patient
from cogs.doctor.results import CheckResult
from cogs.operations.sign_in import SignIns
from cogs.playground import NoPort, open_playground
from settings import ROOT, Settings
from tests.patience import Env

#: Seconds for a process to start, say what it has to say, and end, on a machine that has much else to do.
PATIENCE = 60.0
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gh1jKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "casino.db"


def settings(database: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{database}", think_seconds=0)


@asynccontextmanager
async def signed_in(database: Path) -> AsyncIterator[simcord.Env]:
    bot = create_bot(settings(database))
    try:
        env = Env(bot, settle_timeout=20)
        await env.start()
        yield env
        await env.shutdown()
        env.raise_errors()
    finally:
        await bot.close()


@contextmanager
def run(**environment: str) -> Iterator[subprocess.Popen[str]]:
    """`python bot.py` from a shell. One that stands still is killed, so that nobody waits for what it says."""
    process = subprocess.Popen(
        [sys.executable, "bot.py"],
        cwd=ROOT,
        env={**os.environ, "DISCORD_TOKEN": "", "PLAYGROUND_PORT": "0", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    still = threading.Timer(PATIENCE, process.kill)
    still.start()
    try:
        yield process
    finally:
        still.cancel()
        process.kill()
        process.communicate()


# -- what it asks of Discord -------------------------------------------------------------------------------------------


def test_no_intent_is_privileged(database: Path) -> None:
    assert create_bot(settings(database)).intents == discord.Intents(guilds=True)


def test_nobody_is_ever_pinged(database: Path) -> None:
    mentions = create_bot(settings(database)).allowed_mentions
    assert mentions is not None
    assert mentions.to_dict() == {"parse": []}


def test_it_keeps_no_messages_and_no_lists_of_members(database: Path) -> None:
    bot = create_bot(settings(database))
    assert (bot._connection.max_messages, bot._connection._chunk_guilds, bot.help_command) == (None, False, None)
    assert bot.http.max_ratelimit_timeout == 30.0


def test_its_commands_are_for_servers_unless_they_say_otherwise(database: Path) -> None:
    tree = create_bot(settings(database)).tree
    assert tree.allowed_contexts is not None
    assert tree.allowed_installs is not None
    assert (tree.allowed_contexts.to_array(), tree.allowed_installs.to_array()) == ([0], [0])


async def test_a_server_is_reached_once_its_own_shard_is_ready() -> None:
    bot, first, second = create_bot(Settings(shard_count=2)), 4 << 22, 5 << 22
    assert [bot.reaches(guild) for guild in (first, second)] == [False, False]
    await bot.on_shard_ready(1)
    assert [bot.reaches(guild) for guild in (first, second)] == [False, True]
    assert bot.takes_care_of(first)
    assert not create_bot(Settings(shard_count=2, shard_ids=(1,))).takes_care_of(first)


def test_one_shard_unless_the_settings_say_otherwise(database: Path) -> None:
    assert create_bot(settings(database)).shard_count == 1
    several = create_bot(Settings(shard_count=4, shard_ids=(2, 3)))
    assert (several.shard_count, several.shard_ids) == (4, [2, 3])


def test_every_module_with_a_setup_is_loaded(database: Path) -> None:
    assert {"cogs.war", "cogs.blackjack.command"} <= set(extensions())
    assert "cogs.words" not in extensions()


async def test_games_are_for_adults_from_the_start_where_the_operator_says_so(database: Path) -> None:
    """simcord takes no such commands, so this process registers none."""
    theirs = Settings(database_url=f"sqlite:///{database}", age_restricted=True, shard_count=2, shard_ids=(1,))
    bot = create_bot(theirs)
    try:
        async with simcord.run(bot):
            assert {name: bot.tree.get_command(name).nsfw for name in ("war", "help")} == {"war": True, "help": False}  # type: ignore[union-attr]
    finally:
        await bot.close()


async def test_commands_are_there_once_it_has_signed_in(database: Path) -> None:
    async with signed_in(database) as env:
        names = {command.name for command in await env.bot.tree.fetch_commands()}
    assert "blackjack" in names


async def test_a_bank_with_a_missing_chip_takes_no_stakes(database: Path) -> None:
    async with signed_in(database) as env:
        assert await env.bot.bank.auditor.stakes_stopped() is None
        await env.bot.bank.members.sign_in(1, 2)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE members SET balance = balance + 1")
    connection.close()
    async with signed_in(database) as env:
        assert await env.bot.bank.auditor.stakes_stopped() is not None


# -- commands are registered when they change --------------------------------------------------------------------------


def syncs(env: simcord.Env) -> int:
    return sum(request.method == "PUT" and request.path.endswith("/commands") for request in env.http_requests)


async def test_commands_are_registered_once(database: Path) -> None:
    async with signed_in(database) as env:
        assert syncs(env) == 1
        env.http_requests.clear()
        await env.bot.close()
        await env.restart_bot(create_bot(settings(database)))
        assert syncs(env) == 0
        await env.bot.close()


async def test_changed_commands_are_registered_again(database: Path) -> None:
    async with signed_in(database) as env:
        env.http_requests.clear()
        await env.bot.close()
        for _ in range(2):
            changed = create_bot(settings(database))

            @changed.tree.command(name="news", description="Something new")
            async def news(interaction: discord.Interaction) -> None: ...

            await env.restart_bot(changed)
            assert syncs(env) == 1, "once more, and not at each start after it"
            await changed.close()


async def test_commands_that_discord_has_lost_are_registered_again(database: Path) -> None:
    for _ in range(2):  # a new Discord each time, the same database
        async with signed_in(database) as env:
            assert syncs(env) == 1


@pytest.mark.parametrize(("shard", "registered"), [(0, 1), (1, 0)])
async def test_only_the_process_with_the_first_shard_registers_commands(
    database: Path, shard: int, registered: int
) -> None:
    bot = create_bot(Settings(database_url=f"sqlite:///{database}", shard_count=2, shard_ids=(shard,)))
    try:
        async with simcord.run(bot) as env:
            assert syncs(env) == registered
    finally:
        await bot.close()


async def test_processes_without_the_first_shard_audit_a_bank_that_only_they_have(database: Path) -> None:
    theirs = Settings(database_url=f"sqlite:///{database}", shard_count=2, shard_ids=(1,), backup_hours=0)
    bot = create_bot(theirs)
    try:
        async with simcord.run(bot) as env:
            await bot.bank.members.sign_in(7, 1)
            await env.advance_time(10)
            assert [head.guild for head in await bot.bank.leaves.heads()] == [7], "its books are bound"
            assert await bot.bank.notes.number("proved whole"), "and audited"
    finally:
        await bot.close()


async def test_a_process_takes_up_the_tables_of_its_own_shards_and_no_others(database: Path) -> None:
    """Two processes that both keep a table's clock would time people out twice."""
    async with signed_in(database) as env:
        guild = env.create_guild("Riverside")
        actor = guild.add_member(env.create_user("alice"))
        await actor.slash(guild.create_text_channel("casino"), "blackjack", bet="10")
        ours = (guild.id >> 22) % 2
        await env.bot.close()
        for shard in (ours, 1 - ours):
            bot = create_bot(Settings(database_url=f"sqlite:///{database}", shard_count=2, shard_ids=(shard,)))
            await env.restart_bot(bot)
            assert len(bot.registry.tables()) == (shard == ours)
            await bot.close()


# -- what it says when it cannot start ---------------------------------------------------------------------------------


#: Starts the bot with settings of the environment, and returns what it says when it ends with that code.
Refused = Callable[..., str]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refused:
    """A start in this process. What it logs is not looked at."""
    monkeypatch.setattr(frame, "_set_up_logging", lambda settings: None)
    monkeypatch.setattr(sys, "argv", ["croupier"])

    def start(code: int, **environment: str) -> str:
        for name, value in {"DISCORD_TOKEN": "", "PLAYGROUND_PORT": "0", **environment}.items():
            monkeypatch.setenv(name, value)
        assert frame.main() == code
        (line,) = capsys.readouterr().err.splitlines()
        return line

    return start


@pytest.mark.parametrize(
    ("code", "environment", "last"),
    [
        (2, {"TURN_SECONDS": "soon"}, "TURN_SECONDS is 'soon', but must be a number of seconds from 5 to 3600."),
        (3, {"PLAYGROUND_DATABASE_URL": "sqlite:////dev/null/bank"}, "(sqlite:////dev/null/bank)"),
    ],
)
def test_a_process_that_cannot_start_says_one_sentence(code: int, environment: dict[str, str], last: str) -> None:
    with run(LOG_LEVEL="ERROR", **environment) as process:
        _, said = process.communicate()
    assert process.returncode == code, said
    assert said.endswith(f"{last}\n")
    assert said.count("\n") == 1


def test_several_processes_do_not_keep_a_file_each(refused: Refused) -> None:
    said = refused(2, DISCORD_TOKEN=TOKEN, SHARD_OF="0/2", MONITOR="off")
    assert said == "Several processes share one PostgreSQL: set DATABASE_URL to it, or leave out the shards."


def test_a_wrong_token_is_not_repeated(refused: Refused) -> None:
    assert "hunter2" not in refused(2, DISCORD_TOKEN="hunter2")


def test_a_database_that_cannot_be_opened_is_named(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "casino.db").mkdir()
    url = f"sqlite:///{tmp_path / 'casino.db'}"
    assert refused(3, PLAYGROUND_DATABASE_URL=url).endswith(f" ({url})")


def test_a_database_server_that_does_not_answer_is_named_without_its_password(refused: Refused) -> None:
    said = refused(3, PLAYGROUND_DATABASE_URL="postgresql://me:hunter2@127.0.0.1:1/casino")
    assert "hunter2" not in said
    assert said.endswith(" (DATABASE_URL)")


def test_an_sslmode_that_there_is_not_is_named_without_the_password(refused: Refused) -> None:
    said = refused(3, PLAYGROUND_DATABASE_URL="postgresql://me:hunter2@127.0.0.1:1/casino?sslmode=secure")
    assert "`sslmode` parameter must be one of: disable, allow, prefer, require, verify-ca, verify-full" in said
    assert "hunter2" not in said


def test_an_address_of_a_database_that_never_works_is_a_wrong_setting(refused: Refused) -> None:
    said = refused(2, PLAYGROUND_DATABASE_URL="postgresql://me:hunter2@here/x?color=red")
    assert said == "DATABASE_URL has an option that the driver does not know: leave out `color`. (DATABASE_URL)"


async def _once(database: Path) -> None:
    """Start the bot and stop it."""
    async with signed_in(database):
        pass


def test_a_database_that_only_reads_is_named(database: Path, refused: Refused) -> None:
    """Here because somebody else holds the file; a full disk and a missing permission are said the same way."""
    asyncio.run(_once(database))
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("DELETE FROM jobs")  # what Discord was told last: it will be told, and written down, again
        other.execute("BEGIN IMMEDIATE")
        said = refused(3, PLAYGROUND_DATABASE_URL=f"sqlite:///{database}")
        other.execute("ROLLBACK")
    assert said == f"The bank's file cannot be used: database is locked. (sqlite:///{database})"


def test_a_database_of_a_newer_release_is_left_alone(database: Path, refused: Refused) -> None:
    asyncio.run(_once(database))
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert "newer release" in refused(3, PLAYGROUND_DATABASE_URL=f"sqlite:///{database}")


@asynccontextmanager
async def discord_that(
    answers: Callable[[web.Request], Awaitable[web.StreamResponse]], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    """A Discord that answers every request like this."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answers)
    server = web.AppRunner(app, handler_cancellation=True)
    await server.setup()
    await web.TCPSite(server, "127.0.0.1", 0).start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{server.addresses[0][1]}/api")
    try:
        yield
    finally:
        await server.cleanup()


async def test_a_token_that_discord_does_not_know(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def unauthorized(_: web.Request) -> web.Response:
        return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)

    caplog.set_level(logging.DEBUG)
    async with discord_that(unauthorized, monkeypatch):
        with pytest.raises(CannotStart, match="does not know this DISCORD_TOKEN") as caught:
            await frame._on_discord(settings(database), TOKEN)
    assert caught.value.code == 4
    assert TOKEN not in caplog.text


async def test_a_discord_that_cannot_be_reached_is_told_with_the_reason(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api")
    monitored = dataclasses.replace(settings(database), monitor=None)
    with pytest.raises(CannotStart, match=r"^Discord cannot be reached: Cannot connect to host 127\.0\.0\.1") as caught:
        await frame._on_discord(monitored, TOKEN)
    assert caught.value.code == 4


async def hang_up(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def break_off(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Length": "100"})
    await answer.prepare(request)
    await answer.write(b"{")
    assert request.transport is not None
    request.transport.close()
    return answer


async def fall_silent(request: web.Request) -> web.Response:
    """Sign the bot in, and never list its commands."""
    if request.path.endswith("/commands"):
        await asyncio.sleep(PATIENCE)
    user = {"id": "1", "username": "croupier", "discriminator": "0", "avatar": None}
    about = {"name": "Croupier", "description": "", "icon": None, "bot_public": True, "verify_key": ""}
    told = {**user, **about, "bot_require_code_grant": False, "owner": user}
    return web.Response(body=json.dumps(told).encode(), content_type="application/json")


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (hang_up, "Server disconnected"),
        (break_off, "Response payload is not completed"),
        (fall_silent, "it does not answer in time"),
    ],
)
async def test_a_discord_that_is_lost_at_sign_in_is_told_with_the_reason(
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: Callable[[web.Request], Awaitable[web.StreamResponse]],
    reason: str,
) -> None:
    monkeypatch.setattr("cogs.answers.time_limits.REQUEST", 0.2)
    monitored = dataclasses.replace(settings(database), monitor=None)
    async with discord_that(answers, monkeypatch):
        with pytest.raises(CannotStart, match=rf"^Discord cannot be reached: {reason}.*\.$") as caught:
            await frame._on_discord(monitored, TOKEN)
    assert caught.value.code == 4


async def test_without_a_token_and_without_the_playground_it_says_what_to_install(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CannotStart) as caught:
        await frame._in_playground(settings(database))
    said = "Set DISCORD_TOKEN, or install the extra `playground` too (in a clone, make run does it)."
    assert (str(caught.value), caught.value.code) == (said, 2)


async def test_where_no_port_is_free_the_playground_ends_with_a_code_of_its_own(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @asynccontextmanager
    async def taken(bot: CasinoBot, _: int) -> AsyncIterator[None]:
        async with open_playground(bot, 0):
            raise NoPort("No port is free.")
        yield

    monkeypatch.setattr("cogs.playground.open_playground", taken)
    with pytest.raises(CannotStart, match=r"^No port is free\.$") as caught:
        await frame._in_playground(settings(database))
    assert caught.value.code == 5
    assert capsys.readouterr().out == "No DISCORD_TOKEN is set, so the casino opens in your browser instead.\n"


# -- shards of several processes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "at_once"), [({"session_start_limit": {"max_concurrency": 16}}, 16), (None, 1)])
async def test_as_many_shards_sign_in_together_as_discord_says_and_one_where_it_does_not(
    database: Path, monkeypatch: pytest.MonkeyPatch, answer: object, at_once: int
) -> None:
    async def told(route: discord.http.Route) -> object:
        assert route.url.endswith("/gateway/bot")
        if answer is None:
            raise TimeoutError
        return answer

    bot = create_bot(Settings(database_url=f"sqlite:///{database}", shard_count=2, shard_ids=(1,)))
    monkeypatch.setattr(bot.http, "request", told)
    assert await bot._sign_ins_at_once() == at_once


async def test_a_process_of_several_waits_for_its_turn_to_sign_in(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = list[int]()

    async def turn(_: SignIns, shard: int) -> None:
        turns.append(shard)

    async def one() -> int:
        return 1

    monkeypatch.setattr(SignIns, "turn", turn)
    async with signed_in(database) as env:
        await env.bot.before_identify_hook(0, initial=True)
        assert turns == []
        await env.bot.close()
        bot = create_bot(Settings(database_url=f"sqlite:///{database}", shard_count=2, shard_ids=(1,)))
        await env.restart_bot(bot)
        monkeypatch.setattr(bot, "_sign_ins_at_once", one)
        for shard in (1, None):
            await bot.before_identify_hook(shard)
        await bot.close()
    assert turns == [1, 0]


# -- the command line --------------------------------------------------------------------------------------------------


def typed(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[argparse.Namespace, list[str]]:
    monkeypatch.setattr(sys, "argv", ["croupier", *words])
    return frame._arguments()


def test_the_help_says_what_can_be_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for words in (("--help",), ("doctor", "--help")):
        with pytest.raises(SystemExit) as ended:
            typed(monkeypatch, *words)
        assert ended.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    for sentence in (
        "Croupier: on Discord with a DISCORD_TOKEN, in the browser without.",
        "doctor check everything that the bot depends on, and say how to fix it",
        "data audit, back up, restore or export the bank",
        "solver solve a rule set of blackjack, or one decision",
        "verify check the record of a round without the bot",
        "bench measure speed and memory on this machine",
        "--server ID check only the channels of this server",
        "--channel ID try a message with a picture in this channel",
    ):
        assert sentence in said


def test_what_follows_a_program_is_for_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(monkeypatch, "data", "audit", "--help") == (argparse.Namespace(verb="data"), ["audit", "--help"])
    doctor = argparse.Namespace(verb="doctor", server=7, channel=8)
    assert typed(monkeypatch, "doctor", "--server", "7", "--channel", "8") == (doctor, [])
    assert typed(monkeypatch) == (argparse.Namespace(verb=None), [])


@pytest.mark.parametrize(
    ("remedy", "code", "last"), [(None, 0, "Nothing is wrong."), ("Pay.", 1, "One thing is wrong.")]
)
async def test_the_doctor_prints_each_result_and_ends_with_a_code_that_scripts_can_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], remedy: str | None, code: int, last: str
) -> None:
    asked = list[tuple[int | None, int | None]]()

    async def examined(patient: Patient) -> AsyncIterator[CheckResult]:
        asked.append((patient.server, patient.channel))
        yield CheckResult("bank", "is a bank", remedy)

    monkeypatch.setattr("cogs.doctor.examination.examine", examined)
    assert await frame._examine(7, 8) == code
    assert asked == [(7, 8)]
    assert capsys.readouterr().out == f"{CheckResult('bank', 'is a bank', remedy)}\n{last}\n"


@pytest.mark.parametrize(
    ("token", "level", "shown"),
    [(None, "INFO", "WARNING"), (None, "DEBUG", "DEBUG"), (None, "ERROR", "ERROR"), (TOKEN, "INFO", "INFO")],
)
def test_in_the_playground_news_for_operators_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, token: str | None, level: str, shown: str
) -> None:
    heard = list[tuple[str, bool]]()
    monkeypatch.setattr(frame.logs, "set_up", lambda level, *, as_json: heard.append((level, as_json)))
    for log_format in ("text", "json"):
        frame._set_up_logging(Settings(discord_token=token, log_level=level, log_format=log_format))
    assert heard == [(shown, False), (shown, True)]


# -- how it stops ------------------------------------------------------------------------------------------------------


def test_a_stop_is_over_before_a_supervisor_kills_after_ten_seconds() -> None:
    assert (frame._PARKING, frame._GOODBYE) == (6.0, 2.0)


@pytest.mark.thinned
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly_when_it_is_told_to(database: Path, number: signal.Signals) -> None:
    with run(PLAYGROUND_DATABASE_URL=f"sqlite:///{database}", LOG_LEVEL="WARNING") as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        assert said[0].startswith("No DISCORD_TOKEN is set")
        process.send_signal(number)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert sqlite3.connect(database).execute("PRAGMA integrity_check").fetchone() == ("ok",)
