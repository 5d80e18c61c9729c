"""`python -m bench NAME` runs one bench, which prints a line of JSON; each is a module here with a `main()`.

`python -m bench all [--keep FILE]` runs each in a process of its own and ends in tables that a person can read; FILE
keeps them as a page. `BENCH="picture press" make bench` runs some.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench._told import page


def benches() -> list[str]:
    """All that there are, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return [name for name in names if not name.startswith("_")]


def run_all(names: list[str], keep: Path | None) -> int:
    """One after the other. What one of them cannot do does not keep the others from it."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, "-m", "bench", name], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0:
            found[name] = json.loads(done.stdout.splitlines()[-1])
    told = page(found)
    print(told)
    if keep is not None:
        keep.write_text(told, encoding="utf-8")
    return int(len(found) < len(names))


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] in benches():
        importlib.import_module(f"bench.{sys.argv.pop(1)}").main()
        return 0
    parser = argparse.ArgumentParser(prog="python -m bench", description=f"NAME is one of {', '.join(benches())}.")
    parser.add_argument("all", choices=["all"], metavar="NAME | all")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the tables to this page too")
    parser.add_argument("--only", nargs="+", choices=benches(), metavar="NAME", help="some of them")
    asked = parser.parse_args()
    return run_all(asked.only or benches(), asked.keep)


if __name__ == "__main__":
    raise SystemExit(main())
