"""Proves the packs: each has as many rounds as it says, and the rows of these rounds name the pack.

`data.proofs.rounds` proves that each round is in the pack that its row names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import packs, rounds
from data.drivers.statement import Row
from data.journal.packs import Damaged, RoundKey, unpacked
from data.proofs.report import Fault, Wrong
from data.proofs.slices import LAST, KeyRange, Slice, Walk, between

_FOUND: Final = sa.select(packs).where(between(packs.c.id)).order_by(packs.c.id)
_ROUNDS: Final = sa.select(rounds.c.table_id, rounds.c.number, rounds.c.guild, rounds.c.pack).where(
    sa.tuple_(rounds.c.table_id, rounds.c.number).in_(sa.bindparam("keys", expanding=True))
)


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    faults = list[Fault]()
    for pack in (await connection.execute(_FOUND, here.values)).all():
        try:
            keys = sorted(unpacked(pack))
        except Damaged as error:
            faults.append(Fault(Wrong.PACK, f"pack {pack.id}", pack.guild, "as it was put away", str(error)))
            continue
        found = (await connection.execute(_ROUNDS, {"keys": keys})).all() if keys else ()
        faults += _pack(pack, keys, {(row.table_id, row.number): row for row in found})
    return Slice(0, faults)


def _pack(pack: Row, keys: list[RoundKey], known: Mapping[RoundKey, Any]) -> Iterator[Fault]:
    if pack.rounds != len(keys):
        yield Fault(Wrong.PACK, f"pack {pack.id}", pack.guild, f"{len(keys)} rounds", str(pack.rounds))
    for key in keys:
        row = known.get(key)
        where = (row.guild, row.pack) if row is not None else None
        if where != (pack.guild, pack.id):
            yield Fault(Wrong.PACK, accounts.escrow(*key), pack.guild, f"in pack {pack.id}", str(where))


PACKS: Final = Walk("packs", _look, (packs.c.id,), (-LAST,), 5)
