"""Ends a round: keeps its lines, closes its empty escrow for good, and books each member's result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from data.drivers.batch import Batch
from data.faults import BadChange
from data.journal.reading import compact
from data.ledger import accounts
from data.ledger.ledger import CLOSE_ESCROW
from data.statements import Statements
from engine.games.contract import Cents, Line
from engine.tables.values import Account, Change, Finish, Kind


class Result(NamedTuple):
    """The stake and the payout of a round for one member."""

    staked: Cents
    returned: Cents

    @property
    def net(self) -> Cents:
        return self.returned - self.staked


def results(lines: Sequence[Line], members: Sequence[int | None]) -> dict[int, Result]:
    """Return the results of the members in ascending order; computer players have none."""
    known = dict(enumerate(members))
    found = {member: Result(0, 0) for member in members if member is not None}
    for seat, _, staked, returned, _ in lines:
        member = known.get(seat)
        if member is not None:
            before = found[member]
            found[member] = Result(before.staked + staked, before.returned + returned)
    return dict(sorted(found.items())) if len(found) > 1 else found


def is_real(change: Change, finish: Finish) -> bool:
    """Return whether chips of the ledger were on the round: the change that ends it empties its escrow."""
    escrow = Account(Kind.ESCROW, change.table.guild, f"{change.table.id}/{finish.number}")
    return any(escrow in (transfer.source, transfer.target) for transfer in change.transfers)


def finish(batch: Batch, sql: Statements, change: Change, finish: Finish, members: Sequence[int | None]) -> None:
    """Add the end of a round to a batch: it raises BadChange if the round is not being played or chips are left."""
    table, real = change.table, is_real(change, finish)
    escrow = accounts.escrow(table.id, finish.number)
    this = {"p_table_id": table.id, "p_number": finish.number, "p_at": finish.at}
    ending = {
        "p_lines": compact([line._asdict() for line in finish.lines]),
        "p_outcome": finish.outcome,
        "p_hash": finish.hash or None,
    }
    fault = BadChange(f"round {finish.number} of table {table.id} cannot end: not being played, or chips left over")
    batch.must(sql.journal.finish, {**this, **ending, "p_escrow": escrow}, fault)
    if finish.chain is not None:
        batch.must(sql.journal.keep_hash, {"p_id": finish.chain, "p_hash": finish.hash, "p_at": finish.at}, fault)
    batch.must(CLOSE_ESCROW, {"guild": table.guild, "name": escrow}, fault)
    for member, result in results(finish.lines, members).items():
        _book(batch, sql, member, result, {**this, "p_real": int(real)}, fault)


def _book(
    batch: Batch, sql: Statements, member: int, result: Result, round: Mapping[str, object], fault: BadChange
) -> None:
    play = {**round, "p_member": member, "p_staked": result.staked, "p_returned": result.returned}
    batch.must(sql.journal.play, play, fault)
    if round["p_real"]:
        score = {"p_member": member, "p_won": int(result.net > 0), "p_net": result.net}
        batch.must(sql.journal.score, score, fault)
