"""An audit of its own, in plain SQL: it knows the tables of the bank, and nothing of the program that fills them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Any

import asyncpg

#: What has no balance of its own: chips come from there and go there.
_ENDLESS = ("house", "mint")


class Books:
    """Of one bank, as it is after a kill. What was read once of finished rounds is not read again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._finished: set[tuple[int, int]] = set()
        self.played: Counter[str] = Counter()  # finished rounds by game, and tournaments

    def faults(self, acknowledged: Collection[str], refused: Collection[str]) -> list[str]:
        """What is wrong, in a sentence each."""
        asked = _on_file(self._url) if self._url.startswith("sqlite") else asyncio.run(_on_server(self._url))
        return list(self._found(asked, acknowledged, refused))

    def _found(
        self, rows: dict[str, list[Any]], acknowledged: Collection[str], refused: Collection[str]
    ) -> Iterator[str]:
        pots = dict(rows["pots"])
        yield from _unbalanced(rows, pots)
        written = {name for (name,) in rows["written"]}
        yield from (f"{press} was acknowledged and is gone" for press in sorted(set(acknowledged) - written))
        yield from (f"{press} was refused and is there" for press in sorted(set(refused) & written))
        for table, number, steps, last in rows["steps"]:
            if steps != last + 1:
                yield f"round {number} of table {table} lacks a step"
        tables = {table: json.loads(doc) for table, doc in rows["tables"]}
        yield from _open_tables(tables, rows, pots)
        yield from self._rounds(tables, rows, pots)
        self.played["tournament"] = sum(phase == "over" for _, phase, _ in rows["tournaments"])
        for tournament, phase, due in rows["tournaments"]:
            lies = sum(chips for name, chips in pots.items() if name.startswith(f"pool/{tournament}"))
            if lies != (due if phase in ("sign-up", "sign-up closed", "playing") else 0):
                yield f"tournament {tournament} is {phase}, was paid {due} and holds {lies}"

    def _rounds(self, tables: dict[int, Any], rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
        staked, paid = dict(rows["staked"]), dict(rows["paid"])
        for table, number, lines in rows["finished"]:
            if (table, number) in self._finished:
                continue
            self._finished.add((table, number))
            if tables[table]["contest"] is not None:
                self.played["elimination"] += 1
                continue  # its chips are play chips
            self.played[tables[table]["game"]] += 1
            escrow, told = f"escrow/{table}/{number}", json.loads(lines)
            if staked.get(escrow, 0) != sum(line["staked"] for line in told):
                yield f"round {number} of table {table} was staked otherwise than it says"
            if paid.get(escrow, 0) != sum(line["returned"] for line in told):
                yield f"round {number} of table {table} was paid otherwise than it says"
            if pots.get(escrow, 0):
                yield f"chips were left in round {number} of table {table}"


def _unbalanced(rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
    kept = pots | {f"member/{member}": balance for member, balance in rows["members"]}
    due: Counter[str] = Counter()
    for source, target, amount in rows["moves"]:
        due[source] -= int(amount)
        due[target] += int(amount)
    for name in sorted(due.keys() | kept.keys()):
        if name not in _ENDLESS and kept.get(name, 0) != due[name]:
            yield f"a balance is not the sum of its transfers: {name} has {kept.get(name, 0)}, not {due[name]}"


def _open_tables(tables: dict[int, Any], rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
    """What a table says of itself is what the rounds and the escrows say."""
    running = {(table, number): json.loads(stakes) for table, number, stakes in rows["running"]}
    for table, state in tables.items():
        playing = {number for other, number in running if other == table}
        wanted = {state["round"]} if state["phase"] == "playing" else set()
        if playing != wanted:
            yield f"a round was left: table {table} plays {sorted(wanted)}, and {sorted(playing)} have no end"
        elif state["contest"] is None and state["phase"] == "betting":
            lies = sum(sum((chair["staked"] or {}).values()) for chair in state["chairs"])
            if pots.get(f"escrow/{table}/{state['round'] + 1}", 0) != lies:
                yield f"table {table} says that {lies} are staked, and its escrow says otherwise"
        elif state["contest"] is None and state["phase"] == "playing":
            least = sum(sum(seat.values()) for seat in running[table, state["round"]])
            if pots.get(f"escrow/{table}/{state['round']}", 0) < least:
                yield f"chips came out of round {state['round']} of table {table}, which is not over"


_ASKED = {
    "members": "SELECT id, balance FROM members",
    "pots": "SELECT name, balance FROM pots",
    "moves": "SELECT source, target, sum(amount) FROM transfers GROUP BY source, target",
    "written": "SELECT cause FROM causes UNION SELECT key FROM transfers",
    "steps": "SELECT table_id, number, count(*), max(place) FROM steps GROUP BY table_id, number",
    "tables": "SELECT id, doc FROM tables",
    "running": "SELECT table_id, number, stakes FROM rounds WHERE dealt_at IS NOT NULL AND finished_at IS NULL",
    "finished": "SELECT table_id, number, lines FROM rounds WHERE finished_at IS NOT NULL",
    "staked": "SELECT target, sum(amount) FROM transfers WHERE reason = 'stake' GROUP BY target",
    "paid": "SELECT source, sum(amount) FROM transfers WHERE reason = 'returned' GROUP BY source",
    "tournaments": "SELECT id, phase, (SELECT coalesce(sum(buy_in), 0) FROM entries WHERE tournament = id) "
    "FROM tournaments",
}


def _on_file(url: str) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as bank:
        bank.execute("BEGIN")
        return {name: bank.execute(asked).fetchall() for name, asked in _ASKED.items()}


async def _on_server(url: str) -> dict[str, list[Any]]:
    bank = await asyncpg.connect(url)
    try:
        async with bank.transaction(isolation="repeatable_read"):
            return {name: [tuple(row) for row in await bank.fetch(asked)] for name, asked in _ASKED.items()}
    finally:
        await bank.close()
