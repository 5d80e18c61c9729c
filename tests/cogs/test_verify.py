"""/verify: what was played can be checked."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import pytest

from cogs import verify as verify_cog
from cogs.verify import _findings as findings
from cogs.words import Reader, reading
from engine.coach import CoachGone
from engine.fairness.draws import Draws, verify_draws
from engine.fairness.reading import parse
from engine.fairness.record import Record, RecordTwo, read
from engine.fairness.tournaments import verify_lots
from engine.fairness.verify import What, verify
from engine.games.contract import By
from engine.tables.ports import BankUnavailable
from engine.tables.rebuilt import draws_of, whole_record_of
from tests.engine.fairness import made

from . import raw
from .conftest import Casino, asked, played, text_of


async def test_a_finished_round_can_be_checked_here_and_elsewhere(casino: Casino) -> None:
    code = await played(casino)
    answer = await casino.ask("verify", round=code)
    assert answer.ephemeral
    text = text_of(answer)
    assert f"Round {code} was dealt as sealed" in text
    assert "as recorded" in text
    (file,) = answer.attachments
    record = Record.from_json((await file.read()).decode())
    assert verify(record).holds
    assert isinstance(record, RecordTwo)
    assert record.mark == code


async def test_the_answer_shows_how_the_seed_leads_to_the_promise_that_people_saw(casino: Casino) -> None:
    """Every table of the channel has the same promise, and each round's seed is in it."""
    codes = [await played(casino), await played(casino)]
    (promise,) = casino.promises
    for code in codes:
        number = int(code.rpartition("-")[2])  # a hand without a question is played on beyond
        text = text_of(await casino.ask("verify", round=code))
        (digits,) = re.findall(r"[0-9a-f]{64}", promise.content)
        times = "time" if number == 1 else "times"
        assert f"[seal]({promise.jump_url})" in text
        assert digits in text
        assert re.search(
            rf"seed is in it: `[0-9a-f]{{64}}`, hashed {number} {times}, then joined with the 8 hashes", text
        )
        assert "✓ matches" in text


async def test_the_page_that_checks_it_offline_is_handed_out_with_the_record_filled_in(casino: Casino) -> None:
    code = await played(casino)
    answer = await casino.ask("verify", round=code)
    given = (await casino.alice.click(answer, label="Check it yourself")).response
    assert given is not None
    assert given.ephemeral
    (file,) = given.attachments
    assert file.filename == f"verify-{code}.html"
    whole = (await file.read()).decode()
    filled = re.search(r"<textarea[^>]*>(.*?)</textarea>", whole, re.DOTALL)
    assert filled is not None
    (record,) = [await each.read() for each in answer.attachments]
    assert html.unescape(filled[1]) == record.decode()
    assert 'if (document.getElementById("text").value.trim()) checkNow();' in whole


async def test_without_a_code_it_is_the_last_round(casino: Casino) -> None:
    code = await played(casino, 2)
    assert f"Round {code}" in text_of(await casino.ask("verify"))


async def test_ones_own_rounds_are_suggested(casino: Casino) -> None:
    code = await played(casino)
    choices = await casino.alice.autocomplete(casino.channel, "verify", "round", code[:3])
    assert choices[0]["value"] == code
    assert re.fullmatch(rf"{code} · [+−±]\d+(\.50)? · blackjack", choices[0]["name"])
    assert await casino.alice.autocomplete(casino.channel, "verify", "round", code.upper()) == choices
    assert await casino.alice.autocomplete(casino.channel, "verify", "round", code[1:]) == []


async def test_the_last_25_rounds_are_suggested_the_newest_first(casino: Casino) -> None:
    for _ in range(26):
        casino.cards.lay("A K / 9 8")
        await (casino.click("Deal") if casino.bot.registry.tables() else casino.blackjack(bet=10))
    choices = await casino.alice.autocomplete(casino.channel, "verify", "round", "")
    numbers = [int(choice["value"].rpartition("-")[2]) for choice in choices]
    assert numbers == [*range(26, 1, -1)]


async def test_typing_opens_no_account(casino: Casino) -> None:
    assert await casino.bob.autocomplete(casino.channel, "verify", "round", "1") == []
    assert "haven't finished a round" in text_of(await casino.ask("verify", casino.bob))
    assert await casino.bot.bank.members.known(casino.guild.id, casino.bob.id) is None


async def test_a_bank_that_is_silent_while_somebody_types_suggests_nothing(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord would say that loading failed, and the log would have an error that nobody can help."""
    code = await played(casino)

    async def silent(*_: object) -> None:
        raise BankUnavailable

    monkeypatch.setattr(casino.bot.bank.members, "known", silent)
    assert await casino.alice.autocomplete(casino.channel, "verify", "round", code[:3]) == []


@pytest.mark.parametrize("code", ["ffffffff", "nonsense", "**", "0"])
async def test_an_unknown_round_is_named(casino: Casino, code: str) -> None:
    assert "There is no finished round" in text_of(await casino.ask("verify", round=code))


async def test_a_running_rounds_seed_stays_secret(casino: Casino) -> None:
    await casino.until(asked)
    stored = await casino.bot.bank.tables.stored(casino.table.id)
    assert stored is not None
    secrets = [round.seed.hex() for round in stored.rounds]
    answer = text_of(await casino.ask("verify", round=casino.snapshot.seals.code))
    assert "still being played" in answer
    transcript = json.dumps([request.json for request in casino.env.http_requests], default=str)
    assert not [secret for secret in secrets if secret in transcript]


async def test_a_right_click_on_a_table_verifies_its_last_round(casino: Casino) -> None:
    code = await played(casino)
    result = await casino.bob.context_menu(casino.channel, "Verify", casino.message)
    assert result.response is not None
    assert f"Round {code} was dealt as sealed" in text_of(result.response)
    assert result.response.ephemeral


async def test_a_right_click_on_another_message_finds_no_round(casino: Casino) -> None:
    await casino.until(asked)
    table, told = casino.message, f"/verify {casino.snapshot.seals.code}"
    stranger = casino.guild.add_member(casino.env.create_user("another bot", bot=True))
    casino.env.backend.create_message(
        casino.channel.id, stranger.id, components=[{"type": 10, "content": told}], flags=1 << 15
    )
    for message in (table, casino.message, await casino.bob.send(casino.channel, told)):
        result = await casino.bob.context_menu(casino.channel, "Verify", message)
        assert result.response is not None
        assert text_of(result.response) == "There is no finished round on that message."


async def test_r6_4_perfect_play_is_checked_by_the_coach_and_without_it_the_page_says_so(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    unchecked = "How the perfect computer player plays was not checked."
    await casino.blackjack(bet=10, ai=2, level="perfect")
    await casino.play_on()
    stored = await casino.bot.bank.records.round(casino.snapshot.seals.code, casino.guild.id)
    assert stored is not None
    assert By.COMPUTER in {step.by for step in whole_record_of(stored).steps}, "another seed is needed"
    checked = await casino.ask("verify")
    assert "was dealt as sealed" in text_of(checked)
    assert unchecked not in text_of(checked)

    async def gone(*_: object, **__: object) -> None:
        raise CoachGone

    monkeypatch.setattr(casino.bot.coach, "ask", gone)
    assert unchecked in text_of(await casino.ask("verify"))


def test_inputs_and_cards_are_written_as_far_as_there_is_room() -> None:
    assert verify_cog._inputs(("", "a", *"b" * 19)) == " · ".join(["`a`", *["`b`"] * 19])
    assert verify_cog._inputs(("a", *"b" * 20)) == " · ".join(["`a`", *["`b`"] * 19, "…"])
    assert verify_cog._inputs(("x" * 41, "")) == f"`{'x' * 39}…`"
    assert verify_cog._inputs(("",)) == "nothing"
    with reading(Reader(cards={"As": "<:As:1>"})):
        assert verify_cog._dealt(["As"] * 30) == "<:As:1>" * 30
        assert verify_cog._dealt(["As"] * 31) == f"`{' '.join(['A♠'] * 31)}`"


async def test_the_lots_of_an_elimination_table_are_shown_card_by_card_when_it_is_over(casino: Casino) -> None:
    """Alice leaves after a round: where those who are left are equal they draw for the lead."""
    for _ in range(20):
        await casino.alice.slash(casino.channel, "elimination", level="amateur")
        table = casino.table.id
        while casino.snapshot.settlement is None:
            keys = casino.keys()
            await casino.click("Minimum" if "Minimum" in keys else "Stand")
        code = casino.snapshot.seals.code
        assert len((await casino.ask("verify", round=code)).attachments) == 1, "while it is played nothing is shown"
        await casino.click("Leave")
        stored = await casino.bot.bank.tables.stored(table)
        assert stored is not None
        if draws_of(stored) is not None:
            break
    answer = await casino.ask("verify", round=code)
    assert "Lots drawn at this table" in text_of(answer)
    assert "gives the digits above: ✓ matches" in text_of(answer)
    record, draws = [parse((await file.read()).decode()) for file in answer.attachments]
    assert verify(read(record)).holds
    assert verify_draws(Draws.read(draws)).holds


@pytest.mark.parametrize("wrong", ["nothing", "draws", "seats"])
def test_a_round_whose_lots_do_not_fit_is_not_called_right(wrong: str) -> None:
    """The cards may be right, and the seat or the lead another one than was promised."""
    draws, seats = made.draws(0), made.lots(0)
    others = tuple(replace(promise, root="00" * 32) for promise in seats.promises)
    lots = verify_draws(replace(draws, root=bytes(32)) if wrong == "draws" else draws)
    places = verify_lots(replace(seats, promises=others) if wrong == "seats" else seats)
    view = findings("1a2b3c4d-1", verify(made.three(0)), lots, places, ())
    assert ("dealt as sealed" in str(view.to_components())) is (wrong == "nothing")


def test_a_phrase_where_several_play_is_not_called_as_recorded() -> None:
    record = next(each for each in map(made.two, range(99)) if each.phrase and len(each.players) > 1)
    (person,) = {player for player in record.players if player.person}
    steps = tuple(step._replace(by=By.MEMBER) for step in record.steps)
    forged = replace(record, players=(person,) * len(record.players), steps=steps)
    finding = verify(replace(forged, hash=forged.hashed()))
    assert [check.what for check in finding.checks if not check.fits] == [What.PHRASE]
    assert "**not** as recorded" in str(findings("1a2b3c4d-1", finding, None, None, ()).to_components())


async def test_a_hand_that_was_open_when_a_backup_was_made_is_called_off_and_everybody_is_told_why(
    casino: Casino,
) -> None:
    await casino.until(asked)
    code, before = casino.snapshot.seals.code, await casino.balance(casino.alice)
    await casino.restart(restored=True)
    assert casino.snapshot.called_off
    assert await casino.balance(casino.alice) == before + 10
    assert "called off" in casino.text
    answer = await casino.ask("verify", round=code)
    assert f"Round {code} was dealt as sealed" in text_of(answer)
    assert "called off" in text_of(answer)
    history = await casino.ask("history")
    assert code in str(raw.components(history))
