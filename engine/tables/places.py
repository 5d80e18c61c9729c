"""The places where chains of seeds run, as the bank keeps their names."""

from __future__ import annotations

from typing import Final, NamedTuple

_TOURNAMENT: Final = "tournament/"


class TournamentTable(NamedTuple):
    """A table of a tournament: of which one, in which stage, and its number there from 0."""

    tournament: int
    stage: int
    number: int


def chain_place(channel: int, game: str, member: int | None = None) -> str:
    """Return where a cash table's chain runs; `member` where the table is that person's own."""
    return f"{channel}/{game}" if member is None else f"{channel}/{game}/{member}"


def tournament_place(tournament: int) -> str:
    """Return where a tournament's chain runs: its lots and the roots of its tables follow from it, and no round is
    dealt from it."""
    return f"{_TOURNAMENT}{tournament}"


def place_in_tournament(tournament: int, stage: int, table: int) -> str:
    """Return where the chain of a tournament's table runs."""
    return f"{tournament_place(tournament)}/{stage}/{table}"


def tournament_table(place: str) -> TournamentTable | None:
    """Return whose table has its chain there; None for every other place."""
    parts = place.removeprefix(_TOURNAMENT).split("/")
    return TournamentTable(*map(int, parts)) if place.startswith(_TOURNAMENT) and len(parts) == 3 else None


def is_tournament(place: str) -> bool:
    """Return whether a tournament's own chain runs there."""
    return place.startswith(_TOURNAMENT) and place.count("/") == 1
