"""/casino export and import: a file of all balances, and a preview before anything is booked."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest
import simcord

from cogs.casino.balance_files import MOST_PEOPLE, _as_csv, _as_json, _waiting, read
from cogs.words.refusals import Sorry
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable

from .. import raw
from ..conftest import Casino, keys, text_of

ALICE = 10**17


def test_a_file_for_programs_has_ids_and_chips_as_text() -> None:
    """A number of 18 digits is another one in JavaScript."""
    entry = {"user": str(ALICE), "chips": "10.50"}
    assert json.loads(_as_json([(ALICE, 1_050)])) == {"format": "croupier balances", "balances": [entry]}


@pytest.mark.parametrize("write", [_as_csv, _as_json])
def test_what_is_exported_can_be_imported(write: object) -> None:
    found = [(ALICE, 1_050), (ALICE + 1, 0), (ALICE + 2, 100), (ALICE + 3, 705)]
    assert callable(write)
    assert list(read(write(found).encode()).items()) == found


def test_files_of_spreadsheets_are_read_too() -> None:
    assert read("\ufeffUser,Chips,name\r\n100000000000000001, 7.5 ,alice\r\n\r\n".encode()) == {ALICE + 1: 750}


@pytest.mark.parametrize(
    ("entry", "cents"),
    [("100000000000000,0", 0), (f"{2**63 - 1},0.01", 1), (f"{ALICE},1000000000000", 10**14)],
)
def test_ids_and_chips_are_read_up_to_their_limits(entry: str, cents: int) -> None:
    assert list(read(entry.encode()).values()) == [cents]


def test_ten_thousand_people_fit_into_a_file() -> None:
    assert len(read("\n".join(f"{ALICE + place},5" for place in range(10_000)).encode())) == 10_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "can't read"),
        (b"{}", "can't read"),
        (b'{"balances": 7}', "can't read"),
        (b'{"balances": [{"user": "100000000000000001"}]}', "can't read"),
        (b"100000000000000001", "can't read"),
        (b"100000000000000001,-5", "Entry 1 makes no sense"),
        (b"100000000000000001,1e5", "Entry 1 makes no sense"),
        (b"100000000000000001,0.001", "Entry 1 makes no sense"),
        (b"100000000000000001,1000000000001", "Entry 1 makes no sense"),
        (b"alice,5", "Entry 1 makes no sense: alice, 5. Nothing was changed."),
        (b"10000000000000,5", "Entry 1 makes no sense"),
        (b"9223372036854775808,5", "Entry 1 makes no sense"),
        (b'{"balances": ' + b"[" * 100_000, "can't read"),
        (b"user;chips\n100000000000000001;5", "can't read"),
        (b"100000000000000001,5\n100000000000000001,6", "twice"),
        (b"100000000000000001,5\n" * (MOST_PEOPLE + 1), "too many people"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(Sorry, match=words):
        read(content)


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


async def test_a_file_sets_balances_once_its_key_is_pressed(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.ask("balance")
    file = f"user,chips\n{casino.alice.id},1234.50\n{casino.bob.id},7\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    assert "Gain chips: 2 · 241.50 chips" in text_of(preview)
    assert "New here, an account is opened: 1" in text_of(preview)
    assert await casino.balance(casino.alice) == 1_000
    await boss.click(preview, label="Set these balances")
    assert "2 balances were changed." in text_of(preview)
    assert [await casino.balance(who) for who in (casino.alice, casino.bob)] == [1_234.5, 7]
    again = await casino.ask("casino import", boss, file=("chips.csv", file))
    assert "Stay as they are: 2" in text_of(again)
    assert (keys(preview), keys(again)) == ([], [])


async def test_who_asked_to_be_forgotten_is_skipped(casino: Casino, boss: simcord.MemberActor) -> None:
    for who in (casino.alice, casino.bob):
        await casino.ask("balance", who)
    await casino.bot.bank.privacy.forget(casino.guild.id, casino.alice.id)
    file = f"user,chips\n{casino.alice.id},5000\n{casino.bob.id},400\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    told = [
        "### Preview: nothing is booked yet",
        "Gain chips: 0 · 0 chips",
        "Lose chips: 1 · 600 chips",
        "Stay as they are: 0",
        "Asked to be forgotten, skipped: 1",
    ]
    assert text_of(preview).splitlines() == told
    await boss.click(preview, label="Set these balances")
    kept = dict(await casino.bot.bank.balances.of(casino.guild.id))
    assert kept == {casino.bob.id: 400 * CHIP, boss.id: 1_000 * CHIP}


async def test_a_file_of_two_million_bytes_is_read_and_no_larger_one(casino: Casino, boss: simcord.MemberActor) -> None:
    file = f"user,chips\n{casino.alice.id},5\n".encode().ljust(2_000_000, b"\n")
    assert "Preview" in text_of(await casino.ask("casino import", boss, file=("chips.csv", file)))
    refused = await casino.ask("casino import", boss, file=("chips.csv", file + b"\n"))
    assert text_of(refused) == "That file is too large: at most 2,000,000 bytes."


async def test_a_file_is_booked_once_and_noted_in_the_log(casino: Casino, boss: simcord.MemberActor) -> None:
    log = casino.guild.create_text_channel("log")
    await boss.select(await casino.ask("casino settings", boss, page="messages"), [log], custom_id="office:log")
    file = f"{casino.alice.id},5\n{casino.bob.id},5\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    (key,) = [part["custom_id"] for part in raw.components(preview) if part["type"] == 2]
    await boss.click(preview, label="Set these balances")
    await casino.grant(casino.alice, 10)
    assert _waiting[casino.bot] == {}
    (again,) = await raw.press(boss, preview, key)
    assert again.acknowledged
    assert await casino.balance(casino.alice) == 15
    chore: Any = casino.bot.get_cog("ServerLogs")
    await chore.do()
    assert f"📥 <@{boss.id}> set balances from a file: 2" in log.history()[-1].content


async def test_where_the_bank_fails_in_between_a_second_press_sets_the_rest(
    casino: Casino, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"user,chips\n{casino.alice.id},5\n{casino.bob.id},5\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    members, bob = casino.bot.bank.members, casino.bob.id
    sign_in = members.sign_in

    async def fails(guild: int, user: int) -> object:
        if user == bob:
            raise BankUnavailable
        return await sign_in(guild, user)

    with monkeypatch.context() as patched:
        patched.setattr(members, "sign_in", fails)
        answer = await boss.click(preview, label="Set these balances")
    assert "Not all balances are set" in text_of((*answer.followups, answer.response)[0])  # type: ignore[arg-type]
    assert await casino.balance(casino.alice) == 5
    await boss.click(preview, label="Set these balances")
    assert "1 balance was changed." in text_of(preview)
    assert await casino.balance(casino.bob) == 5


async def test_a_preview_of_an_earlier_process_books_nothing(casino: Casino, boss: simcord.MemberActor) -> None:
    file = f"user,chips\n{casino.alice.id},5\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    await casino.restart()
    answer = await boss.click(preview, label="Set these balances")
    assert answer.response is not None
    assert "I don't have that file any more" in text_of(answer.response)


async def test_a_file_is_booked_only_where_it_was_brought(casino: Casino, boss: simcord.MemberActor) -> None:
    """The manager of another server may make up the key: here it was the other one that brought the file."""
    file = f"user,chips\n{casino.alice.id},5\n".encode()
    preview = await casino.ask("casino import", boss, file=("chips.csv", file))
    _waiting[casino.bot] = {(casino.guild.id + 1, id): wanted for (_, id), wanted in _waiting[casino.bot].items()}
    answer = await boss.click(preview, label="Set these balances")
    assert answer.response is not None
    assert "I don't have that file any more" in text_of(answer.response)


async def test_of_more_than_twenty_previews_the_oldest_is_forgotten(casino: Casino, boss: simcord.MemberActor) -> None:
    file = f"user,chips\n{casino.alice.id},5\n".encode()
    oldest, *others = [await casino.ask("casino import", boss, file=("chips.csv", file)) for _ in range(21)]
    answer = await boss.click(oldest, label="Set these balances")
    assert answer.response is not None
    assert "I don't have that file any more" in text_of(answer.response)
    await boss.click(others[0], label="Set these balances")
    assert "1 balance was changed." in text_of(others[0])


async def test_who_may_not_manage_the_server_any_more_sets_no_balances(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    preview = await casino.ask("casino import", boss, file=("chips.csv", f"user,chips\n{boss.id},5000\n".encode()))
    role = next(role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, boss.id, role.id)
    answer = await boss.click(preview, label="Set these balances")
    assert answer.response is not None
    assert "Manage Server" in text_of(answer.response)
    assert await casino.bot.bank.balances.of(casino.guild.id) == []


@pytest.mark.parametrize("form", ["csv", "json"])
async def test_all_balances_are_a_file(casino: Casino, boss: simcord.MemberActor, form: str) -> None:
    await casino.ask("balance")
    answer = await casino.ask("casino export", boss, kind=form)
    assert "The balance of 1 person." in text_of(answer)
    assert "sets balances from such a file." in text_of(answer)
    assert answer.ephemeral
    (file,) = answer.attachments
    assert file.filename == f"balances-{casino.guild.id}.{form}"
    assert read(await file.read()) == {casino.alice.id: 100_000}
    assert (await casino.ask("casino export", boss)).attachments[0].filename.endswith(".csv")
