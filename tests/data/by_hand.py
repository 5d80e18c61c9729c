"""Changes to a bank by somebody who can write to its tables past the program."""

from __future__ import annotations

from typing import Final

from data import Bank

#: The text of the rules that a row of `rounds` names.
RULES: Final = "(SELECT text FROM rule_texts WHERE hash = rules_hash)"


async def by_hand(bank: Bank, *commands: str) -> None:
    """These, in one transaction."""
    async with bank._store.rewriting() as connection:
        for command in commands:
            await connection.exec_driver_sql(command)


async def bind_all(bank: Bank) -> int:
    """Bind everything that is not bound in the books yet, and return how much that was."""
    total = 0
    while bound := await bank.leaves.bind():
        total += bound
    return total
