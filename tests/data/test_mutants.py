"""No slight change of ledger, journal or settlement goes unnoticed, but for those that change nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants, slips

ROOT = Path(__file__).resolve().parents[2]
STATEMENTS = """
MOST: Final = 3 * 2
_here = sa.and_(wallet >= amount, guild == this)
TAKE: Final = Statement(sa.update(wallet).values(balance=wallet - amount).where(_here))
"""
CODE = """
def pay(balance, amount):
    if balance >= amount and not amount < 1:
        take(amount)
        return balance - amount
"""


PAGE = '''
"""A page."""
GOLD: Final = "gold"
WIDE = 1.5


@cache(64)
def told(n: "Name") -> str:
    """Says it."""
    return n
'''


def test_guards_of_statements_are_changed_as_those_of_functions() -> None:
    assert {str(mutant) for mutant in mutants(STATEMENTS)} == {
        "_here, wallet >= amount: swap 0",
        "_here, guild == this: swap 0",
        "TAKE, wallet - amount: swap",
    }


def test_each_place_is_changed_by_itself() -> None:
    made = {str(mutant): mutant.source for mutant in mutants(CODE)}
    assert len(made) == len(set(made.values())) == 10
    assert "if balance > amount and" in made["pay, balance >= amount: swap 0"]
    assert "return balance + amount" in made["pay, balance - amount: swap"]
    assert "take(amount)" not in made["pay, take(amount): left out"]
    assert all(source != CODE for source in made.values())


def test_words_and_measures_slip_too_but_not_what_only_readers_of_the_code_see() -> None:
    assert [str(slip) for slip in slips(PAGE)] == [
        "line 3, 'gold': other words",
        "line 4, 1.5: another constant",
        "line 10, return n: nothing returned",
    ]


@pytest.mark.long
def test_slips_in_what_people_see_are_noticed() -> None:
    command = [sys.executable, "-m", "tests.mutation", "--shown", "100"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_every_slight_change_of_the_ledger_is_noticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
