"""``python -m tests.soak N``: N presses and commands through the real bot, and what they left behind."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from pathlib import Path

from tests.data.scratch import scratch
from tests.simulate.hours import told
from tests.soak.soak import soaked


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("steps", metavar="N", type=int, nargs="?", default=3_000)
    asked.add_argument("--seed", default="21")
    given = asked.parse_args()
    begun = time.monotonic()
    tracemalloc.start()
    with tempfile.TemporaryDirectory(prefix="soak-", dir=scratch()) as folder:
        soak, problems = asyncio.run(soaked(Path(folder) / "casino.db", given.steps, given.seed, looks=6))
    print(f"Sent: {told(soak.done)}")
    print(f"Broken: {told(soak.broken)}; answers that Discord did not take: {soak.refused}")
    print(*soak.sizes, sep="\n")
    last, warm = soak.sizes[-1], soak.warm
    print(f"What came in the last {last.steps - warm.steps} of them: {_most(last.objects - warm.objects)}")
    print(f"Bytes: {_most(last.traced - warm.traced)}")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB in all at most")
    print(f"{given.steps} steps in {time.monotonic() - begun:.0f} s, seed {given.seed}")
    print(*problems, sep="\n", file=sys.stderr)
    return 1 if problems else 0


def _most(counts: Counter[str]) -> str:
    """The first few, as short as a path can be told."""
    return told({"/".join(name.split("/")[-2:]): count for name, count in counts.most_common(6)})


if __name__ == "__main__":
    sys.exit(main())
