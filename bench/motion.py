"""`python -m bench motion`: seconds and KiB of an animated hand, as `/history` makes it in a process of its own."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from bench.picture import PLAY
from cogs.pictures import animated
from cogs.pictures.blackjack import render

_ODDS = "Stand −15.2% · Hit −21.3% · Double −42.6%"


async def _measure() -> dict[str, Any]:
    found = {}
    for name, pictures in PLAY.items():
        for length in (5, animated.MOST_PICTURES):
            row = [animated.Frame(render(picture), "Seat 1: Hit", _ODDS) for picture in pictures()[:length]]
            began = time.perf_counter()
            made = await animated.apart(row)
            took = round(time.perf_counter() - began, 2)
            found[f"{name}, {len(row)} pictures"] = {"s": took, "KiB": round(len(made) / 1024)}
    return found


def main() -> dict[str, Any]:
    line = {"bench": "motion", **asyncio.run(_measure())}
    print(json.dumps(line))
    return line
