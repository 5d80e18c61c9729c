"""Casino war as a picture: a card against a card, and after a war the burnt cards and a second pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cogs.pictures import badges, chips
from cogs.pictures.badges import Pill
from cogs.pictures.canvas import Canvas, put_cards, put_middle
from cogs.pictures.cards import card_width
from cogs.pictures.fans import Fan, Laid, Rect, fan
from cogs.pictures.felt import SEALED_Y, felt, sealed_cards
from cogs.pictures.palette import EVEN, GOLD, INK, WIDTH, WON
from engine.games.cards import Card
from engine.games.contract import Cents, Line
from engine.games.war import WarView

_HEIGHT: Final = 210
_TOPS: Final = (20, 296)  # dealer, player
_STRIP_Y: Final = 553
_SECOND_X: Final = 640
_FIRST_X: Final = 400
#: The left edge of the chips beside the player's cards: the stake, and what comes back.
_PILE_X: Final = 60
_BURNT: Final = Rect(70, 230, 190, 122)


@dataclass(frozen=True, slots=True)
class WarPicture:
    """The content of the picture: a round or, if there is none (`view` is None), the stake for the one to come."""

    view: WarView | None = None
    stake: Cents | None = None
    four_colours: bool = False
    #: The decimal sign of the reader's language.
    decimal: str = "."


@badges.in_its_figures
def render(picture: WarPicture) -> bytes:
    """Return the picture's file. Safe in any thread; the same input gives the same bytes."""
    return _before(picture.stake) if picture.view is None else _battle(picture.view, picture.four_colours)


def _before(stake: Cents | None) -> bytes:
    """Return the file of a table before the deal: cards face down under a seal, and the stake if there is one."""
    canvas = Canvas(felt(330))
    put_middle(canvas, sealed_cards(), WIDTH // 2, SEALED_Y)
    if stake:
        chips.put_pile(canvas, stake, WIDTH // 2 - chips.pile_width(stake, 90) // 2, 470, 90)
        put_middle(canvas, badges.pill(badges.stake(stake), 60), WIDTH // 2, 520)
    return canvas.file()


def _battle(view: WarView, four_colours: bool) -> bytes:  # noqa: FBT001
    canvas = Canvas(felt(_TOPS[0] + _HEIGHT + 10, shoe=True))
    put_cards(canvas, (None,) * view.burnt, fan(view.burnt, _BURNT, _BURNT.height))
    for cards, top in ((view.dealer, _TOPS[0]), (view.player, _TOPS[1])):
        _side(canvas, cards, top, won=_won(view, top), four_colours=four_colours)
    _relation(canvas, view)
    lies = view.stake if view.result is None else view.result.returned
    chips.put_pile(canvas, lies, _PILE_X, _TOPS[1] + _HEIGHT - 6, 84)
    _strip(canvas, view)
    return canvas.file()


def _middles(cards: int) -> tuple[int, ...]:
    return (WIDTH // 2,) if cards == 1 else (_FIRST_X, _SECOND_X)


def _won(view: WarView, top: int) -> bool:
    net = view.result.net if view.result else 0
    return net > 0 if top == _TOPS[1] else net < 0 and not view.surrendered


def _side(canvas: Canvas, cards: tuple[Card, ...], top: int, *, won: bool, four_colours: bool) -> None:
    width = card_width(_HEIGHT)
    middles = _middles(len(cards))
    if won and len(cards) > 1 and top == _TOPS[1]:
        put_middle(canvas, badges.sunburst(420), middles[-1], top + _HEIGHT // 2)
    if won:
        put_middle(canvas, badges.glow(width + 20, _HEIGHT + 20, WON), middles[-1], top + _HEIGHT // 2)
    places = tuple(Laid(x - width // 2, top) for x in middles)
    laid = Fan(_HEIGHT, places, Rect(places[0].x, top, width, _HEIGHT))
    put_cards(canvas, cards, laid, four_colours=four_colours)


def _relation(canvas: Canvas, view: WarView) -> None:
    """Draw an equals sign between two cards of the same rank."""
    between = (_TOPS[0] + _HEIGHT + _TOPS[1]) // 2
    for x, mine, theirs in zip(_middles(len(view.player)), view.player, view.dealer, strict=True):
        if mine[0] == theirs[0]:
            put_middle(canvas, badges.pill(Pill(sign="equals", paint=GOLD, ink=INK), 48), x, between)


def _brought(view: WarView, result: Line) -> Pill:
    label = badges.result(result.net)
    return label._replace(paint=GOLD, sign="crown") if view.burnt and result.net > 0 else label


def _strip(canvas: Canvas, view: WarView) -> None:
    labels = [badges.stake(view.stake)]
    if view.surrendered:
        labels.append(Pill(sign="flag", paint=EVEN, ink=INK))
    if view.result is not None:
        labels.append(_brought(view, view.result))
    badges.row(canvas, labels, WIDTH // 2 if len(view.player) == 1 else (_FIRST_X + _SECOND_X) // 2, _STRIP_Y, 46)
