"""Hands that must be played within a time, their page and presses: in duels, and in same-card tournaments (R12.3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from discord import ui

from cogs.answers.panel import Rows
from cogs.today.hand import ActionKey, PageWithFiles, action_rows, hand
from cogs.words import _
from data import Bank, DealtSet, OutdatedTry, StoredTry
from engine.sets.tries import Try


class TimedTry(NamedTuple):
    """A try after a press or a look. `in_time` is False if the time for its hand ran out and the hand stood."""

    stored: StoredTry
    found: Try
    in_time: bool


async def look(bank: Bank, stored: StoredTry, deals: DealtSet) -> TimedTry:
    """Return a try as it is now. If the time for its hand has run out, make the hand stand and store that first.

    Storing it raises OutdatedTry if another press was faster, and DayClosed if the time for the whole try is over.
    """
    late = await bank.duels.in_time(stored, deals)
    return TimedTry(late, late.on(deals), late == stored)


async def press(
    bank: Bank,
    stored: StoredTry,
    deals: DealtSet,
    version: int,
    action: str,
    newest: Callable[[], Awaitable[StoredTry | None]],
) -> TimedTry:
    """Store the try after a press, and return it.

    If the time for the hand has run out, the hand stands instead, as in `look`. Otherwise nothing changes if the action
    is not allowed, or if `version` is not that of the stored try. If another press is faster, return the try that
    `newest` reads. Raise what `look` raises.
    """
    seen = await look(bank, stored, deals)
    if not seen.in_time or stored.version != version or seen.found.refusal(action) is not None:
        return seen
    after = seen.found.pressed(action, deals.shoes)
    try:
        return TimedTry(await bank.tries.press(stored, after), after, in_time=True)
    except OutdatedTry:
        newer = await newest() or stored
        return TimedTry(newer, newer.on(deals), in_time=True)


async def page(played: TimedTry, deals: DealtSet, key: ActionKey, after: ui.Item[Any]) -> PageWithFiles:
    """Return the page of the hand that is played. Once all hands are over, `after` is its only key."""
    over = played.found.over
    note = "" if over else _("Ten minutes for each hand, from **Next** on. Then it stands.")
    if not played.in_time:
        note = _("Ten minutes were over, so the hand stood.")
    rows: Rows = [[after]] if over else action_rows(played.found, key)
    return await hand(played.found, deals.shoes, rows, note=note)
