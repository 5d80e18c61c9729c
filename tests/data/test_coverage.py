"""Where chips move, no line and no turning is left untried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("data/ledger/ledger.py", "data/ledger/settlement.py")
TESTS = ("tests/data/test_ledger.py", "tests/data/test_settlement.py", "tests/data/test_chains.py")


@pytest.mark.slow
def test_every_branch_of_ledger_and_settlement_is_taken(tmp_path: Path) -> None:
    """Of what is run on SQLite: the two databases differ further down."""
    here = {**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage")}

    def coverage(*words: str) -> str:
        command = [sys.executable, "-m", "coverage", *words]
        done = subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    pytest = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "sqlite", *TESTS)
    coverage("run", "--branch", f"--include={','.join(MODULES)}", *pytest)
    told = coverage("report", "--show-missing", "--fail-under=100")
    assert all(module in told for module in MODULES)
