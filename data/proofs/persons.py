"""Proves that each break and limit has the fingerprint of the person it names.

If a row names nobody, its fingerprint must not be that of anybody whom the bank knows. Faults name the number of a row
and no person, because that is private.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import KNOWN, breaks, limits, members
from data.journal.leaves import HOUSE_BOOK
from data.people.fingerprints import HOUSE, KEY_ROW, fingerprint_of
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between

_HERE: Final = sa.select(members.c.user_id).where(between(members.c.id), KNOWN)


def _walks(table: sa.Table, wrong: Wrong) -> tuple[Walk, Walk]:
    """Return two walks: through the rows that name a person, and through all people whom the bank knows.

    The first finds rows with somebody else's fingerprint. The second finds rows without a name whose fingerprint is
    that of somebody known.
    """
    named = sa.select(table.c.id, table.c.fingerprint, table.c.user_id).where(
        between(table.c.id), table.c.user_id.is_not(None)
    )
    of_nobody = sa.select(table.c.id, table.c.fingerprint).where(table.c.user_id.is_(None))

    def fault(number: int) -> Fault:
        return Fault(wrong, f"{table.name} {number}", HOUSE_BOOK, "the person who took it", "another, or nobody")

    async def look(connection: AsyncConnection, here: KeyRange) -> Slice:
        key = (await connection.execute(KEY_ROW)).scalar() or b""
        rows = (await connection.execute(named, here.values)).all()
        return Slice(0, [fault(row.id) for row in rows if row.fingerprint != fingerprint_of(key, HOUSE, row.user_id)])

    async def look_for_others(connection: AsyncConnection, here: KeyRange) -> Slice:
        rows = (await connection.execute(of_nobody)).all()
        if not rows:
            return Slice(0)
        key = (await connection.execute(KEY_ROW)).scalar() or b""
        people = (await connection.execute(_HERE, here.values)).scalars()
        known = {fingerprint_of(key, HOUSE, user) for user in people}
        return Slice(0, [fault(row.id) for row in rows if row.fingerprint in known])

    return (
        Walk(table.name, look, (table.c.id,), (0,), 1_000),
        Walk(table.name, look_for_others, (members.c.id,), (0,), 5_000, which=KNOWN),
    )


PERSONS: Final = (*_walks(breaks, Wrong.BREAK), *_walks(limits, Wrong.LIMIT))
