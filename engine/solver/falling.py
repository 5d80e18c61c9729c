"""Falling factorials: the number of ways to draw cards in order, without putting any back."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.solver.lattice import Floats, Ints


def falling(counts: Floats, most: int) -> Floats:
    """Return the number of ways to draw k cards in order from each of these counts, in row k, for k from 0 to `most`.

    It is 0 where there are fewer than k cards.
    """
    steps = np.maximum(counts[None, ...] - np.arange(most).reshape(-1, *([1] * counts.ndim)), 0.0)
    return np.concatenate([np.ones((1, *counts.shape)), np.cumprod(steps, axis=0)])


def products(patterns: Ints, counts: Floats) -> Floats:
    """Return the number of ways to draw each pattern of cards (row) from each stock of cards (column).

    Both arguments are numbers of cards. `patterns` has a row for each pattern and a column for each value; `counts` has
    a row for each value and a column for each stock.
    """
    ways: Floats = np.ones((len(patterns), counts.shape[1]))
    for value, wanted in enumerate(patterns.T):
        most = int(wanted.max(initial=0))
        if most:
            ways *= falling(counts[value], most)[wanted]
    return ways


@lru_cache(maxsize=4096)
def drawn_of(count: int, most: int) -> Floats:
    """Return the number of ways to draw 0, 1 ... `most` cards in order from `count` cards."""
    return falling(np.array(float(count)), most)


@lru_cache(maxsize=1024)
def drawn_from(most: int, drawn: int) -> Floats:
    """Return the number of ways to draw `drawn` cards in order from 0, 1 ... `most` cards."""
    ways: Floats = falling(np.arange(most + 1.0), drawn)[drawn]
    return ways
