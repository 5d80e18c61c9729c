"""Proves the rounds: the results, the transfers of each escrow, and the cards, which are dealt and played again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base import accounts
from data.base.schema import OPEN_TABLE, plays, pots, rounds, steps, tables, transfers
from data.drivers.statement import Row, named
from data.journal.chains import chains_of
from data.journal.packs import Damaged, RoundKey, packs_of, steps_away, unpacked, whole
from data.journal.reading import stored_round
from data.journal.round_rows import WHOLE
from data.ledger.settlement import Result, results
from data.proofs.report import Fault, Wrong
from data.proofs.slices import UNREADABLE, KeyRange, Look, Slice, Walk, between, between_tables
from engine.fairness.chain import tip_from, tip_of
from engine.fairness.replay import lines_hash
from engine.fairness.shuffle import commitment
from engine.fairness.verify import faults_of_kept
from engine.games.contract import Cents
from engine.tables.rebuilt import record_of
from engine.tables.values import Chain, Kind, StoredRound


@dataclass(slots=True)
class Books:
    """A round with everything that is written of it anywhere, as it was at one moment."""

    #: A row, with `table_open`, `followed` (whether a later round of its table is there) and the `hash_before`.
    round: Any
    moves: Sequence[Row]  # transfers into and out of its escrow; each row begins with the key of the round
    results: Mapping[int, Row]  # one for each member
    steps: Sequence[Any]  # sorted by place
    chain: Chain | None
    escrow: str
    closed: bool  # whether its escrow is
    over: bool
    #: The round as tables read it, or why it cannot be read.
    stored: StoredRound | str
    #: The accounts of each member with a result: the wallet, and the stack at the table.
    purses: Mapping[int, tuple[str, str]]

    def moved(self, member: int) -> tuple[Cents, Cents]:
        """Return how much a member staked on the round, and how much came back. Raises KeyError without a result."""
        purses = self.purses[member]
        staked = returned = 0
        for _, _, _, source, target, amount in self.moves:
            if source in purses:
                staked += amount
            elif target in purses:
                returned += amount
        return staked, returned

    def fault(self, wrong: Wrong, expected: object, found: object, where: str = "") -> Fault:
        """Return a fault of this round, or of the row named by `where`."""
        return Fault(wrong, where or self.escrow, self.round.guild, str(expected), str(found))


def _stored(row: Any, taken: Sequence[Any], chain: Chain | None) -> StoredRound | str:
    try:
        return stored_round(row, taken, chain)
    except UNREADABLE as error:
        return f"{type(error).__name__}: {error}"


# -- what is proved of each ----------------------------------------------------------------------------------------


def _is_played_out(books: Books) -> Iterator[Fault]:
    """Find a round that was left before its end: a later one exists, or it was dealt and its table has closed."""
    deserted = books.round.dealt_at is not None and books.round.table_open != 1
    if not books.over and (books.round.followed or deserted):
        yield books.fault(Wrong.LEFT, "ended", "left")


def _is_of_a_table(books: Books) -> Iterator[Fault]:
    if books.round.table_open is None:
        yield books.fault(Wrong.LEFT, "a table", "none")


def _pays_at_its_end(books: Books) -> Iterator[Fault]:
    """Find chips that left the escrow before the end of the round.

    That may only happen when a table closes whose next round was never dealt: then the stakes go back.
    """
    handed_back = books.round.dealt_at is None and books.round.table_open != 1
    for move in () if books.over or handed_back else books.moves:
        if move.source == books.escrow:
            yield books.fault(Wrong.EARLY, "0", move.amount, where=move.key)


def _has_no_strangers(books: Books) -> Iterator[Fault]:
    """Find chips of people who have no result in the finished round."""
    if not books.over:
        return
    for _, _, key, source, target, _ in books.moves:
        purse = source if target == books.escrow else target
        if purse.startswith(_OF_PEOPLE) and not any(purse in known for known in books.purses.values()):
            yield books.fault(Wrong.STRANGER, "a result", purse, where=key)


_OF_PEOPLE: Final = (f"{Kind.MEMBER.value}/", f"{Kind.STACK.value}/")


def _books_what_was_moved(books: Books) -> Iterator[Fault]:
    """Compare each member's result with the transfers of real chips, and its time with the end of the round."""
    for member, row in books.results.items():
        moved, kept = books.moved(member), (row.staked * row.real, row.returned * row.real)
        if moved != kept:
            told = _told(Result(*moved)), _told(Result(*kept))
            yield books.fault(Wrong.RESULT, *told, where=f"{books.escrow} member {member}")
        if row.at != books.round.finished_at:
            when = books.round.finished_at, row.at
            yield books.fault(Wrong.RESULT, *when, where=f"{books.escrow} member {member}")


def _has_every_step(books: Books) -> Iterator[Fault]:
    if books.steps and books.steps[-1].place + 1 != len(books.steps):
        yield books.fault(Wrong.STEPS, books.steps[-1].place + 1, len(books.steps))


def _is_settled_once(books: Books) -> Iterator[Fault]:
    """Find an escrow that is still open after the end of the round, or closed before it."""
    if books.closed != books.over:
        yield books.fault(Wrong.UNSETTLED, "closed" if books.over else "open", "closed" if books.closed else "open")


def _can_be_read(books: Books) -> Iterator[Fault]:
    if isinstance(books.stored, str):
        yield books.fault(Wrong.REPLAY, "a round", books.stored)


def _books_its_lines(books: Books) -> Iterator[Fault]:
    """Compare the results with the stored lines, and the hash of these lines with that from the end of the round."""
    stored = books.stored
    if isinstance(stored, str) or stored.lines is None:
        return
    kept = {member: Result(row.staked, row.returned) for member, row in books.results.items()}
    expected = results(stored.lines, stored.members)
    if kept != expected:
        yield books.fault(Wrong.OUTCOME, _all_told(expected), _all_told(kept))
    fingerprint, written = lines_hash(stored.lines), books.round.outcome
    if fingerprint != written and (books.chain is None or written is not None):
        yield books.fault(Wrong.OUTCOME, fingerprint, written)


def _is_sealed_as_promised(books: Books) -> Iterator[Fault]:
    """Compare the seed of a round that is not over with its promise."""
    row, chain = books.round, books.chain
    if books.over:
        return
    found = commitment(row.seed) if chain is None else tip_from(row.seed, row.link)
    if found != row.commitment or (chain is not None and chain.tip != found):
        yield books.fault(Wrong.REPLAY, row.commitment, found)


def _goes_on_from_the_one_before(books: Books) -> Iterator[Fault]:
    """Compare the hash that this round has for the round before it in the chain with that round's own hash.

    A difference shows that a round was removed or inserted.
    """
    row = books.round
    if row.dealt_at is not None and (row.link or 0) > 1 and row.previous != row.hash_before:
        yield books.fault(Wrong.REPLAY, f"{row.hash_before or 'nothing'} before it", row.previous)


def _told(result: Result) -> str:
    return f"{result.staked} staked, {result.returned} returned"


def _all_told(booked: Mapping[int, Result]) -> str:
    return ", ".join(f"member {member} {_told(result)}" for member, result in booked.items()) or "nobody"


def _is_dealt_and_played_again(books: Books) -> Iterator[Fault]:
    """Deal the round from the promised seed, play its steps, and compare the end with the one that was booked.

    Also compare the round's stored name (`code`) and tip with those that follow from its record and its chain's root,
    and check that the chain counts this round among those that it has dealt.
    """
    stored = books.stored
    if isinstance(stored, str) or not books.over:
        return
    for check in faults_of_kept(record_of(stored)):
        yield books.fault(Wrong.REPLAY, check.recorded or check.what.value, check.fault or check.found)
    if stored.code != books.round.code:
        yield books.fault(Wrong.REPLAY, stored.code, books.round.code)
    chain = books.chain
    if chain is not None and not chain.tip == books.round.commitment == _tip(chain.root):
        yield books.fault(Wrong.REPLAY, chain.tip, books.round.commitment)
    if chain is not None and chain.used < books.round.link:
        yield books.fault(Wrong.REPLAY, f"{books.round.link} rounds of its chain", chain.used)


#: Returns the tip of a root. Results are remembered: a chain is a thousand hashes long, and has a thousand rounds.
_tip: Final = lru_cache(1_024)(tip_of)


#: Rounds that go through one proof together before the next proof: repeating the same work makes it a fifth quicker.
HANDFUL: Final = 50

RoundProof = Callable[[Books], Iterator[Fault]]
#: The proofs of what is booked of a round, without its cards.
PROOFS: Final[tuple[RoundProof, ...]] = (
    _is_settled_once,
    _is_played_out,
    _is_of_a_table,
    _pays_at_its_end,
    _has_no_strangers,
    _books_what_was_moved,
    _has_every_step,
    _can_be_read,
    _books_its_lines,
)

# -- reading -------------------------------------------------------------------------------------------------------

_later = rounds.alias()
_followed = sa.exists(
    sa.select(_later.c.number).where(_later.c.table_id == rounds.c.table_id, _later.c.number > rounds.c.number)
)
_escrow = (
    sa.literal(f"{Kind.ESCROW.value}/", sa.Text)
    + sa.cast(rounds.c.table_id, sa.Text)
    + sa.literal("/", sa.Text)
    + sa.cast(rounds.c.number, sa.Text)
)
_before = rounds.alias()
_same_chain = sa.and_(_before.c.chain == rounds.c.chain, _before.c.link == rounds.c.link - sa.literal_column("1"))
_before_the_number = sa.func.length(rounds.c.code) - sa.func.length(sa.cast(rounds.c.link, sa.Text))
_mark_before = sa.func.substr(rounds.c.code, 1, _before_the_number) + sa.cast(
    rounds.c.link - sa.literal_column("1"), sa.Text
)
#: The hash of the round before in its chain. Mostly that is the one before at its table; else it is found by its mark,
#: which rounds that were sealed for another table and never dealt may have too.
_hash_before = sa.func.coalesce(
    *(
        sa.select(_before.c.hash).where(_same_chain, *here).limit(sa.literal_column("1")).scalar_subquery()
        for here in (
            (_before.c.table_id == rounds.c.table_id, _before.c.number == rounds.c.number - sa.literal_column("1")),
            (_before.c.guild == rounds.c.guild, _before.c.code == _mark_before, _before.c.hash.is_not(None)),
        )
    )
)
_closed = sa.select(pots.c.closed).where(pots.c.guild == rounds.c.guild, pots.c.name == _escrow).scalar_subquery()


@dataclass(frozen=True, slots=True)
class _RoundQueries:
    """The queries for some rounds, and for the rows of other tables that belong to them."""

    rounds: sa.Select[Any]
    moves: tuple[sa.Select[Any], ...]
    results: sa.Select[Any]
    steps: sa.Select[Any]


def _queries(which: sa.ColumnElement[bool]) -> _RoundQueries:
    key = (rounds.c.table_id, rounds.c.number)

    def beside(here: sa.ColumnElement[bool], *told: sa.Column[Any]) -> sa.Select[Any]:
        """Return a query for the keys of rounds, each with the columns `told` of the rows that belong to the round.

        The columns are of one other table, and `here` is the condition by which its rows belong to a round. A round
        without such a row has None in them. It is an outer join, because PostgreSQL without statistics might begin an
        inner join by reading the whole other table.
        """
        return sa.select(*key, *told).select_from(rounds.outerjoin(told[0].table, here)).where(which)

    def moves(side: sa.Column[str]) -> sa.Select[Any]:
        here = sa.and_(transfers.c.guild == rounds.c.guild, side == _escrow)
        return beside(here, transfers.c.key, transfers.c.source, transfers.c.target, transfers.c.amount)

    def of(place: sa.Column[int], *told: sa.Column[Any]) -> sa.Select[Any]:
        table = place.table
        here = sa.and_(table.c.table_id == rounds.c.table_id, table.c.number == rounds.c.number)
        return beside(here, place, *told).order_by(*key, place)

    return _RoundQueries(
        sa.select(
            *WHOLE.values(),
            tables.c.open.label("table_open"),
            _followed.label("followed"),
            _closed.label("closed"),
            _hash_before.label("hash_before"),
        )
        .outerjoin(tables, tables.c.id == rounds.c.table_id)
        .where(which)
        .order_by(*key),
        (moves(transfers.c.target), moves(transfers.c.source)),
        of(plays.c.member, plays.c.staked, plays.c.returned, plays.c.real, plays.c.at),
        of(steps.c.place, steps.c.seat, steps.c.action, steps.c.by, steps.c.purse),
    )


def _look(which: sa.ColumnElement[bool], proofs: Sequence[RoundProof]) -> Look:
    """Return the function that reads rounds for a `Walk` and returns the faults that these proofs find in them.

    `which` is the condition for the rounds to read.
    """
    asked = _queries(which)

    async def look(connection: AsyncConnection, here: KeyRange) -> Slice:
        read = await _read(connection, asked, here)
        return Slice(len(read.rounds), await asyncio.to_thread(_proved, read, proofs))

    return look


@dataclass(frozen=True, slots=True)
class _Read:
    """Some rounds as they were read, with the rows of other tables that belong to them."""

    rounds: Sequence[Row]
    moves: Mapping[RoundKey, Sequence[Row]]
    results: Mapping[RoundKey, Sequence[Row]]
    steps: Mapping[RoundKey, Sequence[Row]]
    chains: Mapping[int, Chain]
    packs: Sequence[Row]


async def _read(connection: AsyncConnection, asked: _RoundQueries, here: KeyRange) -> _Read:
    async def read(*queries: sa.Select[Any]) -> list[Any]:
        return [row for query in queries for row in named((await connection.execute(query, here.values)).all())]

    found = await read(asked.rounds)
    return _Read(
        found,
        moves=_by_round(await read(*asked.moves)),
        results=_by_round(await read(asked.results)),
        steps=_by_round(await read(asked.steps)),
        chains=await chains_of(connection, found),
        packs=await packs_of(connection, found),
    )


def _by_round(rows: Iterable[Row]) -> Mapping[RoundKey, Sequence[Row]]:
    """Group rows by the key of a round, their first two columns.

    Rows with None in the third column are left out: an outer join found nothing for their round.
    """
    kept = defaultdict[RoundKey, list[Row]](list)
    for row in rows:
        if row[2] is not None:
            kept[row[0], row[1]].append(row)
    return kept


def _proved(read: _Read, proofs: Sequence[RoundProof]) -> list[Fault]:
    """Return the faults of some rounds. Call this in a thread: playing rounds again takes a while."""
    away = _put_away(read.packs)
    faults, left = list(_lost(read.rounds, away)), _books(read, away)
    while some := list(itertools.islice(left, HANDFUL)):
        try:
            faults += [fault for proof in proofs for books in some for fault in proof(books)]
        except UNREADABLE:
            faults += [fault for proof in proofs for books in some for fault in _found(proof, books)]
    return faults


def _found(proof: RoundProof, books: Books) -> list[Fault]:
    """Return what a proof finds in a round; if it cannot read the round, return that as a fault."""
    try:
        return list(proof(books))
    except UNREADABLE as error:
        return [books.fault(Wrong.REPLAY, "what can be proved", f"{type(error).__name__}: {error}")]


def _lost(found: Iterable[Row], away: Mapping[RoundKey, Mapping[str, Any]]) -> Iterator[Fault]:
    """Yield a fault for each round whose row names a pack, if that pack does not have the round or is damaged.

    `away` is what `_put_away` returned.
    """
    for row in found:
        if row.pack is not None and not _is_there(row, away):
            escrow = accounts.escrow(row.table_id, row.number)
            yield Fault(Wrong.PACK, escrow, row.guild, "as it was put away", f"pack {row.pack}")


def _is_there(row: Row, away: Mapping[RoundKey, Mapping[str, Any]]) -> bool:
    """Return whether a round is in the pack that its row names. `away` is what `_put_away` returned."""
    return bool(away.get((row.table_id, row.number), {}).get("pack") == row.pack)


def _put_away(kept: Iterable[Row]) -> Mapping[RoundKey, Mapping[str, Any]]:
    """Return the content of these packs by round, each with the number of its pack; damaged packs are left out."""
    away: dict[RoundKey, dict[str, Any]] = {}
    for pack in kept:
        with contextlib.suppress(Damaged):
            away |= {key: {**values, "pack": pack.id} for key, values in unpacked(pack).items()}
    return away


def _books(read: _Read, away: Mapping[RoundKey, Mapping[str, Any]]) -> Iterator[Books]:
    """Yield the `Books` of each round, one at a time to save memory.

    `away` is what `_put_away` returned. Rounds that are missing from their pack are left out.
    """
    taken = {**read.steps, **steps_away(away)}
    for row in read.rounds:
        key = row.table_id, row.number
        if row.pack is None or _is_there(row, away):
            round, steps_of, chain = whole(row, away), taken.get(key, ()), read.chains.get(row.chain)
            found = {played.member: played for played in read.results.get(key, ())}
            yield Books(
                round,
                read.moves.get(key, ()),
                found,
                steps_of,
                chain,
                accounts.escrow(*key),
                closed=bool(row.closed),
                over=row.finished_at is not None,
                stored=_stored(round, steps_of, chain),
                purses={member: (accounts.member(member), accounts.stack(key[0], member)) for member in found},
            )


_KEY: Final = (rounds.c.table_id, rounds.c.number)
_ALL: Final = (*PROOFS, _is_sealed_as_promised, _goes_on_from_the_one_before, _is_dealt_and_played_again)
#: The walk that proves only the chips of each round, and the one that proves all of it.
BOOKS: Final = Walk("rounds", _look(between_tables(*_KEY), PROOFS), _KEY, (-1, -1), 1_000)
ROUNDS: Final = Walk("rounds", _look(between_tables(*_KEY), _ALL), _KEY, (-1, -1), 1_000)
_BOUND: Final = rounds.c.leaf.is_not(None)
#: The walks through rounds by the leaves that they are bound in, and through those of open tables that are in none.
BOUND_ROUNDS: Final = Walk("rounds", _look(between(rounds.c.leaf), _ALL), (rounds.c.leaf,), (0,), 1_000, which=_BOUND)
_open = sa.select(tables.c.id).where(OPEN_TABLE, between(tables.c.id))
OPEN_ROUNDS: Final = Walk(
    "rounds",
    _look(sa.and_(rounds.c.table_id.in_(_open), rounds.c.leaf.is_(None)), _ALL),
    (tables.c.id,),
    (0,),
    50,
    which=OPEN_TABLE,
)
