"""The reasons for which a step of an elimination table or a tournament is refused, and the error that carries them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Misstep(StrEnum):
    """The reasons for which a step is not possible. `cogs` has the sentences for people."""

    NOT_NOW = "not now"
    NOT_ASKED = "not asked"
    NOT_IN_PLAY = "not in play"
    NOT_WHOLE = "not whole"
    TOO_SMALL = "too small"
    TOO_LARGE = "too large"
    TAKEN = "taken"
    NOT_SIGNED_UP = "not signed up"
    TOO_FEW = "too few"
    WRONG_RESULT = "wrong result"


class IllegalStep(Exception):
    """Raised for a step that is not possible now; nothing has changed."""

    def __init__(self, misstep: Misstep) -> None:
        super().__init__(misstep.value)
        self.misstep = misstep


def require(condition: bool, misstep: Misstep) -> None:  # noqa: FBT001 - reads like assert
    """Raise IllegalStep with this reason unless the condition holds."""
    if not condition:
        raise IllegalStep(misstep)


def check_version(record: Mapping[str, Any], newest: int) -> None:
    """Raise ValueError unless the record's version is from 1 to `newest`. A higher one is from a later release."""
    if record["version"] not in range(1, newest + 1):
        raise ValueError(f"the record has version {record['version']}; this release reads up to {newest}")
