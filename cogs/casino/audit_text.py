"""/casino audit: whether the books balance, and who gives chips to whom."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final

from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import here
from cogs.answers.panel import FELT, panel
from cogs.answers.reply import Reply
from cogs.answers.time_limits import LOST
from cogs.background import log
from cogs.words import N_, _, listed, ngettext, number, quoted
from data import Fault, Wrong

_DAY: Final = 24 * 3600.0
_WEEK: Final = 7 * _DAY
#: Seconds for which a clean result is shown again, because reading the books of all servers takes a while.
_RECENT: Final = 60.0
#: The most faults in one message, which says whether there are more.
_MOST_FAULTS: Final = 10
#: Seconds between two messages on the progress.
_SHOWN_EVERY: Final = 2.5


_SO_FAR: Final = {
    "accounts": N_("Accounts so far: {count}"),
    "transfers": N_("Transfers so far: {count}"),
    "rounds": N_("Rounds played again so far: {count}"),
}
_THE_REST: Final = N_("Nearly done")


class _ShownProgress:
    """The progress of an audit, shown every few seconds."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._shown_at = time.monotonic()
        self._showing: asyncio.Task[Any] | None = None

    def __call__(self, what: str, looked: int) -> None:
        if time.monotonic() < self._shown_at + _SHOWN_EVERY or (self._showing and not self._showing.done()):
            return
        self._shown_at = time.monotonic()
        so_far = _(_SO_FAR.get(what, _THE_REST), count=number(looked))
        self._showing = asyncio.create_task(self._show(panel(_("The books are being checked"), so_far, colour=FELT)))

    async def _show(self, view: ui.LayoutView) -> None:
        with contextlib.suppress(*LOST):  # only the result matters
            await self._reply.show(view)

    async def done(self) -> None:
        """Wait until the last message about the progress has been shown."""
        if self._showing is not None:
            await self._showing


async def audited(interaction: Interaction, reply: Reply) -> ui.LayoutView:
    """Audit the bank while showing the progress, stop or allow stakes by the result, and return it as a message.

    A clean result of the last minute is returned again. The message lists the faults that concern this server or all
    servers, and the gifts of the last week.
    """
    casino, guild, progress = interaction.client, here(interaction).guild, _ShownProgress(reply)
    report = await casino.bank.auditor.inspect(within=_RECENT, progress=progress)
    await progress.done()
    head = await casino.bank.leaves.head(guild)
    since = casino.clock.now() - _WEEK
    gifts = await casino.bank.records.feeding(guild, since, 10)
    read = (
        ngettext("{count} account", "{count} accounts", report.accounts),
        ngettext("{count} transfer", "{count} transfers", report.transfers),
        ngettext("{count} round", "{count} rounds", report.rounds),
    )
    small = [_("Checked from the very first transfer: {read}", read=listed(read))]
    if head is not None:
        values = {"place": number(head.place), "head": head.hash}
        small.append(_("This server's book: leaf {place}, head `{head}`", **values))
    if report.clean:
        return panel(_("The books balance"), _fed(gifts), small=small, colour=FELT)
    ours = [_fault(each) for each in report.faults if each.guild in (0, guild)]
    rest = [_("– and more")] if len(ours) > _MOST_FAULTS else []  # the report itself does not have all
    faults = "\n".join(ours[:_MOST_FAULTS] + rest)
    return panel(_("The books don't balance: no new bets are taken"), faults, _fed(gifts), small=small, colour=0xB3392F)


#: The faults that managers see without a place, because nobody else may learn of a person's break or limit (R13.4).
_PRIVATE: Final = frozenset({Wrong.BREAK, Wrong.LIMIT})


def _fault(fault: Fault) -> str:
    if fault.wrong in _PRIVATE:
        return _("– {wrong}", wrong=_(fault.wrong.value))
    where, found, expected = (quoted(text, 60) for text in (fault.where, fault.found, fault.expected))
    wrong = _(fault.wrong.value)
    return _("– {wrong}: {where}: {found}, not {expected}", wrong=wrong, where=where, found=found, expected=expected)


def _fed(gifts: Any) -> str:
    """Return the text that says who passed chips to whom in the last week."""
    if not gifts:
        return _("No gifts or duels for chips in the last seven days.")
    return "\n".join((_("**Gifts and duels of the last seven days**"), *map(log.gift, gifts)))
