"""How each game looks, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.table import blackjack
from cogs.table.page import Face

FACES: Final[Mapping[str, Face]] = {"blackjack": blackjack.face}
