"""What became of a stake, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.words import N_, _, chips
from engine.games.contract import Cents, Outcome

_WORDS: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("wins"),
    Outcome.NATURAL: N_("natural"),
    Outcome.DEALER_BUST: N_("dealer over 21"),
    Outcome.PUSH: N_("push"),
    Outcome.LOSE: N_("loses"),
    Outcome.BUST: N_("over 21"),
    Outcome.DEALER_NATURAL: N_("dealer has a natural"),
    Outcome.SURRENDER: N_("surrendered, half back"),
    Outcome.INSURANCE_WON: N_("insurance pays 2:1"),
    Outcome.INSURANCE_LOST: N_("insurance lost"),
    Outcome.WAR_WON: N_("the war is won"),
    Outcome.WAR_TIED: N_("equal again, the war is won"),
    Outcome.WAR_LOST: N_("the war is lost"),
}


def outcome(of: Outcome, why: Mapping[Outcome, str] | None = None) -> str:
    """`why` has a game's own words, where it can say more."""
    return _((why or {}).get(of) or _WORDS[of])


def result(net: Cents) -> str:
    """A lone player's round in one short sentence."""
    if net == 0:
        return _("Push: your stake comes back")
    return _("You win {chips}", chips=chips(net)) if net > 0 else _("You lose {chips}", chips=chips(-net))
