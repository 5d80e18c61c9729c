"""What became of a stake, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.words import N_, _, counted
from engine.games.contract import Outcome, Seat, Settlement

#: Where a game has no better words.
_SHARED: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("wins"),
    Outcome.PUSH: N_("push"),
    Outcome.LOSE: N_("loses"),
    Outcome.SURRENDER: N_("surrendered, half back"),
}


def outcome(of: Outcome, own: Mapping[Outcome, str]) -> str:
    """In the game's own words, where it can say more."""
    return _(own.get(of) or _SHARED[of])


def result(settlement: Settlement, seat: Seat) -> str:
    """A lone player's round in one short sentence."""
    net = settlement.net(seat)
    if all(line.outcome is Outcome.PUSH for line in settlement.lines if line.seat == seat):
        return _("Push: your stake comes back")
    if net == 0:
        return _("You neither win nor lose")
    return _("You win {chips}", chips=counted(net)) if net > 0 else _("You lose {chips}", chips=counted(-net))
