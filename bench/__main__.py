"""Runs benchmarks: `python -m bench NAME` prints a line of JSON; each is a module here with a `main()`.

`python -m bench all [--keep FILE]` runs each in a process of its own and ends with tables to read. FILE keeps them as a
page, with the remarks already written there. `BENCH="picture press" make bench` runs some of them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench._told import TOOK, page

#: Seconds after which a benchmark is given up; none takes nearly as long.
PATIENCE_SECONDS: Final = 1800.0


def benches() -> list[str]:
    """Return the names of all benchmarks."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return [name for name in names if not name.startswith("_")]


def run_all(names: list[str], keep: Path | None) -> int:
    """Run the benchmarks one after the other, even if one fails, and return the exit code."""
    found: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(names, 1):
        print(f"{number} of {len(names)}, {name} ...", end=" ", file=sys.stderr, flush=True)
        began = time.perf_counter()
        found[name] = _told_by(name)
        seconds = round(time.perf_counter() - began)
        print(f"{seconds} s" if found[name] else f"cannot be measured, after {seconds} s", file=sys.stderr, flush=True)
        if found[name]:
            found[name][TOOK] = seconds
    print(page(found))
    if keep is not None:
        before = keep.read_text(encoding="utf-8") if keep.exists() else ""
        keep.write_text(page(found, before), encoding="utf-8")
    return int(not all(found.values()))


def _told_by(name: str) -> dict[str, Any]:
    """Return the figures of a benchmark run in a process of its own, or none if it fails or does not end."""
    command = [sys.executable, "-m", "bench", name]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return {}
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main(arguments: Sequence[str] | None = None, prog: str = "python -m bench") -> int:
    """Run one benchmark, or all of them, and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in benches():
        sys.argv = words  # some have an argument of their own
        importlib.import_module(f"bench.{words[0]}").main()
        return 0
    parser = argparse.ArgumentParser(prog=prog, description=f"NAME is one of {', '.join(benches())}.")
    parser.add_argument("all", choices=["all"], metavar="NAME | all")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the tables to this page too")
    parser.add_argument("--only", nargs="+", choices=benches(), metavar="NAME", help="some of them")
    asked = parser.parse_args(words)
    return run_all(asked.only or benches(), asked.keep)


if __name__ == "__main__":
    raise SystemExit(main())
