"""The six built-in rule sets: the table of R2, each column written as its differences from `vegas`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.games.blackjack.rules import (
    Ace,
    DealerDraws,
    Double,
    Pays,
    Rules,
    Split,
    SplitAces,
    Turns,
    Verdict,
)
from engine.games.contract import CHIP

VEGAS: Final = Rules()

ORIGINAL: Final = Rules(
    made_21_against_natural=Verdict.PUSH,
    dealer_looks=False,
    double=Double.FIRST_ACTION,
    split=Split.NO,
    swap=True,
    insurance=False,
    surrender=False,
)

CLASSIC: Final = Rules(
    dealer_looks=False,
    split=Split.EQUAL_RANK,
    split_hands=2,
    split_aces=SplitAces.PLAY_ON,
    surrender=False,
)

KITCHEN: Final = Rules(
    decks=1,
    natural_pays=Pays.EVEN,
    dealer_draws=DealerDraws.CHASES,
    ace=Ace.ONE_FALLS,
    double=Double.NO,
    split=Split.NO,
    insurance=False,
    surrender=False,
)

FOUR_SEAT: Final = Rules(
    decks=1,
    double=Double.NO,
    split=Split.NO,
    insurance=False,
    surrender=False,
    turns=Turns.ROTATING,
    most_seats=4,
    computers_fill=True,
    fixed_stake=1 * CHIP,
    stack=10 * CHIP,
)

CTRL_ALT_BET: Final = Rules(
    natural_against_21=Verdict.PUSH,
    made_21_against_natural=Verdict.PUSH,
    dealer_looks=False,
    double=Double.NO,
    split=Split.NO,
    insurance=False,
    surrender=False,
)

RULE_SETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "vegas": VEGAS,
        "original": ORIGINAL,
        "classic": CLASSIC,
        "kitchen": KITCHEN,
        "four-seat": FOUR_SEAT,
        "ctrl-alt-bet": CTRL_ALT_BET,
    }
)
