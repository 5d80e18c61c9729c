"""Proves the texts of rules: each has the hash by which rounds name it."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import rule_texts
from data.journal.round_rows import hash_of
from data.proofs.report import Fault, Wrong
from data.proofs.slices import KeyRange, Slice, Walk, between

_FOUND: Final = sa.select(rule_texts).where(between(rule_texts.c.hash))


async def _look(connection: AsyncConnection, here: KeyRange) -> Slice:
    found = (await connection.execute(_FOUND, here.values)).all()
    return Slice(
        0,
        [
            Fault(Wrong.RULES, bytes(row.hash).hex(), 0, "the text of this hash", hash_of(row.text).hex())
            for row in found
            if hash_of(row.text) != bytes(row.hash)
        ],
    )


RULE_TEXTS: Final = Walk("rules", _look, (rule_texts.c.hash,), (b"",), 100)
