"""/privacy"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any

import discord
import pytest
import simcord

from cogs.answers.preferences import preferences
from cogs.privacy import files
from data import MemberSettings, Wishes
from data.privacy.pages import ExportPage
from engine.tables.values import Member

from . import raw
from .conftest import Casino, asked, text_of


async def test_one_gets_all_that_is_stored(casino: Casino) -> None:
    await casino.bot.bank.wishes.silence(casino.alice.id, casino.bob.id)
    await casino.until(asked)
    await casino.play_on()
    answer = await casino.ask("privacy")
    (told,) = (await casino.alice.click(answer, label="Get mine")).followups
    (file,) = told.attachments
    stored = json.loads(await file.read())
    assert stored["rounds"]
    assert stored["wishes"], "what counts on all servers is in the same file"
    assert told.ephemeral


async def test_who_has_not_played_here_is_told_that_nothing_is_stored(casino: Casino) -> None:
    answer = await casino.ask("privacy", casino.bob)
    (told,) = (await casino.bob.click(answer, label="Get mine")).followups
    assert told.content == "Nothing is stored about you here."


async def test_who_has_not_played_here_gets_what_is_stored_for_all_servers(casino: Casino) -> None:
    await casino.bot.bank.wishes.silence(casino.bob.id, casino.alice.id)
    (told,) = (await casino.bob.click(await casino.ask("privacy", casino.bob), label="Get mine")).followups
    (file,) = told.attachments
    assert file.filename == "croupier.json"
    assert json.loads(await file.read())["wishes"]


async def test_a_large_file_is_compressed(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord takes ten megabytes: as plain text that is some 5,000 rounds, compressed more than 100,000."""
    monkeypatch.setattr(files, "PLAIN", 10)
    await casino.ask("daily")
    (told,) = (await casino.alice.click(await casino.ask("privacy"), label="Get mine")).followups
    (file,) = told.attachments
    assert file.filename == f"croupier-{casino.guild.id}.json.gz"
    assert json.loads(gzip.decompress(await file.read()))["transfers"]


async def test_what_discord_would_not_take_as_one_file_comes_by_years(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.until(asked)
    await casino.play_on()
    pages, read = casino.bot.bank.privacy.pages, discord.Interaction._from_data

    async def of_two_years(guild: int, user: int) -> AsyncIterator[ExportPage]:
        async for name, rows in pages(guild, user):
            yield name, rows
            for played in rows if name == "rounds" else ():
                before = dict(played) | {"dealt_at": played["dealt_at"] - 300 * 86_400}
                yield name, [played, before]

    def limited(interaction: discord.Interaction[Any], data: Any) -> None:
        read(interaction, {**data, "attachment_size_limit": 1_500})

    monkeypatch.setattr(casino.bot.bank.privacy, "pages", of_two_years)
    monkeypatch.setattr(discord.Interaction, "_from_data", limited)
    answers = (await casino.alice.click(await casino.ask("privacy"), label="Get mine")).followups
    files = [file for answer in answers for file in answer.attachments]
    held = {file.filename: json.loads(await file.read()) for file in files}
    name = f"croupier-{casino.guild.id}"
    assert [*held] == [f"{name}.json", f"{name}-2025.json", f"{name}-2026.json"]
    rest, last, this = held.values()
    assert rest["member"]["user_id"] == casino.alice.id
    assert "rounds" not in rest
    assert [len(part["rounds"]) for part in (last, this)] == [1, 2]
    assert this["transfers"]
    assert all(
        sum(file.size for file in answer.attachments) <= 1_500 or len(answer.attachments) == 1 for answer in answers
    )


async def test_one_file_a_person_and_two_in_all_are_put_together_at_a_time(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty-five at once took 906 MB."""
    pages, at_once, most = casino.bot.bank.privacy.pages, 0, 0

    async def counted(guild: int, user: int) -> AsyncIterator[ExportPage]:
        nonlocal at_once, most
        at_once, most = at_once + 1, max(most, at_once + 1)
        for _ in range(50):
            await asyncio.sleep(0)
        at_once -= 1
        async for page in pages(guild, user):
            yield page

    people = [casino.person(name) for name in ("alice", "bob", "carol", "dave", "erin")]
    for who in people:
        await casino.ask("daily", who)
    panels = [await casino.ask("privacy", who) for who in people]
    monkeypatch.setattr(casino.bot.bank.privacy, "pages", counted)
    presses = [*zip(people, panels, strict=True), (casino.alice, panels[0])]
    sent = [raw.dispatched_press(who, panel, "privacy:export") for who, panel in presses]
    await casino.env.settle()
    results = [simcord.InteractionResult(casino.env, record) for record in sent]
    assert most == 2
    assert [len(result.followups) for result in results[:5]] == [1] * 5
    assert "being put together already" in text_of(results[5].response)  # type: ignore[arg-type]


async def test_in_a_direct_message_one_has_and_forgets_all_servers(casino: Casino) -> None:
    other = casino.env.create_guild("Elsewhere")
    carol = casino.env.create_user("carol")
    for guild, channel in ((casino.guild, casino.channel), (other, other.create_text_channel("hall"))):
        await guild.add_member(carol).slash(channel, "daily")
    answer = (await carol.slash("privacy")).response
    assert "all servers" in text_of(answer)
    (told,) = (await carol.click(answer, label="Get mine")).followups
    assert len(told.attachments) == 2
    await carol.click(answer, label="Forget me")
    await carol.click(answer, label="Forget me for good")
    assert "Riverside: you are forgotten there." in text_of(answer)
    assert "Elsewhere: you are forgotten there." in text_of(answer)
    assert await casino.bot.bank.privacy.servers(carol.id) == []


async def pressed(who: Any, answer: Any, *labels: str) -> str:
    """Press these keys one after the other, and return what the last one brings."""
    for label in labels:
        result = await who.click(answer, label=label)
    return text_of(next(iter((*result.followups, result.response)), None) or answer)


@pytest.mark.parametrize("everywhere", [True, False])
async def test_of_whom_nothing_is_stored_there_is_nothing_to_get_and_to_forget(
    casino: Casino,
    everywhere: bool,  # noqa: FBT001
) -> None:
    who: Any = casino.env.create_user("carol") if everywhere else casino.alice
    answer = (await who.slash("privacy")).response if everywhere else await casino.ask("privacy")
    assert await pressed(who, answer, "Get mine") == "Nothing is stored about you here."
    await pressed(who, answer, "Forget me", "Forget me for good")
    assert text_of(answer) == f"### Done\nNothing was stored about you{'' if everywhere else ' here'}."


async def test_what_a_person_has_whom_no_server_knows_is_got_and_forgotten_in_a_direct_message(casino: Casino) -> None:
    carol = casino.env.create_user("carol")
    await casino.bot.bank.wishes.keep(carol.id, Wishes(hidden=True))
    answer = (await carol.slash("privacy")).response
    (told,) = (await carol.click(answer, label="Get mine")).followups
    (file,) = told.attachments
    assert (text_of(told), file.filename) == ("### All that is stored about you", "croupier.json")
    (wish,) = json.loads(await file.read())["wishes"]
    assert (wish["user_id"], wish["hidden"]) == (carol.id, 1)
    await pressed(carol, answer, "Forget me", "Forget me for good")
    assert text_of(answer) == "### Done\nYou are forgotten."
    assert await casino.bot.bank.wishes.of(carol.id) == Wishes()


async def test_forgetting_everywhere_says_where_it_could_not_be_done(casino: Casino) -> None:
    other = casino.env.create_guild("*Else*where")
    carol = casino.env.create_user("carol")
    await other.add_member(carol).slash(other.create_text_channel("hall"), "daily")
    here = casino.guild.add_member(carol)
    await here.slash(casino.channel, "blackjack", bet="10")
    answer = (await carol.slash("privacy")).response
    await pressed(carol, answer, "Forget me")
    assert text_of(answer).startswith("### Be forgotten everywhere?\nYour chips, your history and your settings on all")
    (key,) = [part for part in raw.components(answer) if part["type"] == 2]
    assert key["style"] == discord.ButtonStyle.danger.value
    await pressed(carol, answer, "Forget me for good")
    assert text_of(answer).splitlines() == [
        "### Done",
        "Riverside: You are still on the list of an open table, or of a tournament that is not over. Leave it, or wait "
        "for its end, and ask again.",
        "\\*Else\\*where: you are forgotten there.",
    ]
    assert await casino.bot.bank.privacy.servers(carol.id) == [casino.guild.id]
    await casino.play_on(here)


def test_files_go_out_in_as_few_messages_as_discord_takes() -> None:
    def sent(sizes: list[int], most: int) -> list[int]:
        parts = [discord.File(BytesIO(bytes(size)), f"{place}.json") for place, size in enumerate(sizes)]
        return [len(batch) for batch in files.batches(parts, most)]

    assert sent([1] * 10, 100) == [10]
    assert sent([1] * 11, 100) == [10, 1]
    assert sent([50, 50], 100) == [2]
    assert sent([50, 51], 100) == [1, 1]
    assert sent([101, 1], 100) == [1, 1]
    assert sent([], 100) == []


@pytest.mark.parametrize(("length", "name"), [(files.PLAIN, "x.json"), (files.PLAIN + 1, "x.json.gz")])
def test_a_file_of_a_quarter_of_a_mebibyte_can_still_be_read_as_it_is(length: int, name: str) -> None:
    growing = files.MemberFiles("x", 10**6)
    frame = len('{\n"wishes": [\n{"a": ""}')
    growing.add("wishes", [{"a": "y" * (length - frame)}])
    assert [each.filename for each in growing.files()] == [name]
    assert files.PLAIN == 2**18


def test_one_file_as_large_as_discord_takes_is_not_split() -> None:
    def made(most: int) -> list[str]:
        growing = files.MemberFiles("x", most)
        growing.add("wishes", [{"a": 1}])
        growing.add("rounds", [{"dealt_at": 0.0, "at": 86_400.0 * 400}])
        return [each.filename for each in growing.files()]

    whole = json.dumps({"wishes": [{"a": 1}], "rounds": [{"dealt_at": 0.0, "at": 86_400.0 * 400}]}, indent=2)
    assert made(len(whole)) == ["x.json"]
    assert made(len(whole) - 1) == ["x.json", "x-1970.json"]


async def test_forgetting_asks_first_and_then_forgets(casino: Casino) -> None:
    await casino.ask("daily")
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    assert await casino.balance(casino.alice) == 1_200
    await casino.alice.click(answer, label="Forget me for good")
    assert "You are forgotten here" in text_of(answer)
    assert await casino.bot.bank.members.balance(casino.guild.id, casino.alice.id) is None


async def test_nobody_is_forgotten_in_mid_hand(casino: Casino) -> None:
    await casino.until(asked)
    answer = await casino.ask("privacy")
    await casino.alice.click(answer, label="Forget me")
    result = await casino.alice.click(answer, label="Forget me for good")
    assert result.response is not None
    assert "open table" in result.response.content


async def test_the_opener_who_left_a_table_where_others_stay_is_told_to_wait_for_its_end(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Join", casino.bob)
    await casino.click("Leave")
    panel = await casino.ask("privacy")
    told = await pressed(casino.alice, panel, "Forget me", "Forget me for good")
    assert "open table" in told
    assert "wait for its end" in told
    await casino.click("Leave", casino.bob)
    await pressed(casino.alice, panel, "Forget me for good")
    assert "You are forgotten here." in text_of(panel)


@pytest.mark.parametrize("press", ["Join", "blackjack", "baccarat", "war", "elimination"])
async def test_who_is_forgotten_in_the_same_instant_is_not_written_down_again(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, press: str
) -> None:
    """Bob has been looked up for a seat; before he sits down, his "Forget me" goes through."""
    await casino.sealed_table()
    bank, found = casino.bot.bank, casino.bot.bank.members.sign_in
    for _ in range(2):  # from the second time on their language is known
        await casino.ask("balance", casino.bob)

    async def and_forgotten(guild: int, user: int) -> Member:
        member = await found(guild, user)
        if user == casino.bob.id:
            await bank.privacy.forget(guild, user)
        return member

    with monkeypatch.context() as patched:
        patched.setattr(bank.members, "sign_in", and_forgotten)
        if press == "Join":
            result = await casino.click("Join", casino.bob)
        else:
            result = await casino.bob.slash(casino.guild.create_text_channel("other"), press)
    assert result.response is not None
    assert "You were forgotten here a moment ago" in result.response.content
    assert not any(table.state.chair_of(casino.bob.id) for table in casino.bot.registry.tables())
    stored = await bank.tables.still_open()
    assert not [table.row.doc for table in stored if str(casino.bob.id) in table.row.doc]


async def test_name_and_language_of_somebody_who_is_forgotten_are_not_remembered_either(casino: Casino) -> None:
    await casino.alice.select(await casino.ask("settings"), ["fr"], custom_id="settings:language")
    panel = await casino.ask("privacy")
    names = casino.bot.names.met[casino.guild.id]
    assert casino.alice.id in names
    for key in ("privacy:ask", "privacy:forget"):
        await casino.alice.click(panel, custom_id=key)
    assert casino.alice.id not in names
    assert await preferences(casino.bot.bank, casino.guild.id, casino.alice.id) == MemberSettings()
