"""The scenes of every kind of table. A game's are found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from engine.games.registry import GAMES
from engine.tables.snapshot import Snapshot


def _scenes(kind: str) -> Mapping[str, Snapshot]:
    """Return the scenes of one module: each phase, and each way in which a round can end."""
    scenes: Mapping[str, Snapshot] = import_module(f"{__package__}.{kind.replace('-', '_')}").SCENES
    return scenes


TABLES: Final = {kind: _scenes(kind) for kind in (*GAMES, "elimination")}
