"""Ends a round: stores its lines, counts it in its chain, closes its empty escrow, and books each member's result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import BadChange
from data.base.json_text import compact
from data.base.schema import chains, members, plays, pots, promises, rounds
from data.drivers.batch import Batch
from data.drivers.statement import Statement, insert_once, param
from data.ledger.ledger import CLOSE_ESCROW
from engine.fairness.chain import LENGTH
from engine.games.contract import Cents, Line
from engine.tables.values import Account, Change, Finish, Kind

#: The rounds that a member must have finished to have a win rate.
ENOUGH: Final = 20
MILLION: Final = 1_000_000

_owing = sa.select(pots.c.name).where(
    pots.c.guild == rounds.c.guild, pots.c.name == param("escrow", sa.Text()), pots.c.balance != 0
)
FINISH: Final = Statement(
    sa.update(rounds)
    .values(lines=param("lines"), outcome=param("outcome"), hash=param("hash"), finished_at=param("at"))
    .where(
        rounds.c.table_id == param("table_id"),
        rounds.c.number == param("number"),
        rounds.c.dealt_at.is_not(None),
        rounds.c.finished_at.is_(None),
        ~sa.exists(_owing),
    )
)
_used_up = chains.c.used >= LENGTH
#: The condition of a chain whose promise was given up during the round: the chain ends with this round.
_given_up = sa.exists(sa.select(promises.c.id).where(promises.c.id == chains.c.promise, promises.c.why.is_not(None)))
_ends = sa.or_(_used_up, _given_up)
_KEEP_HASH: Final = Statement(
    sa.update(chains)
    .values(
        last=param("hash"),
        finished=chains.c.finished + 1,
        ended_at=sa.func.coalesce(chains.c.ended_at, sa.case((_ends, param("at", sa.Double())))),
        why=sa.func.coalesce(chains.c.why, sa.case((_used_up, "used up"), (_ends, "its promise was given up"))),
    )
    .where(chains.c.id == param("id"))
)
PLAY: Final = insert_once(plays)
_one_more, _won = members.c.rounds + 1, members.c.won + param("won", sa.Integer())
SCORE: Final = Statement(
    sa.update(members)
    .values(
        rounds=_one_more,
        won=_won,
        winnings=members.c.winnings + param("net", sa.BigInteger()),
        rate=sa.case((_one_more >= ENOUGH, sa.cast(_won, sa.BigInteger) * MILLION // _one_more)),
        stale=1,
    )
    .where(members.c.id == param("member"))
)


class Result(NamedTuple):
    """The chips that one member staked on a round, and those that came back (stakes and winnings), over all lines."""

    staked: Cents
    returned: Cents

    @property
    def net(self) -> Cents:
        return self.returned - self.staked


def results(lines: Sequence[Line], members: Sequence[int | None]) -> dict[int, Result]:
    """Return what each member staked and got back, in order of the members' numbers.

    `members` has the member of each seat, or None for a computer player, who gets no result.
    """
    known = dict(enumerate(members))
    found = {member: Result(0, 0) for member in members if member is not None}
    for seat, _, staked, returned, _ in lines:
        member = known.get(seat)
        if member is not None:
            before = found[member]
            found[member] = Result(before.staked + staked, before.returned + returned)
    return dict(sorted(found.items())) if len(found) > 1 else found


def is_real(change: Change, finish: Finish) -> bool:
    """Return whether real chips were on the round: then the change that ends it moves them out of its escrow."""
    escrow = Account(Kind.ESCROW, change.table.guild, f"{change.table.id}/{finish.number}")
    return any(escrow in (transfer.source, transfer.target) for transfer in change.transfers)


def finish(batch: Batch, change: Change, finish: Finish, members: Sequence[int | None]) -> None:
    """Add the end of a round to a batch. `members` has the member of each seat, or None for a computer player.

    The batch raises BadChange if the round is not being played, or if its escrow still holds chips.
    """
    table, real = change.table, is_real(change, finish)
    escrow = accounts.escrow(table.id, finish.number)
    this = {"table_id": table.id, "number": finish.number, "at": finish.at}
    ending = {
        "lines": compact([line._asdict() for line in finish.lines]),
        "outcome": None if finish.hash else finish.outcome,
        "hash": finish.hash or None,
    }
    fault = BadChange(f"round {finish.number} of table {table.id} cannot end: not being played, or chips left over")
    batch.must(FINISH, {**this, **ending, "escrow": escrow}, fault)
    if finish.chain is not None:
        batch.must(_KEEP_HASH, {"id": finish.chain, "hash": finish.hash, "at": finish.at}, fault)
    batch.must(CLOSE_ESCROW, {"guild": table.guild, "name": escrow}, fault)
    for member, result in results(finish.lines, members).items():
        _book(batch, member, result, {**this, "real": int(real)}, fault)


def _book(batch: Batch, member: int, result: Result, round: Mapping[str, object], fault: BadChange) -> None:
    play = {**round, "member": member, "staked": result.staked, "returned": result.returned}
    batch.must(PLAY, play, fault)
    if round["real"]:
        score = {"member": member, "won": int(result.net > 0), "net": result.net}
        batch.must(SCORE, score, fault)
