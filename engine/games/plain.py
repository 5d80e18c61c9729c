"""Rules made of plain values: checked when made, written to JSON and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Self, TypeVar

from engine.games.contract import CHIP, BadRules, BadStakes, Cents, Stakes

T = TypeVar("T")


def read(kind: type[T], values: Mapping[str, Any]) -> T:
    """Read a rules dataclass from its JSON. Missing fields take their default; unknown fields are refused."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise BadRules("unknown field", name)
    return kind(**values)


class Values:
    """The base of rules dataclasses whose fields are numbers, flags and words, which JSON writes as they are."""

    __slots__ = ()

    def as_json(self) -> dict[str, Any]:
        """Return the rules by value, for the record."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read what `as_json` wrote."""
        return read(cls, values)


def check_whole(rules: object, field: str, low: int, high: int) -> None:
    """Refuse a field that is not an integer from `low` to `high`."""
    value = getattr(rules, field)
    if type(value) is not int or not low <= value <= high:
        raise BadRules(f"must be a whole number from {low} to {high}", field)


def check_flag(rules: object, field: str) -> None:
    """Refuse a field that is neither true nor false."""
    if type(getattr(rules, field)) is not bool:
        raise BadRules("must be yes or no", field)


def check_stake(stake: Cents) -> None:
    """Refuse a stake that is not one or more whole chips (R0.1)."""
    if type(stake) is not int or stake < CHIP or stake % CHIP:
        raise BadStakes(f"a stake is one or more whole chips, not {stake!r} cents")


def only_stake(staked: Stakes) -> Cents:
    """Return the stake of a seat in games with the single spot *main*."""
    if len(staked) != 1 or "main" not in staked:
        raise BadStakes("a seat has one stake, on the spot called main")
    check_stake(staked["main"])
    return staked["main"]
