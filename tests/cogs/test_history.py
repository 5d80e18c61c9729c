"""/history, /verify and /seed: what was played can be looked at, and checked."""

from __future__ import annotations

import json

import pytest
import simcord

from engine.fairness.record import Record
from engine.fairness.verify import verify

from . import raw
from .conftest import Casino, asked, text_of


async def played(casino: Casino, rounds: int = 1) -> str:
    """The code of the last of them."""
    await casino.until(asked)
    for more in range(rounds):
        await casino.play_on()
        if more + 1 < rounds:
            await casino.click("Deal")
    return casino.snapshot.commitment[:8]


def keys(message: simcord.ResponseMessage) -> list[str]:
    return [part["label"] for part in raw.components(message) if part["type"] == 2 and not part.get("disabled")]


# -- history -----------------------------------------------------------------------------------------------------------


async def test_a_newcomers_history_is_empty(casino: Casino) -> None:
    assert "You have not finished a round yet" in text_of(await casino.ask("history"))


async def test_a_round_is_replayed_step_by_step(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    assert listed.ephemeral
    assert f"`{code}`" in text_of(listed)
    await casino.alice.select(listed, [code])
    assert "The deal" in text_of(listed)
    assert "░" in text_of(listed)
    assert len(listed.attachments) == 1
    seen = 1
    while "Next" in keys(listed):
        await casino.alice.click(listed, label="Next")
        seen += 1
    stored = await casino.bot.bank.round(code, casino.guild.id)
    assert stored is not None
    assert seen == len(stored.steps) + 1
    assert "░" not in text_of(listed)
    await casino.alice.click(listed, label="Previous")
    await casino.alice.click(listed, label="All rounds")
    assert f"`{code}`" in text_of(listed)
    assert listed.attachments == []


async def test_older_rounds_are_on_the_next_page(casino: Casino) -> None:
    await played(casino, 12)
    listed = await casino.ask("history")
    assert text_of(listed).count("blackjack vegas") == 10
    await casino.alice.click(listed, label="Older")
    assert text_of(listed).count("blackjack vegas") >= 2
    await casino.alice.click(listed, label="Newer")
    assert text_of(listed).count("blackjack vegas") == 10


async def test_another_ones_round_is_not_replayed(casino: Casino) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    (answer,) = await raw.press(casino.bob, listed, f"replay:{code}:0")
    assert answer.response is not None
    assert "You played no such round" in answer.response.content


@pytest.mark.parametrize(
    "forged", ["replay:ffffffff:0", "replay:{code}:-3", "replay:{code}:9999", "history:-5", "history:99999"]
)
async def test_forged_pages_and_steps_are_answered(casino: Casino, forged: str) -> None:
    code = await played(casino)
    listed = await casino.ask("history")
    (answer,) = await raw.press(casino.alice, listed, forged.format(code=code))
    assert answer.acknowledged


# -- verify ------------------------------------------------------------------------------------------------------------


async def test_a_finished_round_can_be_checked_here_and_elsewhere(casino: Casino) -> None:
    code = await played(casino)
    answer = await casino.ask("verify", round=code)
    assert answer.ephemeral
    text = text_of(answer)
    assert f"Round {code} was dealt as promised" in text
    assert "as recorded" in text
    (file,) = answer.attachments
    record = Record.from_json((await file.read()).decode())
    assert verify(record).holds
    assert record.commitment.startswith(code)


async def test_without_a_code_it_is_the_last_round(casino: Casino) -> None:
    code = await played(casino, 2)
    assert f"Round {code}" in text_of(await casino.ask("verify"))


async def test_ones_own_rounds_are_suggested(casino: Casino) -> None:
    code = await played(casino)
    choices = await casino.alice.autocomplete(casino.channel, "verify", "round", code[:3])
    assert [choice["value"] for choice in choices] == [code]


@pytest.mark.parametrize("code", ["ffffffff", "nonsense", "**", "0"])
async def test_an_unknown_round_is_named(casino: Casino, code: str) -> None:
    assert "There is no finished round" in text_of(await casino.ask("verify", round=code))


async def test_a_running_rounds_seed_stays_secret(casino: Casino) -> None:
    await casino.until(asked)
    stored = await casino.bot.bank.stored_table(casino.table.id)
    assert stored is not None
    secrets = [round.seed.hex() for round in stored.rounds]
    answer = text_of(await casino.ask("verify", round=casino.snapshot.commitment[:8]))
    assert "still being played" in answer
    transcript = json.dumps([request.json for request in casino.env.http_requests], default=str)
    assert not [secret for secret in secrets if secret in transcript]


# -- seed --------------------------------------------------------------------------------------------------------------


async def test_ones_own_phrase_is_mixed_into_the_shuffle(casino: Casino) -> None:
    assert "You have none" in text_of(await casino.ask("seed"))
    assert "lucky owl" in text_of(await casino.ask("seed", phrase=" lucky owl "))
    code = await played(casino)
    stored = await casino.bot.bank.round(code, casino.guild.id)
    assert stored is not None
    assert stored.deal is not None
    assert "lucky owl" in stored.deal.inputs
    assert "You have none" in text_of(await casino.ask("seed", phrase="-"))


async def test_a_phrase_that_is_too_long_is_refused(casino: Casino) -> None:
    assert "at most 100 characters" in text_of(await casino.ask("seed", phrase="x" * 101))
