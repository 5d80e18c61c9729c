"""The blackjack table as a picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from cogs.pictures import badges, chips
from cogs.pictures.badges import Pill
from cogs.pictures.bars import Stack, draw_bars
from cogs.pictures.canvas import Canvas, paint, put, put_cards, put_middle
from cogs.pictures.cards import COMPACT
from cogs.pictures.fans import Fan, Rect
from cogs.pictures.felt import SEALED_Y, felt, sealed_cards
from cogs.pictures.layout import LINE_GAP, HandPlace, TableLayout, lift, plan
from cogs.pictures.lettering import shortened
from cogs.pictures.palette import EVEN, FELT_DARK, GOLD, INK, IVORY, LOST, MIST, WIDTH, WON, Colour
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.contract import Cents

_CORNER: Final = Rect(22, 18, 232, 122)


@dataclass(frozen=True, slots=True)
class TablePicture:
    """Everything that the picture of a blackjack table shows. Without a `view` nothing was dealt there yet."""

    view: BlackjackView | None = None
    #: The place of each seat in the round; empty: 1, 2 and so on.
    numbers: tuple[int, ...] = ()
    #: The known names by place, and the places of computer players.
    names: tuple[tuple[int, str], ...] = ()
    computers: frozenset[int] = frozenset()
    #: The places of people who are not in the round shown.
    waiting: tuple[int, ...] = ()
    #: The places where anybody may sit down.
    empty: tuple[int, ...] = ()
    #: The place and the stake of each person who has staked before the first deal.
    staked: tuple[tuple[int, Cents], ...] = ()
    #: Everybody's chips, and how many players stay at the next elimination; only at elimination tables.
    stacks: tuple[Stack, ...] = ()
    stay: int = 0
    four_colours: bool = False
    #: The stake from which any winning hand is celebrated, or 0 for none.
    grand: Cents = 0
    #: The decimal sign of the reader's language.
    decimal: str = "."

    def plate(self, place: int, box: Rect, *, lit: bool, named: bool = True) -> Image.Image:
        """Return the nameplate of the player at a place, no larger than `box`.

        It is light if the player is asked (`lit`), and bears no name unless `named`.
        """
        name = dict(self.names).get(place, "") if named else ""
        return badges.plate(place, name, box.height, box.width, lit=lit, computer=place in self.computers)


@badges.in_its_figures
def render(picture: TablePicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    return _before(picture) if picture.view is None else _round(picture, picture.view)


def _round(picture: TablePicture, view: BlackjackView) -> bytes:
    columns = _columns(picture, view)
    where = plan(len(view.dealer.cards), tuple(tuple(len(hand.cards) for hand in column.hands) for column in columns))
    canvas = Canvas(felt(where.arc, shoe=True, far_end=view.dealer.from_far_end))
    _dealer(canvas, picture, view.dealer, where.dealer)
    _hands(canvas, picture, columns, where)
    _plates(canvas, picture, columns, where)
    if picture.stacks:
        draw_bars(canvas, _CORNER, picture.stacks, picture.stay)
    return canvas.file()


class _Column(NamedTuple):
    """A place at the table with its hands, or with none while the player waits for the next round."""

    place: int
    hands: tuple[HandView, ...] = ()
    insurance: Pill | None = None
    asked: bool = False
    acting: int | None = None  # the index of the hand in play


def _columns(picture: TablePicture, view: BlackjackView) -> tuple[_Column, ...]:
    """Return the columns of the table from left to right, by place: nobody moves, whichever seat is dealt first."""
    acting, hand = view.acting or (None, None)
    places = picture.numbers or range(1, len(view.seats) + 1)
    dealt = [
        _Column(place, seat.hands, _insurance(seat), index in view.asked, hand if index == acting else None)
        for index, (place, seat) in enumerate(zip(places, view.seats, strict=True))
    ]
    return tuple(sorted((*dealt, *map(_Column, picture.waiting)), key=lambda column: column.place))


# -- dealer ------------------------------------------------------------------------------------------------------------


def _dealer(canvas: Canvas, picture: TablePicture, dealer: DealerView, fan: Fan) -> None:
    put_cards(canvas, dealer.cards, fan, four_colours=picture.four_colours)
    if any(dealer.cards):
        label = badges.pill(_dealer_total(dealer), 46)
        put(canvas, label, fan.box.right + 18, fan.box.y + (fan.box.height - label.height) // 2)


def _dealer_total(dealer: DealerView) -> Pill:
    if dealer.natural:
        return Pill(str(dealer.total), "star", GOLD, INK)
    if dealer.bust:
        return Pill(str(dealer.total), "cross", LOST, IVORY)
    return Pill(_total(dealer.total, soft=dealer.soft))


# -- hands -------------------------------------------------------------------------------------------------------------


def _hands(canvas: Canvas, picture: TablePicture, columns: Sequence[_Column], where: TableLayout) -> None:
    hands = [hand for column in columns for hand in column.hands]
    places = [place for seat in where.seats for place in seat]
    labels, size = _chosen_labels(hands, places, where.lines, picture.grand)
    asked = {id(where.seats[index][column.acting]) for index, column in enumerate(columns) if column.acting is not None}
    for hand, place, label in zip(hands, places, labels, strict=True):
        _light(canvas, hand, place, _width(label, size, where.lines), asked=id(place) in asked)
        _hand(canvas, hand, place, four_colours=picture.four_colours)
        _strip(canvas, label, place.strip, size, where.lines)
    lefts = sorted([place.fan.box.x for place in places])
    for hand, place, label in zip(hands, places, labels, strict=True):
        _pile(canvas, hand, place, lefts, _width(label, size, where.lines))
        if hand.doubled or hand.swapped:
            _mark(canvas, Pill("x2", "swap" if hand.swapped else "", GOLD, INK), place.fan)


def _hand(canvas: Canvas, hand: HandView, place: HandPlace, *, four_colours: bool) -> None:
    put_cards(canvas, hand.cards, place.fan, four_colours=four_colours)
    if hand.state in (HandState.BUST, HandState.SURRENDERED):
        _dim(canvas, place.fan)
    if hand.state is HandState.NATURAL and place.fan.height >= _ROOM_FOR_A_RIBBON:
        ribbon = badges.pill(Pill("BLACKJACK", paint=GOLD, ink=INK), place.fan.height * 2 // 9)
        put_middle(canvas, ribbon, place.fan.box.middle, place.fan.box.bottom - ribbon.height * 3 // 5)


#: The smallest height of cards with room for the ribbon of a natural.
_ROOM_FOR_A_RIBBON: Final = 140


def _light(canvas: Canvas, hand: HandView, place: HandPlace, labels: int, *, asked: bool) -> None:
    """Light up the hand in play and the hands that won.

    A natural, or a 21 of five cards or more, also has golden rays behind it if it won or has no result yet. `labels` is
    the width of the hand's labels.
    """
    won = hand.result is not None and hand.result.net > 0
    if _is_highlight(hand) and (won or hand.result is None):
        sun = badges.sunburst(min(420, place.fan.box.height * 2))
        put_middle(canvas, sun, place.fan.box.middle, place.fan.box.y + place.fan.box.height // 2)
    if asked or won:
        _light_up(canvas, place, labels, badges.TURN if asked else WON)


def _is_highlight(hand: HandView) -> bool:
    return hand.state is HandState.NATURAL or (hand.total == 21 and len(hand.cards) >= 5)


def _pile(canvas: Canvas, hand: HandView, place: HandPlace, lefts: Sequence[int], labels: int) -> None:
    """Draw the hand's chips right of the cards: the stake or, in the end, what came back. Without room draw none.

    `lefts` are the left edges of all hands in order, and `labels` is the width of this hand's labels.
    """
    lies = hand.stake if hand.result is None else hand.result.returned
    side = max(34, place.fan.height * 2 // 5)
    left = max(place.fan.box.right, place.strip.middle + labels // 2) + 22
    beside = bisect_right(lefts, place.fan.box.right)
    room = (lefts[beside] if beside < len(lefts) else WIDTH) - 10
    if lies and left + chips.pile_width(lies, side) <= room:
        chips.put_pile(canvas, lies, left, place.fan.box.bottom - 4, side)


def _light_up(canvas: Canvas, place: HandPlace, labels: int, colour: Colour) -> None:
    """Draw a glow around a hand's cards and labels, as wide as the wider of them. `labels` is the labels' width."""
    width = max(place.fan.box.width, labels) + 18
    top = place.fan.box.y - 9
    light = badges.glow(width, place.strip.bottom + 4 - top, colour)
    put_middle(canvas, light, place.strip.middle, (top + place.strip.bottom + 4) // 2)


def _dim(canvas: Canvas, fan: Fan) -> None:
    mask = badges.veil(fan.box.width + 2, fan.box.height + 2, max(4, round(fan.height * 0.08)))
    paint(canvas, mask, FELT_DARK, fan.box.x - 1, fan.box.y - 1)


def _mark(canvas: Canvas, label: Pill, fan: Fan) -> None:
    """Draw a mark on the free corner of the last card, or over the edge of a small card, which has no free corner."""
    mark = badges.pill(label, max(20, round(fan.height * 0.18)))
    inside = mark.width - 6 if fan.height >= COMPACT else mark.width * 11 // 20
    put(canvas, mark, fan.box.right - inside, fan.box.y - (6 if fan.height >= COMPACT else 8))


# -- labels ------------------------------------------------------------------------------------------------------------

Labels = tuple[Pill, Pill]

_SMALLEST: Final = 18

_TOTALS: Final = {
    HandState.NATURAL: ("star", GOLD, INK),
    HandState.BUST: ("cross", LOST, IVORY),
    HandState.SURRENDERED: ("flag", EVEN, INK),
}


def _total(total: int, *, soft: bool) -> str:
    """Return a hand's total as text: both totals of a soft hand below 21, as in `7/17`."""
    return f"{total - 10}/{total}" if soft and total < 21 else str(total)


def _count(hand: HandView) -> Pill:
    """Return the label with the hand's total."""
    sign, colour, ink = _TOTALS.get(hand.state, ("star", GOLD, INK) if _is_highlight(hand) else ("", INK, IVORY))
    return Pill(_total(hand.total, soft=hand.soft), sign, colour, ink)


def _money(hand: HandView, digits: int, grand: Cents) -> Pill:
    """Return the label with the stake or, in the end, with the result, in about `digits` characters.

    A win that is celebrated is in gold. A stake of `grand` or more is one reason to celebrate; 0 turns this reason off.
    """
    if hand.result is None:
        return badges.stake(hand.stake, digits)
    label = badges.result(hand.result.net, digits)
    remarkable = _is_highlight(hand) or hand.doubled or (grand and hand.result.staked >= grand)
    return label._replace(paint=GOLD, sign="crown") if hand.result.net > 0 and remarkable else label


def _chosen_labels(
    hands: list[HandView], places: list[HandPlace], lines: int, grand: Cents
) -> tuple[list[Labels], int]:
    """Return the labels of all hands, and their height. Long amounts are shortened if they would cost much height.

    `lines` is the number of lines that the labels under a hand have, and `grand` is as in `_money`.
    """
    strips = [place.strip for place in places]
    counts = [_count(hand) for hand in hands]
    for digits in (5, 4, 3):
        labels = [(count, _money(hand, digits, grand)) for hand, count in zip(hands, counts, strict=True)]
        size = _fitting(labels, strips, lines)
        if not strips or size >= 0.9 * strips[0].height / lines:
            break
    return labels, size


def _fitting(labels: list[Labels], strips: list[Rect], lines: int) -> int:
    """Return the largest height at which every hand's labels fit into its strip, or about `_SMALLEST` if none does.

    `lines` is the number of lines of labels under each hand: one or two.
    """
    size = (strips[0].height - LINE_GAP * (lines - 1)) // lines if strips else _SMALLEST
    for pair, strip in zip(labels, strips, strict=True):
        while size > _SMALLEST and _width(pair, size, lines) > strip.width:
            size -= 2
    return size


@lru_cache(maxsize=1024)
def _width(labels: Labels, size: int, lines: int) -> int:
    if lines == 1:
        return badges.row_width(labels, size)
    return max(badges.pill(label, size).width for label in labels)


def _strip(canvas: Canvas, labels: Labels, strip: Rect, size: int, lines: int) -> None:
    if lines == 1:
        badges.row(canvas, labels, strip.middle, strip.y + strip.height // 2, size)
        return
    for line, label in enumerate(labels):
        put_middle(canvas, badges.pill(label, size), strip.middle, strip.y + size // 2 + line * (size + LINE_GAP))


# -- nameplates --------------------------------------------------------------------------------------------------------

#: The width of the widest nameplate: enough for a usual name.
_WIDEST_PLATE: Final = 420
#: Pixels between a nameplate and the shield of an insurance.
_BESIDE_PLATE: Final = 8


def _plates(canvas: Canvas, picture: TablePicture, columns: Sequence[_Column], where: TableLayout) -> None:
    for column, x, room in zip(columns, where.middles, where.rooms, strict=True):
        shield = [] if column.insurance is None else [badges.pill(column.insurance, room.height * 4 // 5)]
        taken = sum(sprite.width + _BESIDE_PLATE for sprite in shield)
        box = room._replace(width=min(_WIDEST_PLATE, room.width - taken))
        plate = picture.plate(column.place, box, lit=column.asked)
        width = plate.width + taken
        left = max(room.x, min(x - width // 2, room.right - width))
        for sprite in (plate, *shield):
            put(canvas, sprite, left, where.plate_y(x) - sprite.height // 2)
            left += sprite.width + _BESIDE_PLATE


def _insurance(seat: SeatView) -> Pill | None:
    if seat.insurance is None:
        return None
    if seat.insurance == 0:
        return Pill(sign="shield open", paint=None, ink=MIST)
    if seat.insurance_result is None:
        return Pill(badges.amount(seat.insurance), "shield", None, GOLD)
    return badges.result(seat.insurance_result.net)._replace(sign="shield")


# -- before the first deal ---------------------------------------------------------------------------------------------


#: The most seats with room for a name beside the number; with more, the name stands below it.
_BESIDE: Final = 4
#: The height of the letters below the number.
_TAG: Final = 30


def _before(picture: TablePicture) -> bytes:
    """Return the file of a table before its first deal: cards face down under a seal, and the seats.

    Those of players have their stakes, if they have staked; the others are drawn as empty.
    """
    canvas = Canvas(felt(330))
    put_middle(canvas, sealed_cards(), WIDTH // 2, SEALED_Y)
    if picture.stacks:
        draw_bars(canvas, _CORNER, picture.stacks, picture.stay)
    stakes = dict(picture.staked)
    places = sorted({*picture.numbers, *picture.waiting, *picture.empty, *stakes})
    many = len(places) > _BESIDE
    box = Rect(0, 0, min(420, (WIDTH - 40) // max(1, len(places)) - 10), 52 if many else 56)
    names = dict(picture.names) if many else {}
    for index, number in enumerate(places):
        x = round(WIDTH * (index + 1 / 2) / len(places))
        y = (502 if many else 530) - lift(x, 60)
        if number in picture.empty:
            put_middle(canvas, badges.number(number, box.height, lit=False, taken=False), x, y)
            continue
        put_middle(canvas, picture.plate(number, box, lit=False, named=not many), x, y)
        if name := shortened(names.get(number, ""), _TAG, box.width - _TAG):
            put_middle(canvas, badges.tag(name, _TAG), x, y + 50)
        if number in stakes:
            put_middle(canvas, badges.pill(badges.stake(stakes[number]), 36), x, y - 50)
            width = chips.pile_width(stakes[number], 56)
            chips.put_pile(canvas, stakes[number], x - width // 2, y - 74, 56)
    return canvas.file()
