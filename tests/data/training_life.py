"""One life of a process that trains counting, until somebody pulls the plug: `python -m tests.data.training_life`.

It says the number of answers and turns that the bank has taken, after each of them.
"""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Final

from data import Bank, Trained
from engine.tables.house import HouseSettings
from engine.training.counting import COUNT, Count
from tests.data.dealer import HandClock

USER: Final = 1
RULES: Final = "vegas"
PRESSES: Final = 6
#: Presses after which a life waits for the plug.
MOST: Final = 3


async def live(url: str, now: float) -> None:
    async with Bank.open(url, HouseSettings(), HandClock(now)) as bank:
        stored = await bank.training.find(USER, COUNT, RULES) or Trained(COUNT, RULES)
        print(stored.version, flush=True)
        for _ in range(min(MOST, PRESSES - stored.version)):
            stored = await bank.training.keep(USER, stored, _after(stored).as_json())
            print(stored.version, flush=True)
        await asyncio.Event().wait()


def _after(stored: Trained) -> Count:
    """Return the exercise after the next press, answered right."""
    count = Count.from_json(stored.doc) if stored.doc else Count(6)
    if count.over or not count.cards:
        return count.dealt(random.Random(stored.version).randrange)
    if count.asks is None:
        return count.turned()
    return count.answered(count.true if len(count.answers) else count.running)


if __name__ == "__main__":
    asyncio.run(live(sys.argv[1], float(sys.argv[2])))
