"""Where everything lies: pure geometry, from how many hands of how many cards there are.

A seat is a column, as at the table; its hands stand side by side while there is room, and over one another when
there is not. The cards are as large as the fullest seat allows, and the same size for everyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from cogs.pictures.cards import HEIGHTS
from cogs.pictures.fans import Box, Fan, fan, fan_width
from cogs.pictures.palette import WIDTH

DEALER_TOP: Final = 20

_BOTTOM: Final = 588
_SIDE: Final = 16
_ROOM: Final = WIDTH - 2 * _SIDE
_HAND_GAP: Final = 6
_SEAT_GAP: Final = 13
_STRIP_GAP: Final = 4
#: One of two lines of labels under a hand.
_LINE: Final = 38
LINE_GAP: Final = 3
#: From here on two labels find room beside one another.
_ROOMY: Final = 150
_WIDEST_GAP: Final = 26
#: Between the dealer's cards and the players': the arc lies there.
_AISLE: Final = 18
_WIDEST_DEALER: Final = 480
_DEALER_HEIGHTS: Final = tuple(height for height in HEIGHTS if 92 <= height <= 184)
#: Who sits where stands below the hands, on a line of its own: higher where few sit.
_PLATES: Final = {1: 60, 2: 56, 3: 50, 4: 46}
_LEAST_PLATE: Final = 36
#: How far the outer seats sit nearer to the dealer, as round a table.
_BEND: Final = 40


@dataclass(frozen=True, slots=True)
class HandPlace:
    fan: Fan
    strip: Box  # for total, stake and result


@dataclass(frozen=True, slots=True)
class Plan:
    dealer: Fan
    arc: int  # where the printed line meets the middle, between dealer and hands
    seats: tuple[tuple[HandPlace, ...], ...]
    middles: tuple[int, ...]  # of each seat's column
    plates: int  # the line where it says who sits there, in the middle of the table
    plate: Box  # its size: what each seat has room for
    bend: int
    lines: int  # of labels under each hand

    def plate_y(self, x: int) -> int:
        return self.plates - lift(x, self.bend)


def lift(x: int, bend: int) -> int:
    """How much higher than the middle of its line something stands that far out."""
    out = (x - WIDTH / 2) / (WIDTH / 2)
    return round(bend * out * out)


@dataclass(frozen=True, slots=True)
class _Trial:
    """One size of cards, in so many rows of hands with so many lines of labels each, tried on the whole table."""

    height: int
    rows: int
    lines: int
    columns: tuple[int, ...]
    hand_widths: tuple[int, ...]
    hand_gap: int = _HAND_GAP

    @property
    def plate(self) -> int:
        return _PLATES.get(len(self.columns), _LEAST_PLATE)

    @property
    def pitch(self) -> int:
        return self.height + _STRIP_GAP + strip_height(self.height, self.lines) + _HAND_GAP

    @property
    def tall(self) -> int:
        return self.rows * self.pitch - _HAND_GAP + self.plate

    def seat_width(self, seat: int) -> int:
        return self.columns[seat] * (self.hand_widths[seat] + self.hand_gap) - self.hand_gap

    @property
    def width(self) -> int:
        return sum(map(self.seat_width, range(len(self.columns)))) + _SEAT_GAP * (len(self.columns) - 1)

    @property
    def fits(self) -> bool:
        return self.width <= _ROOM and _top(_DEALER_HEIGHTS[-1]) + self.tall <= _BOTTOM


def strip_height(height: int, lines: int) -> int:
    return max(28, min(60, round(height * 0.29))) if lines == 1 else lines * (_LINE + LINE_GAP) - LINE_GAP


def _top(dealer: int) -> int:
    return DEALER_TOP + dealer + _AISLE


class _Shape(NamedTuple):
    """All that counts of a seat when sizes are chosen."""

    hands: int
    longest: int  # cards of its longest hand


def _trial(seats: Sequence[_Shape], height: int, rows: int, lines: int) -> _Trial:
    columns = tuple(max(1, -(-seat.hands // rows)) for seat in seats)
    narrow = max(112, round(height * 1.1)) if lines == 1 else 90
    widths = tuple(max(narrow, fan_width(min(3, max(2, seat.longest)), height)) for seat in seats)
    return _Trial(height, min(rows, max((seat.hands for seat in seats), default=1)) or 1, lines, columns, widths)


def _widened(trial: _Trial, seats: Sequence[_Shape]) -> _Trial:
    """Give the room that is left over to the hands that could use it, and then to the gaps between hands."""
    hands = max(1, sum(trial.columns))
    spare = (_ROOM - trial.width) // hands
    wished = (max(_ROOMY, fan_width(seat.longest, trial.height)) for seat in seats)
    widths = (max(has, min(wish, has + spare)) for has, wish in zip(trial.hand_widths, wished, strict=True))
    wider = replace(trial, hand_widths=tuple(widths))
    return replace(wider, hand_gap=min(_WIDEST_GAP, _HAND_GAP + (_ROOM - wider.width) // (hands + 1)))


def _narrowed(seats: Sequence[_Shape]) -> _Trial:
    """More than any table holds: share the width, and let the fans see to it."""
    trial = _trial(seats, HEIGHTS[-1], 6, 1)
    share = _ROOM // max(1, sum(trial.columns)) - _SEAT_GAP
    return replace(trial, hand_widths=(max(30, share),) * len(seats))


@lru_cache(maxsize=1024)
def _best(seats: tuple[_Shape, ...]) -> _Trial:
    """Labels under one another where hands are narrow and it costs the cards little, else side by side."""
    beside, below = (_fewest_rows(seats, lines) for lines in (1, 2))
    if beside is None:
        return _narrowed(seats)
    cramped = min(beside.hand_widths, default=_ROOM) < _ROOMY
    return _widened(below if cramped and below and below.height >= 0.85 * beside.height else beside, seats)


def _fewest_rows(seats: Sequence[_Shape], lines: int) -> _Trial | None:
    """The fewest rows of hands, unless more of them allow for much larger cards."""
    found = [trial for rows in range(1, 6) if (trial := _largest(seats, rows, lines))]
    enough = max((trial.height for trial in found), default=0) * 0.8
    return next((trial for trial in found if trial.height >= enough), None)


def _largest(seats: Sequence[_Shape], rows: int, lines: int) -> _Trial | None:
    return next((trial for height in HEIGHTS if (trial := _trial(seats, height, rows, lines)).fits), None)


@lru_cache(maxsize=256)
def plan(dealer: int, seats: tuple[tuple[int, ...], ...]) -> Plan:
    """Lay out a dealer's hand of so many cards, and seats of hands of so many cards."""
    trial = _best(tuple(_Shape(len(hands), max(hands, default=2)) for hands in seats))
    tall = _dealer_height(trial)
    spare = max(0, _BOTTOM - _top(tall) - trial.tall)
    bend = min(_BEND, spare) if len(seats) > 2 else 0
    bottom = _BOTTOM - (spare - bend) // 2
    lefts = _lefts(trial)
    middles = tuple(left + trial.seat_width(seat) // 2 for seat, left in enumerate(lefts))
    placed = (
        _seat(hands, trial, seat, lefts[seat], bottom - trial.plate - lift(middles[seat], bend))
        for seat, hands in enumerate(seats)
    )
    box = Box((WIDTH - _WIDEST_DEALER) // 2, DEALER_TOP, _WIDEST_DEALER, tall)
    return Plan(
        fan(dealer, box, tall),
        box.bottom + _AISLE // 2,
        tuple(placed),
        middles,
        bottom - trial.plate // 2 + 4,
        _plate_box(trial),
        bend,
        trial.lines,
    )


def _plate_box(trial: _Trial) -> Box:
    """As wide as a seat's share of the table, and no wider than a name of usual length needs."""
    share = _ROOM // max(1, len(trial.columns)) - _SEAT_GAP
    return Box(0, 0, min(420, share), trial.plate - 6)


def _dealer_height(trial: _Trial) -> int:
    """As large as the hands leave room for, and not much larger than theirs."""
    fitting = (
        height
        for height in _DEALER_HEIGHTS
        if height <= trial.height * 1.4 and _top(height) + trial.tall + min(_BEND, trial.height // 4) <= _BOTTOM
    )
    return next(fitting, _DEALER_HEIGHTS[-1])


def _lefts(trial: _Trial) -> list[int]:
    """Left edges of the columns: the room that is left over goes evenly between and beside them."""
    seats = len(trial.columns)
    spare = max(0.0, (_ROOM - trial.width) / (seats + 1))
    lefts, x = [], _SIDE + spare
    for seat in range(seats):
        lefts.append(round(x))
        x += trial.seat_width(seat) + _SEAT_GAP + spare
    return lefts


def _seat(hands: Sequence[int], trial: _Trial, seat: int, left: int, bottom: int) -> tuple[HandPlace, ...]:
    """Hands from left to right, then downwards; the last row stands on the seat's number."""
    across, width = trial.columns[seat], trial.hand_widths[seat]
    first = bottom - -(-len(hands) // across) * trial.pitch + _HAND_GAP
    return tuple(
        _hand(
            cards,
            Box(
                left + index % across * (width + trial.hand_gap),
                first + index // across * trial.pitch,
                width,
                trial.height,
            ),
            trial.lines,
        )
        for index, cards in enumerate(hands)
    )


def _hand(cards: int, box: Box, lines: int) -> HandPlace:
    below = Box(box.x, box.bottom + _STRIP_GAP, box.width, strip_height(box.height, lines))
    return HandPlace(fan(cards, box, box.height), below)
