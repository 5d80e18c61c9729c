"""The proof that no chip was lost or made, from the transfers up.

Nothing that is kept is believed: balances, results and scores are worked out again from the transfers and the journal,
and what differs is a fault.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data import accounts, journal
from data.proofs import Wrong, proofs
from data.schema import members, plays, pots, rounds, transfers
from data.settlement import Result, results
from data.store import Row
from engine.fairness.replay import lines_hash

#: Faults told of each kind; the first few say enough.
MOST_FAULTS: Final = 20
#: Rounds looked at together.
CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Fault:
    wrong: Wrong
    where: str  # which account, round or member
    guild: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.wrong.value}: {self.where} of guild {self.guild}: {self.found}, not {self.expected}"


@dataclass(frozen=True, slots=True)
class Report:
    at: float
    accounts: int
    transfers: int
    rounds: int
    faults: tuple[Fault, ...]

    @property
    def clean(self) -> bool:
        return not self.faults


async def examine(connection: AsyncConnection, at: float) -> Report:
    """Everything, as it is at one moment: the connection must be in a transaction that sees one."""
    faults: list[Fault] = []
    for wrong, query in proofs(connection.dialect, MOST_FAULTS).items():
        found = (await connection.exec_driver_sql(query)).all()
        faults.extend(Fault(wrong, row.place, row.guild, str(row.expected), str(row.found)) for row in found)
    faults.extend([fault async for fault in _wrong_outcomes(connection)][:MOST_FAULTS])
    people, others, moves, played = [await _count(connection, each) for each in (members, pots, transfers, rounds)]
    return Report(at, people + others, moves, played, tuple(faults))


async def _count(connection: AsyncConnection, table: sa.Table) -> int:
    return int((await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one())


# -- what only the lines can tell --------------------------------------------------------------------------------------


async def _wrong_outcomes(connection: AsyncConnection) -> AsyncIterator[Fault]:
    """Finished rounds whose booked results are not those of their lines, or whose lines were changed afterwards."""
    last = (-1, -1)
    while found := (await connection.execute(_FINISHED, {"table": last[0], "number": last[1]})).all():
        first, last = (found[0].table_id, found[0].number), (found[-1].table_id, found[-1].number)
        booked = await _booked(connection, first, last)
        for row in found:
            for fault in _judged(row, booked[row.table_id, row.number]):
                yield fault


def _after(table: str, number: str) -> sa.ColumnElement[bool]:
    return sa.tuple_(rounds.c.table_id, rounds.c.number) > sa.tuple_(sa.bindparam(table), sa.bindparam(number))


_FINISHED: Final = (
    sa.select(rounds)
    .where(rounds.c.finished_at.is_not(None), _after("table", "number"))
    .order_by(rounds.c.table_id, rounds.c.number)
    .limit(CHUNK)
)

Key = tuple[int, int]


async def _booked(connection: AsyncConnection, first: Key, last: Key) -> dict[Key, dict[int, Result]]:
    key = sa.tuple_(plays.c.table_id, plays.c.number)
    found = (await connection.execute(sa.select(plays).where(key >= first, key <= last))).all()
    booked: dict[Key, dict[int, Result]] = defaultdict(dict)
    for row in found:
        booked[row.table_id, row.number][row.member] = Result(row.staked, row.returned)
    return booked


def _judged(row: Row, booked: dict[int, Result]) -> Iterator[Fault]:
    finish, where = journal.finished(row), accounts.escrow(row.table_id, row.number)
    expected = results(finish, json.loads(row.members))
    if booked != expected:
        yield Fault(Wrong.OUTCOME, where, row.guild, _told(expected), _told(booked))
    fingerprint = lines_hash(finish.lines)
    if fingerprint != row.outcome:
        yield Fault(Wrong.OUTCOME, where, row.guild, fingerprint, row.outcome)


def _told(booked: dict[int, Result]) -> str:
    told = [f"member {member} {result.staked} to {result.returned}" for member, result in booked.items()]
    return ", ".join(told) or "nobody"
