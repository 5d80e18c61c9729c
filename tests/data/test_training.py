"""Training is kept by person, counts once, and is forgotten with its person."""

from __future__ import annotations

import pytest

from data import Bank, Trained
from engine.tables.ports import AlreadyDone
from tests.data.conftest import Join
from tests.data.dealer import GUILD, HandClock

ALICE = 218_000_000_000_000_001
RUN = Trained("run", "vegas")


async def test_it_is_found_as_it_was_kept(bank: Bank) -> None:
    assert await bank.training.find(ALICE, "run", "vegas") is None
    first = await bank.training.keep(ALICE, RUN, {"row": 1})
    second = await bank.training.keep(ALICE, first, {"row": 2})
    assert await bank.training.find(ALICE, "run", "vegas") == second == Trained("run", "vegas", 2, {"row": 2})
    assert await bank.training.find(ALICE, "run", "kitchen") is None
    assert await bank.training.find(5, "run", "vegas") is None


async def test_a_persons_drills_are_told_the_latest_first(bank: Bank, clock: HandClock) -> None:
    first = await bank.training.keep(ALICE, RUN, {"row": 1})
    await bank.training.keep(5, RUN, {"row": 7})
    clock.time += 1
    await bank.training.keep(ALICE, Trained("count", ""), {"row": 2})
    assert [each.doc for each in await bank.training.of(ALICE)] == [{"row": 2}, {"row": 1}]
    clock.time += 1
    await bank.training.keep(ALICE, first, {"row": 3})
    assert [each.doc for each in await bank.training.of(ALICE)] == [{"row": 3}, {"row": 2}]


@pytest.mark.parametrize("presses", [0, 1])
async def test_of_two_presses_at_the_same_question_one_counts(bank: Bank, presses: int) -> None:
    was = RUN
    for row in range(presses):
        was = await bank.training.keep(ALICE, was, {"row": row})
    kept = await bank.training.keep(ALICE, was, {"row": 8})
    with pytest.raises(AlreadyDone):
        await bank.training.keep(ALICE, was, {"row": 9})
    assert await bank.training.find(ALICE, "run", "vegas") == kept


async def test_it_is_in_the_file_of_its_owner_and_goes_with_their_last_server(bank: Bank, join: Join) -> None:
    await join(ALICE)
    await bank.training.keep(ALICE, RUN, {"row": 1})
    await bank.training.keep(5, RUN, {"row": 7})
    export = await bank.privacy.export(GUILD, ALICE)
    assert export is not None
    assert [row["doc"] for row in export["training"]] == ['{"row":1}']
    assert await bank.privacy.forget(GUILD, ALICE)
    assert not any((await bank.privacy.own(ALICE)).values())
    assert await bank.training.of(5), "nobody else's"


async def test_it_stays_while_another_server_knows_its_owner(bank: Bank, join: Join) -> None:
    await join(ALICE)
    await bank.members.sign_in(GUILD + 1, ALICE)
    await bank.training.keep(ALICE, RUN, {"row": 1})
    await bank.privacy.forget(GUILD, ALICE)
    assert not await bank.privacy.forget_own(ALICE)
    assert await bank.training.of(ALICE)


async def test_who_plays_on_no_server_has_it_and_is_forgotten_too(bank: Bank) -> None:
    await bank.training.keep(ALICE, RUN, {"row": 1})
    assert (await bank.privacy.own(ALICE))["training"][0]["what"] == "run"
    assert await bank.privacy.forget_own(ALICE)
    assert not await bank.privacy.forget_own(ALICE)
    assert await bank.training.of(ALICE) == ()
