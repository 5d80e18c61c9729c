"""Discord does not always take an answer.

Then nothing is left half done unseen, and everybody who can be told is told.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.games.registry import GAMES
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table

from .. import raw
from ..conftest import Casino, asked, text_of

#: Unknown interaction, unknown message, missing access, and Discord itself out of order.
FAULTS = [(404, 10062), (404, 10008), (403, 50001), (500, 0)]


def refuse_answers(casino: Casino, status: int, code: int, times: int | None = 1) -> None:
    casino.env.inject_error("POST", "/interactions/*/*/callback", status=status, code=code, times=times)


# -- a press whose redraw fails ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "code"), FAULTS)
async def test_a_press_counts_and_says_so_where_the_redraw_fails(casino: Casino, status: int, code: int) -> None:
    await casino.until(asked)
    refuse_answers(casino, status, code)
    result = await casino.click("Stand")
    assert casino.snapshot.phase is TablePhase.BETTING
    assert result.response is not None
    assert result.ephemeral
    assert "That counted" in result.response.content
    assert f"/{casino.channel.id}/{casino.message.id}" in result.response.content
    await casino.env.settle()
    assert casino.keys()[0] == "Deal", "the message is brought up to date all the same"


async def test_the_sentence_follows_where_discord_had_taken_the_answer_and_not_said_so(casino: Casino) -> None:
    """The interaction is answered already, so what is said is a message of its own."""
    await casino.until(asked)
    refuse_answers(casino, 400, 40060, times=2)
    result = await casino.click("Stand")
    assert casino.snapshot.phase is TablePhase.BETTING
    assert ["That counted" in answer.content for answer in result.followups] == [True]


@pytest.mark.parametrize(("status", "code"), FAULTS)
async def test_a_panel_that_cannot_be_redrawn_is_answered(casino: Casino, status: int, code: int) -> None:
    panel = await casino.ask("privacy")
    refuse_answers(casino, status, code)
    result = await casino.alice.click(panel, label="Forget me")
    assert result.response is not None
    assert "Discord didn't take my answer" in result.response.content


async def test_a_refusal_that_lacks_what_its_sentence_names_is_answered_too(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refused(*_: Any, **__: Any) -> Any:
        raise Refused(Reason.CHIPS_IN_PLAY, staked=100)

    monkeypatch.setattr(Table, "act", refused)
    await casino.until(asked)
    result = await casino.click("Stand")
    assert "Something went wrong on our side" in text_of(result.response)  # type: ignore[arg-type]
    assert "KeyError: 'needed'" in caplog.text
    caplog.clear()


# -- a table whose first message fails ---------------------------------------------------------------------------------

OPENINGS = [*GAMES, "elimination"]


@pytest.mark.parametrize("command", OPENINGS)
@pytest.mark.parametrize(("status", "code"), FAULTS)
async def test_a_table_that_cannot_be_shown_is_not_there(casino: Casino, command: str, status: int, code: int) -> None:
    refuse_answers(casino, status, code)
    result = await casino.alice.slash(casino.channel, command)
    assert casino.bot.registry.tables() == ()
    assert result.response is not None
    assert "no table was opened" in result.response.content
    assert result.ephemeral
    assert await casino.balance(casino.alice) == 1_000
    await casino.alice.slash(casino.channel, command)
    assert casino.table.state.message == casino.message.id


async def test_a_buy_in_comes_back_from_a_table_that_cannot_be_shown(casino: Casino) -> None:
    refuse_answers(casino, 404, 10008)
    await casino.blackjack(rules="four-seat")
    assert casino.bot.registry.tables() == ()
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("command", OPENINGS)
async def test_a_lost_interaction_leaves_nothing_and_nobody_can_be_told(casino: Casino, command: str) -> None:
    refuse_answers(casino, 404, 10062, times=None)
    result = await casino.alice.slash(casino.channel, command)
    assert not result.acknowledged
    assert casino.bot.registry.tables() == ()
    casino.env.backend.faults.clear()
    await casino.alice.slash(casino.channel, command)
    assert casino.table.state.message == casino.message.id


@pytest.mark.parametrize("command", OPENINGS)
async def test_a_table_that_could_not_be_taken_back_is_shown_by_the_next_command(
    casino: Casino, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bank cannot write in that very moment."""

    async def refused(*_: Any) -> Any:
        raise Refused(Reason.BANK_UNAVAILABLE)

    refuse_answers(casino, 404, 10008)
    with monkeypatch.context() as patched:
        patched.setattr(Table, "leave", refused)
        await casino.alice.slash(casino.channel, command)
    (table,) = casino.bot.registry.tables()
    assert table.state.message is None
    await casino.alice.slash(casino.channel, command)
    assert casino.bot.registry.tables() == (table,)
    assert table.state.message == casino.message.id


async def test_an_elimination_table_of_a_process_that_ended_is_shown_by_the_next_command(casino: Casino) -> None:
    await casino.alice.slash(casino.channel, "elimination")
    await casino.bot.registry.tables()[0]._do("test/lost", lambda draft: draft.moved(draft.state.channel))
    await casino.restart()
    result = await casino.alice.slash(casino.channel, "elimination")
    assert not result.ephemeral
    assert casino.table.state.message == casino.message.id
    again = await casino.ask("elimination")
    assert f"/{casino.channel.id}/{casino.message.id}" in again.content


async def test_a_message_whose_id_was_lost_becomes_the_tables_with_the_first_press_on_it(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.table._do("test/lost", lambda draft: draft.moved(draft.state.channel))
    await casino.click("Deal")
    assert casino.table.state.message == casino.message.id
    assert casino.snapshot.round == 2


async def test_the_message_in_a_channel_that_the_table_has_left_does_not_become_its_own_again(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.table.move(casino.guild.create_text_channel("elsewhere").id)
    result = await casino.click("Deal")
    assert result.response is not None
    assert "This table goes on [in a newer message]" in text_of(result.response)
    assert casino.table.state.message is None


# -- nothing is kept ---------------------------------------------------------------------------------------------------


def kept(casino: Casino) -> tuple[int, int, int]:
    """Tasks, forms and views that are held on to."""
    store = casino.bot._connection._view_store
    return len(asyncio.all_tasks()), len(store._modals), sum(map(len, store._views.values()))


async def test_a_hundred_opened_forms_leave_nothing_behind(casino: Casino) -> None:
    await casino.sealed_table()
    await casino.click("Bet")
    before = kept(casino)
    for _ in range(5):
        for result in await raw.press(casino.alice, casino.message, casino.custom_id("Bet"), times=20):
            assert result.modal is not None
    assert kept(casino) == before


@pytest.mark.parametrize("command", ["privacy", "settings", "rules"])
async def test_panels_leave_nothing_behind(casino: Casino, command: str) -> None:
    await casino.ask(command)
    before = kept(casino)
    for _ in range(5):
        panel = await casino.ask(command)
        if command == "privacy":
            await casino.alice.click(panel, label="Forget me")
            assert "Be forgotten here?" in text_of(panel)
    assert kept(casino) == before
