"""A person can get everything that is stored of them, and have it forgotten."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from pathlib import Path

import pytest

from data import (
    EVERYWHERE,
    Appearance,
    Bank,
    GuildSettings,
    Job,
    LogLine,
    MemberSettings,
    NoSuchMember,
    StillPlaying,
    Suits,
    TooSoon,
    Wishes,
)
from data.people.fingerprints import REMEMBERED
from data.privacy.forgetting import without
from engine.fairness.chain import tip_of
from engine.games.contract import CHIP
from engine.tables.ports import MemberGone
from engine.tables.values import Chain, Change
from tests.data.conftest import Join
from tests.data.dealer import ELSEWHERE, GUILD, LENIENT, NOW, Dealer, HandClock, press

ALICE = 218_000_000_000_000_001
#: An account of Discord's first years: its number is shorter.
OLD = 80_351_110_224_678_912
DAY = 86_400.0
DOC = json.dumps({"opener": ALICE, "chairs": [{"user": ALICE, "open": True}, {"user": 5}], "at": str(ALICE)})


async def everything(bank: Bank) -> str:
    file = io.StringIO()
    await bank.copies.dump(file)
    return file.getvalue()


async def test_an_export_holds_all_of_ones_own_and_nothing_of_others(bank: Bank, join: Join) -> None:
    alice, bob = await join(ALICE), await join(5)
    table = await Dealer(bank).open(DOC)
    await table.round({alice: 10, bob: 20}, 20, 0)
    await bank.chips.give(alice.id, bob.id, CHIP, press())
    export = await bank.privacy.export(GUILD, ALICE)
    assert export is not None
    assert export["member"]["user_id"] == ALICE
    assert [row["reason"] for row in export["transfers"]] == ["opening", "stake", "returned", "gift"]
    assert [row["number"] for row in export["rounds"]] == [1]
    assert {row["member"] for row in export["rounds"]} == {alice.id}
    json.dumps(export)


async def test_an_export_tells_what_one_did_and_mixed_in_but_not_what_others_did(bank: Bank, join: Join) -> None:
    alice, bob = await join(ALICE), await join(5)
    table = await Dealer(bank).open()
    await table.stake(bob, 20)
    await table.stake(alice, 10)
    table.phrases = ["bob's phrase", "my phrase"]
    await table.deal(0, 10, play=["stand"])
    await table.act("stand", seat=0)
    await table.act("stand", seat=1)
    await table.finish()
    export = await bank.privacy.export(GUILD, ALICE)
    assert export is not None
    (played,) = export["rounds"]
    assert (played["staked"], played["returned"]) == (10 * CHIP, 10 * CHIP)
    assert (played["stakes"], played["phrases"]) == ([{"main": 10 * CHIP}], ["my phrase"])
    assert played["hash"] is None, "under the first scheme a round has none"
    assert [action["action"] for action in played["actions"]] == ["stand"]
    assert [line["seat"] for line in played["lines"]] == [1]
    assert "bob" not in json.dumps(export)
    his = await bank.privacy.export(GUILD, 5)
    assert his is not None
    assert [round["phrases"] for round in his["rounds"]] == [["bob's phrase"]]


async def test_of_strangers_nothing_is_stored(bank: Bank) -> None:
    assert await bank.privacy.export(GUILD, ALICE) is None
    assert not await bank.privacy.forget(GUILD, ALICE)


async def test_a_forgotten_members_id_is_nowhere(bank: Bank, join: Join) -> None:
    alice, bob = await join(ALICE), await join(5)
    table = await Dealer(bank).open(DOC)
    await table.round({alice: 10, bob: 10}, 20, 0)
    await table.commit(Change("close", table.row(DOC, is_open=False)))
    await bank.jobs.post(Job("done", "start", {"by": ALICE}, NOW, GUILD))
    await bank.jobs.claim("done", "a", seconds=9)
    await bank.jobs.finish("done", "a")
    assert await bank.privacy.forget(GUILD, ALICE)
    assert str(ALICE) not in await everything(bank)
    stored = await bank.tables.stored(table.id)
    assert stored is not None
    assert json.loads(stored.row.doc)["chairs"] == [{"user": 0, "open": True}, {"user": 5}]


async def test_of_a_forgotten_member_no_setting_is_kept(bank: Bank, join: Join) -> None:
    alice = await join(ALICE)
    chosen = MemberSettings("fr", True, "seven sevens", True, Suits.FOUR, Appearance.TEXT)  # noqa: FBT003
    await bank.members.keep_settings(alice.id, chosen)
    assert await bank.members.settings(alice.id) == chosen
    assert await bank.privacy.forget(GUILD, ALICE)
    assert await bank.members.settings(alice.id) == MemberSettings()


async def test_an_export_has_the_lines_that_wait_about_what_one_did(bank: Bank, join: Join) -> None:
    alice = await join(ALICE)
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT, log_channel=77))
    for line in (LogLine("{actor} did it", alice.id), LogLine("{member} got it", member=alice.id), LogLine("nobody")):
        await bank.notices.add(GUILD, line)
    export = await bank.privacy.export(GUILD, ALICE)
    assert export is not None
    assert [row["text"] for row in export["notices"]] == ["{actor} did it", "{member} got it"]


async def test_a_forgotten_members_phrase_begins_no_more_chains(bank: Bank, join: Join) -> None:
    alice = await join(chips=0)
    await bank.members.keep_settings(alice.id, MemberSettings(phrase="seven sevens"))
    begun = await bank.chains.begin(
        Chain(5, f"70/war/6/near/{alice.id}", GUILD, 70, bytes(32), tip_of(bytes(32)), member=alice.id)
    )
    assert begun.phrase == "seven sevens"
    assert await bank.privacy.forget(GUILD, alice.user)
    found = await bank.chains.in_use(begun.place)
    assert found is not None
    assert found.phrase == ""


async def test_the_ledger_keeps_a_pseudonym(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join(ALICE)
    await table.round({alice: 10}, 20)
    await bank.privacy.forget(GUILD, ALICE)
    assert (await bank.members.balances([alice.id]))[alice.id] == 1_010 * CHIP
    assert await bank.members.balance(GUILD, ALICE) is None


async def test_nobody_is_forgotten_at_an_open_table(bank: Bank, join: Join) -> None:
    await join(ALICE)
    table = await Dealer(bank).open(DOC)
    with pytest.raises(StillPlaying):
        await bank.privacy.forget(GUILD, ALICE)
    assert await bank.members.balance(GUILD, ALICE) is not None
    await table.close()
    assert await bank.privacy.forget(GUILD, ALICE)


async def test_who_is_forgotten_before_sitting_down_does_not_sit_down(bank: Bank, join: Join) -> None:
    alice, table = await join(ALICE), await Dealer(bank).open()
    await bank.privacy.forget(GUILD, ALICE)
    with pytest.raises(MemberGone):
        await table.commit(Change("sit", table.row(DOC), seated=(alice.id,)))
    assert str(ALICE) not in await everything(bank)
    with pytest.raises(NoSuchMember):
        await bank.members.keep_settings(alice.id, MemberSettings(phrase="seven red"))
    assert "seven red" not in await everything(bank)


async def test_sitting_down_and_being_forgotten_in_one_instant_is_one_or_the_other(bank: Bank, join: Join) -> None:
    for number in range(20):
        alice, table = await join(ALICE), await Dealer(bank).open()
        sitting = table.commit(Change(f"sit/{number}", table.row(DOC), seated=(alice.id,)))
        deeds = [sitting, bank.privacy.forget(GUILD, ALICE)]
        said = await asyncio.gather(*deeds[:: 1 if number % 2 else -1], return_exceptions=True)
        refused = [fault for fault in said if isinstance(fault, Exception)]
        assert [type(fault) in (MemberGone, StillPlaying) for fault in refused] == [True]
        known = await bank.members.balance(GUILD, ALICE) is not None
        assert (str(ALICE) in await everything(bank)) == known
        if known:
            await table.close()
            assert await bank.privacy.forget(GUILD, ALICE)


async def test_nobody_is_forgotten_with_chips_on_a_table(bank: Bank, table: Dealer, join: Join) -> None:
    await table.stake(await join(ALICE), 10)
    with pytest.raises(StillPlaying):
        await bank.privacy.forget(GUILD, ALICE)


async def test_nobody_is_forgotten_who_is_waited_for(bank: Bank, join: Join) -> None:
    await join(ALICE)
    await bank.jobs.post(Job("a", "remind", {"users": [ALICE]}, NOW, GUILD))
    with pytest.raises(StillPlaying):
        await bank.privacy.forget(GUILD, ALICE)


async def test_being_forgotten_is_no_way_to_new_chips(bank: Bank, clock: HandClock, join: Join) -> None:
    await join(ALICE, 0)
    await bank.privacy.forget(GUILD, ALICE)
    again = await bank.members.sign_in(GUILD, ALICE)
    assert again.balance == 0
    with pytest.raises(TooSoon):
        await bank.chips.daily(again.id, press())
    with pytest.raises(TooSoon):
        await bank.chips.help(again.id, press())
    assert (await bank.members.sign_in(GUILD * 2, ALICE)).balance == 1_000 * CHIP  # another guild never knew them


async def test_being_forgotten_again_and_again_is_no_way_either(bank: Bank, clock: HandClock, join: Join) -> None:
    """Found by the model: who was forgotten twice had the first time's day to wait for, which was long over."""
    await join(ALICE, 0)
    for _ in range(3):
        await bank.privacy.forget(GUILD, ALICE)
        again = await bank.members.sign_in(GUILD, ALICE)
        with pytest.raises(TooSoon):
            await bank.chips.daily(again.id, press())
        clock.time += 86_400


def test_the_page_about_privacy_says_how_long_a_fingerprint_is_kept() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert "does not bring new starting chips | thirty days |" in page
    assert REMEMBERED == 30 * DAY


async def test_after_a_month_even_the_fingerprint_is_gone(bank: Bank, clock: HandClock, join: Join) -> None:
    await join(ALICE, 0)
    await bank.privacy.forget(GUILD, ALICE)
    assert '"forgotten"' in await everything(bank)
    await bank.fingerprints.tidy()
    for _ in range(int(REMEMBERED / DAY)):
        assert (await bank.fingerprints.forgotten_at(GUILD, ALICE)) is not None
        clock.time += DAY
        await bank.fingerprints.tidy()
    assert '"forgotten"' not in await everything(bank)
    assert (await bank.members.sign_in(GUILD, ALICE)).balance == 1_000 * CHIP


async def test_a_clock_that_jumps_ahead_for_a_moment_drops_no_fingerprint(
    bank: Bank, clock: HandClock, join: Join
) -> None:
    await join(ALICE, 0)
    await bank.privacy.forget(GUILD, ALICE)
    for jump in (0, 2 * REMEMBERED, -2 * REMEMBERED, 0):
        clock.time += jump
        await bank.fingerprints.tidy()
    assert (await bank.members.sign_in(GUILD, ALICE)).balance == 0


async def test_the_reason_of_an_order_keeps_no_id_of_anybody(bank: Bank, join: Join) -> None:
    alice, admin = await join(ALICE), await join(2)
    for deed in (bank.chips.grant, bank.chips.take):
        reason = f"for <@{ALICE}> and <@!{ALICE}>, that is {ALICE}, once {OLD}, <@&1>, {10**14}, round {10**13} of 2026"
        await deed(alice.id, CHIP, actor=admin.id, reason=reason, press=press())
    export = await bank.privacy.export(GUILD, ALICE)
    assert export is not None
    reasons = [row["reason"] for row in export["transfers"][-2:]]
    assert reasons == [
        f"{word}: for … and …, that is …, once …, …, …, round {10**13} of 2026" for word in ("grant", "take")
    ]


async def test_servers_and_their_people_are_gone_through_in_order_without_the_forgotten(bank: Bank, join: Join) -> None:
    for user, guild in ((ALICE, GUILD), (5, GUILD), (ALICE, ELSEWHERE), (5, ELSEWHERE + 1), (7, GUILD)):
        await join(user, guild=guild)
    await bank.privacy.forget(ELSEWHERE, ALICE)
    assert await bank.privacy.servers_after(0, 9) == [GUILD, ELSEWHERE + 1]
    assert await bank.privacy.servers_after(GUILD, 9) == [ELSEWHERE + 1]
    assert await bank.privacy.servers_after(0, 1) == [GUILD]
    assert await bank.privacy.people_after(GUILD, 0, 2) == [5, 7]
    assert await bank.privacy.people_after(GUILD, 5, 9) == [7, ALICE]


async def test_forgetting_one_member_leaves_the_others(bank: Bank, join: Join) -> None:
    await join(ALICE)
    bob = await join(5)
    await bank.privacy.forget(GUILD, ALICE)
    assert await bank.members.sign_in(GUILD, 5) == bob


def test_a_name_is_taken_out_wherever_it_stands() -> None:
    doc = '{"a":5,"b":["5",{"c":5}],"d":55,"e":true,"f":"x5","g":null,"h":5.5}'
    assert without(doc, 5) == '{"a":0,"b":["0",{"c":0}],"d":55,"e":true,"f":"x5","g":null,"h":5.5}'


async def test_of_two_servers_that_forget_somebody_at_once_one_is_the_last(
    bank: Bank, url: str, join: Join, clock: HandClock
) -> None:
    """In two processes, where two can share a bank."""
    elsewhere = GUILD + (1 << 22)
    async with contextlib.AsyncExitStack() as stack:
        other = bank
        if bank._store.is_file is False:
            other = await stack.enter_async_context(Bank.open(url, LENIENT, clock))
        for user in range(10**17, 10**17 + 8):
            for guild in (GUILD, elsewhere):
                await join(user, guild=guild)
            await bank.wishes.keep(user, Wishes(hidden=True))
            await asyncio.gather(bank.privacy.forget(GUILD, user), other.privacy.forget(elsewhere, user))
            assert not any((await bank.privacy.own(user)).values())
            assert await bank.fingerprints.forgotten_at(EVERYWHERE, user) is not None


async def test_who_is_known_elsewhere_is_not_forgotten_by_the_house(bank: Bank, join: Join) -> None:
    for guild in (GUILD, GUILD + (1 << 22)):
        await join(10**17, guild=guild)
    await bank.privacy.forget(GUILD, 10**17)
    assert await bank.fingerprints.forgotten_at(EVERYWHERE, 10**17) is None
