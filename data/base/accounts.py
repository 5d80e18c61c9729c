"""The names of accounts in the ledger, such as ``member/12``, ``escrow/900/3``, ``computer/900/Ada`` or ``house``."""

from __future__ import annotations

from typing import Final

from engine.tables.values import Account, Kind

HOUSE: Final = Kind.HOUSE.value
MINT: Final = Kind.MINT.value

#: The kinds of accounts whose balance is stored nowhere: it is the sum of their transfers.
UNKEPT: Final = frozenset((Kind.HOUSE, Kind.MINT))

_MEMBER: Final = Kind.MEMBER.value
_ESCROW: Final = Kind.ESCROW.value
_STACK: Final = Kind.STACK.value


def name(account: Account) -> str:
    """Return the account's name in the ledger."""
    return f"{account.kind.value}/{account.owner}" if account.owner else account.kind.value


def member(number: int) -> str:
    """Return the name of a member's wallet."""
    return f"{_MEMBER}/{number}"


def escrow(table: int, number: int) -> str:
    """Return the name of the account that holds the stakes of a round."""
    return f"{_ESCROW}/{table}/{number}"


def stack(table: int, member: int) -> str:
    """Return the name of the account that holds a member's stack: the chips bought in at a table."""
    return f"{_STACK}/{table}/{member}"


def duel(number: int) -> str:
    """Return the name of the account that holds the stakes of a duel."""
    return f"{Kind.DUEL.value}/{number}"


def owner(name: str) -> int:
    """Return the member's number in the name of a wallet: 12 for ``member/12``."""
    return int(name.partition("/")[2])


def owner_of_stack(account: Account) -> int:
    """Return the number of the member whose stack this account is."""
    return int(account.owner.partition("/")[2])


def stacks(member: int) -> str:
    """Return the SQL pattern (LIKE) for the names of a member's stacks at all tables."""
    return f"{_STACK}/%/{member}"
