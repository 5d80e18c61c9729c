"""Chores come round as soon as a bot of these tests starts."""

from __future__ import annotations

import pytest


@pytest.fixture
def chores_at_once() -> bool:
    return True
