"""Stakes at an elimination table: those of computer players, and those that buttons offer (R7.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.elimination.elimination import Elimination
from engine.elimination.terms import MOST_LEFT
from engine.games.contract import CHIP, Cents, Seat


def best_first(table: Elimination) -> list[Seat]:
    """Return the seats in play: those with most chips first, equals by chips at the heat's start, then by number."""
    return sorted(table.in_play, key=lambda seat: (-table.stacks[seat], -table.heat_start[seat], seat))


def computer_stake(table: Elimination, seat: Seat) -> Cents:
    """Return the stake of the computer player in this seat, by its level."""
    wish = _POLICIES[table.entrants[seat].level or "amateur"](table, seat)
    return within(table, seat, wish)


def within(table: Elimination, seat: Seat, wish: Cents) -> Cents:
    """Round the wish down to whole chips, and return the legal stake nearest to it."""
    return max(table.smallest(seat), min(wish // CHIP * CHIP, table.all_in(seat)))


def suggestions(table: Elimination, seat: Seat) -> dict[str, Cents]:
    """Return the stakes that buttons offer, by name: only legal ones, so none if the seat is not asked to stake."""
    wishes = {
        "smallest": table.smallest(seat),
        "half": within(table, seat, table.stacks[seat] // 2),
        "double": 2 * table.smallest(seat),
        "all in": table.all_in(seat),
    }
    return {word: cents for word, cents in wishes.items() if table.refusal(seat, cents) is None}


def _amateur(table: Elimination, seat: Seat) -> Cents:
    return table.terms.budget // 10


def _intermediate(table: Elimination, seat: Seat) -> Cents:
    return table.stacks[seat] // 10


def _expert(table: Elimination, seat: Seat) -> Cents:
    """Return an expert's stake. A seat that would now go after this round stakes enough to pass the player above it.

    Any other seat stakes enough to stay ahead of the player below it, or the smallest stake if there is none.
    """
    ranked = best_first(table)
    place = ranked.index(seat)
    if place >= MOST_LEFT.get(table.round, len(ranked)):
        return _to_pass(table, seat, ranked[place - 1], awaited=0)
    if place + 1 < len(ranked):
        return _to_pass(table, seat, ranked[place + 1], awaited=table.terms.smallest)
    return table.terms.smallest


def _to_pass(table: Elimination, seat: Seat, rival: Seat, awaited: Cents) -> Cents:
    """Return the least stake with which the seat ends above the rival if both win even money.

    If the rival has not staked yet, `awaited` is assumed as its stake. The result need not be legal, or even positive.
    """
    gap = table.stacks[rival] + table.staked.get(rival, awaited) - table.stacks[seat]
    return gap // CHIP * CHIP + CHIP


_POLICIES: Final[Mapping[str, Callable[[Elimination, Seat], Cents]]] = {
    "amateur": _amateur,
    "intermediate": _intermediate,
    "expert": _expert,
    "perfect": _expert,
}
