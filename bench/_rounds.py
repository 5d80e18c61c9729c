"""Very many rounds that could have been played, written in bulk: a bank as it is after years."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data import Bank
from engine.fairness.record import RecordOne
from engine.fairness.replay import lines_hash, replay
from engine.fairness.shuffle import commitment
from engine.games import registry
from engine.games.contract import CHIP, By

GUILD: Final = 5 << 22
#: Rounds of a table, and tables of a member.
_ROUNDS: Final = 50
_TABLES: Final = 10
#: Hands that are really played; the others are these again.
_HANDS: Final = 64
_NOW: Final = 1_800_000_000.0

_PLAYED: Final = f"""
CREATE TEMPORARY TABLE played AS
WITH RECURSIVE numbers (i) AS (
    SELECT CAST(:first AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :last
)
SELECT i, 1 + i / {_ROUNDS} AS table_id, 1 + i % {_ROUNDS} AS number, 1 + i / {_ROUNDS * _TABLES} AS member,
       i % {_HANDS} AS hand, 'escrow/' || (1 + i / {_ROUNDS}) || '/' || (1 + i % {_ROUNDS}) AS escrow,
       'member/' || (1 + i / {_ROUNDS * _TABLES}) AS wallet
FROM numbers
"""
_TRANSFER: Final = "INSERT INTO transfers (key, guild, source, target, amount, reason, at) SELECT"
_WRITTEN: Final = f"""
INSERT INTO members (id, guild, user_id, balance, winnings, rounds)
SELECT member, {GUILD}, member, 1000000000 + sum(returned - staked), sum(returned - staked), count(*)
FROM played JOIN hands ON hands.hand = played.hand GROUP BY member;
{_TRANSFER} 'open/' || member, {GUILD}, 'mint', wallet, 1000000000, 'opening', {_NOW}
FROM played GROUP BY member, wallet;
INSERT INTO tables (id, guild, channel, game, doc, version, causes_from, open)
SELECT table_id, {GUILD}, 70, 'blackjack', '{{}}', 99, 99, 0 FROM played GROUP BY table_id;
INSERT INTO rounds (table_id, number, guild, seed, commitment, code, version, scheme, game, rules_name, rules, stakes,
                    members, inputs, dealt_at, lines, outcome, finished_at)
SELECT table_id, number, {GUILD}, seed, commitment, substr(commitment, 1, 8), {RecordOne.version}, '{RecordOne.scheme}',
       'blackjack', 'vegas', rules, stakes, '[' || member || ']', inputs, {_NOW} + i, lines, outcome, {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand;
INSERT INTO steps (table_id, number, place, seat, action, by, at)
SELECT table_id, number, place, seat, action, 'clock', {_NOW} + i
FROM played JOIN moves ON moves.hand = played.hand;
INSERT INTO plays (table_id, number, member, staked, returned, real, at)
SELECT table_id, number, member, staked, returned, 1, {_NOW} + i FROM played JOIN hands ON hands.hand = played.hand;
INSERT INTO pots (guild, name, balance, closed) SELECT {GUILD}, escrow, 0, 1 FROM played;
{_TRANSFER} escrow || '/stake', {GUILD}, wallet, escrow, staked, 'stake', {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand;
{_TRANSFER} escrow || '/house', {GUILD}, CASE WHEN returned > staked THEN 'house' ELSE escrow END,
       CASE WHEN returned > staked THEN escrow ELSE 'house' END, abs(returned - staked), 'house', {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand WHERE returned <> staked;
{_TRANSFER} escrow || '/pay', {GUILD}, escrow, wallet, returned, 'returned', {_NOW} + i
FROM played JOIN hands ON hands.hand = played.hand WHERE returned > 0;
DROP TABLE played;
DROP TABLE hands;
DROP TABLE moves
"""


async def write_rounds(bank: Bank, first: int, last: int) -> None:
    """The rounds from `first` (a whole number of members on) to before `last`, with everything that belongs to them."""
    assert first % (_ROUNDS * _TABLES) == 0, "a member's rounds are written at once"
    async with bank._store.rewriting() as connection:
        await _play(connection)
        await connection.execute(sa.text(_PLAYED), {"first": first, "last": last})
        for command in _WRITTEN.split(";\n"):
            await connection.exec_driver_sql(command)
        if connection.dialect.name == "postgresql":  # which counts members by itself, but not those it is given
            newest = "(SELECT max(id) FROM members)"
            await connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('members', 'id'), {newest})")
    if bank._store.is_file:  # no bank's write-ahead log is ever as long as this has made it
        async with bank._store.engine.connect() as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


async def _play(connection: AsyncConnection) -> None:
    columns = "hand BIGINT, seed {}, commitment TEXT, rules TEXT, stakes TEXT, inputs TEXT, lines TEXT, outcome TEXT, "
    kind = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    whole = columns.format(kind) + "staked BIGINT, returned BIGINT"
    await connection.exec_driver_sql(f"CREATE TEMPORARY TABLE hands ({whole})")
    await connection.exec_driver_sql("CREATE TEMPORARY TABLE moves (hand BIGINT, place INT, seat INT, action TEXT)")
    for hand in range(_HANDS):
        row, moves = _hand(hand)
        await connection.execute(_insert("hands", row), row)
        for move in moves:
            await connection.execute(_insert("moves", move), move)


def _insert(table: str, row: dict[str, Any]) -> sa.TextClause:
    return sa.text(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})")


def _hand(hand: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A hand of blackjack at which nobody presses anything, as the journal keeps it."""
    seed = hashlib.sha256(str(hand).encode()).digest()
    rules = registry.game("blackjack").rule_sets["vegas"]
    stakes, inputs = [{"main": 10 * CHIP}], ["1", "press/1", ""]
    round = replay(
        RecordOne(
            game="blackjack",
            rules_name="vegas",
            rules=rules.as_json(),
            stakes=tuple(stakes),
            seed=seed,
            inputs=tuple(inputs),
        )
    )
    moves = list[dict[str, Any]]()
    while not round.over:
        seat = round.asked[0]
        moves.append({"hand": hand, "place": len(moves), "seat": seat, "action": round.timeout(seat)})
        round.apply(seat, round.timeout(seat), By.CLOCK)
    lines = round.settlement().lines
    row = {
        "hand": hand,
        "seed": seed,
        "commitment": commitment(seed),
        "rules": json.dumps(rules.as_json()),
        "stakes": json.dumps(stakes),
        "inputs": json.dumps(inputs),
        "lines": json.dumps([line._asdict() for line in lines]),
        "outcome": lines_hash(lines),
        "staked": sum(line.staked for line in lines),
        "returned": sum(line.returned for line in lines),
    }
    return row, moves
