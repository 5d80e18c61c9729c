"""``python -m tests.soak N``: N presses and commands through the real bot, and what they left behind."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
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
    with tempfile.TemporaryDirectory(prefix="soak-", dir=scratch()) as folder:
        soak, ears = asyncio.run(soaked(Path(folder) / "casino.db", given.steps, given.seed))
    (then, kinds_then), (now, kinds) = soak.sizes
    print(f"Sent: {told(soak.done)}")
    print(f"Broken: {told(soak.broken)}; answers that Discord did not take: {soak.refused}")
    print(f"Half way: {then} tasks, {kinds_then.total()} objects of ours; at the end: {now} and {kinds.total()}")
    print(f"Most of what came: {told(dict((kinds - kinds_then).most_common(5)))}")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB with the simulated Discord's messages")
    print(f"{given.steps} steps in {time.monotonic() - begun:.0f} s, seed {given.seed}")
    problems = [*ears.heard, *(f"no answer to {what}" for what in soak.unanswered)]
    if now > then or kinds.total() > 1.5 * kinds_then.total():
        problems.append("tasks or objects have grown")
    print(*problems, sep="\n", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
