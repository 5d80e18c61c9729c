"""However many tables are open, Python's sweeping keeps no press waiting."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from cogs.operations.sweeping import SHORT_SECONDS, short_sweeps


@pytest.fixture(autouse=True)
def all_is_swept_again() -> Iterator[None]:
    yield
    gc.unfreeze()


class Ring:
    def __init__(self) -> None:
        self.itself = self


def test_what_outlives_a_long_sweep_is_not_looked_at_again() -> None:
    kept = [[number] for number in range(1_000)]
    with short_sweeps(seconds=0):
        gc.collect()
    assert gc.get_freeze_count() > len(kept)
    assert not {id(one) for one in kept} & {id(seen) for seen in gc.get_objects()}


def test_a_sweep_of_a_twentieth_of_a_second_is_short() -> None:
    assert SHORT_SECONDS == 0.05


def test_after_a_short_sweep_everything_is_looked_at_again() -> None:
    before = gc.get_freeze_count()
    with short_sweeps(seconds=3600):
        gc.collect()
    assert gc.get_freeze_count() == before


def test_what_comes_afterwards_is_swept_as_ever() -> None:
    with short_sweeps(seconds=0):
        gc.collect()
        forgotten = ref(Ring())
        gc.collect()
    assert forgotten() is None


def test_only_full_sweeps_count() -> None:
    before = gc.get_freeze_count()
    with short_sweeps(seconds=0):
        gc.collect(0)
        gc.collect(1)
    assert gc.get_freeze_count() == before
