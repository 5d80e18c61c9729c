"""Finds the time zone whose name a manager typed."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from cogs.words import _, safe
from cogs.words.refusals import Sorry

#: Names that Python lists among the time zones although they are not time zones, or depend on this machine.
_NO_ZONES: Final = frozenset({"Factory", "localtime"})


def zone_of(text: str) -> str:
    """Return the name of the time zone that was typed. Raises Sorry if no time zone has that name."""
    wanted = text.casefold()
    found = next((zone for zone in available_timezones() - _NO_ZONES if zone.casefold() == wanted), None)
    if found is None:
        raise Sorry(_("There is no time zone **{text}**. Write one like Europe/Paris.", text=safe(text)))
    return ZoneInfo(found).key
