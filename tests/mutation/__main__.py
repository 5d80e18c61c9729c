"""``python -m tests.mutation``: change the ledger a little in every place, and expect a test to notice each time.

Works on a copy of the project. What no test can notice is in `EXPLAINED`, with the reason.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mutation.explained import EXPLAINED
from tests.mutation.mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
#: What is changed, and who has to notice.
MODULES = (
    *(
        "data/ledger/ledger.py",
        "data/ledger/settlement.py",
        "data/journal/journal.py",
        "data/journal/tables.py",
        "data/drivers/batch.py",
    ),
    *("data/ledger/chip_statements.py", "data/journal/journal_statements.py"),
)
TESTS = (
    *("test_ledger.py", "test_settlement.py", "test_journal.py", "test_rewards.py"),
    *("test_audit.py", "test_privacy.py", "test_ladder.py"),
)
SECONDS = 120


@contextmanager
def copied() -> Iterator[Path]:
    """The code and its tests, somewhere else."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for name in ("data", "engine", "tests"):
            shutil.copytree(ROOT / name, Path(folder) / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        yield Path(folder)


def noticed(project: Path) -> bool:
    """Whether a test fails, or does not end."""
    tests = [f"tests/data/{name}" for name in TESTS]
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", "sqlite", *tests]
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
        if not noticed(project):
            yield mutant
    (project / module).write_text(source, encoding="utf-8")


def main(modules: list[str]) -> int:
    unexplained = 0
    with copied() as project:
        if noticed(project):
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
