"""No slight change of ledger, journal or settlement goes unnoticed, but for those that change nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants

ROOT = Path(__file__).resolve().parents[2]
CODE = """
def pay(balance, amount):
    if balance >= amount and not amount < 1:
        take(amount)
        return balance - amount
"""


def test_each_place_is_changed_by_itself() -> None:
    made = {str(mutant): mutant.source for mutant in mutants(CODE)}
    assert len(made) == len(set(made.values())) == 10
    assert "if balance > amount and" in made["pay, balance >= amount: swap 0"]
    assert "return balance + amount" in made["pay, balance - amount: swap"]
    assert "take(amount)" not in made["pay, take(amount): left out"]
    assert all(source != CODE for source in made.values())


@pytest.mark.long
def test_every_slight_change_of_the_ledger_is_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
