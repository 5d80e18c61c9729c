"""Knows how long people have been playing without a pause, and says so once after two hours (R13.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from cogs.answers.client import Casino, Interaction
from cogs.answers.reply import Reply
from cogs.words import _

#: Seconds of play before the note, and seconds without a press that end a sitting.
LONG: Final = 2 * 3600.0
PAUSE: Final = 600.0
#: The most people whose sittings are remembered, the latest ones.
MOST: Final = 10_000


@dataclass(slots=True)
class _Sitting:
    began: float
    last: float
    noted: bool = False


_sittings: Final[WeakKeyDictionary[Casino, dict[int, _Sitting]]] = WeakKeyDictionary()


async def note(interaction: Interaction, reply: Reply) -> None:
    """Note a press at a table or in a set. At the first one after two hours of play, say so in private."""
    if _is_long(interaction.client, interaction.user.id, interaction.client.clock.now()):
        await reply.try_to_say(
            _("You have been playing for two hours. Time for a break? You can take one in `/settings`.")
        )


def _is_long(casino: Casino, user: int, now: float) -> bool:
    """Note a press at this time, and return whether it is the first one after two hours of play without a pause."""
    known = _sittings.setdefault(casino, {})
    sitting = known.pop(user, None)
    if sitting is None or now - sitting.last >= PAUSE:
        sitting = _Sitting(now, now)
    sitting.last = now
    while len(known) >= MOST:
        del known[next(iter(known))]
    known[user] = sitting
    is_long = now - sitting.began >= LONG and not sitting.noted
    sitting.noted = sitting.noted or is_long
    return is_long
