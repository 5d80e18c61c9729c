"""Nobody learns of another person's break or limit: not from lists, logs, metrics, pages or refusals (R13.4)."""

from __future__ import annotations

import io
import json
import logging
import re
from typing import Any

import pytest
from prometheus_client import REGISTRY, generate_latest

from cogs.casino import audit_text
from data import Length, LimitKind, Rest
from data.people.breaks import Breaks
from data.proofs.report import Fault, Wrong

from .conftest import Casino, is_promise, text_of
from .tournament.test_tournament import manager, plan

TOLD = re.compile(r"break|resting|away_until|limits|wishes", re.IGNORECASE)


async def seen_by_bob(casino: Casino) -> list[str]:
    """Return what somebody else can read of alice: boards, balances, statistics, and the answer to a gift."""
    answers = [
        await casino.ask("leaderboard", casino.bob),
        await casino.ask("balance", casino.bob, member=casino.alice),
        await casino.ask("stats", casino.bob, member=casino.alice),
        await casino.ask("give", casino.bob, member=casino.alice, amount=5),
    ]
    return [text_of(answer) for answer in answers]


@pytest.mark.parametrize("what", Rest)
async def test_r13_4_others_read_the_same_of_somebody_on_a_break_or_with_limits(
    casino: Casino, caplog: pytest.LogCaptureFixture, what: Rest
) -> None:
    caplog.set_level(logging.INFO)
    for who in (casino.alice, casino.bob):
        await casino.ask("balance", who)
    before, bank = await seen_by_bob(casino), casino.bot.bank
    await bank.breaks.begin(casino.alice.id, what, Length.FOR_GOOD)
    await bank.limits.set(casino.alice.id, LimitKind.LOSS_DAY, 0)
    refused = (await casino.blackjack(bet=10)).response
    assert refused is not None
    assert refused.ephemeral
    assert await seen_by_bob(casino) == before
    logged = [record.getMessage() for record in caplog.records if record.name.startswith(("cogs", "data", "engine"))]
    assert [line for line in logged if TOLD.search(line)] == []
    counted = generate_latest(REGISTRY).decode().splitlines()
    assert [line for line in counted if TOLD.search(line) and "croupier" in line] == []


def public(casino: Casino) -> list[tuple[int, str]]:
    """Everything in the channel but promises, of which a channel gets one before anybody stakes there."""
    return [(message.id, text_of(message)) for message in casino.channel.history() if not is_promise(message)]


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("blackjack", {"bet": "10"}),
        ("blackjack", {"bet": "10", "solo": True}),
        ("blackjack", {"rules": "four-seat", "solo": True}),
        ("war", {"bet": "10"}),
        ("baccarat", {"bet": "10", "on": "tie"}),
        ("elimination", {}),
        ("give", {"amount": 5}),
        ("tournament join", {}),
        ("odds", {}),
        ("train", {}),
        ("today", {}),
    ],
)
async def test_r13_4_what_is_refused_leaves_no_trace_in_the_channel(
    casino: Casino, command: str, options: dict[str, Any]
) -> None:
    await plan(casino)
    await casino.bot.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.DAY)
    before = public(casino)
    named = {"member": casino.bob} if command == "give" else {}
    result = await casino.alice.slash(casino.channel, command, **options, **named)
    said = [answer for answer in (result.response, *result.followups) if answer is not None]
    assert said
    assert all(answer.ephemeral for answer in said)
    assert public(casino) == before


async def test_r13_4_a_seat_that_a_break_frees_looks_as_after_leave(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Breaks, "every", 5.0)
    await casino.restart()
    await casino.sealed_table()
    looks = list[str]()
    for deed in ("Leave", "break"):
        await casino.click("Join", casino.bob)
        if deed == "Leave":
            await casino.click("Leave", casino.bob)
        else:
            await casino.bot.bank.breaks.begin(casino.bob.id, Rest.CHIPS, Length.DAY)
            await casino.env.advance_time(10)
        assert [sitter.user for sitter in casino.snapshot.sitters] == [casino.alice.id]
        looks.append(text_of(casino.message))
    assert looks[0] == looks[1]


async def test_r13_4_the_audit_page_of_managers_names_nobody(casino: Casino) -> None:
    boss = manager(casino)
    await casino.ask("balance")
    bank = casino.bot.bank
    await bank.breaks.begin(casino.alice.id, Rest.CHIPS, Length.WEEK)
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql("UPDATE breaks SET until = until - 3600")
    try:
        text = text_of(await casino.ask("casino audit", boss))
    finally:
        async with bank._store.rewriting() as connection:
            await connection.exec_driver_sql("UPDATE breaks SET until = until + 3600")
    assert "– a break is not as its person took it\n" in f"{text}\n"
    assert "break 1" not in text
    assert "member/" not in text


@pytest.mark.parametrize("wrong", [Wrong.BREAK, Wrong.LIMIT])
def test_r13_4_a_fault_about_a_break_or_a_limit_has_no_place(wrong: Wrong) -> None:
    assert audit_text._fault(Fault(wrong, "member/1", 1, "50", "60")) == f"– {wrong.value}"


async def test_r13_4_an_export_of_the_bank_tells_of_no_break(casino: Casino) -> None:
    await casino.ask("balance")
    bank = casino.bot.bank
    await bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.YEAR)
    await bank.limits.set(casino.alice.id, LimitKind.HANDS_DAY, 3)
    await bank.leaves.bind()
    written = io.StringIO()
    await bank.copies.export(written)
    rows = [json.loads(line) for line in written.getvalue().splitlines()]
    assert {"breaks", "limits", "wishes"}.isdisjoint(row["table"] for row in rows)
    bound = [row["row"] for row in rows if row["table"] == "leaves"]
    assert bound
    assert all(row["breaks"] is None and row["limits"] is None for row in bound)
    told = [row["row"] for row in rows if row["table"] == "members"]
    assert told
    assert all(row["resting_until"] is None and row["away_until"] is None and row["hidden"] is None for row in told)


async def test_r13_4_a_gift_to_somebody_on_a_break_arrives(casino: Casino) -> None:
    for who in (casino.alice, casino.bob):
        await casino.ask("balance", who)
    await casino.bot.bank.breaks.begin(casino.alice.id, Rest.EVERYTHING, Length.DAY)
    question = await casino.ask("give", casino.bob, member=casino.alice, amount=50)
    await casino.bob.click(question, label="Give")
    assert await casino.balance(casino.alice) == 1_050
