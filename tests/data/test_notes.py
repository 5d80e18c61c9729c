"""Notes and numbers are just kept, and a claim without a due time belongs to one process at a time."""

from __future__ import annotations

from data import NEVER, Bank, Job, Note

from .conftest import GUILD

HEADS = Note("coin", "heads", {"side": 1}, GUILD)
TAILS = Note("coin", "tails", {"side": 0})


async def test_notes_are_kept_by_kind_until_they_are_dropped(bank: Bank) -> None:
    for note in (HEADS, TAILS, Note("die", "heads", {})):
        await bank.notes.keep(note)
    assert await bank.notes.of("coin") == (HEADS, TAILS)
    await bank.notes.drop("coin", "heads")
    assert await bank.notes.of("coin") == (TAILS,)


async def test_notes_of_earlier_releases_are_read(bank: Bank) -> None:
    """They were posted as jobs that are never due; the key of the playground's address had no name of its own."""
    await bank.jobs.post(Job("playground", "playground", {"key": "k"}, NEVER))
    await bank.jobs.post(Job("call/7", "call", {"channel": 1, "message": 7}, NEVER, GUILD))
    assert [note.values for note in await bank.notes.of("playground")] == [{"key": "k"}]
    assert await bank.notes.of("call") == (Note("call", "7", {"channel": 1, "message": 7}, GUILD),)
    await bank.notes.drop("call", "7")
    assert await bank.notes.of("call") == ()


async def test_numbers_are_kept_by_name(bank: Bank) -> None:
    assert await bank.notes.number("graded") == 0.0
    for at in (5.0, 7.5):
        await bank.notes.keep_numbers({"graded": at})
        assert await bank.notes.number("graded") == at
    await bank.notes.keep_numbers({"graded twice": 1.0, "never graded": 2.0})
    assert await bank.notes.numbers("graded") == {"graded": 7.5, "graded twice": 1.0}


async def test_a_lock_belongs_to_one_process_until_it_lets_go(bank: Bank) -> None:
    assert await bank.jobs.lock("emoji", "one", seconds=60)
    assert not await bank.jobs.lock("emoji", "other", seconds=60)
    await bank.jobs.unlock("emoji", "one")
    assert await bank.jobs.lock("emoji", "other", seconds=60)
