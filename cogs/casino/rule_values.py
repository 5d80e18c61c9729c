"""A rule set as a row of choices: every field has a few values to choose from, so a rule set is a short word.

The word travels in the custom_ids of the editor, which therefore remembers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final

from cogs.words import N_, _, chips, number
from engine.games import registry as games
from engine.games.blackjack.rules import Fault
from engine.games.contract import CHIP, BadRules

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

_STAKES: Final = tuple(amount * CHIP for amount in (0, 1, 2, 5, 10, 25, 50, 100, 500, 1000))
_STACKS: Final = tuple(amount * CHIP for amount in (0, 5, 10, 20, 50, 100, 250, 500, 1000, 10_000))
_PER_CENT: Final = (0, 50, 100, 150, 200, 250, 300)

#: What whole numbers may be chosen from.
_NUMBERS: Final[Mapping[str, Sequence[int]]] = {
    "decks": range(1, 9),
    "split_hands": range(2, 5),
    "most_seats": range(1, 8),
    "fixed_stake": _STAKES,
    "stack": _STACKS,
    "commission": range(11),
    "tie_pays": range(5, 10),
    "won_pays": _PER_CENT,
    "tied_pays": _PER_CENT,
}

_LABELS: Final[Mapping[str, str]] = {
    "decks": N_("Decks"),
    "natural_pays": N_("Naturals pay"),
    "natural_against_natural": N_("Natural against the dealer's"),
    "natural_against_21": N_("Natural against another 21"),
    "made_21_against_natural": N_("Another 21 against a natural"),
    "dealer_looks": N_("Dealer looks for a natural"),
    "dealer_draws": N_("Dealer draws"),
    "ace": N_("Aces"),
    "double": N_("Double"),
    "split": N_("Split"),
    "split_hands": N_("Hands by splitting"),
    "split_aces": N_("Split aces"),
    "swap": N_("Swap"),
    "insurance": N_("Insurance"),
    "surrender": N_("Surrender"),
    "turns": N_("Turns"),
    "most_seats": N_("Seats"),
    "computers_fill": N_("Computer players take free seats"),
    "fixed_stake": N_("Fixed stake"),
    "stack": N_("Stack to bring"),
    "naturals": N_("Naturals end the coup"),
    "commission": N_("Banker's commission, %"),
    "tie_pays": N_("Tie pays, to 1"),
    "won_pays": N_("War won pays, %"),
    "tied_pays": N_("War tied pays, %"),
}

_FAULTS: Final[Mapping[str, str]] = {
    Fault.SURRENDER_WITHOUT_LOOK: N_("Surrender needs a dealer who looks for a natural first."),
    Fault.SWAP_WITH_SPLIT: N_("Swap and split cannot be offered together."),
    Fault.SHOE_TOO_SMALL: N_("So many seats and hands may need more cards than these decks have."),
    Fault.FIXED_STAKE_WITHOUT_STACK: N_("A fixed stake needs a stack to bring."),
    Fault.STACK_WITHOUT_FIXED_STAKE: N_("A stack to bring needs a fixed stake."),
    Fault.STACK_UNDER_STAKE: N_("The stack must pay at least one stake."),
}


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    values: tuple[Any, ...]

    @property
    def label(self) -> str:
        return _(_LABELS[self.name])

    def shown(self, value: Any) -> str:
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, Enum):
            return _(str(value.value))
        if self.name in ("fixed_stake", "stack"):
            return _("{chips} chips", chips=chips(value)) if value else _("none")
        return number(value)


def fields_of(game: str) -> tuple[Field, ...]:
    default = next(iter(games.game(game).rule_sets.values()))
    return tuple(Field(each.name, _choices(each.name, getattr(default, each.name))) for each in fields(default))


def _choices(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return (False, True)
    if isinstance(value, Enum):
        return tuple(type(value))
    return tuple(_NUMBERS[name])


def encoded(game: str, rules: Any) -> str:
    """Each field's choice as a digit. A number that is not to be chosen from becomes the nearest that is."""
    return "".join(_DIGITS[_nearest(field.values, getattr(rules, field.name))] for field in fields_of(game))


def _nearest(values: tuple[Any, ...], value: Any) -> int:
    if value in values:
        return values.index(value)
    return min(range(len(values)), key=lambda at: abs(values[at] - value))


def choices(game: str, word: str) -> dict[str, Any]:
    """The fields' values; what is no word of this game is the default's."""
    rows = fields_of(game)
    if len(word) != len(rows) or any(
        _DIGITS.find(digit) >= len(row.values) for digit, row in zip(word, rows, strict=True)
    ):
        return choices(game, encoded(game, next(iter(games.game(game).rule_sets.values()))))
    return {row.name: row.values[_DIGITS.index(digit)] for digit, row in zip(word, rows, strict=True)}


def changed(word: str, place: int, choice: int) -> str:
    return word[:place] + _DIGITS[choice] + word[place + 1 :]


def rules_of(game: str, word: str) -> Any:
    """The rule set, or BadRules."""
    kind = type(next(iter(games.game(game).rule_sets.values())))
    return kind(**choices(game, word))


def fault(error: BadRules) -> str:
    """Why it cannot be, for the one who tried."""
    text = _FAULTS.get(error.fault)
    if text is not None:
        return _(text)
    return _("**{field}** cannot be that.", field=_(_LABELS.get(error.field, error.field or error.fault)))
