"""`python -m bench travel`: how far a press travels, measured on a Hit after which the same hand is asked again.

The bot runs on a simulated Discord. Counted are the product's own files and functions, from the arrival of the
interaction until everything it caused is done, and the changes from one file to another.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from bench._hands import button, word
from bench._house import opened
from engine.tables.snapshot import Snapshot

_ROOT = Path(__file__).resolve().parent.parent
_FLOORS = ("engine", "data", "cogs")


#: The number of rounds played before, to fill the caches.
_ROUNDS = 20
#: The number of presses that are followed. The median one is reported, because some look up what no earlier hand asked
#: for.
_HITS = 15

#: The (file, function) pairs that a press enters, in order.
Steps = list[tuple[str, str]]


@contextmanager
def noted(steps: Steps) -> Iterator[None]:
    """Note every function of the product that this thread enters; SQL and drawing run elsewhere.

    Code written inside a function counts as that function, and a comprehension is not a call, as in newer Pythons.
    """

    def note(frame: FrameType, event: str, thing: Any) -> None:
        if event == "call" and not frame.f_code.co_name.endswith("comp>"):
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(_ROOT) and path.relative_to(_ROOT).parts[0] in _FLOORS:
                steps.append((str(path.relative_to(_ROOT)), frame.f_code.co_qualname.partition(".<locals>")[0]))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


async def _hit() -> Steps:
    """Return the steps of one Hit at a table whose caches are full."""
    hits: list[Steps] = []
    async with opened() as house:
        await house.open_table(bet=10)
        while len(hits) < _HITS:
            before, steps = house.now(), Steps()
            assert house.message is not None
            pressed = word(before, stands_on=12)
            with noted(steps):
                await house.alice.click(house.message, custom_id=button(before, pressed))
                await asyncio.sleep(0)
            if pressed == "hit" and _same_hand(before, house.now()) and before.round > _ROUNDS:
                hits.append(steps)
    return sorted(hits, key=lambda steps: len(set(steps)))[_HITS // 2]


def _same_hand(before: Snapshot, after: Snapshot) -> bool:
    return (before.round, before.dealt.acting) == (after.round, after.dealt.acting)


def main() -> None:
    steps = asyncio.run(_hit())
    figures: dict[str, Any] = {"bench": "travel", "press": "a Hit that ends nothing"}
    for floor in ("", *_FLOORS):
        passed = [step for step in steps if step[0].startswith(floor)]
        files = [file for file, _ in passed]
        figures[floor or "all"] = {
            "files": len(set(files)),
            "functions": len(set(passed)),
            "calls": len(passed),
            "changes of file": sum(one != other for one, other in itertools.pairwise(files)),
        }
    figures["refusal asked"] = sum(function.endswith(".refusal") for _, function in steps)
    figures["snapshots made"] = sum(step[1] == "snapshot_of" for step in steps)
    print(json.dumps(figures))
    if "--list" in sys.argv:
        for (file, function), times in Counter(steps).items():
            print(f"{times:4}  {file}  {function}")
