"""The playground around the bot: ids and clock over restarts, ports, and pages that show what happened by itself."""

from __future__ import annotations

import asyncio
import html
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import discord
import pytest
from simcord import Preview

from bench._rounds import write_rounds
from bot import CasinoBot, DiscordClock, create_bot
from cogs.playground import MANAGER, PEOPLE, NoPort, _WorldClock, light, open_playground, page
from cogs.playground.direct import directs_of
from cogs.playground.light import WINDOW
from cogs.playground.replaced import LINES, Changed, replaced
from cogs.table.emoji import wanted
from data import Bank
from engine.sets.calendar import day_at
from engine.tables.house import HouseSettings
from settings import Settings
from tests.visitor import Visitor


@asynccontextmanager
async def playing(database: Path, port: int = 0) -> AsyncIterator[tuple[CasinoBot, Preview]]:
    url = f"sqlite:///{database}"
    bot = create_bot(Settings(database_url=url, playground_database_url=url))
    try:
        async with open_playground(bot, port) as preview:
            yield bot, preview
    finally:
        await bot.close()


def visit(preview: Preview, viewer: int = 0) -> Visitor:
    return Visitor(preview.url, str(preview.viewers[viewer].id))


def people(preview: Preview) -> dict[str, int]:
    return {viewer.name: viewer.id for viewer in preview.viewers}


async def test_address_people_channel_and_guild_are_the_same_after_a_restart(tmp_path: Path) -> None:
    """An open page goes on."""
    seen = []
    for _ in range(2):
        async with playing(tmp_path / "p.db") as (_, preview):
            seen.append((people(preview), preview.channel.id, preview.channel.guild.id, preview.capability))
    assert seen[0] == seen[1]
    assert len(seen[0][0]) == len(PEOPLE) + 1


async def test_whoever_deletes_its_file_starts_over_with_five_hands_for_today(tmp_path: Path) -> None:
    """Elsewhere a bank that is gone is not made again: somebody moved it, or a disk is missing."""
    file = tmp_path / "p.db"
    for _ in range(2):
        async with playing(file) as (bot, _preview):
            assert await bot.bank.days.first_day() == day_at(bot.clock.now())
        file.unlink()


async def test_messages_have_new_ids_after_a_restart(tmp_path: Path) -> None:
    ids = []
    for _ in range(2):
        async with playing(tmp_path / "p.db") as (bot, preview):
            message = await bot.get_partial_messageable(preview.channel.id).send("hello")
            ids.append(message.id)
    assert ids[0] < ids[1]


@pytest.mark.slow
async def test_it_opens_after_very_many_rounds(tmp_path: Path) -> None:
    """Each of which is proved at the start."""
    database = tmp_path / "p.db"
    async with Bank.open(f"sqlite:///{database}", HouseSettings(), DiscordClock()) as bank:
        await write_rounds(bank, 0, 5_000)
    begun = time.process_time()
    async with playing(database) as (bot, _):
        assert (await bot.bank.auditor.inspect(within=60)).rounds == 5_000
    assert time.process_time() - begun < 20


async def test_the_clock_is_the_worlds(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview):
        assert abs(preview.env.now().timestamp() - time.time()) < 10
        message = await bot.get_partial_messageable(preview.channel.id).send("hello")
        assert abs(discord.utils.snowflake_time(message.id).timestamp() - time.time()) < 10
        preview.env.backend.clock.advance(3_600)
        assert abs(preview.env.now().timestamp() - time.time() - 3_600) < 10, "it can be set forward"


def test_its_clock_waits_while_the_machines_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are made from it, so it would give some of them twice."""
    clock = _WorldClock()
    seen = clock.now()
    monkeypatch.setattr(time, "time", lambda: seen.timestamp() - 3_600)
    assert clock.now() == seen


async def test_what_the_bot_does_by_itself_appears(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada:
        await bot.get_partial_messageable(preview.channel.id).send("out of time")
        assert await ada.shows("out of time")


async def test_pages_at_rest_are_left_alone(tmp_path: Path) -> None:
    """Publishing without news would make what is on the screen stale under the mouse."""
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        seen: list[int] = []
        async with asyncio.timeout(60):
            while len(seen) < 4 or len(set(seen[-4:])) > 1:  # what the start has sent is published first
                await asyncio.sleep(0.3)
                seen.append((await ada.look())["publishedRevision"])


async def test_a_command_is_taken_though_the_page_has_moved_on(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada, visit(preview, 1) as ben:
        await ben.look()
        await ada.types("blackjack", bet="25")
        receipt = await ben.types("blackjack")
        assert receipt["settlement"] == "settled"
        assert [sitter.user for table in bot.registry.tables() for sitter in table.snapshot().sitters] == [
            viewer.id for viewer in preview.viewers[:2]
        ]


async def test_a_form_is_taken_though_the_page_has_moved_on(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada:
        await ada.types("settings")
        for key in ("Breaks and limits", "Limits"):
            await ada.presses(key)
        form = (await ada.look())["modal"]
        await bot.get_partial_messageable(preview.channel.id).send("something new")
        receipt = await ada.acts("modal_submit", modal_handle=form["handle"], values={"limit2": "987"})
        assert receipt["settlement"] == "settled"
        assert await ada.shows("987", seconds=10)


async def test_a_click_at_what_is_shown_no_more_is_not_taken(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada, visit(preview, 1) as ben:
        await ada.types("blackjack", bet="25")
        assert await ada.shows("6 decks")
        table = bot.registry.tables()[0]
        assert table.state.message is not None
        await bot.get_partial_messageable(preview.channel.id).send("something new")
        assert await ben.shows("something new")
        receipt = await ada.acts(
            "click", target_id=str(table.state.message), control_key=f"message:{table.state.message}:component:0"
        )
        assert receipt["diagnostics"][0]["code"] == "stale-revision"


async def test_others_see_at_once_what_one_person_does(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada, visit(preview, 1) as ben:
        await ada.types("blackjack", bet="25")
        assert await ben.shows("6 decks")


async def test_one_of_the_people_may_manage_the_server(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview):
        guild = await bot.fetch_guild(preview.channel.guild.id)
        may = {}
        for viewer in preview.viewers:
            member = await guild.fetch_member(viewer.id)
            may[member.display_name] = member.guild_permissions.manage_guild
        assert may == {**dict.fromkeys(PEOPLE, False), MANAGER: True}


async def test_a_taken_port_is_passed_over(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with playing(tmp_path / "p.db", port) as (_, preview):
            assert int(preview.url.split(":")[2].split("/")[0]) > port


async def test_no_free_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 65535))
        taken.listen()
        with pytest.raises(NoPort, match="Set PLAYGROUND_PORT to another"):
            async with playing(tmp_path / "p.db", 65535):
                pass


@pytest.mark.parametrize("path", LINES)
async def test_simcords_page_is_the_one_that_ours_was_written_for(tmp_path: Path, path: str) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        script = await ada.reads(path)
    assert all(ours in script for _, ours in LINES[path])
    theirs, _ = LINES[path][0]
    with pytest.raises(Changed, match="simcord's"):
        replaced(path, theirs * 2)


async def test_a_press_whose_answer_was_lost_is_taken_once(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        await ada.types("daily")
        await ada.look()
        first = await ada.types("balance")
        before = len(preview.env.backend.messages[preview.channel.id])
        ada.loses_the_answer()
        assert await ada.types("balance") == first
        assert len(preview.env.backend.messages[preview.channel.id]) == before


async def test_a_long_evening_is_shown_as_fast_as_a_short_one(tmp_path: Path) -> None:
    """A page holds the newest messages, and reads each text once."""
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada:
        channel = bot.get_partial_messageable(preview.channel.id)
        for number in range(WINDOW + 10):
            await channel.send(f"message {number} of **many**")
        assert await ada.shows(f"message {WINDOW + 9}")
        shown = str(ada.page["messages"])
        assert "message 10 of" in shown
        assert "message 9 of" not in shown
        assert ada.page["messageIndex"] == []
        read = light._parts.cache_info().misses
        await channel.send("one more")
        assert await ada.shows("one more")
        assert light._parts.cache_info().misses <= read + 1
        await ada.acts("history", direction="older")
        assert "message 9 of" in str((await ada.look())["messages"])


async def test_a_replaced_picture_is_no_error(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada:
        picture = discord.File(BytesIO(next(iter(wanted().values()))), "card.png")
        message = await bot.get_partial_messageable(preview.channel.id).send(file=picture)
        assert await ada.shows("card.png")
        (shown,) = ada.page["messages"][str(message.id)]["attachments"]
        assert await ada.status(f"/api/assets/{shown['asset_id']}") == 200
        assert await ada.status("/api/assets/a_replaced") == 204


async def test_everybody_has_a_name_after_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        async with playing(tmp_path / "p.db") as (bot, preview):
            assert set(bot.names.met[preview.channel.guild.id].values()) == {*PEOPLE, MANAGER}


async def test_the_page_speaks_the_first_of_the_browsers_languages_that_there_is(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        assert 'name="dark" content="Sombre"' in await ada.reads("/", "nl-NL,fr;q=0.9,de;q=0.8")


async def test_the_page_has_a_script_and_a_style_of_ours_which_no_other_site_reads(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        for path, kind in (("/playground.js", "text/javascript"), ("/playground.css", "text/css")):
            assert f'"{path}"' in await ada.reads("/")
            assert await ada.reads(path) == (Path(page.__file__).parent / f"page{Path(path).suffix}").read_text("utf-8")
            answer, elsewhere = await ada.answers(path), await ada.answers(path, Host="elsewhere.example")
            assert (answer.status, answer.content_type) == (200, kind)
            assert "Content-Security-Policy" in answer.headers
            assert elsewhere.status == 403


async def test_the_commands_of_a_right_click_are_offered_and_work(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        page = await ada.reads("/")
        menus = json.loads(html.unescape(page.partition('name="menus" content="')[2].partition('"')[0]))
        assert "Duel" in menus["user"]
        command = {"command_id": "0", "schema_fingerprint": "", "options": {}}
        ben = str(preview.viewers[1].id)
        await ada.acts("run_command", **command, path=["Duel"], menu="user", target=ben)
        assert "Challenge Ben" in str((await ada.look())["modal"])
        await ada.types("daily")
        for name in menus["message"]:
            message = max(map(int, (await ada.look())["messages"]))
            receipt = await ada.acts("run_command", **command, path=[name], menu="message", target=str(message))
            assert receipt["settlement"] == "settled"


async def test_an_open_table_is_posted_again_after_a_restart(tmp_path: Path) -> None:
    for again in (False, True):
        async with playing(tmp_path / "p.db") as (bot, preview), visit(preview) as ada:
            if not again:
                await ada.types("blackjack", bet="25")
            assert await ada.shows("6 decks")
            assert len(bot.registry.tables()) == 1


async def test_a_command_is_named_whole(tmp_path: Path) -> None:
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        await ada.types("tournament", "list")
        assert "'name': 'tournament list'" in str((await ada.look())["messages"])


async def test_a_direct_message_is_ones_own_and_the_same_after_a_restart(tmp_path: Path) -> None:
    """Ada plays there, and neither Ben nor her own page in the channel shows anything of it."""
    for _ in range(2):
        async with playing(tmp_path / "p.db") as (_, preview):
            directs = directs_of(preview)
            ada, ben = (viewer.id for viewer in preview.viewers[:2])
            async with Visitor(preview.url, str(directs[ada])) as alone, visit(preview, 1) as other:
                assert (alone.page["viewerId"], alone.page["channel"]["recipient"]["name"]) == (str(ada), "Croupier")
                offered = [entry["path"] for entry in await alone.commands()]
                assert ["today"] in offered
                assert ["blackjack"] not in offered
                await alone.types("today")
                assert await alone.shows("Five hands, the same for everybody.")
                assert "Today's five" not in str((await other.look())["messages"])
                await other.types("balance")
                assert await other.shows("1,000")
                for number, place in ((ada, None), (directs[ada], "Croupier"), (ben, None), (directs[ben], "Croupier")):
                    await alone.acts("viewer", viewer_id=str(number))
                    page = await alone.look()
                    recipient = page["channel"]["recipient"]
                    assert (recipient and recipient["name"]) == place
                    assert ("Five hands" in str(page["messages"])) is (number == directs[ada])
                assert (await alone.acts("viewer", viewer_id="7"))["rejected"]


async def test_r11_1_its_first_day_is_day_1_of_todays_five(tmp_path: Path) -> None:
    """Somebody who tries the bot would not come back tomorrow to see it."""
    async with playing(tmp_path / "p.db") as (_, preview), visit(preview) as ada:
        await ada.types("today")
        assert await ada.shows("Today's five · #1 · ")
