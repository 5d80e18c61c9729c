"""The layout of a blackjack table: pure geometry, from the number of hands and their cards.

A seat is a column. Its hands stand side by side while there is room, and in rows when there is not. The cards are as
large as the fullest seat allows, and the same size for everyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from cogs.pictures.cards import HEIGHTS
from cogs.pictures.fans import Fan, Rect, fan, fan_width
from cogs.pictures.palette import WIDTH

DEALER_TOP: Final = 20

_BOTTOM: Final = 588
_SIDE: Final = 16
_ROOM: Final = WIDTH - 2 * _SIDE
_HAND_GAP: Final = 6
_SEAT_GAP: Final = 13
_STRIP_GAP: Final = 4
#: The height of each of two lines of labels under a hand.
_LINE: Final = 38
LINE_GAP: Final = 3
#: The width from which two labels fit side by side.
_ROOMY: Final = 150
_WIDEST_GAP: Final = 26
#: The room for the arc between the dealer's cards and the players'.
_AISLE: Final = 18
_WIDEST_DEALER: Final = 480
_DEALER_HEIGHTS: Final = tuple(height for height in HEIGHTS if 92 <= height <= 184)
#: The height of the nameplates below the hands by the number of seats, higher where few people sit.
_PLATES: Final = {1: 60, 2: 56, 3: 50, 4: 46}
_LEAST_PLATE: Final = 36
#: Pixels between the rooms of two nameplates.
_PLATE_GAP: Final = 8
#: The most pixels by which the outer seats are higher than those in the middle, as at a round table.
_BEND: Final = 40


@dataclass(frozen=True, slots=True)
class HandPlace:
    """The place of a hand: its cards, and the strip of labels below them."""

    fan: Fan
    strip: Rect  # total, stake and result stand there


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The places of everything on a blackjack table."""

    dealer: Fan
    arc: int  # the height at which the arc meets the middle, between dealer and hands
    seats: tuple[tuple[HandPlace, ...], ...]
    middles: tuple[int, ...]  # the middle of each seat's column
    plates: int  # the line of the nameplates in the middle of the table
    rooms: tuple[Rect, ...]  # the room for each seat's nameplate, and for what stands beside it
    bend: int
    lines: int  # lines of labels under each hand

    def plate_y(self, x: int) -> int:
        return self.plates - lift(x, self.bend)


def lift(x: int, bend: int) -> int:
    """Return by how many pixels things at `x` are raised: 0 in the middle of the table, `bend` at its sides."""
    out = (x - WIDTH / 2) / (WIDTH / 2)
    return round(bend * out * out)


@dataclass(frozen=True, slots=True)
class _Trial:
    """A possible layout of the whole table, for one height of cards, number of rows, and number of lines of labels."""

    height: int  # each card's
    rows: int  # the most rows of hands at a seat
    lines: int  # lines of labels under each hand
    columns: tuple[int, ...]  # each seat's number of hands side by side
    hand_widths: tuple[int, ...]  # the width of each seat's hands
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
    """The facts about a seat on which the size of the cards depends."""

    hands: int
    longest: int  # cards of its longest hand


def _trial(seats: Sequence[_Shape], height: int, rows: int, lines: int) -> _Trial:
    columns = tuple(max(1, -(-seat.hands // rows)) for seat in seats)
    narrow = max(112, round(height * 1.1)) if lines == 1 else 90
    widths = tuple(max(narrow, fan_width(min(3, max(2, seat.longest)), height)) for seat in seats)
    return _Trial(height, min(rows, max((seat.hands for seat in seats), default=1)) or 1, lines, columns, widths)


def _widened(trial: _Trial, seats: Sequence[_Shape]) -> _Trial:
    """Return the trial with the remaining room given to the hands that could use it, then to the gaps between hands."""
    hands = max(1, sum(trial.columns))
    spare = (_ROOM - trial.width) // hands
    wished = (max(_ROOMY, fan_width(seat.longest, trial.height)) for seat in seats)
    widths = (max(has, min(wish, has + spare)) for has, wish in zip(trial.hand_widths, wished, strict=True))
    wider = replace(trial, hand_widths=tuple(widths))
    return replace(wider, hand_gap=min(_WIDEST_GAP, _HAND_GAP + (_ROOM - wider.width) // (hands + 1)))


@lru_cache(maxsize=1024)
def _best(seats: tuple[_Shape, ...]) -> _Trial:
    """Return the layout with few rows and large cards that `_fewest_rows` finds, widened to the room there is.

    Labels have one line, unless hands would then be narrow and a second line makes cards at most 15 per cent smaller.
    """
    beside, below = (_fewest_rows(seats, lines) for lines in (1, 2))
    assert beside is not None  # seven seats of four hands fit
    cramped = min(beside.hand_widths, default=_ROOM) < _ROOMY
    return _widened(below if cramped and below and below.height >= 0.85 * beside.height else beside, seats)


def _fewest_rows(seats: Sequence[_Shape], lines: int) -> _Trial | None:
    """Return the trial with the fewest rows of hands, unless more rows allow much larger cards. None if none fits.

    `lines` is the number of lines that the labels under a hand have.
    """
    found = [trial for rows in range(1, 6) if (trial := _largest(seats, rows, lines))]
    enough = max((trial.height for trial in found), default=0) * 0.8
    return next((trial for trial in found if trial.height >= enough), None)


def _largest(seats: Sequence[_Shape], rows: int, lines: int) -> _Trial | None:
    return next((trial for height in HEIGHTS if (trial := _trial(seats, height, rows, lines)).fits), None)


@lru_cache(maxsize=256)
def plan(dealer: int, seats: tuple[tuple[int, ...], ...]) -> TableLayout:
    """Return the layout for a dealer with this number of cards, and for the numbers of cards in each seat's hands."""
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
    box = Rect((WIDTH - _WIDEST_DEALER) // 2, DEALER_TOP, _WIDEST_DEALER, tall)
    return TableLayout(
        fan(dealer, box, tall),
        box.bottom + _AISLE // 2,
        tuple(placed),
        middles,
        bottom - trial.plate // 2 + 4,
        _rooms(trial, lefts),
        bend,
        trial.lines,
    )


def _rooms(trial: _Trial, lefts: Sequence[int]) -> tuple[Rect, ...]:
    """Return the room for each nameplate: as far as halfway to the next columns, or to the sides of the table."""
    rights = [left + trial.seat_width(seat) for seat, left in enumerate(lefts)]
    halfway = ((right + left) // 2 for right, left in zip(rights, lefts[1:], strict=False))
    edges = [_SIDE, *halfway, WIDTH - _SIDE]
    return tuple(
        Rect(edges[seat], 0, edges[seat + 1] - edges[seat] - _PLATE_GAP, trial.plate - 6) for seat in range(len(lefts))
    )


def _dealer_height(trial: _Trial) -> int:
    """Return the height of the dealer's cards: the largest that leaves room for the hands and is not much above theirs.

    If there is none, return the smallest of `_DEALER_HEIGHTS`.
    """
    fitting = (
        height
        for height in _DEALER_HEIGHTS
        if height <= trial.height * 1.4 and _top(height) + trial.tall + min(_BEND, trial.height // 4) <= _BOTTOM
    )
    return next(fitting, _DEALER_HEIGHTS[-1])


def _lefts(trial: _Trial) -> list[int]:
    """Return the left edge of each seat's hands. The remaining room is spread evenly between and beside the seats."""
    seats = len(trial.columns)
    spare = max(0.0, (_ROOM - trial.width) / (seats + 1))
    lefts, x = [], _SIDE + spare
    for seat in range(seats):
        lefts.append(round(x))
        x += trial.seat_width(seat) + _SEAT_GAP + spare
    return lefts


def _seat(hands: Sequence[int], trial: _Trial, seat: int, left: int, bottom: int) -> tuple[HandPlace, ...]:
    """Return the places of a seat's hands from left to right, then downwards. The last row stands on the seat's
    nameplate.
    """
    across, width = trial.columns[seat], trial.hand_widths[seat]
    first = bottom - -(-len(hands) // across) * trial.pitch + _HAND_GAP
    return tuple(
        _hand(
            cards,
            Rect(
                left + index % across * (width + trial.hand_gap),
                first + index // across * trial.pitch,
                width,
                trial.height,
            ),
            trial.lines,
        )
        for index, cards in enumerate(hands)
    )


def _hand(cards: int, box: Rect, lines: int) -> HandPlace:
    below = Rect(box.x, box.bottom + _STRIP_GAP, box.width, strip_height(box.height, lines))
    return HandPlace(fan(cards, box, box.height), below)
