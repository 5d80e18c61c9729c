"""One life of a process that plays one of Today's five, until somebody pulls the plug: `python -m tests.data.day_life`.

It says the number of presses that the bank has taken, after each of them.
"""

from __future__ import annotations

import asyncio
import sys

from data import Bank
from engine.tables.house import HouseSettings
from tests.data.dealer import HandClock
from tests.data.fives import perfect, press, today

USER = 1
#: Presses after which a life waits for the plug: on a busy machine one life would end the try.
MOST = 3


async def live(url: str, now: float) -> None:
    async with Bank.open(url, HouseSettings(), HandClock(now)) as bank:
        day = await today(bank)
        stored = await bank.tries.begin(day, USER)
        presses = perfect(day)
        print(stored.version, flush=True)
        for action in presses[stored.version :][:MOST]:
            stored = await press(bank, day, stored, action)
            print(stored.version, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(live(sys.argv[1], float(sys.argv[2])))
