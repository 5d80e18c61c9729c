"""The blackjack table as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PIL import Image

from cogs.pictures import badges
from cogs.pictures.badges import GLOW, Pill
from cogs.pictures.canvas import encoded, paint, put, put_middle
from cogs.pictures.cards import margin, sprite
from cogs.pictures.felt import felt, place_shoe, shoe
from cogs.pictures.layout import Box, Fan, HandPlace, Plan, lift, plan
from cogs.pictures.palette import EVEN, FELT_DARK, GOLD, INK, IVORY, LOST, MIST, WIDTH
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, SeatView
from engine.games.cards import Card
from engine.games.contract import Cents


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


def render(picture: TablePicture) -> bytes:
    """The picture's file. The same input gives the same bytes; safe in any thread."""
    return encoded(_before(picture) if picture.view is None else _round(picture, picture.view))


def _round(picture: TablePicture, view: BlackjackView) -> Image.Image:
    where = plan(len(view.dealer.cards), [[len(hand.cards) for hand in seat.hands] for seat in view.seats])
    table = felt(where.dealer.box.y + where.dealer.height + 9).copy()
    place_shoe(table)
    _dealer(table, view.dealer, where.dealer)
    _hands(table, view, where)
    _numbers(table, picture, view, where)
    return table


# -- dealer ------------------------------------------------------------------------------------------------------------


def _dealer(table: Image.Image, dealer: DealerView, fan: Fan) -> None:
    _cards(table, dealer.cards, fan)
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
    laid = [
        (hand, place, view.acting == (seat, at))
        for seat, (shown, places) in enumerate(zip(view.seats, where.seats, strict=True))
        for at, (hand, place) in enumerate(zip(shown.hands, places, strict=True))
    ]
    size = min((_fitting(list(_labels(hand)), place.strip) for hand, place, _ in laid), default=0)
    for hand, place, acting in laid:
        _hand(table, hand, place, size, acting=acting)


def _hand(table: Image.Image, hand: HandView, place: HandPlace, size: int, *, acting: bool) -> None:
    if acting:
        _light_up(table, place)
    _cards(table, hand.cards, place.fan)
    if hand.state in (HandState.BUST, HandState.SURRENDERED):
        _dim(table, place.fan)
    if hand.doubled or hand.swapped:
        _mark(table, Pill("x2", "swap" if hand.swapped else "", GOLD, INK), place.fan)
    _strip(table, list(_labels(hand)), place.strip, size)


def _light_up(table: Image.Image, place: HandPlace) -> None:
    box, strip = place.fan.box, place.strip
    left, right = min(box.x, strip.x) - 4, max(box.right, strip.right) + 4
    top, bottom = box.y - 6, strip.bottom + 3
    put(table, badges.glow(right - left, bottom - top), left - GLOW, top - GLOW)


def _cards(table: Image.Image, cards: tuple[Card | None, ...], fan: Fan) -> None:
    edge = margin(fan.height)
    for card, place in zip(cards, fan.places, strict=True):
        put(table, sprite(card, fan.height), place.x - edge, place.y - edge)


def _dim(table: Image.Image, fan: Fan) -> None:
    edge = margin(fan.height) // 2
    mask = badges.veil(fan.box.width + 2 * edge, fan.box.height + 2 * edge, edge * 2)
    paint(table, mask, FELT_DARK, fan.box.x - edge, fan.box.y - edge)


def _mark(table: Image.Image, label: Pill, fan: Fan) -> None:
    """On the free corner of the last card, a little over its edge."""
    mark = badges.pill(label, max(22, round(fan.height * 0.2)))
    put(table, mark, fan.box.right - mark.width + 5, fan.box.y - 5)


# -- labels ------------------------------------------------------------------------------------------------------------

_TOTALS: Final = {
    HandState.NATURAL: ("star", GOLD, INK),
    HandState.BUST: ("cross", LOST, IVORY),
    HandState.SURRENDERED: ("flag", EVEN, INK),
}


def _total(total: int, *, soft: bool) -> str:
    """Both counts of a soft hand, while both matter."""
    return f"{total - 10}/{total}" if soft and total < 21 else str(total)


def _labels(hand: HandView) -> Iterator[Pill]:
    sign, colour, ink = _TOTALS.get(hand.state, ("", INK, IVORY))
    yield Pill(_total(hand.total, soft=hand.soft), sign, colour, ink)
    yield badges.stake(hand.stake) if hand.result is None else badges.result(hand.result.net)


def _gap(size: int) -> int:
    return max(4, size // 5)


def _width(labels: list[Pill], size: int) -> int:
    return sum(badges.pill(label, size).width for label in labels) + _gap(size) * (len(labels) - 1)


def _fitting(labels: list[Pill], strip: Box) -> int:
    """The largest height at which these labels fit side by side under their hand."""
    return next((size for size in range(strip.height, 18, -2) if _width(labels, size) <= strip.width), 18)


def _strip(table: Image.Image, labels: list[Pill], strip: Box, size: int) -> None:
    x = strip.middle - _width(labels, size) // 2
    for label in labels:
        each = badges.pill(label, size)
        put(table, each, x, strip.y + (strip.height - size) // 2)
        x += each.width + _gap(size)


# -- seat numbers ------------------------------------------------------------------------------------------------------


def _numbers(table: Image.Image, picture: TablePicture, view: BlackjackView, where: Plan) -> None:
    asked = set(view.asked)
    for seat, (number, x) in enumerate(zip(picture.numbers, where.middles, strict=False)):
        _own_number(table, number, view.seats[seat], x, where.number_y(x), lit=seat in asked)
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


def _before(picture: TablePicture) -> Image.Image:
    """The shoe under its seal, and who has sat down to what stake."""
    table = felt(330).copy()
    put_middle(table, shoe(230, sealed=True), WIDTH // 2, 180)
    stakes = dict(picture.staked)
    places = sorted({*picture.numbers, *picture.waiting, *picture.empty, *stakes})
    for at, number in enumerate(places):
        x = round(WIDTH * (at + 1) / (len(places) + 1))
        y = 520 - lift(x, 70)
        taken = number not in picture.empty
        put_middle(table, badges.number(number, 52 if taken else 44, lit=number in stakes, taken=taken), x, y)
        if number in stakes:
            put_middle(table, badges.pill(badges.stake(stakes[number]), 34), x, y - 56)
    return table
