"""The messages about a reset to equal chips: its announcement, and how it ended (R14.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from discord import ui

from cogs.answers.panel import FELT, panel
from cogs.words import _, counted, exactly
from data import Reset
from engine.games.contract import Cents

ResetPage: TypeAlias = Callable[[Reset], ui.LayoutView]


def announcement(reset: Reset) -> ui.LayoutView:
    """Return the announcement of a reset, which is posted a week before it."""
    return panel(_("Reset to equal chips"), what_happens(reset.amount, reset.at), before_it(reset.closes))


def what_happens(amount: Cents, at: float) -> str:
    """Return the sentences that say what a reset does."""
    return _(
        "On {moment} everybody here will have **{chips}**, whatever they had before. Seasons, records, titles and "
        "roles stay as they are.",
        moment=exactly(at),
        chips=counted(amount),
    )


def before_it(closes: float) -> str:
    """Return the sentences that say what is closed and given back before a reset, from the moment `closes` on."""
    return _(
        "From {moment} on there are no new buy-ins and no challenges for chips, and open ones come back. Chips at a "
        "table are reset as they return.",
        moment=exactly(closes),
    )


def called_off(reset: Reset) -> ui.LayoutView:
    """Return the message about a reset that was withdrawn."""
    return panel(_("The reset is off"), _("Everybody keeps their chips. A new one would be announced a week before."))


def done(reset: Reset) -> ui.LayoutView:
    """Return the message about a reset that is over."""
    text = _("Everybody here has been set to **{chips}**. Good luck!", chips=counted(reset.amount))
    return panel(_("A fresh start"), text, colour=FELT)
