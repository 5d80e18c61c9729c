"""The shoes of a set, which all follow from one seed (R11.7)."""

from __future__ import annotations

from functools import lru_cache

from engine.fairness.shuffle import LazyShoe, shoe
from engine.sets.deals import Stream


def stream(seed: bytes, name: str, decks: int) -> Stream:
    """Return the function that gives the shoes of a set by number, from 1. `name` is the set's: ``day/20777``."""

    @lru_cache(maxsize=64)
    def of(number: int) -> LazyShoe:
        return shoe(seed, set_inputs(name, number, decks), decks)

    return of


def set_inputs(name: str, number: int, decks: int) -> tuple[str, ...]:
    """Return everything that enters the shuffle of a deal apart from the set's seed."""
    return "set", name, str(number), str(decks)


def duel_name(tip: str) -> str:
    """Return the name of a duel's set, from the tip of its chain."""
    return f"duel/{tip[:16]}"


def same_name(tip: str) -> str:
    """Return the name of the set that everybody in a tournament plays, from the tip of its chain."""
    return f"same/{tip[:16]}"


def day_name(day: int) -> str:
    """Return the name of a day's set. Days are counted from 1 January 1970, which is day 0."""
    return f"day/{day}"
