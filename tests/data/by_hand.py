"""What somebody does to a bank who can write to its tables past the program."""

from __future__ import annotations

from data import Bank


async def by_hand(bank: Bank, *commands: str) -> None:
    """These, in one transaction."""
    async with bank._store.rewriting() as connection:
        for command in commands:
            await connection.exec_driver_sql(command)


async def bind_all(bank: Bank) -> int:
    """Whatever is not bound in the books yet; how much that was."""
    total = 0
    while bound := await bank.leaves.bind():
        total += bound
    return total
