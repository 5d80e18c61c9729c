"""The action words of blackjack, as records, buttons and computer players write them."""

from __future__ import annotations

from typing import Final

HIT: Final = "hit"
STAND: Final = "stand"
DOUBLE: Final = "double"
SPLIT: Final = "split"
SWAP: Final = "swap"
SURRENDER: Final = "surrender"
INSURE: Final = "insure"
DECLINE: Final = "decline"

#: A seat's silence (R0.5), and what a leaving player leaves behind: no insurance, and every hand of the seat stands.
#: It is one step of the record and no button, and since it is never better than playing on, who takes it is all one.
TIME: Final = "time"

#: In the order of the buttons.
ACTIONS: Final = (HIT, STAND, DOUBLE, SPLIT, SWAP, SURRENDER, INSURE, DECLINE)
