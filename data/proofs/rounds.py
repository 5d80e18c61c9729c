"""Proves the rounds: each with its steps, its results and every transfer into and out of its escrow."""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.drivers.statement import Row
from data.journal import journal
from data.journal.packs import Damaged, RoundKey, Whole, packs_of, unpacked, whole
from data.ledger import accounts
from data.ledger.settlement import Result, results
from data.proofs.report import Fault, Wrong
from data.proofs.slices import Slice, Stretch, Walk, next_rows
from data.schema import plays, rounds, steps, tables, transfers
from engine.fairness.replay import lines_hash
from engine.tables.ports import Kind


@dataclass(frozen=True, slots=True)
class Books:
    """A round with all that is written of it anywhere, as it was at one moment."""

    round: Any  # a row, with `table_open` and `followed`: whether a later round of its table is there
    moves: Sequence[Row]  # transfers into and out of its escrow
    results: Mapping[int, Row]  # by member
    steps: Any  # None, or `taken`: how many; `last`: the place of the last one
    escrow: str
    over: bool

    def moved(self, member: int) -> Result:
        """What a member put into the round and got out of it, from the wallet or from a stack at the table."""
        purses, escrow = self.purses(member), self.escrow
        return Result(
            sum(move.amount for move in self.moves if move.target == escrow and move.source in purses),
            sum(move.amount for move in self.moves if move.source == escrow and move.target in purses),
        )

    def purses(self, member: int) -> tuple[str, str]:
        return accounts.member(member), accounts.stack(self.round.table_id, member)

    def fault(self, wrong: Wrong, expected: object, found: object, where: str = "") -> Fault:
        return Fault(wrong, where or self.escrow, self.round.guild, str(expected), str(found))


# -- what is proved of each ----------------------------------------------------------------------------------------


def _is_played_out(books: Books) -> Iterator[Fault]:
    """A round is sealed when the one before it ends, and a table closes between two rounds."""
    deserted = books.round.dealt_at is not None and books.round.table_open != 1
    if not books.over and (books.round.followed or deserted):
        yield books.fault(Wrong.LEFT, "ended", "left")


def _pays_at_its_end(books: Books) -> Iterator[Fault]:
    """What is staked comes out of its escrow with the change that ends the round, and with no other; or when a table
    closes whose next round could not be promised, and so was never dealt."""
    handed_back = books.round.dealt_at is None and books.round.table_open != 1
    for move in () if books.over or handed_back else books.moves:
        if move.source == books.escrow:
            yield books.fault(Wrong.EARLY, "0", move.amount, where=move.key)


def _has_no_strangers(books: Books) -> Iterator[Fault]:
    """No chips of people went into a finished round, or came out of it, without a result."""
    if not books.over:
        return
    known = {purse for member in books.results for purse in books.purses(member)}
    for move in books.moves:
        purse = move.source if move.target == books.escrow else move.target
        if purse not in known and purse.startswith((f"{Kind.MEMBER.value}/", f"{Kind.STACK.value}/")):
            yield books.fault(Wrong.STRANGER, "a result", purse, where=move.key)


def _books_what_was_moved(books: Books) -> Iterator[Fault]:
    """What each member staked and got back, by the transfers and by the journal."""
    for member, row in books.results.items():
        moved, kept = books.moved(member), Result(row.staked * row.real, row.returned * row.real)
        if moved != kept:
            yield books.fault(Wrong.RESULT, _told(moved), _told(kept), where=f"{books.escrow} member {member}")


def _has_every_step(books: Books) -> Iterator[Fault]:
    if books.steps is not None and books.steps.taken != books.steps.last + 1:
        yield books.fault(Wrong.STEPS, books.steps.last + 1, books.steps.taken)


def _books_its_lines(books: Books) -> Iterator[Fault]:
    """The results are those of the lines, and the lines those that were written when the round ended."""
    if not books.over:
        return
    finish = journal.finished(books.round)
    kept = {member: Result(row.staked, row.returned) for member, row in books.results.items()}
    expected = results(finish, json.loads(books.round.members))
    if kept != expected:
        yield books.fault(Wrong.OUTCOME, _all_told(expected), _all_told(kept))
    fingerprint = lines_hash(finish.lines)
    if fingerprint != finish.outcome:
        yield books.fault(Wrong.OUTCOME, fingerprint, finish.outcome)


def _told(result: Result) -> str:
    return f"{result.staked} staked, {result.returned} returned"


def _all_told(booked: Mapping[int, Result]) -> str:
    return ", ".join(f"member {member} {_told(result)}" for member, result in booked.items()) or "nobody"


#: Whatever else can be told from a round's books belongs here.
PROOFS: Final[tuple[Callable[[Books], Iterator[Fault]], ...]] = (
    _is_played_out,
    _pays_at_its_end,
    _has_no_strangers,
    _books_what_was_moved,
    _has_every_step,
    _books_its_lines,
)

# -- reading -------------------------------------------------------------------------------------------------------

_later = rounds.alias()
_rows = next_rows(sa.select(rounds), rounds.c.table_id, rounds.c.number).subquery("slice")
_keys = sa.select(_rows.c.table_id, _rows.c.number, _rows.c.guild).subquery("slice_keys")
_followed = sa.exists(
    sa.select(_later.c.number).where(_later.c.table_id == _rows.c.table_id, _later.c.number > _rows.c.number)
)
_ROUNDS: Final = (
    sa.select(_rows, tables.c.open.label("table_open"), _followed.label("followed"))
    .outerjoin(tables, tables.c.id == _rows.c.table_id)
    .order_by(_rows.c.table_id, _rows.c.number)
)
_escrow = (
    sa.literal(f"{Kind.ESCROW.value}/", sa.Text)
    + sa.cast(_keys.c.table_id, sa.Text)
    + sa.literal("/", sa.Text)
    + sa.cast(_keys.c.number, sa.Text)
)


def _moves(side: sa.Column[str]) -> sa.Select[Any]:
    told = (transfers.c.key, transfers.c.source, transfers.c.target, transfers.c.amount)
    here = sa.and_(transfers.c.guild == _keys.c.guild, side == _escrow)
    return sa.select(_keys.c.table_id, _keys.c.number, *told).select_from(_keys.join(transfers, here))


def _of_slice(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.table_id == _keys.c.table_id, table.c.number == _keys.c.number)


_INTO: Final = _moves(transfers.c.target)
_OUT_OF: Final = _moves(transfers.c.source)
_RESULTS: Final = (
    sa.select(plays.c.table_id, plays.c.number, plays.c.member, plays.c.staked, plays.c.returned, plays.c.real)
    .select_from(_keys.join(plays, _of_slice(plays)))
    .order_by(plays.c.table_id, plays.c.number, plays.c.member)
)
_STEPS: Final = (
    sa.select(
        steps.c.table_id, steps.c.number, sa.func.count().label("taken"), sa.func.max(steps.c.place).label("last")
    )
    .select_from(_keys.join(steps, _of_slice(steps)))
    .group_by(steps.c.table_id, steps.c.number)
)


async def _look(connection: AsyncConnection, here: Stretch) -> Slice:
    found = (await connection.execute(_ROUNDS, here.values)).all()
    if not found:
        return Slice(0, None)
    moves = defaultdict[RoundKey, list[Row]](list)
    for query in (_INTO, _OUT_OF):
        for row in (await connection.execute(query, here.values)).all():
            moves[row.table_id, row.number].append(row)
    booked = defaultdict[RoundKey, dict[int, Row]](dict)
    for row in (await connection.execute(_RESULTS, here.values)).all():
        booked[row.table_id, row.number][row.member] = row
    taken: dict[RoundKey, Any] = {
        (row.table_id, row.number): row for row in (await connection.execute(_STEPS, here.values)).all()
    }
    away = await _put_away(connection, found)
    taken |= {key: _counted(values["steps"]) for key, values in away.items() if values["steps"]}
    faults = list[Fault]()
    for row in found:
        key = row.table_id, row.number
        escrow = accounts.escrow(*key)
        if row.pack is not None and key not in away:
            faults.append(Fault(Wrong.PACK, escrow, row.guild, "as it was put away", f"pack {row.pack}"))
            continue
        over = row.finished_at is not None
        books = Books(whole(row, away), moves[key], booked[key], taken.get(key), escrow, over)
        faults += [fault for proof in PROOFS for fault in proof(books)]
    return Slice(len(found), (found[-1].table_id, found[-1].number), faults)


async def _put_away(connection: AsyncConnection, rows: Sequence[Row]) -> Mapping[RoundKey, Mapping[str, Any]]:
    """What is in the packs of these rounds, as far as they are what was put into them."""
    away: dict[RoundKey, dict[str, Any]] = {}
    for pack in await packs_of(connection, rows):
        with contextlib.suppress(Damaged):
            away |= unpacked(pack)
    return away


def _counted(taken: Sequence[Any]) -> Whole:
    return Whole({"taken": len(taken), "last": max(step.place for step in taken)})


ROUNDS: Final = Walk(_look, (rounds.c.table_id, rounds.c.number), (-1, -1), 200)
