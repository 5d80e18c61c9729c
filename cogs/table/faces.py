"""How each game looks, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.elimination import face as elimination
from cogs.table import baccarat, blackjack, war
from cogs.table.page import Face
from engine.tables.snapshot import Snapshot

FACES: Final[Mapping[str, Face]] = {
    "blackjack": blackjack.face,
    "baccarat": baccarat.face,
    "war": war.face,
}


def face_of(snapshot: Snapshot) -> Face:
    """An elimination table looks like itself, whatever game its cards are of."""
    return FACES[snapshot.game] if snapshot.elimination is None else elimination.face
