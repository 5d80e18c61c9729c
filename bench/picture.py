"""`python -m bench picture`: milliseconds and KiB of a picture, from the emptiest table to the fullest.

*In play* are pictures of hands in sequence, each drawn once, with the parts of the one before still in the cache. *From
nothing* is a table that was never seen. Both are compared, in the same run, with the simple way: everything drawn
again, colours searched for on the whole picture, Pillow's PNG.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from statistics import mean, median, quantiles
from unittest.mock import patch

from PIL import Image, ImageChops

from cogs.pictures import canvas, inks
from cogs.pictures.blackjack import TablePicture, render
from cogs.pictures.canvas import Canvas
from engine.games.blackjack import GAME
from engine.games.blackjack.players import choose
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, RoundPhase, SeatView
from engine.games.cards import PACK
from engine.games.computer import Level
from engine.games.contract import Line, Outcome

_TIMES = 40


def _hand(first: int, cards: int, *, over: bool) -> HandView:
    """Return a hand of this many cards, never the same ones twice in a row."""
    dealt = tuple(PACK[(first * 7 + at * 11) % len(PACK)] for at in range(cards))
    result = Line(0, "hand", 125_000, 250_000 if first % 2 else 0, Outcome.WIN) if over else None
    state = HandState.STANDING if over or first % 3 else HandState.WAITING
    return HandView(dealt, 12 + first % 9, first % 2 == 0, 125_000, state, doubled=first % 4 == 0, result=result)


def _table(seats: int, hands: int, cards: Sequence[int], *, over: bool = False) -> TablePicture:
    shown = tuple(
        SeatView(
            tuple(_hand(seat * hands + at, cards[(seat + at) % len(cards)], over=over) for at in range(hands)),
            insurance=62_550 if hands > 1 else None,
        )
        for seat in range(seats)
    )
    dealer = DealerView(("6h", "Ts", "2d") if over else ("6h", None), 18 if over else 6, soft=False)
    phase, acting = (RoundPhase.OVER, None) if over else (RoundPhase.TURNS, (seats // 2, hands // 2))
    return TablePicture(BlackjackView(phase, dealer, shown, (), acting, 1), tuple(range(1, seats + 1)))


STATES = {
    "before the deal": TablePicture(waiting=(1,), empty=(2, 3, 4, 5, 6, 7)),
    "one hand": _table(1, 1, [2]),
    "one hand, settled": _table(1, 1, [3], over=True),
    "four hands": _table(1, 4, [3]),
    "seven seats": _table(7, 1, [2, 3]),
    "seven seats of four hands": _table(7, 4, [2, 3, 4]),
    "seven seats of four hands, settled": _table(7, 4, [2, 3, 4, 5, 6], over=True),
}


def _one_hand() -> list[TablePicture]:
    """Return pictures of a member's rounds at a solo table: one after each deal and one after each press."""
    dice, pack, pictures = random.Random(15), list(PACK) * 6, []
    for _ in range(300):
        dice.shuffle(pack)
        round = GAME.deal(GAME.rule_sets["vegas"], [{"main": 10_00}], tuple(pack[:40]))
        pictures.append(TablePicture(round.view(), (1,)))
        while round.asked:
            round.apply(0, choose(Level.EXPERT, round, 0))
            pictures.append(TablePicture(round.view(), (1,)))
    return pictures


def _fullest_table() -> list[TablePicture]:
    """Return pictures of seven seats with four hands each, in which every hand in turn is asked and gets one
    more card.
    """
    view = _table(7, 4, [2]).view
    assert view is not None
    seats, pictures = [list(seat.hands) for seat in view.seats], []
    for seat in range(7):
        for hand in range(4):
            before = seats[seat][hand]
            for cards in (before.cards, (*before.cards, PACK[(seat * 4 + hand) * 5 % 52])):
                seats[seat][hand] = replace(before, cards=cards, state=HandState.WAITING)
                shown = tuple(replace(each, hands=tuple(hands)) for each, hands in zip(view.seats, seats, strict=True))
                pictures.append(TablePicture(replace(view, seats=shown, acting=(seat, hand)), tuple(range(1, 8))))
            seats[seat][hand] = replace(seats[seat][hand], state=HandState.STANDING)
    return [*pictures, STATES["seven seats of four hands, settled"]]


PLAY: dict[str, Callable[[], list[TablePicture]]] = {"one hand": _one_hand, "the fullest table": _fullest_table}


def main() -> None:
    started = time.perf_counter()
    for picture in STATES.values():
        render(picture)
    first = time.perf_counter() - started
    line = {
        "bench": "picture",
        "in play": {name: _in_play(pictures()) for name, pictures in PLAY.items()},
        "from nothing": {name: _from_nothing(picture) for name, picture in STATES.items()},
        "first drawing of all, s": round(first, 2),
    }
    print(json.dumps(line))


def _in_play(pictures: list[TablePicture]) -> dict[str, float]:
    for picture in pictures:  # sprites are drawn once for all pictures
        render(picture)
    with as_before():
        before = [_timed(picture)[1] for picture in pictures]
        bytes_before = sum(len(render(picture)) for picture in pictures)
    forget()
    spent = [_timed(picture) for picture in pictures]
    walls, works = zip(*spent, strict=True)
    return {
        "pictures": len(pictures),
        "CPU ms": round(mean(works), 2),
        "CPU ms before": round(mean(before), 2),
        "%": round(100 * mean(works) / mean(before)),
        "p95 ms": round(quantiles(walls, n=20)[-1], 2),
        "KiB": round(sum(len(render(picture)) for picture in pictures) / 1024 / len(pictures), 1),
        "KiB before": round(bytes_before / 1024 / len(pictures), 1),
    }


def _from_nothing(picture: TablePicture) -> dict[str, float]:
    works = []
    for _ in range(_TIMES):
        forget()
        works.append(_timed(picture)[1])
    with as_before():
        before = [_timed(picture)[1] for _ in range(_TIMES)]
        size_before = len(render(picture))
    return {
        "CPU ms": round(median(works), 2),
        "CPU ms before": round(median(before), 2),
        "%": round(100 * median(works) / median(before)),
        "KiB": round(len(render(picture)) / 1024, 1),
        "KiB before": round(size_before / 1024, 1),
    }


def forget() -> None:
    """Empty the caches of drawn pictures, but not of sprites and the felt."""
    canvas._kept_patches.clear()
    canvas._kept_strips.clear()
    render(TablePicture())


@contextmanager
def as_before() -> Iterator[None]:
    """Encode pictures in the block as the first release did."""
    with patch.object(Canvas, "file", _file_before):
        yield


def _file_before(table: Canvas) -> bytes:
    ground, drawing = table.ground, table.ground.drawn.copy()
    for what, mask, box in table.things:
        drawing.paste(what, box[:2], mask)
    inked = ground.inked.copy()
    inked.putpalette(inks.inks_as_bytes())
    changed = ImageChops.difference(drawing, ground.drawn).convert("L").point([0] + [255] * 255)
    inked.paste(drawing.quantize(palette=inks._palette(), dither=Image.Dither.NONE), (0, 0), changed)
    file = BytesIO()
    inked.save(file, "PNG", compress_level=5)
    return file.getvalue()


def _timed(picture: TablePicture) -> tuple[float, float]:
    """Return the milliseconds of drawing a picture: by the clock, and of this thread's work, which matters on a busy
    machine.
    """
    wall, work = time.perf_counter(), time.thread_time()
    render(picture)
    return (time.perf_counter() - wall) * 1000, (time.thread_time() - work) * 1000


if __name__ == "__main__":
    main()
