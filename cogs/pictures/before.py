"""A table for one person before the deal: the sealed shoe and the stake."""

from __future__ import annotations

from cogs.pictures import badges, chips
from cogs.pictures.canvas import Table, put_middle
from cogs.pictures.felt import SEALED_Y, felt, sealed_cards
from cogs.pictures.palette import WIDTH
from engine.games.contract import Cents


def before(stake: Cents | None) -> bytes:
    """Return the picture's file."""
    table = Table(felt(330))
    put_middle(table, sealed_cards(), WIDTH // 2, SEALED_Y)
    if stake:
        chips.put_pile(table, stake, WIDTH // 2 - chips.pile_width(stake, 90) // 2, 470, 90)
        put_middle(table, badges.pill(badges.stake(stake), 60), WIDTH // 2, 520)
    return table.file()
