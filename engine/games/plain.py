"""Rules made of plain values: their base class, with JSON, and the checks of their fields and of stakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Self, TypeVar

from engine.games.contract import CHIP, BadRules, BadStakes, Cents, Stakes

T = TypeVar("T")


def read(kind: type[T], values: Mapping[str, Any]) -> T:
    """Make rules of the dataclass `kind` from the values of its fields. A field not named takes its default.

    Raises BadRules for an unknown field, and for whatever the dataclass itself refuses.
    """
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise BadRules("unknown field", name)
    return kind(**values)


class Values:
    """The base of rules dataclasses whose fields are numbers, flags and words, which JSON writes as they are."""

    __slots__ = ()

    def as_json(self) -> dict[str, Any]:
        """Return the values of all fields by name, as the record of a round keeps them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Make the rules from what `as_json` returned. Raises BadRules as `read` does."""
        return read(cls, values)


def check_whole(rules: object, field: str, low: int, high: int) -> None:
    """Raise BadRules if this field of the rules is not an integer from `low` to `high`, both included."""
    value = getattr(rules, field)
    if type(value) is not int or not low <= value <= high:
        raise BadRules(f"must be a whole number from {low} to {high}", field)


def check_flag(rules: object, field: str) -> None:
    """Raise BadRules if this field of the rules is neither True nor False."""
    if type(getattr(rules, field)) is not bool:
        raise BadRules("must be yes or no", field)


def check_stake(stake: Cents) -> None:
    """Raise BadStakes if a stake is not one or more whole chips (R0.1)."""
    if type(stake) is not int or stake < CHIP or stake % CHIP:
        raise BadStakes(f"a stake is one or more whole chips, not {stake!r} cents")


def only_stake(staked: Stakes) -> Cents:
    """Return the stake of a seat in games with the single spot *main*.

    Raises BadStakes if another spot is staked on, if this one is not, or if the stake is not one or more whole chips.
    """
    if len(staked) != 1 or "main" not in staked:
        raise BadStakes("a seat has one stake, on the spot called main")
    check_stake(staked["main"])
    return staked["main"]
