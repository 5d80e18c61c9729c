"""``python -m tests.mutation``: change the ledger a little in every place, and expect a test to notice each time.

``python -m tests.mutation --shown 200 --seed 7`` does as much in 200 places, drawn from the seed, of what people read
and see: words, colours, limits, pictures. Nine in ten must be noticed: there are pixels that nobody misses.

Works on a copy of the project. What no test can notice is in `EXPLAINED`, with the reason. The tools that there are
change function bodies alone (mutmut) or no words (cosmic-ray), and most of what people see stands in tables outside.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from engine.games.registry import GAMES
from tests.mutation.explained import EXPLAINED
from tests.mutation.mutants import Mutant, mutants, slips

ROOT = Path(__file__).resolve().parents[2]
#: The modules that are changed, each with the tests that have to notice.
MODULES = (
    *(
        "data/ledger/ledger.py",
        "data/ledger/settlement.py",
        "data/journal/reading.py",
        "data/journal/tables.py",
        "data/drivers/batch.py",
    ),
    "data/ledger/chips.py",
)
TESTS = (
    *("test_ledger.py", "test_settlement.py", "test_journal.py", "test_rewards.py"),
    *("test_audit.py", "test_privacy.py", "test_ladder.py"),
)
#: The modules of what people read and see, each with the tests that have to notice.
PLAYED = tuple(name.replace("-", "_") for name in GAMES)
SHOWN = (
    *(
        f"cogs/{game}/page.py" if Path("cogs", game).is_dir() else f"cogs/{game}.py"
        for game in (*PLAYED, "elimination")
    ),
    *("cogs/tournament/pages.py", "cogs/table/people.py", "cogs/table/keys.py", "cogs/table/page.py"),
    "cogs/table/one_question.py",
    *("cogs/table/stake_form.py", "cogs/words/refusals.py"),
    *(f"cogs/pictures/{name}.py" for name in ("palette", "chips", "badges", "before", *PLAYED, "bars")),
)
SHOWN_TO = (
    *("tests/cogs/pages", "tests/cogs/pictures", "tests/cogs/table/test_layout.py", "tests/cogs/table/test_stakes.py"),
    *("tests/cogs/table/test_layout_of_other_games.py", "tests/cogs/words/test_refusals.py"),
)
ENOUGH = 0.9
LEDGER = ("-k", "sqlite", *(f"tests/data/{name}" for name in TESTS))
SECONDS = 120


@contextmanager
def copied() -> Iterator[Path]:
    """The code and its tests, somewhere else."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for name in ("bench", "cogs", "data", "engine", "tests"):
            shutil.copytree(ROOT / name, Path(folder) / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("bot.py", "pyproject.toml", "settings.py"):
            shutil.copy(ROOT / name, folder)
        yield Path(folder)


def noticed(project: Path, tests: Sequence[str]) -> bool:
    """Whether a test fails, or does not end."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=project, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def survivors(project: Path, module: str) -> Iterator[Mutant]:
    """The changes that nobody notices."""
    source = (project / module).read_text(encoding="utf-8")
    for mutant in mutants(source):
        (project / module).write_text(mutant.source, encoding="utf-8")
        if not noticed(project, LEDGER):
            yield mutant
    (project / module).write_text(source, encoding="utf-8")


def shown(count: int, seed: int) -> int:
    """Make this many slips in what people read and see, and return the exit code."""
    left = list[str]()
    with copied() as project:
        if noticed(project, SHOWN_TO):
            print("The tests fail before anything is changed.", file=sys.stderr)
            return 2
        made = [(module, slip) for module in SHOWN for slip in slips((project / module).read_text(encoding="utf-8"))]
        for module, slip in random.Random(seed).sample(made, count):
            right = (project / module).read_text(encoding="utf-8")
            (project / module).write_text(slip.source, encoding="utf-8")
            if not noticed(project, SHOWN_TO):
                left.append(f"{module}: {slip}")
                print(f"    UNNOTICED  {left[-1]}", flush=True)
            (project / module).write_text(right, encoding="utf-8")
    print(f"{count} of {len(made)} slips in what people see, {count - len(left)} noticed")
    return int(count - len(left) < ENOUGH * count)


def ledger(modules: Sequence[str]) -> int:
    """Every slight change of the modules that keep the chips."""
    unexplained = 0
    with copied() as project:
        if noticed(project, LEDGER):
            print("The tests fail before anything is changed.", file=sys.stderr)
            return 2
        for module in modules or MODULES:
            total = sum(1 for _ in mutants((ROOT / module).read_text(encoding="utf-8")))
            left = list(survivors(project, module))
            unknown = [mutant for mutant in left if str(mutant) not in EXPLAINED.get(module, {})]
            unexplained += len(unknown)
            print(f"{module}: {total} changes, {total - len(left)} noticed, {len(left) - len(unknown)} explained")
            for mutant in unknown:
                print(f"    UNNOTICED  {mutant}", flush=True)
    return 1 if unexplained else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Change the code a little, and see whether a test notices.")
    parser.add_argument("--shown", type=int, metavar="COUNT", help="so many slips in what people read and see")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("modules", nargs="*", help="of the ledger; all of them if none is named")
    asked = parser.parse_args()
    return shown(asked.shown, asked.seed) if asked.shown else ledger(asked.modules)


if __name__ == "__main__":
    sys.exit(main())
