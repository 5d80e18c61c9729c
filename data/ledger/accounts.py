"""How accounts are called in the ledger: ``member/12``, ``escrow/900/3``, ``computer/900/Ada``, ``house``, ``mint``."""

from __future__ import annotations

from typing import Final

from engine.tables.values import Account, Kind

HOUSE: Final = Kind.HOUSE.value
MINT: Final = Kind.MINT.value

#: Kinds whose balance is the sum of their transfers and kept nowhere else.
UNKEPT: Final = frozenset((Kind.HOUSE, Kind.MINT))

_MEMBER: Final = Kind.MEMBER.value
_ESCROW: Final = Kind.ESCROW.value
_STACK: Final = Kind.STACK.value


def name(account: Account) -> str:
    return f"{account.kind.value}/{account.owner}" if account.owner else account.kind.value


def member(number: int) -> str:
    return f"{_MEMBER}/{number}"


def escrow(table: int, number: int) -> str:
    return f"{_ESCROW}/{table}/{number}"


def stack(table: int, member: int) -> str:
    return f"{_STACK}/{table}/{member}"


def owner(name: str) -> int:
    """The number of the member behind ``member/12``."""
    return int(name.partition("/")[2])
