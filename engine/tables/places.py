"""The names of places that have a chain of seeds: cash tables, elimination tables, tournaments and their tables."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.games.blackjack.rules import FROM_FAR_END
from engine.games.contract import Rules

_TOURNAMENT: Final = "tournament/"
_TABLE: Final = "table/"


class TournamentTable(NamedTuple):
    """A table of a tournament: the tournament's id, the stage, and the table's number in that stage, from 0."""

    tournament: int
    stage: int
    number: int


def chain_place(channel: int, game: str, rules: Rules, member: int | None = None) -> str:
    """Return the place of a cash table's chain. `member` is the owner of a table that is not the channel's.

    The name contains the number of decks, and the end of the shoe from which the dealer draws. So these are the same in
    all rounds of a chain, and nobody can get other cards from a seed by choosing other rules.
    """
    end = "far" if getattr(rules, "dealer_cards", None) is FROM_FAR_END else "near"
    place = f"{channel}/{game}/{rules.decks}/{end}"
    return place if member is None else f"{place}/{member}"


def earlier_place(place: str) -> str:
    """Return the name that a cash table's place had in earlier releases; the same name for any other place."""
    channel, *parts = place.split("/")
    if len(parts) not in (3, 4) or not channel.isdecimal():
        return place
    game, _decks, _end, *member = parts
    return "/".join((channel, game, *member))


def owner_of(place: str) -> int | None:
    """Return the member whose own cash table deals at this place; None for any other place."""
    channel, *parts = place.split("/")
    return int(parts[-1]) if channel.isdecimal() and len(parts) in (2, 4) else None


def shares_promise(place: str) -> bool:
    """Return whether a place takes a chain of its channel's promise.

    Cash tables and elimination tables do, but no tournament and none of its tables.
    """
    return place.startswith(_TABLE) or place.partition("/")[0].isdecimal()


def elimination_place(table: int) -> str:
    """Return the place of the chain of an elimination table that belongs to no tournament."""
    return f"{_TABLE}{table}"


def tournament_place(tournament: int) -> str:
    """Return the place of a tournament's own chain.

    No round is dealt from this chain. The tournament's lots and the roots of its tables' chains follow from it.
    """
    return f"{_TOURNAMENT}{tournament}"


def place_in_tournament(tournament: int, stage: int, table: int) -> str:
    """Return the place of the chain of a tournament's table."""
    return f"{tournament_place(tournament)}/{stage}/{table}"


def tournament_table(place: str) -> TournamentTable | None:
    """Return which table of which tournament has its chain in this place; None if none has."""
    parts = place.removeprefix(_TOURNAMENT).split("/")
    return TournamentTable(*map(int, parts)) if place.startswith(_TOURNAMENT) and len(parts) == 3 else None


def is_tournament(place: str) -> bool:
    """Return whether this is the place of a tournament's own chain."""
    return place.startswith(_TOURNAMENT) and place.count("/") == 1
