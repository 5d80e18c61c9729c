"""`python -m bench picture`: milliseconds and KiB of a picture, from the calmest table to the fullest.

Beside them, in the same run, what Pillow alone takes for the same drawing: inks searched for on the whole picture, and
its own PNG. That is how pictures were written before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from statistics import median, quantiles
from unittest.mock import patch

from PIL import Image, ImageChops

from cogs.pictures import blackjack, canvas
from cogs.pictures.blackjack import TablePicture, render
from cogs.pictures.canvas import Ground
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, Phase, SeatView
from engine.games.cards import PACK
from engine.games.contract import Line, Outcome

_TIMES = 60


def _hand(first: int, cards: int, *, over: bool) -> HandView:
    """So many cards off the pack, never the same twice in a row."""
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
    phase, acting = (Phase.OVER, None) if over else (Phase.TURNS, (seats // 2, hands // 2))
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


def main() -> None:
    started = time.perf_counter()
    for picture in STATES.values():
        render(picture)
    first = time.perf_counter() - started
    figures = {name: _measured(picture) for name, picture in STATES.items()}
    worst = {key: max(each[key] for each in figures.values()) for key in ("ms", "p95 ms", "CPU ms", "KiB")}
    line = {"bench": "picture", "states": figures, "worst": worst, "first drawing of all, s": round(first, 2)}
    print(json.dumps(line))


def _measured(picture: TablePicture) -> dict[str, float]:
    spent = [_timed(picture) for _ in range(_TIMES)]
    walls, works = zip(*spent, strict=True)
    with pillow_alone():
        before = [_timed(picture) for _ in range(_TIMES)]
        size_before = len(render(picture))
    return {
        "ms": round(median(walls), 2),
        "p95 ms": round(quantiles(walls, n=20)[-1], 2),
        "CPU ms": round(median(works), 2),
        "CPU ms, Pillow alone": round(median(work for _, work in before), 2),
        "KiB": round(len(render(picture)) / 1024, 1),
        "KiB, Pillow alone": round(size_before / 1024, 1),
    }


@contextmanager
def pillow_alone() -> Iterator[None]:
    """As the first release wrote its files."""
    with patch.object(blackjack, "encoded", _encoded_by_pillow):
        yield


def _encoded_by_pillow(drawing: Image.Image, ground: Ground) -> bytes:
    inked = ground.inked.copy()
    inked.putpalette(canvas._inks_as_bytes())
    changed = ImageChops.difference(drawing, ground.drawn).convert("L").point([0] + [255] * 255)
    inked.paste(drawing.quantize(palette=canvas._palette(), dither=Image.Dither.NONE), (0, 0), changed)
    file = BytesIO()
    inked.save(file, "PNG", compress_level=5)
    return file.getvalue()


def _timed(picture: TablePicture) -> tuple[float, float]:
    """By the clock, and what this thread worked: on a busy machine only the second one tells about the picture."""
    wall, work = time.perf_counter(), time.thread_time()
    render(picture)
    return (time.perf_counter() - wall) * 1000, (time.thread_time() - work) * 1000
