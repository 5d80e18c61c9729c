"""The numbers among a server's settings: what they are called, their limits, and how people type them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any, Final

from cogs.table.presentation import presentation
from cogs.words import N_, _, counted, decimal, ngettext, number, safe
from cogs.words.refusals import Sorry
from data import GuildSettings
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.tables.house import HouseSettings

_MOST_CHIPS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A number among the settings: its name, its limits, and how it is typed, shown and stored."""

    label: str
    #: The limits of the number that is typed.
    least: float
    most: float
    #: A function that writes the number with its unit.
    unit: Callable[[Decimal], str]
    #: The factor from the number that is typed to the stored one.
    scale: int = 1

    def typed(self, value: float) -> Decimal:
        """Return the stored number as people type it."""
        exact = Decimal(str(value)) / self.scale
        return Decimal(int(exact)) if exact == int(exact) else exact

    def shown(self, value: float) -> str:
        """Return the stored number as text, with its unit."""
        return self.unit(self.typed(value))

    def read(self, text: str) -> float:
        """Return the number that was typed, in its stored form.

        Raises Sorry if it is not a number, or outside the limits.
        """
        group = "." if decimal() == "," else ","
        plain = re.sub(rf"[\s_']|[{group}](?=\d{{3}}(?!\d))", "", text).replace(",", ".")
        whole = re.fullmatch(r"\d{1,12}", plain)
        if not (whole or (self.unit in (_seconds, _hours) and re.fullmatch(r"\d{1,6}\.\d{1,3}", plain))):
            raise Sorry(_("**{label}**: {text} isn't a number.", label=_(self.label), text=safe(text)))
        value = float(plain) if "." in plain else int(plain)
        if not self.least <= value <= self.most:
            raise Sorry(_("**{label}**: it must be {limits}.", label=_(self.label), limits=self.limits()))
        return value * self.scale

    def limits(self) -> str:
        """Return the text of the limits: the least to the most."""
        return _("{least} to {most}", least=number(int(self.least)), most=self.unit(Decimal(int(self.most))))


def _chips(count: Decimal) -> str:
    return counted(int(count * CHIP))


def _seconds(count: Decimal) -> str:
    return ngettext("{count} second", "{count} seconds", count)


def _hours(count: Decimal) -> str:
    return ngettext("{count} hour", "{count} hours", count)


def _hands(count: Decimal) -> str:
    return ngettext("{count} hand", "{count} hands", count)


def _days(count: Decimal) -> str:
    return ngettext("{count} day", "{count} days", count)


def _purse(label: str, least: int = 0) -> Setting:
    return Setting(label, least, _MOST_CHIPS, _chips, CHIP)


def _time(label: str, least: float = 5, most: float = 3600) -> Setting:
    return Setting(label, least, most, _seconds)


def _answer_times() -> Mapping[str, Setting]:
    """Return the setting for each game that has its own time to answer, by the name of the field that stores it."""
    own = [game for game in GAMES.values() if presentation(game.name).answer_time]
    return {game.answer_time: _time(presentation(game.name).answer_time) for game in own}


#: The numbers in each form. Discord allows five fields in one.
FORMS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "chips": {
        "starting_chips": _purse(N_("Starting chips")),
        "daily_chips": _purse(N_("Daily chips")),
        "daily_hours": Setting(N_("Daily chips again after"), 1, 168, _hours),
        "smallest_stake": _purse(N_("Minimum stake"), 1),
        "largest_stake": _purse(N_("Maximum stake"), 1),
    },
    "gifts": {
        "gift_cap": _purse(N_("Given by one person a day, at most")),
        "received_cap": _purse(N_("Received by one person a day, at most")),
        "kept_chips": _purse(N_("A gift leaves the giver at least")),
        "gift_hands": Setting(N_("Finished hands before giving"), 0, 10_000, _hands),
    },
    "time": {
        "turn_seconds": _time(N_("Turn time")),
        "betting_seconds": _time(N_("Betting window")),
        **_answer_times(),
        "idle_seconds": _time(N_("Idle table closes after"), 30, 86_400),
        "think_seconds": _time(N_("Computer thinking time"), 0, 30),
    },
    "guests": {
        "account_days": Setting(N_("Account age for daily chips"), 0, 3650, _days),
        "server_days": Setting(N_("Time on the server for daily chips"), 0, 3650, _days),
        "gift_account_days": Setting(N_("Account age for gifts and buy-ins"), 0, 3650, _days),
        "gift_server_days": Setting(N_("Time on the server for gifts and buy-ins"), 0, 3650, _days),
    },
}
TITLES: Final[Mapping[str, str]] = {
    "chips": N_("Chips and stakes"),
    "gifts": N_("Gifts"),
    "time": N_("Time"),
    "guests": N_("New members"),
}
#: The fields that are stored with the house's settings. The others are stored with the guild's.
_OF_THE_HOUSE: Final = frozenset(field.name for field in fields(HouseSettings))


def value_of(settings: GuildSettings, name: str) -> float:
    """Return the stored number of a setting."""
    kept: float = getattr(settings.house if name in _OF_THE_HOUSE else settings, name)
    return kept


def block(form: str, settings: GuildSettings) -> str:
    """Return a form's title in bold and, below it, a line for each of its numbers."""
    lines = [
        _("{label} · **{value}**", label=_(field.label), value=field.shown(value_of(settings, name)))
        for name, field in FORMS[form].items()
    ]
    return "\n".join((f"**{_(TITLES[form])}**", *lines))


def changed(form: str, answers: Mapping[str, str], settings: GuildSettings) -> GuildSettings:
    """Return the settings with the numbers that were typed into a form. Raises Sorry if they are not allowed."""
    read = {name: field.read(answers.get(name, "")) for name, field in FORMS[form].items()}
    house: dict[str, Any] = {name: value for name, value in read.items() if name in _OF_THE_HOUSE}
    others: dict[str, Any] = {name: value for name, value in read.items() if name not in _OF_THE_HOUSE}
    after = replace(settings, house=replace(settings.house, **house), **others)
    if after.house.smallest_stake > after.house.largest_stake:
        raise Sorry(_("The smallest stake can't be above the largest."))
    return after
