"""The desk of those who want to know, or to be forgotten."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from data import accounts
from data.batch import Batch
from data.cup_schema import OPEN as OPEN_CUP
from data.cup_schema import cups, entries, titles
from data.faults import StillPlaying
from data.journal import compact
from data.rewards import Rewards
from data.schema import OPEN, jobs, plays, rounds, tables, transfers
from data.store import Row
from engine.live.ports import Kind


class Privacy(Rewards):
    async def export_member(self, guild: int, user: int) -> dict[str, Any] | None:
        """All that is stored of one person in one guild, ready for JSON. Seeds are not in it."""
        found = await self._known(guild, user)
        if found is None:
            return None
        name = accounts.member(found.id)
        mine = sa.or_(transfers.c.source == name, transfers.c.target == name)
        ledger = sa.select(transfers).where(transfers.c.guild == guild, mine).order_by(transfers.c.id)
        here = sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number)
        played = sa.select(plays, rounds.c.commitment, rounds.c.game, rounds.c.rules_name).join(rounds, here)
        named = sa.select(tables.c.id, tables.c.channel, tables.c.game, tables.c.open)
        named = named.where(tables.c.guild == guild, tables.c.doc.like(f"%{user}%"))
        return {
            "member": _plain(await self._row(found.id)),
            "transfers": await self._plain(ledger),
            "rounds": await self._plain(played.where(plays.c.member == found.id).order_by(plays.c.at)),
            "tables": await self._plain(named.order_by(tables.c.id)),
            "tournaments": await self._plain(sa.select(entries).where(entries.c.member == found.id)),
            "titles": await self._plain(sa.select(titles).where(titles.c.member == found.id).order_by(titles.c.at)),
        }

    async def forget_member(self, guild: int, user: int) -> bool:
        """Takes the Discord id out of everything; the ledger keeps a number. Whether there was anybody to forget.

        StillPlaying while an open table or a tournament to come knows them.
        """
        found = await self._known(guild, user)
        if found is None:
            return False
        batch, sql, fault = Batch(), self._store.sql, StillPlaying(str(user))
        batch.must(sql.forget_member, {"p_member": found.id, "p_user_id": user}, fault)
        chips = {"p_name": accounts.member(found.id), "p_stack": f"{Kind.STACK.value}/%/{found.id}"}
        batch.must(sql.nothing_at_stake, {"p_guild": guild, **chips}, fault, rows=0)
        naming = {"p_guild": guild, "p_naming": f"%{user}%"}
        batch.must(sql.at_no_table, naming, fault, rows=0)
        batch.must(sql.in_no_job, naming, fault, rows=0)
        batch.must(self._store.cups.in_no_cup, naming, fault, rows=0)
        await self._scrub(batch, guild, user)
        await self._remember(batch, guild, user)
        await self._store.write.run(batch)
        await self.tidy()
        return True

    # -- private ---------------------------------------------------------------------------------------------------

    async def _plain(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        return [_plain(row) for row in await self._store.rows(query)]

    async def _scrub(self, batch: Batch, guild: int, user: int) -> None:
        """Closed tables and work that is done: nobody reads them again, so who sat there can go."""
        closed = sa.select(tables.c.id, tables.c.doc).where(tables.c.guild == guild, ~OPEN)
        for row in await self._store.rows(closed.where(tables.c.doc.like(f"%{user}%"))):
            batch.add(self._store.sql.scrub_table, {"p_id": row.id, "p_doc": without(row.doc, user)})
        done = sa.select(jobs.c.key, jobs.c.payload).where(jobs.c.guild == guild, jobs.c.done_at.is_not(None))
        for row in await self._store.rows(done.where(jobs.c.payload.like(f"%{user}%"))):
            batch.add(self._store.sql.scrub_job, {"p_key": row.key, "p_payload": without(row.payload, user)})
        over = sa.select(cups.c.id, cups.c.doc).where(cups.c.guild == guild, ~OPEN_CUP)
        for row in await self._store.rows(over.where(cups.c.doc.like(f"%{user}%"))):
            batch.add(self._store.cups.scrub_cup, {"p_id": row.id, "p_doc": without(row.doc, user)})


def _plain(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if not isinstance(value, bytes)}


def without(doc: str, user: int) -> str:
    """The same JSON, with a nought wherever it named the user."""

    def scrubbed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: scrubbed(each) for name, each in value.items()}
        if isinstance(value, list):
            return [scrubbed(each) for each in value]
        named = not isinstance(value, bool) and value in (user, str(user))
        return type(value)(0) if named else value

    return compact(scrubbed(json.loads(doc)))
