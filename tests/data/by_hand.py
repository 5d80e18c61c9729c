"""Changes to a bank by somebody who can write to its tables past the program."""

from __future__ import annotations

import contextlib
from typing import Final

from data import Bank
from data.proofs.audit import audit
from data.proofs.report import Wrong

#: The text of the rules that a row of `rounds` names.
RULES: Final = "(SELECT text FROM rule_texts WHERE hash = rules_hash)"


async def by_hand(bank: Bank, *commands: str) -> None:
    """These, in one transaction."""
    async with bank._store.rewriting() as connection:
        for command in commands:
            await connection.exec_driver_sql(command)


class _Undone(Exception):
    """Takes back what was written."""


async def would_find(bank: Bank, command: str) -> list[tuple[Wrong, str]]:
    """What the audit would find after this, and where. None of it stays, so that one bank serves many forgeries."""
    found = list[tuple[Wrong, str]]()
    with contextlib.suppress(_Undone):
        async with bank._store.rewriting() as connection:
            await connection.exec_driver_sql(command)
            report = await audit(lambda: contextlib.nullcontext(connection), 0.0)
            found += [(fault.wrong, fault.where) for fault in report.faults]
            raise _Undone
    return found


async def bind_all(bank: Bank) -> int:
    """Bind everything that is not bound in the books yet, and return how much that was."""
    total = 0
    while bound := await bank.leaves.bind():
        total += bound
    return total
