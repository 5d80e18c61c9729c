"""The best-play chart of a rule set, drawn up from the values of all deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.solver.answers import OffChart
from engine.solver.hands import NAMES, best
from engine.solver.whole import StartingHand

_PIPS: Final = (*NAMES[:9], "10")
COLUMNS: Final = (*_PIPS[1:], "A")
ROWS: Final = (
    *(f"hard {total}" for total in range(5, 21)),
    *(f"soft {total}" for total in range(13, 21)),
    *(f"{pip},{pip}" for pip in _PIPS),
)
_PAIR_PLAYS: Final = frozenset({SPLIT, SWAP})

#: A deal with the value of each of its plays.
Solved = tuple[StartingHand, Mapping[str, float]]


def chart(solved: Iterable[Solved]) -> tuple[dict[str, dict[str, str]], tuple[OffChart, ...]]:
    """Return the chart by row and column, and the two-card hands that are best played differently from their row.

    A cell names the best play, averaged over the two-card hands of its row, and after a slash the play to make if
    that is not allowed. A pair also counts among the hands of its total, as a hand that may not be split or swapped.
    Naturals count nowhere.
    """
    dealt = [(deal, worths) for deal, worths in solved if not deal.natural]
    sums: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for deal, worths in dealt:
        for row, plays in _rows(deal, worths):
            for play, worth in plays.items():
                sums[row, _PIPS[deal.up]][play] += worth * deal.chance
    cells = {row: {column: _cell(sums[row, column]) for column in COLUMNS} for row in ROWS}
    return cells, tuple(dict.fromkeys(_off_chart(dealt, cells)))


def _rows(deal: StartingHand, worths: Mapping[str, float]) -> Iterator[tuple[str, Mapping[str, float]]]:
    yield _row(deal), {play: worth for play, worth in worths.items() if play not in _PAIR_PLAYS}
    if deal.again is not None:
        yield _name(deal), worths


def _row(deal: StartingHand) -> str:
    return f"{'soft' if deal.soft else 'hard'} {deal.total}"


def _name(deal: StartingHand) -> str:
    return f"{_PIPS[deal.cards[0]]},{_PIPS[deal.cards[1]]}"


def _cell(worths: Mapping[str, float]) -> str:
    """Return a cell's text: `stand`, `double/hit`, `surrender/split` ..."""
    first = best(worths)
    if first in (HIT, STAND):
        return first
    barred = {SURRENDER, first} | (_PAIR_PLAYS if first == DOUBLE else set())
    return f"{first}/{best({play: worth for play, worth in worths.items() if play not in barred})}"


def _off_chart(solved: Iterable[Solved], cells: Mapping[str, Mapping[str, str]]) -> Iterator[OffChart]:
    for deal, worths in solved:
        row = _row(deal) if deal.again is None else _name(deal)
        charted, play = cells.get(row, {}).get(_PIPS[deal.up]), best(worths)
        if charted is not None and play != charted.partition("/")[0]:
            yield OffChart(_name(deal), _PIPS[deal.up], play, charted)
