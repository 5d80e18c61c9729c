"""`python -m bench memory`: the memory of one process in MiB, what each step adds, and what uses it.

The pictures show hands that were never drawn before, so every cache fills up. Those caches are limited: patches and
strips by bytes, sprites and grounds by number. *Free* is what malloc keeps for the next picture.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import json
import pkgutil
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

_PICTURES = 10_000


def main() -> None:
    asyncio.run(_measured())


async def _measured() -> None:
    steps = {"python alone": _resident()}
    import discord  # noqa: F401

    steps["discord.py"] = _resident()
    modules = _every_module()
    steps[f"the bot's {modules} modules and their libraries"] = _resident()
    from bot import DiscordClock
    from data import Bank
    from engine.tables.house import HouseSettings

    with tempfile.TemporaryDirectory() as folder:
        async with Bank.open(f"sqlite:///{Path(folder) / 'bank.db'}", HouseSettings(), DiscordClock(), fresh=True):
            steps["an open bank: the idle bot"] = _resident()
            _draw(1_000)
            steps["1,000 pictures"] = _resident()
            _draw(_PICTURES - 1_000)
            gc.collect()
            steps["10,000 pictures"] = _resident()
    kept, idle = _kept(), steps["an open bank: the idle bot"]
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    steps["the same, trimmed as each hour"] = _resident()
    kept["free"] = steps["10,000 pictures"] - steps["the same, trimmed as each hour"]
    kept["all else, as keys and letters"] = round(steps["10,000 pictures"] - idle - sum(kept.values()), 1)
    print(json.dumps({"bench": "memory", "MiB": steps, "of the pictures, MiB": kept}))


def _every_module() -> int:
    import bot  # noqa: F401
    import cogs

    found = [each.name for each in pkgutil.walk_packages(cogs.__path__, "cogs.") if "playground" not in each.name]
    for name in found:
        importlib.import_module(name)
    return len(found)


def _draw(count: int) -> None:
    """Draw rounds of one to seven people, each in every state that its table shows."""
    from cogs.pictures.blackjack import TablePicture, render
    from engine.games.blackjack import GAME
    from engine.games.blackjack.actions import DECLINE
    from engine.games.blackjack.players import choose
    from engine.games.cards import PACK
    from engine.games.computer import Level

    dice, pack, drawn = random.Random(count), list(PACK) * 6, 0
    while drawn < count:
        dice.shuffle(pack)
        seats = dice.randint(1, 7)
        names = tuple((place + 1, f"Player {dice.randrange(300)}") for place in range(seats))
        stakes = [{"main": dice.randint(1, 500) * 100} for _ in range(seats)]
        round = GAME.deal(GAME.rule_sets["vegas"], stakes, tuple(pack[:120]))
        while drawn < count:
            render(TablePicture(round.view(), tuple(range(1, seats + 1)), names))
            drawn += 1
            if not round.asked:
                break
            seat = round.asked[0]
            round.apply(seat, choose(Level.EXPERT, round, seat) if round.acting else DECLINE)


def _kept() -> dict[str, float]:
    """Return the MiB of the strips, and of all images alive by what they show: grounds, patches or sprites."""
    from PIL import Image

    from cogs.pictures.canvas import _kept_strips, _Patch
    from cogs.pictures.inks import Ground

    images: dict[int, Any] = {id(each): each for each in gc.get_objects() if isinstance(each, Image.Image)}
    patches = {id(each.inked) for each in gc.get_objects() if isinstance(each, _Patch)}
    grounds = {id(part) for each in gc.get_objects() if isinstance(each, Ground) for part in vars(each).values()}
    sizes = {"grounds": 0, "patches": 0, "sprites": 0}
    for key, image in images.items():
        kind = "grounds" if key in grounds else "patches" if key in patches else "sprites"
        sizes[kind] += image.width * image.height * (1 if image.mode in ("L", "P") else 4)
    sizes["strips"] = _kept_strips.bytes
    return {kind: round(size / 2**20, 1) for kind, size in sizes.items()}


def _resident() -> int:
    if sys.platform != "linux":
        raise SystemExit("Only Linux says in a file how much memory a process has.")
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024)
