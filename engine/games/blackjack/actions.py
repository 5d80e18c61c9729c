"""The action words of blackjack, as records, buttons and computer players write them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Action(StrEnum):
    """The action words that a step of blackjack can have."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SWAP = "swap"
    SURRENDER = "surrender"
    INSURE = "insure"
    DECLINE = "decline"
    #: The step of a seat that timed out (R0.5), or whose player left: it declines insurance if that is asked, otherwise
    #: it stands on every hand. It has no button, and is never better than playing on.
    TIME = "time"


HIT: Final = Action.HIT
STAND: Final = Action.STAND
DOUBLE: Final = Action.DOUBLE
SPLIT: Final = Action.SPLIT
SWAP: Final = Action.SWAP
SURRENDER: Final = Action.SURRENDER
INSURE: Final = Action.INSURE
DECLINE: Final = Action.DECLINE
TIME: Final = Action.TIME

#: The actions in the order of their buttons.
ACTIONS: Final = (HIT, STAND, DOUBLE, SPLIT, SWAP, SURRENDER, INSURE, DECLINE)
