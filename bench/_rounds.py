"""A very large number of plausible rounds, written in bulk: a bank as it is after years."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bench._records import of_scheme_two
from data import Bank
from data.base.json_text import compact
from data.journal.round_rows import hash_of
from data.ledger.settlement import ENOUGH, MILLION
from engine.fairness.chain import LENGTH, SHORT
from engine.fairness.record import RecordOne, RecordTwo
from engine.fairness.replay import lines_hash, replay
from engine.fairness.shuffle import commitment
from engine.games import registry
from engine.games.contract import CHIP, By, Step

GUILD: Final = 5 << 22
#: The number of rounds at each table, and of tables of each member.
_ROUNDS: Final = 50
_TABLES: Final = 10
#: The number of hands of scheme 1 that are really played; the others repeat them.
_HANDS: Final = 64
#: The number of chains of scheme 2 that are really played to their end: more rounds than any cache remembers.
_CHAINS: Final = 2
_NOW: Final = 1_800_000_000.0

_PLAYED: Final = f"""
CREATE TEMPORARY TABLE played AS
WITH RECURSIVE numbers (i) AS (
    SELECT CAST(:first AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :last
)
SELECT i, 1 + i / {_ROUNDS} AS table_id, 1 + i % {_ROUNDS} AS number, 1 + i / {_ROUNDS * _TABLES} AS member,
       i % :hands AS hand,
       1 + i / {LENGTH} AS one_of_chains, 'escrow/' || (1 + i / {_ROUNDS}) || '/' || (1 + i % {_ROUNDS}) AS escrow,
       'member/' || (1 + i / {_ROUNDS * _TABLES}) AS wallet
FROM numbers
"""
_WON: Final = "sum(CASE WHEN returned > staked THEN 1 ELSE 0 END)"
_TRANSFER: Final = "INSERT INTO transfers (key, guild, source, target, amount, reason, at) SELECT"
_WRITTEN: Final = f"""
INSERT INTO members (id, guild, user_id, balance, winnings, rounds, won, rate)
SELECT member, {GUILD}, member, 1000000000 + sum(returned - staked), sum(returned - staked), count(*), {_WON},
       CASE WHEN count(*) >= {ENOUGH} THEN CAST({_WON} AS BIGINT) * {MILLION} / count(*) END
FROM played JOIN hands ON hands.hand = played.hand GROUP BY member
ON CONFLICT (id) DO NOTHING;
{_TRANSFER} 'open/' || member, {GUILD}, 'mint', wallet, 1000000000, 'opening', {_NOW}
FROM played GROUP BY member, wallet;
INSERT INTO tables (id, guild, channel, game, doc, version, causes_from, open)
SELECT table_id, {GUILD}, 70, 'blackjack', '{{}}', 99, 99, 0 FROM played GROUP BY table_id;
INSERT INTO chains (id, place, guild, channel, root, tip, message, used, finished, last, began_at)
SELECT one_of_chains, '70/blackjack/' || one_of_chains, home, channel, root, commitment, message, {LENGTH}, {LENGTH},
       '', {_NOW}
FROM played JOIN hands ON hands.hand = played.hand WHERE link = 1;
INSERT INTO rule_texts (hash, text) SELECT DISTINCT rules_hash, rules FROM hands WHERE true ON CONFLICT DO NOTHING;
INSERT INTO rounds (table_id, number, guild, seed, commitment, code, version, scheme, game, rules_name, rules_hash,
                    stakes, members, inputs, dealt_at, lines, outcome, finished_at, chain, link, players, previous,
                    hash)
SELECT table_id, number, {GUILD}, seed, CASE WHEN link > 0 THEN '' ELSE commitment END, code, version, scheme,
       'blackjack', 'vegas', rules_hash, stakes, '[' || member || ']', inputs, {_NOW} + i, lines,
       CASE WHEN link = 0 THEN outcome END, {_NOW} + i,
       CASE WHEN link > 0 THEN one_of_chains END, link, players, previous, hands.hash
FROM played JOIN hands ON hands.hand = played.hand;
INSERT INTO steps (table_id, number, place, seat, action, by, at)
SELECT table_id, number, place, seat, action, by, {_NOW} + i
FROM played JOIN moves ON moves.hand = played.hand;
INSERT INTO plays (table_id, number, member, staked, returned, real, at)
SELECT table_id, number, member, staked, returned, 1, {_NOW} + i FROM played JOIN hands ON hands.hand = played.hand;
INSERT INTO pots (guild, name, balance, closed) SELECT {GUILD}, escrow, 0, 1 FROM played;
{_TRANSFER} escrow || '/stake', {GUILD}, wallet, escrow, staked, 'stake', {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand;
{_TRANSFER} escrow || '/house', {GUILD}, CASE WHEN returned > staked THEN 'house' ELSE escrow END,
       CASE WHEN returned > staked THEN escrow ELSE 'house' END, abs(returned - staked),
       CASE WHEN returned > staked THEN 'winnings' ELSE 'losses' END, {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand WHERE returned <> staked;
{_TRANSFER} escrow || '/pay', {GUILD}, escrow, wallet, returned, 'returned', {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand WHERE returned > 0;
DROP TABLE played;
DROP TABLE hands;
DROP TABLE moves
"""


async def write_rounds(bank: Bank, first: int, last: int, scheme: str = RecordOne.scheme) -> None:
    """Write the rounds from `first` up to, but not including, `last`, with all that belongs to them. `first` is a
    multiple of the rounds of a member.
    """
    assert first % (_ROUNDS * _TABLES) == 0, "a member's rounds are written at once"
    hands = _KINDS[scheme]()
    async with bank._store.rewriting() as connection:
        await _play(connection, hands)
        await connection.execute(sa.text(_PLAYED), {"first": first, "last": last, "hands": len(hands)})
        for command in _WRITTEN.split(";\n"):
            await connection.exec_driver_sql(command)
        if connection.dialect.name == "postgresql":  # its counter of ids does not notice ids that are given
            newest = "(SELECT max(id) FROM members)"
            await connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('members', 'id'), {newest})")
    if bank._store.is_file:  # this has made the write-ahead log longer than any bank has it
        async with bank._store.engine.connect() as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


async def _play(connection: AsyncConnection, hands: Sequence[_StoredHand]) -> None:
    """Write the hands and their steps into temporary tables, from which the rounds are made."""
    kinds = {int: "BIGINT", str: "TEXT", bytes: "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"}
    moves = [
        {"hand": number, "place": place, "seat": step.seat, "action": str(step.action), "by": str(step.by)}
        for number, (_, steps) in enumerate(hands)
        for place, step in enumerate(steps)
    ]
    rows = [{"hand": number, **row} for number, (row, _) in enumerate(hands)]
    for name, content in (("hands", rows), ("moves", moves)):
        columns = [f"{column} {kinds[type(value)]}" for column, value in content[0].items()]
        await connection.exec_driver_sql(f"CREATE TEMPORARY TABLE {name} ({', '.join(columns)})")
        places = ", ".join(f":{column}" for column in content[0])
        await connection.execute(sa.text(f"INSERT INTO {name} VALUES ({places})"), content)


# -- hands -------------------------------------------------------------------------------------------------------------

#: A hand as the journal stores it, by columns, and its steps.
_StoredHand = tuple[dict[str, Any], Sequence[Step]]


def _scheme_one() -> list[_StoredHand]:
    """Return hands of scheme 1 in which nobody presses anything."""
    return [_hand(record, record.commitment, record.inputs) for record in map(_timed_out, range(_HANDS))]


def _timed_out(hand: int) -> RecordOne:
    seed = hashlib.sha256(str(hand).encode()).digest()
    dealt = RecordOne(
        game="blackjack",
        rules_name="vegas",
        rules=registry.game("blackjack").rule_sets["vegas"].as_json(),
        stakes=({"main": 10 * CHIP},),
        seed=seed,
        inputs=("1", "press/1", ""),
        commitment=commitment(seed),
    )
    round = replay(dealt)
    while not round.over:
        round.apply(round.asked[0], round.timeout(round.asked[0]), By.CLOCK)
    return replace(dealt, steps=tuple(round.steps))


def _scheme_two() -> list[_StoredHand]:
    """Return hands of scheme 2, played by an expert."""
    roots = [hashlib.sha256(f"chain {number}".encode()).digest() for number in range(_CHAINS)]
    return [_of_chain(root, record) for root in roots for record in of_scheme_two(LENGTH, root)]


def _of_chain(root: bytes, record: RecordTwo) -> _StoredHand:
    row, steps = _hand(record, record.promise.tip, ())
    promise = record.promise
    row |= {"root": root, "home": promise.guild, "channel": promise.channel, "message": promise.message}
    row |= {
        "code": record.mark,
        "link": record.number,
        "players": compact([[who.level, who.version] for who in record.players]),
    }
    return row | {"previous": record.previous, "hash": record.hash}, steps


def _hand(record: RecordOne | RecordTwo, promised: str, inputs: Sequence[str]) -> _StoredHand:
    lines, rules = replay(record).settlement().lines, compact(record.rules)
    return {
        "seed": record.seed,
        "commitment": promised,
        "code": promised[:SHORT],
        "version": record.version,
        "scheme": record.scheme,
        "rules": rules,
        "rules_hash": hash_of(rules),
        "stakes": compact(record.stakes),
        "inputs": compact(inputs),
        "lines": compact([line._asdict() for line in lines]),
        "outcome": lines_hash(lines),
        "staked": sum(line.staked for line in lines),
        "returned": sum(line.returned for line in lines),
        "link": 0, "players": "[]", "previous": "", "hash": "", "root": b"", "home": 0, "channel": 0, "message": 0,
    }, record.steps  # fmt: skip


_KINDS: Final = {RecordOne.scheme: _scheme_one, RecordTwo.scheme: _scheme_two}
