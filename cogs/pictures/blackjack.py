"""The blackjack table as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from cogs.pictures import badges
from cogs.pictures.badges import Pill
from cogs.pictures.bars import Stack, draw_bars
from cogs.pictures.canvas import encoded, paint, put, put_cards, put_middle
from cogs.pictures.cards import COMPACT
from cogs.pictures.fans import Box, Fan
from cogs.pictures.felt import SEALED_Y, felt, place_shoe, sealed_cards
from cogs.pictures.layout import LINE_GAP, HandPlace, Plan, lift, plan
from cogs.pictures.palette import EVEN, FELT_DARK, GOLD, INK, IVORY, LOST, MIST, WIDTH
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.contract import Cents

_CORNER: Final = Box(22, 18, 232, 122)


@dataclass(frozen=True, slots=True)
class TablePicture:
    """What the picture shows: the round, and which number each of its seats has at the table."""

    view: BlackjackView | None = None
    #: By seat of the round.
    numbers: tuple[int, ...] = ()
    #: Places taken by people who are not in the round on display.
    waiting: tuple[int, ...] = ()
    #: Places where anybody may sit down.
    empty: tuple[int, ...] = ()
    #: (place, stake) of those who have staked before the first deal.
    staked: tuple[tuple[int, Cents], ...] = ()
    #: At an elimination table: everybody's chips, and how many stay after the heat.
    stacks: tuple[Stack, ...] = ()
    stay: int = 0


def render(picture: TablePicture) -> bytes:
    """The picture's file. The same input gives the same bytes; safe in any thread."""
    return _before(picture) if picture.view is None else _round(picture, picture.view)


def _round(picture: TablePicture, view: BlackjackView) -> bytes:
    where = plan(len(view.dealer.cards), [[len(hand.cards) for hand in seat.hands] for seat in view.seats])
    ground = felt(where.arc)
    table = ground.drawn.copy()
    place_shoe(table)
    _dealer(table, view.dealer, where.dealer)
    _hands(table, view, where)
    _numbers(table, picture, view, where)
    _corner(table, picture)
    return encoded(table, ground)


# -- dealer ------------------------------------------------------------------------------------------------------------


def _dealer(table: Image.Image, dealer: DealerView, fan: Fan) -> None:
    put_cards(table, dealer.cards, fan)
    if any(dealer.cards):
        label = badges.pill(_dealer_total(dealer), 46)
        put(table, label, fan.box.right + 18, fan.box.y + (fan.box.height - label.height) // 2)


def _dealer_total(dealer: DealerView) -> Pill:
    if dealer.natural:
        return Pill(str(dealer.total), "star", GOLD, INK)
    if dealer.bust:
        return Pill(str(dealer.total), "cross", LOST, IVORY)
    return Pill(_total(dealer.total, soft=dealer.soft))


# -- hands -------------------------------------------------------------------------------------------------------------


def _hands(table: Image.Image, view: BlackjackView, where: Plan) -> None:
    hands = [hand for seat in view.seats for hand in seat.hands]
    places = [place for seat in where.seats for place in seat]
    labels, size = _chosen_labels(hands, places, where.lines)
    acting = None if view.acting is None else where.seats[view.acting[0]][view.acting[1]]
    for hand, place, label in zip(hands, places, labels, strict=True):
        if place is acting:
            _light_up(table, place, _width(label, size, where.lines))
        _hand(table, hand, place)
        _strip(table, label, place.strip, size, where.lines)
    for hand, place in zip(hands, places, strict=True):
        if hand.doubled or hand.swapped:
            _mark(table, Pill("x2", "swap" if hand.swapped else "", GOLD, INK), place.fan)


def _hand(table: Image.Image, hand: HandView, place: HandPlace) -> None:
    put_cards(table, hand.cards, place.fan)
    if hand.state in (HandState.BUST, HandState.SURRENDERED):
        _dim(table, place.fan)


def _light_up(table: Image.Image, place: HandPlace, labels: int) -> None:
    """Round the cards and the labels, whichever is wider."""
    width = max(place.fan.box.width, labels) + 18
    top = place.fan.box.y - 9
    put_middle(
        table, badges.glow(width, place.strip.bottom + 4 - top), place.strip.middle, (top + place.strip.bottom + 4) // 2
    )


def _dim(table: Image.Image, fan: Fan) -> None:
    mask = badges.veil(fan.box.width + 2, fan.box.height + 2, max(4, round(fan.height * 0.08)))
    paint(table, mask, FELT_DARK, fan.box.x - 1, fan.box.y - 1)


def _mark(table: Image.Image, label: Pill, fan: Fan) -> None:
    """On the free corner of the last card; a small card has none, so half over its edge."""
    mark = badges.pill(label, max(20, round(fan.height * 0.18)))
    inside = mark.width - 6 if fan.height >= COMPACT else mark.width * 11 // 20
    put(table, mark, fan.box.right - inside, fan.box.y - (6 if fan.height >= COMPACT else 8))


# -- labels ------------------------------------------------------------------------------------------------------------

Labels = tuple[Pill, Pill]

_SMALLEST: Final = 18

_TOTALS: Final = {
    HandState.NATURAL: ("star", GOLD, INK),
    HandState.BUST: ("cross", LOST, IVORY),
    HandState.SURRENDERED: ("flag", EVEN, INK),
}


def _total(total: int, *, soft: bool) -> str:
    """Both counts of a soft hand, while both matter."""
    return f"{total - 10}/{total}" if soft and total < 21 else str(total)


def _labels(hand: HandView, digits: int) -> Labels:
    sign, colour, ink = _TOTALS.get(hand.state, ("", INK, IVORY))
    chips = badges.stake(hand.stake, digits) if hand.result is None else badges.result(hand.result.net, digits)
    return Pill(_total(hand.total, soft=hand.soft), sign, colour, ink), chips


def _chosen_labels(hands: list[HandView], places: list[HandPlace], lines: int) -> tuple[list[Labels], int]:
    """One height for all of them; where long sums would make it small, they are put more briefly."""
    strips = [place.strip for place in places]
    for digits in (5, 4, 3):
        labels = [_labels(hand, digits) for hand in hands]
        size = _fitting(labels, strips, lines)
        if not strips or size >= 0.9 * strips[0].height / lines:
            break
    return labels, size


def _fitting(labels: list[Labels], strips: list[Box], lines: int) -> int:
    """The largest height at which every hand's labels fit under it."""
    size = (strips[0].height - LINE_GAP * (lines - 1)) // lines if strips else _SMALLEST
    for pair, strip in zip(labels, strips, strict=True):
        while size > _SMALLEST and _width(pair, size, lines) > strip.width:
            size -= 2
    return size


def _width(labels: Labels, size: int, lines: int) -> int:
    if lines == 1:
        return badges.row_width(labels, size)
    return max(badges.pill(label, size).width for label in labels)


def _strip(table: Image.Image, labels: Labels, strip: Box, size: int, lines: int) -> None:
    if lines == 1:
        badges.row(table, labels, strip.middle, strip.y + strip.height // 2, size)
        return
    for line, label in enumerate(labels):
        put_middle(table, badges.pill(label, size), strip.middle, strip.y + size // 2 + line * (size + LINE_GAP))


# -- seat numbers ------------------------------------------------------------------------------------------------------


def _numbers(table: Image.Image, picture: TablePicture, view: BlackjackView, where: Plan) -> None:
    asked = set(view.asked)
    for seat, (number, x) in enumerate(zip(picture.numbers, where.middles, strict=False)):
        _own_number(table, number, view.seats[seat], x, where.number_y(x), lit=seat in asked)


def _corner(table: Image.Image, picture: TablePicture) -> None:
    """Left of the dealer: the stacks of an elimination table, else who else is here and where one may sit down."""
    if picture.stacks:
        draw_bars(table, _CORNER, picture.stacks, picture.stay)
        return
    for at, number in enumerate(sorted((*picture.waiting, *picture.empty))):
        across, down = at % 4, at // 4
        disc = badges.number(number, 28, lit=False, taken=number in picture.waiting)
        put(table, disc, 30 + across * 36, 28 + down * 36)


def _own_number(table: Image.Image, number: int, seat: SeatView, x: int, y: int, *, lit: bool) -> None:
    disc = badges.number(number, 30, lit=lit, taken=True)
    shield = _insurance(seat)
    if shield is None:
        put_middle(table, disc, x, y)
        return
    label = badges.pill(shield, 26)
    left = x - (disc.width + 8 + label.width) // 2
    put(table, disc, left, y - disc.height // 2)
    put(table, label, left + disc.width + 8, y - label.height // 2)


def _insurance(seat: SeatView) -> Pill | None:
    if seat.insurance is None:
        return None
    if seat.insurance == 0:
        return Pill(sign="shield open", paint=None, ink=MIST)
    if seat.insurance_result is None:
        return Pill(badges.amount(seat.insurance), "shield", None, GOLD)
    return badges.result(seat.insurance_result.net)._replace(sign="shield")


# -- before the first deal ---------------------------------------------------------------------------------------------


def _before(picture: TablePicture) -> bytes:
    """The shoe under its seal, and who has sat down to what stake."""
    ground = felt(330)
    table = ground.drawn.copy()
    put_middle(table, sealed_cards(), WIDTH // 2, SEALED_Y)
    if picture.stacks:
        draw_bars(table, _CORNER, picture.stacks, picture.stay)
    stakes = dict(picture.staked)
    places = sorted({*picture.numbers, *picture.waiting, *picture.empty, *stakes})
    for at, number in enumerate(places):
        x = round(WIDTH * (at + 1) / (len(places) + 1))
        y = 520 - lift(x, 70)
        taken = number not in picture.empty
        put_middle(table, badges.number(number, 52 if taken else 44, lit=number in stakes, taken=taken), x, y)
        if number in stakes:
            put_middle(table, badges.pill(badges.stake(stakes[number]), 34), x, y - 56)
    return encoded(table, ground)
