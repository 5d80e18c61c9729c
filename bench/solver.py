"""`python -m bench solver`: a whole game from nothing, one decision at a full table, and hands graded a second."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time

from bench._hands import positions
from engine.games.blackjack.rule_sets import VEGAS
from engine.solver import Position, decision

#: A program for a fresh process on one core. It solves a whole game, with splits to four hands, and prints how long
#: that took (including the import of numpy), the memory, and the value. It counts processor time, which leaves out what
#: else the machine does.
_COLD = """
import os, resource, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"
start = time.process_time()
from engine.games.blackjack.rule_sets import VEGAS
from engine.solver import game
value = game(VEGAS).value
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, value)
"""


def main() -> None:
    cold = [_cold() for _ in range(5)]
    line: dict[str, object] = {
        "bench": "solver",
        "whole six-deck game, cold, s": round(min(seconds for seconds, _, _ in cold), 3),
        "median of five": round(statistics.median(seconds for seconds, _, _ in cold), 3),
        "peak MiB": round(max(peak for _, peak, _ in cold)),
        "value": cold[0][2],
    }
    decision(VEGAS, Position.fresh(VEGAS, ("2", "2"), "2"))
    for seats in (7, 1):
        line[f"seats {seats}"] = _graded(seats, hands=1_400 if seats == 7 else 6_000)
    print(json.dumps(line))


def _cold() -> tuple[float, float, float]:
    done = subprocess.run([sys.executable, "-c", _COLD], capture_output=True, text=True, check=True)
    seconds, peak, value = map(float, done.stdout.split())
    return seconds, peak, value


def _graded(seats: int, hands: int) -> dict[str, object]:
    """Return the times of decisions as they come. Those of tables with one seat recur, and their answers are kept."""
    times: list[float] = []
    start = time.process_time()
    for position in positions(seats, hands):
        began = time.process_time()
        decision(VEGAS, position)
        times.append(time.process_time() - began)
    times.sort()
    return {
        "decisions": len(times),
        "mean ms": round(1_000 * statistics.fmean(times), 2),
        "p99 ms": round(1_000 * times[len(times) * 99 // 100], 2),
        "worst ms": round(1_000 * times[-1], 2),
        "hands graded a second": round(hands / (time.process_time() - start)),
    }


if __name__ == "__main__":
    main()
