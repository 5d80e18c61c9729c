"""The six built-in rule sets: the table of R2, each column written as its differences from `vegas`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.games.blackjack.rules import (
    Ace,
    BlackjackRules,
    DealerDraws,
    Double,
    HandVerdict,
    Pays,
    Split,
    SplitAces,
    Turns,
)
from engine.games.contract import CHIP

VEGAS: Final = BlackjackRules()

ORIGINAL: Final = BlackjackRules(
    made_21_against_natural=HandVerdict.PUSH,
    dealer_looks=False,
    double=Double.FIRST_ACTION,
    split=Split.NO,
    swap=True,
    insurance=False,
    surrender=False,
)

CLASSIC: Final = BlackjackRules(
    dealer_looks=False,
    split=Split.EQUAL_RANK,
    split_hands=2,
    split_aces=SplitAces.PLAY_ON,
    surrender=False,
)

KITCHEN: Final = BlackjackRules(
    decks=1,
    natural_pays=Pays.EVEN,
    dealer_draws=DealerDraws.CHASES,
    ace=Ace.ONE_FALLS,
    double=Double.NO,
    split=Split.NO,
    insurance=False,
    surrender=False,
)

FOUR_SEAT: Final = BlackjackRules(
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

CTRL_ALT_BET: Final = BlackjackRules(
    natural_against_21=HandVerdict.PUSH,
    made_21_against_natural=HandVerdict.PUSH,
    dealer_looks=False,
    double=Double.NO,
    split=Split.NO,
    insurance=False,
    surrender=False,
)

RULE_SETS: Final[Mapping[str, BlackjackRules]] = MappingProxyType(
    {
        "vegas": VEGAS,
        "original": ORIGINAL,
        "classic": CLASSIC,
        "kitchen": KITCHEN,
        "four-seat": FOUR_SEAT,
        "ctrl-alt-bet": CTRL_ALT_BET,
    }
)
