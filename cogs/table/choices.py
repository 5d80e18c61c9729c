"""How tables can look, in the words of the menus that choose it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.words import N_
from data import Shown, Suits

SUITS: Final[Mapping[Suits, str]] = {
    Suits.TWO: N_("Suits in two colours"),
    Suits.FOUR: N_("Suits in four colours"),
}
SHOWN: Final[Mapping[Shown, str]] = {
    Shown.PICTURES: N_("Tables with a picture"),
    Shown.TEXT: N_("Tables in words alone"),
}
