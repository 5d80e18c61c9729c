"""Runs one bench by name; each is a module of this package with a `main()`."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path


def main() -> int:
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    benches = [name for name in names if not name.startswith("_")]
    if len(sys.argv) < 2 or sys.argv[1] not in benches:
        print(f"usage: python -m bench NAME ...; there are {', '.join(benches)}", file=sys.stderr)
        return 2
    name = sys.argv.pop(1)
    importlib.import_module(f"bench.{name}").main()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
