"""The pauses between attempts to get a promise."""

from __future__ import annotations

import pytest

from engine.tables.alarm import seek_pause


@pytest.mark.parametrize(("failures", "seconds"), [(1, 4), (2, 8), (4, 32), (5, 60), (2_000, 60)])
def test_pauses_double_up_to_a_minute_and_stay_there_however_often_it_fails(failures: int, seconds: float) -> None:
    assert seek_pause(failures) == seconds
