"""``python -m tests.simulate --seed N --events M``: the whole house in a box, and everything that can happen to it.

First the bugs that are planted on purpose must be found; then M events are played, in stories of 2,000, in which every
promise must be kept. A story that fails is told again with as few events as still make it fail.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.simulate.hours import told
from tests.simulate.planted import PLANTED
from tests.simulate.story import LENGTH, Failure, Score, Story, prepared, shrunk


def _found(name: str, seed: str) -> tuple[str, int, str]:
    """After how many events a planted bug was found (0: it was not), and as what: in the stories that are told without
    it, too, so that nothing but the bug can be what was found."""
    bug, within = PLANTED[name]
    length = min(within, LENGTH)
    for number in range(within // length):
        failure = Story(_name(seed, number), length, bug=bug).tell()
        if failure is not None:
            return name, number * length + failure.at + 1, failure.why
    return name, 0, ""


def _told(seed: str, length: int) -> tuple[Score, Failure | None]:
    story = Story(seed, length)
    return story.score, story.tell()


def _stories(seed: str, events: int) -> Iterator[tuple[str, int]]:
    for number, begin in enumerate(range(0, events, LENGTH)):
        yield _name(seed, number), min(LENGTH, events - begin)


def _name(seed: str, number: int) -> str:
    return f"{seed}/{number}"


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    asked.add_argument("--seed", default="21")
    asked.add_argument("--events", type=int, default=100_000)
    asked.add_argument("--no-bugs", action="store_true", help="do not try first whether planted bugs are found")
    asked.add_argument("--workers", type=int, default=2)
    given = asked.parse_args()
    hush()
    with prepared(), ProcessPoolExecutor(given.workers, get_context("fork"), hush) as workers:
        missed = 0
        for name, after, why in workers.map(_found, PLANTED, [given.seed] * len(PLANTED)) if not given.no_bugs else ():
            found = f"found after {after} events ({why[:90]})" if after else "NOT FOUND"
            print(f"{name}: {found}; at most {PLANTED[name][1]}", flush=True)
            missed += not after
        begun, total = time.monotonic(), Score()
        for score, failure in workers.map(_told, *zip(*_stories(given.seed, given.events), strict=True)):
            if failure is not None:
                workers.shutdown(cancel_futures=True)  # the machine is free for telling it again
                return _report(failure)
            total = total + score
        seconds = time.monotonic() - begun
    print(f"What happened: {told(total.kinds)}")
    print(f"What broke: {told(total.injected)}")
    print(
        f"{total.events} events in {seconds:.0f} s ({total.events / seconds:.0f} a second), {total.told} presses "
        f"looked up, {total.rounds} rounds verified: every promise was kept. Seed {given.seed}."
    )
    return 1 if missed else 0


def _report(failure: Failure) -> int:
    print(f"BROKEN at event {failure.at} of story {failure.seed}: {failure.why}", file=sys.stderr)
    short = shrunk(failure)
    print(f"As short as it gets, {len(short.lines)} events: {short.why}", file=sys.stderr)
    print(*short.lines, sep="\n", file=sys.stderr)
    return 1


def hush() -> None:
    """Killed processes leave connections behind, and SQLAlchemy, which is about to be collected too, complains."""
    warnings.simplefilter("ignore")
    logging.getLogger().addHandler(logging.NullHandler())
    sys.unraisablehook = lambda _: None


if __name__ == "__main__":
    sys.exit(main())
