"""/seed: one's own words in the shuffle."""

from __future__ import annotations

from engine.fairness.record import RecordThree
from engine.tables.snapshot import TablePhase

from .conftest import Casino, text_of


async def test_ones_own_phrase_is_mixed_into_the_shuffle(casino: Casino) -> None:
    assert "You don't have one" in text_of(await casino.ask("seed"))
    assert "lucky owl" in text_of(await casino.ask("seed", phrase=" lucky owl "))
    await casino.alice.slash(casino.channel, "war", bet="1")
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.click("Surrender")
    code = casino.snapshot.seals.code
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    assert isinstance(stored.record, RecordThree)
    assert stored.record.phrase == "lucky owl"
    assert "You don't have one" in text_of(await casino.ask("seed", phrase="-"))


async def test_a_phrase_that_is_too_long_is_refused(casino: Casino) -> None:
    told = "A phrase can have at most 100 characters."
    assert text_of(await casino.ask("seed", phrase="x" * 101)) == told
    assert f"Yours is **{'x' * 100}**" in text_of(await casino.ask("seed", phrase="x" * 100))
    await casino.env.advance_time(3_600)
    assert r"Yours is **\-x-**" in text_of(await casino.ask("seed", phrase="-x-"))
