"""The doctor: each thing that can be wrong is found, with its remedy."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import time
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest
import simcord
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot import create_bot
from cogs.doctor import discord_side, machine
from cogs.doctor.examination import Patient, examine, signed_in
from cogs.doctor.results import CheckResult, summary
from cogs.doctor.trial import _kept, _result, trial
from cogs.table.permissions import FOR_TOURNAMENTS, INVITED
from settings import Settings

from ..conftest import Casino
from ..line import Line


def patient(casino: Casino, token: str | None = None) -> Patient:
    return Patient(casino.bot, casino.bot.clock, token, casino.settings.database_url, 1)


async def test_a_casino_in_order_has_nothing_wrong(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    async def told(*_: object) -> CheckResult:
        return CheckResult("shards", "Discord asks for 1")

    monkeypatch.setattr(discord_side, "shards", told)  # simcord has no such route
    results = [result async for result in signed_in(patient(casino))]
    results += [result async for result in machine.database(casino.settings.database_url, casino.bot.clock)]
    server, (_, _, file) = f"ok     server {casino.guild.id}", casino.settings.database_url.partition(":///")
    assert [re.sub(r" \([0-9.]+ MiB\)", "", str(result)) for result in results] == [
        f"ok     token: signed in as {casino.bot.user}; no privileged intent is needed",
        "ok     shards: Discord asks for 1",
        f"ok     commands: all {len(casino.bot.tree.get_commands())} are registered",
        "ok     emoji: 0 of 79 card emoji are there; the bot adds the others when it starts with CARD_EMOJI=on",
        f"{server}: all 1 channels can have a table, and their threads",
        f"{server}: tournaments have threads of their own and are on its calendar",
        f"ok     database: {file or 'the server'} answers and has today's schema",
    ]
    assert summary(results) == "Nothing is wrong."


async def test_without_a_token_it_says_where_to_put_it(casino: Casino) -> None:
    *_, last = [result async for result in examine(patient(casino))]
    told = "none is set: the bot opens the playground; for Discord, put DISCORD_TOKEN into .env"
    assert str(last) == f"ok     token: {told}"


async def test_with_settings_that_are_not_valid_everything_else_is_still_looked_at(
    casino: Casino, tmp_path: Path
) -> None:
    """A nonsense token says nothing about the disk and the database."""
    url = f"sqlite:///{tmp_path / 'new.db'}"
    given = {"DISCORD_TOKEN": "nonsense", "TURN_SECONDS": "soon", "DATABASE_URL": url}
    settings, wrong = Settings.read_what_is_valid(given, tmp_path / ".env")
    assert (settings.discord_token, settings.database_url) == (None, url)
    bad = Patient(casino.bot, casino.bot.clock, settings.discord_token, settings.database_url, 1, wrong=wrong)
    told = [str(result) for result in [result async for result in examine(bad)]]
    assert "DISCORD_TOKEN is not valid: it must be the token from the Bot page" in told[0]
    assert "TURN_SECONDS is 'soon'" in told[1]
    assert told[1].endswith("\n       -> Correct it in .env or in the environment; .env.example explains it.")
    assert [line.split(":")[0] for line in told[2:]] == ["ok     versions", "ok     disk", "ok     database"]


def test_settings_that_contradict_each_other_still_name_the_database(tmp_path: Path) -> None:
    given = {"SMALLEST_STAKE": "50", "LARGEST_STAKE": "10", "DATABASE_URL": "sqlite:///here.db"}
    settings, wrong = Settings.read_what_is_valid(given, tmp_path / ".env")
    assert settings.database_url == "sqlite:///here.db"
    assert list(wrong.values()) == ["SMALLEST_STAKE must not be above LARGEST_STAKE."]


async def test_a_channel_without_a_permission_is_named_with_it(casino: Casino) -> None:
    deny = discord.PermissionOverwrite(attach_files=False, embed_links=False, send_messages_in_threads=False)
    casino.guild.create_text_channel("library", overwrites={casino.guild.default_role: deny})
    result = await discord_side.permissions(casino.bot, casino.guild.id)
    assert result.sentence == "#library lacks Attach Files, Send Messages in Threads"
    assert result.remedy == (
        "Give the bot's role these permissions there, or leave it: there can be no table in those channels. "
        "Where only Read Message History lacks there can be, but a deleted promise is not noticed."
    )


async def test_a_channel_is_named_even_if_another_one_has_its_name(casino: Casino) -> None:
    deny = discord.PermissionOverwrite(send_messages=False)
    casino.guild.create_text_channel("library", overwrites={casino.guild.default_role: deny})
    casino.guild.create_text_channel("library")
    result = await discord_side.permissions(casino.bot, casino.guild.id)
    assert result.sentence == "#library lacks Send Messages"


async def test_voice_chats_threads_and_forums_are_looked_at_each_for_what_it_needs(casino: Casino) -> None:
    rights = discord.Permissions.all()
    rights.update(administrator=False, send_messages=False, send_messages_in_threads=False)
    for role in casino.env.backend.get_guild(casino.guild.id).roles.values():
        role.permissions &= rights.value
    casino.guild.create_category("rooms")
    casino.guild.create_voice_channel("lounge")
    casino.guild.create_stage_channel("stage")
    casino.guild.create_forum_channel("ideas")
    result = await discord_side.permissions(casino.bot, casino.guild.id)
    assert result.sentence.split("; ") == [
        "#casino lacks Send Messages, Send Messages in Threads",
        "#lounge lacks Send Messages",
        "#stage lacks Send Messages",
        "#ideas lacks Send Messages in Threads",
    ]


async def test_a_server_that_the_bot_is_not_on_is_said(casino: Casino) -> None:
    (result,) = [result async for result in discord_side.servers(casino.bot, 4711)]
    assert result.sentence.startswith("Discord refuses to tell: 404 ")
    assert result.remedy == "Invite the bot to it: see README."


async def test_commands_that_are_not_registered_are_named(casino: Casino) -> None:
    @casino.bot.tree.command(name="news", description="Something new")
    async def news(interaction: discord.Interaction) -> None: ...

    result = await discord_side.commands(casino.bot.tree)
    assert result.sentence == "not registered: news"
    assert result.remedy == "Start the bot: the process with shard 0 registers them."
    for name in ("news", "war", "help"):
        casino.bot.tree.remove_command(name)
    assert (await discord_side.commands(casino.bot.tree)).sentence == "not ours: help, war"


async def database(casino: Casino, url: str) -> CheckResult:
    (result,) = [result async for result in machine.database(url, casino.bot.clock)]
    return result


async def test_a_database_that_is_not_there_yet_is_no_fault_and_is_not_made(casino: Casino, tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    told = f"{file} is not there yet; the first start makes it"
    assert await database(casino, f"sqlite:///{file}") == CheckResult("database", told)
    assert not file.exists()


async def test_a_file_without_a_bank_is_not_taken_for_a_server(casino: Casino, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    result = await database(casino, f"sqlite:///{tmp_path / 'empty.db'}")
    assert not result.fine
    assert "server" not in result.sentence


async def test_a_database_that_is_none_is_said(casino: Casino, tmp_path: Path) -> None:
    file = tmp_path / "letter.db"
    file.write_text("Dear casino, " * 500)
    assert (await database(casino, f"sqlite:///{file}")).remedy == "See docs/hosting.md, The database; then try again."


async def test_a_database_in_a_folder_that_cannot_be_looked_into_is_said(casino: Casino, tmp_path: Path) -> None:
    """Its name is too long for any file system, because root may look into every folder that is there."""
    folder = tmp_path / ("x" * 5_000)
    url, remedy = f"sqlite:///{folder / 'casino.db'}", "See docs/hosting.md, The database; then try again."
    told = f"{folder / 'casino.db'} cannot be looked at: File name too long."
    assert await database(casino, url) == CheckResult("database", told, remedy)
    assert machine.disk(url) == CheckResult("disk", f"{folder} cannot be looked at: File name too long.", remedy)


async def test_an_older_schema_is_said_and_left_alone(casino: Casino, tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    connection.close()
    result = await database(casino, f"sqlite:///{file}")
    assert "has schema 0001" in result.sentence
    assert not result.fine


async def test_stakes_that_are_stopped_are_said_with_the_reason(casino: Casino) -> None:
    await casino.bot.bank.auditor.stop_stakes("a chip is missing")
    result = await database(casino, casino.settings.database_url)
    await casino.bot.bank.auditor.allow_stakes()
    assert result.sentence == "no stakes are taken: a chip is missing"
    repair = "Run python -m data audit, repair what it reports or restore a backup, then audit again."
    assert result.remedy == repair


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'var' / 'casino.db'}"
    for free, remedy in ((500 * 2**20, "Make room, or move the database to a larger disk."), (500 * 2**20 + 1, None)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        assert machine.disk(url) == CheckResult("disk", f"0.5 GiB are free in {tmp_path}", remedy)


async def test_a_clock_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence(_: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    monkeypatch.setattr(machine, "REQUEST", 0.05)
    app = web.Application()
    app.router.add_get("/", silence)
    async with TestServer(app, shutdown_timeout=0) as server:
        result = await machine.clock(str(server.make_url("/")))
    assert result.sentence.startswith("it cannot be compared with Discord's (")
    assert result.remedy == "Check whether Discord can be reached."


async def test_a_discord_that_stops_answering_is_said_and_ends_the_examination(
    casino: Casino, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fine(*_: object) -> CheckResult:
        return CheckResult("clock", "fine")

    monkeypatch.setattr(machine, "clock", fine)
    monkeypatch.setattr(casino.bot, "login", fine)
    monkeypatch.setattr(discord_side, "shards", fine)  # simcord has no such route
    line.cut("GET", "/applications/*/commands")
    *_, last = [result async for result in examine(patient(casino, "a token"))]
    assert last.sentence.startswith("it stopped answering: ServerDisconnectedError")
    assert last.remedy == "Try again in a few minutes."


@pytest.mark.parametrize(("off", "fine"), [(0.0, True), (-120.0, False), (120.0, False)])
async def test_a_clock_that_is_off_is_said(off: float, *, fine: bool) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(headers={"Date": formatdate(time.time() - off, usegmt=True)})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    result = await machine.clock(f"http://127.0.0.1:{runner.addresses[0][1]}/")
    await runner.cleanup()
    assert result.fine is fine
    if fine:
        assert result.sentence == "within 3 seconds of Discord's"
    else:
        assert re.fullmatch(rf"it is \{'-' if off < 0 else '+'}1(19|20|21) seconds off", result.sentence)
        assert result.remedy == "Have it set by NTP (timedatectl set-ntp true)."


async def test_the_examined_bot_opens_no_house(casino: Casino) -> None:
    from bot import _Examined

    bot = _Examined(casino.settings)
    await bot.setup_hook()
    assert {command.name for command in bot.tree.get_commands()} >= {"blackjack", "casino", "tournament"}
    assert not hasattr(bot, "bank")
    assert create_bot(casino.settings).tree.get_commands() == []


@pytest.mark.parametrize(
    ("asked", "ours", "left", "remedy"),
    [
        (1, 1, 900, None),
        (4, 3, 900, "Set SHARD_COUNT to 4 or more."),
        (4, 4, 900, None),
        (4, None, 50, None),
        (1, 1, 49, "Find out what restarts the bot again and again: see its log."),
    ],
)
async def test_too_few_shards_or_sign_ins_are_said(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, asked: int, ours: int | None, left: int, remedy: str | None
) -> None:
    async def told(_: discord.http.Route) -> dict[str, object]:
        return {"shards": asked, "session_start_limit": {"remaining": left, "total": 1_000, "max_concurrency": 1}}

    monkeypatch.setattr(casino.bot.http, "request", told)
    result = await discord_side.shards(casino.bot, ours)
    assert result.remedy == remedy
    told_of = f"Discord asks for {asked}, {left} of 1000 sign-ins are left today, 1 at a time"
    assert result.sentence == (f"{told_of}, SHARD_COUNT is 3" if ours == 3 else told_of)


@pytest.mark.parametrize(("seconds", "fine"), [(0, True), (-2, True), (5, False), (-5, False), (3_600, False)])
async def test_a_clock_that_differs_from_discord_s_by_a_few_seconds_is_said(seconds: int, *, fine: bool) -> None:
    async def told(_: web.Request) -> web.Response:
        return web.Response(headers={"Date": formatdate(time.time() + seconds, usegmt=True)})

    app = web.Application()
    app.router.add_get("/", told)
    async with TestServer(app) as server:
        assert (await machine.clock(str(server.make_url("/")))).fine is fine


def test_the_invitation_asks_for_what_the_bot_needs_and_nothing_else() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    everything = {**INVITED, **FOR_TOURNAMENTS}
    least, most = (discord.Permissions(**dict.fromkeys(names, True)).value for names in (INVITED, everything))
    assert [int(number) for number in re.findall(r"permissions=(\d+)", readme)] == [least, most]
    told = " ".join(readme.partition("permissions=")[2].partition("4. `make doctor`")[0].split())
    assert [label for label in everything.values() if label not in told] == []


# -- a trial in a channel ----------------------------------------------------------------------------------------------


async def tried(casino: Casino) -> list[CheckResult]:
    return [result async for result in trial(casino.bot, casino.channel.id)]


async def test_a_message_is_posted_edited_with_its_picture_kept_and_deleted(casino: Casino) -> None:
    since, before = len(casino.env.http_requests), list(casino.channel.history())
    results = await tried(casino)
    assert [re.sub(r" in [0-9.]+ s$", "", result.sentence) for result in results] == [
        "posted a message with a picture",
        "edited its text, and the picture stayed",
        "deleted it again",
    ]
    assert all(result.fine for result in results)
    assert [request.method for request in casino.env.http_requests[since:]] == ["POST", "PATCH", "DELETE"]
    assert list(casino.channel.history()) == before


async def test_what_discord_refuses_in_a_trial_is_said_with_its_code(casino: Casino) -> None:
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, message="Invalid Form Body")
    *_, refused = await tried(casino)
    assert refused.sentence == "Discord refused: status 400, code 50035, Invalid Form Body"
    look_up = "Look up the permissions of that channel above; with a code that says nothing, report it."
    assert refused.remedy == look_up
    assert not list(casino.channel.history()), "it takes its message away"


async def test_a_trial_whose_line_is_cut_says_so(casino: Casino, line: Line) -> None:
    line.cut("POST", "/channels/*/messages")
    (refused,) = await tried(casino)
    assert refused.sentence == "Discord did not answer: ServerDisconnectedError"
    assert not refused.fine


async def test_a_slow_line_is_noticed_in_a_trial(casino: Casino, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.doctor.trial.SLOW", 0.02)
    line.each_way = 0.02
    assert all(result.sentence.endswith("slow: players will see this") for result in await tried(casino))


async def test_a_doctor_is_told_what_edits_leave_of_a_picture(casino: Casino) -> None:
    bare = await casino.bot.get_partial_messageable(casino.channel.id).send("no picture")
    lost = _kept(bare, 0.1)
    assert lost.sentence == "an edit of the text left 0 pictures"
    assert lost.remedy == "Report it: tables upload their picture again with each edit until this is mended."


async def test_a_named_channel_is_tried_at_the_end(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    async def told(*_: object) -> CheckResult:
        return CheckResult("shards", "Discord asks for 1")

    monkeypatch.setattr(discord_side, "shards", told)  # simcord has no such route
    asked = replace(patient(casino), channel=casino.channel.id)
    results = [result async for result in signed_in(asked)]
    assert [result.what for result in results[-4:]] == [f"server {casino.guild.id}", "trial", "trial", "trial"]


# -- what it prints ----------------------------------------------------------------------------------------------------


def test_more_than_a_second_is_slow_in_a_trial() -> None:
    assert [_result("edited", seconds).sentence for seconds in (1.0, 1.04)] == [
        "edited in 1.0 s",
        "edited in 1.0 s; slow: players will see this",
    ]


def test_what_is_wrong_is_counted_and_stands_above_its_remedy() -> None:
    fine, wrong = CheckResult("disk", "is large"), CheckResult("token", "is old", "Copy it again.")
    assert str(fine) == "ok     disk: is large"
    assert str(wrong) == "WRONG  token: is old\n       -> Copy it again."
    assert summary([fine, wrong]) == "One thing is wrong."
    assert summary([wrong, fine, wrong]) == "2 things are wrong."


@pytest.mark.parametrize(
    ("mishap", "said"),
    [
        (
            discord.LoginFailure("Improper token has been passed."),
            "WRONG  token: Discord does not know it\n       -> Copy it again from the developer portal into .env.",
        ),
        (
            OSError("no route to host"),
            "WRONG  Discord: it cannot be reached: no route to host\n"
            "       -> Check this machine's network and firewall.",
        ),
    ],
)
async def test_without_a_sign_in_the_examination_ends(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, mishap: Exception, said: str
) -> None:
    async def fine() -> CheckResult:
        return CheckResult("clock", "fine")

    async def refused(_: str) -> None:
        raise mishap

    monkeypatch.setattr(machine, "clock", fine)
    monkeypatch.setattr(casino.bot, "login", refused)
    *_, last = [result async for result in examine(patient(casino, "a token"))]
    assert str(last) == said


async def test_a_bot_on_no_server_is_told_how_to_be_invited(env: simcord.Env) -> None:
    (result,) = [result async for result in discord_side.servers(env.bot, None)]
    assert str(result) == "WRONG  server: the bot is on none\n       -> Invite it: see README, Put it on your server."


async def test_of_many_servers_the_first_are_looked_at(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = casino.guild, casino.env.create_guild("Elsewhere")
    assert discord_side.SERVERS == 20
    monkeypatch.setattr(discord_side, "SERVERS", 1)
    *looked_at, last = [result async for result in discord_side.servers(casino.bot, None)]
    assert [result.what for result in looked_at] == [f"server {first.id}"] * 2, "channels, and tournaments"
    assert last.sentence == "only 1 were looked at; name one with --server ID for another"
    assert last.fine
    named = [result async for result in discord_side.servers(casino.bot, second.id)]
    assert [result.what for result in named] == [f"server {second.id}"] * 2


def test_the_disk_of_a_server_is_looked_at_there() -> None:
    result = machine.disk("postgresql://me@here/casino")
    assert str(result) == "ok     disk: the database is on a server; look at its disk there"
