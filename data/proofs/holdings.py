"""Proves the roles that people bought and won: each was paid for or won, and one that is not for good has an end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.club import OWNED
from data.base.schema import holdings, jobs, members, transfers
from data.base.values import Championship, Sold
from data.drivers.statement import Row
from data.ledger.shop import ROLE
from data.proofs.names import first_number
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between

_OF_A_MOVE: Final = ("guild", "source", "target", "amount")

_number = sa.cast(holdings.c.id, sa.Text)
_paid, _back = transfers.alias("paid"), transfers.alias("back")
_FOUND: Final = (
    sa.select(
        holdings,
        members.c.guild.label("known_in"),
        *(_paid.c[name].label(f"paid_{name}") for name in (*_OF_A_MOVE, "at")),
        *(_back.c[name].label(f"back_{name}") for name in _OF_A_MOVE),
        jobs.c.due,
        jobs.c.done_at,
    )
    .outerjoin(members, members.c.id == holdings.c.member)
    .outerjoin(_paid, _paid.c.key == sa.literal("press/", sa.Text) + _number + sa.literal("/role", sa.Text))
    .outerjoin(_back, _back.c.key == sa.literal("role/", sa.Text) + _number + sa.literal("/back", sa.Text))
    .outerjoin(jobs, jobs.c.key == sa.literal(f"{ROLE}/", sa.Text) + _number)
    .where(between(holdings.c.id))
)
_STATES: Final = frozenset(Sold)
_CHAMPIONSHIPS: Final = frozenset(Championship)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    return Slice(0, [fault for row in found for fault in _holding(row)])


def _holding(row: Row) -> Iterator[Fault]:
    """Yield a fault for each thing that is wrong with a role that was bought or won."""
    bought, wallet = row.championship is None, accounts.member(row.member)
    refunded = row.state == Sold.REFUNDED.value
    payment = (row.guild, wallet, accounts.HOUSE, row.price, row.at)
    back = (row.guild, accounts.HOUSE, wallet, row.price)
    for what, expected, found in (
        ("state", row.state in _STATES, row.state),
        ("championship", bought or row.championship in _CHAMPIONSHIPS, row.championship),
        ("member", row.known_in == row.guild, row.known_in),
        ("price", bought or row.price == 0, row.price),
        ("payment", _moved(row, "paid", "at") == (payment if bought else None), _moved(row, "paid", "at")),
        ("refund", _moved(row, "back") == (back if bought and refunded else None), _moved(row, "back")),
        ("job", _has_job(row) == _needs_job(row), row.due),
        ("end", _ends_rightly(row), row.until),
    ):
        if not expected:
            yield Fault(Wrong.ROLE, f"{ROLE}/{row.id}", row.guild, f"another {what}", str(found))


def _moved(row: Row, what: str, *more: str) -> tuple[object, ...] | None:
    """Return the booked transfer of a payment (`what` is "paid") or of a refund ("back"); None if there is none.

    It is a tuple of the fields in `_OF_A_MOVE`, and of those named in `more`.
    """
    moved = tuple(getattr(row, f"{what}_{name}") for name in (*_OF_A_MOVE, *more))
    return moved if moved[0] is not None else None


def _has_job(row: Row) -> bool:
    """Return whether a job is to give the role, or to take it back no sooner than it ends."""
    return row.due is not None and row.done_at is None and row.due >= (row.until or 0)


def _needs_job(row: Row) -> bool:
    ends = row.seconds is not None or row.championship is not None
    return bool(row.state == Sold.PAID.value or (row.state == Sold.HELD.value and ends))


def _ends_rightly(row: Row) -> bool:
    """Return whether a role has the right end: none, or one that leaves at least the time that was paid for.

    A champion's role may end at any time.
    """
    if row.championship is not None:
        return True
    if row.seconds is None or row.state not in (Sold.HELD.value, Sold.OVER.value):
        return row.until is None and row.state != Sold.OVER.value
    return row.until is not None and bool(row.until >= row.at + row.seconds)


_PAYMENT: Final = transfers.c.reason.in_(["role", "role back"])
_UNKNOWN: Final = (
    sa.select(transfers.c.key, transfers.c.guild)
    .outerjoin(holdings, holdings.c.id == first_number(transfers.c.key))
    .where(between(transfers.c.id), _PAYMENT, holdings.c.id.is_(None))
)


async def _look_at_payments(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_UNKNOWN, here.values)).all()
    return Slice(0, [Fault(Wrong.ROLE, row.key, row.guild, "a role", "none") for row in found])


HOLDINGS: Final = Walk("roles", _look, (holdings.c.id,), (-LAST,), 500)
#: The walk through the roles that somebody has or is about to get.
OPEN_HOLDINGS: Final = Walk("roles", _look, (holdings.c.id,), (-LAST,), 500, which=OWNED)
PAYMENTS: Final = Walk("roles", _look_at_payments, (transfers.c.id,), (-LAST,), 5_000, which=_PAYMENT)
