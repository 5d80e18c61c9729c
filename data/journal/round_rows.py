"""The query for rounds with all their columns, two of which may be stored in other tables.

Many rounds have the same rules, so the text of the rules is stored once, and a round names it by its hash. The promise
of a round of a chain is the chain's tip. Rounds of earlier releases have both in their own rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import chains, rounds, rule_texts
from data.drivers.statement import insert_once

#: Stores a text of rules, unless it is there already.
KEEP_RULES: Final = insert_once(rule_texts)

_text = sa.select(rule_texts.c.text).where(rule_texts.c.hash == rounds.c.rules_hash).scalar_subquery()
_tip = sa.select(chains.c.tip).where(chains.c.id == rounds.c.chain).scalar_subquery()
_elsewhere: Final[Mapping[str, sa.ColumnElement[Any]]] = {
    "rules": sa.func.coalesce(rounds.c.rules, _text).label("rules"),
    "commitment": sa.func.coalesce(sa.func.nullif(rounds.c.commitment, ""), _tip).label("commitment"),
}
#: The columns of a round; some are read from other tables, to which its row refers.
WHOLE: Final[Mapping[str, sa.ColumnElement[Any]]] = {
    column.name: _elsewhere.get(column.name, column) for column in rounds.columns
}
#: The query for rounds with all their columns.
ROUNDS: Final = sa.select(*WHOLE.values())


def hash_of(rules: str) -> bytes:
    """Return the hash by which rounds name the text of their rules."""
    return hashlib.sha256(rules.encode()).digest()
