"""/seed: one's own words in the shuffle."""

from __future__ import annotations

from engine.fairness.record import RecordTwo

from .conftest import Casino, played, text_of


async def test_ones_own_phrase_is_mixed_into_the_shuffle(casino: Casino) -> None:
    assert "You have none" in text_of(await casino.ask("seed"))
    assert "lucky owl" in text_of(await casino.ask("seed", phrase=" lucky owl "))
    code = await played(casino)
    stored = await casino.bot.bank.records.round(code, casino.guild.id)
    assert stored is not None
    assert isinstance(stored.record, RecordTwo)
    assert stored.record.phrase == "lucky owl"
    assert "You have none" in text_of(await casino.ask("seed", phrase="-"))


async def test_a_phrase_that_is_too_long_is_refused(casino: Casino) -> None:
    assert "at most 100 characters" in text_of(await casino.ask("seed", phrase="x" * 101))
