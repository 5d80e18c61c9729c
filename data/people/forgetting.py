"""What is known of somebody, for who wants to know or to be forgotten."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.drivers.store import Store
from data.faults import StillPlaying
from data.journal.packs import opened, packs_of, steps_away, whole
from data.journal.reading import compact
from data.ledger import accounts
from data.part import Part
from data.people.fingerprints import Fingerprints, Kept, fingerprint_of
from data.people.members import Members
from data.schema import OPEN, grades, jobs, members, mistakes, plays, rounds, steps, tables, transfers
from data.tournaments.tournament_schema import OPEN as OPEN_TOURNAMENT
from data.tournaments.tournament_schema import entries, titles, tournaments
from engine.tables.ports import Clock
from engine.tables.values import Kind

#: What is told of a round to everybody in it, and what belongs to one seat or another.
_TOLD: Final = ("code", "commitment", "game", "rules_name", "dealt_at", "hash")
_BY_SEAT: Final = ("members", "stakes", "inputs", "lines")
_OTHER: Final = ("phrase", "pack")


class Privacy(Part):
    def __init__(self, store: Store, clock: Clock, members: Members, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._members = members
        self._fingerprints = fingerprints

    async def servers(self, user: int) -> Sequence[int]:
        """Return the guilds that know this person."""
        here = sa.select(members.c.guild).where(members.c.user_id == user).order_by(members.c.guild)
        return [row.guild for row in await self._store.rows(here)]

    async def export(self, guild: int, user: int) -> dict[str, Any] | None:
        """All that is stored of one person in one guild, ready for JSON. Seeds are not in it."""
        found = await self._members.known(guild, user)
        if found is None:
            return None
        name = accounts.member(found.id)
        mine = sa.or_(transfers.c.source == name, transfers.c.target == name)
        ledger = sa.select(transfers).where(transfers.c.guild == guild, mine).order_by(transfers.c.id)
        named = sa.select(tables.c.id, tables.c.channel, tables.c.game, tables.c.open)
        named = named.where(tables.c.guild == guild, tables.c.doc.like(f"%{user}%"))
        won = sa.select(titles).where(titles.c.guild == guild, titles.c.member == found.id)
        return {
            "member": _plain(await self._members.row(found.id)),
            "transfers": await self._plain(ledger),
            "rounds": await self._own_rounds(found.id),
            "tables": await self._plain(named.order_by(tables.c.id)),
            "tournaments": await self._plain(sa.select(entries).where(entries.c.member == found.id)),
            "grades": await self._plain(sa.select(grades).where(grades.c.member == found.id).order_by(grades.c.at)),
            "mistakes": await self._plain(
                sa.select(mistakes).where(mistakes.c.member == found.id).order_by(mistakes.c.at)
            ),
            "titles": await self._plain(won.order_by(titles.c.at)),
        }

    async def forget(self, guild: int, user: int) -> bool:
        """Takes the Discord id out of everything; the ledger keeps a number. Whether there was anybody to forget.

        StillPlaying while an open table or a tournament to come knows them.
        """
        found = await self._members.known(guild, user)
        if found is None:
            return False
        batch, sql, fault = Batch(), self._store.sql, StillPlaying(str(user))
        batch.must(sql.people.forget_member, {"p_member": found.id, "p_user_id": user}, fault)
        chips = {"p_name": accounts.member(found.id), "p_stack": f"{Kind.STACK.value}/%/{found.id}"}
        batch.must(sql.chips.nothing_at_stake, {"p_guild": guild, **chips}, fault, rows=0)
        naming = {"p_guild": guild, "p_naming": f"%{user}%"}
        batch.must(sql.journal.at_no_table, naming, fault, rows=0)
        batch.must(sql.jobs.in_no_job, naming, fault, rows=0)
        batch.must(self._store.sql.tournaments.in_no_tournament, naming, fault, rows=0)
        batch.add(sql.people.forget_phrases, {"p_member": found.id})
        batch.add(sql.skill.forget_grades, {"p_member": found.id})
        batch.add(sql.skill.forget_mistakes, {"p_member": found.id})
        await self._scrub(batch, guild, user)
        await self._fingerprints.remember(batch, guild, user)
        await self._store.write.run(batch)
        return True

    async def forget_again(self, kept: Kept, since: float) -> tuple[int, int]:
        """After a restore: forget those whom the replaced bank forgot after the backup was made.

        Returns how many were forgotten, and how many sit at open tables and have to ask once more.
        """
        await self._fingerprints.take_over(kept)
        gone = {(guild, fingerprint) for guild, fingerprint, at in kept.rows if at > since}
        back = sa.select(members.c.guild, members.c.user_id).where(
            members.c.user_id.is_not(None), members.c.guild.in_({guild for guild, _ in gone})
        )
        forgotten = still_playing = 0
        for row in await self._store.rows(back) if kept.key is not None and gone else ():
            if (row.guild, fingerprint_of(kept.key or b"", row.guild, row.user_id)) in gone:
                try:
                    await self.forget(row.guild, row.user_id)
                    forgotten += 1
                except StillPlaying:
                    still_playing += 1
        return forgotten, still_playing

    # -- private ---------------------------------------------------------------------------------------------------

    async def _plain(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        return [_plain(row) for row in await self._store.rows(query)]

    async def _own_rounds(self, member: int) -> list[dict[str, Any]]:
        """Finished ones, with what the member did in them; not what others did."""
        mine = plays.c.member == member
        here = sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number)
        played = (
            sa.select(plays, *(rounds.c[name] for name in _TOLD + _BY_SEAT + _OTHER)).join(rounds, here).where(mine)
        )
        there = sa.and_(steps.c.table_id == plays.c.table_id, steps.c.number == plays.c.number)
        order = (steps.c.table_id, steps.c.number, steps.c.place)
        actions: dict[tuple[int, int], list[Row]] = defaultdict(list)
        for step in await self._store.rows(sa.select(steps).join(plays, there).where(mine).order_by(*order)):
            actions[step.table_id, step.number].append(step)
        found = await self._store.rows(played.order_by(plays.c.at))
        async with self._store.reading() as connection:
            away = opened(await packs_of(connection, found))
        actions |= steps_away(away)
        return [_own(whole(row, away), actions[row.table_id, row.number]) for row in found]

    async def _scrub(self, batch: Batch, guild: int, user: int) -> None:
        """Closed tables and work that is done: nobody reads them again, so who sat there can go."""
        closed = sa.select(tables.c.id, tables.c.doc).where(tables.c.guild == guild, ~OPEN)
        for row in await self._store.rows(closed.where(tables.c.doc.like(f"%{user}%"))):
            batch.add(self._store.sql.journal.scrub_table, {"p_id": row.id, "p_doc": without(row.doc, user)})
        done = sa.select(jobs.c.key, jobs.c.payload).where(jobs.c.guild == guild, jobs.c.done_at.is_not(None))
        for row in await self._store.rows(done.where(jobs.c.payload.like(f"%{user}%"))):
            batch.add(self._store.sql.jobs.scrub_job, {"p_key": row.key, "p_payload": without(row.payload, user)})
        over = sa.select(tournaments.c.id, tournaments.c.doc).where(tournaments.c.guild == guild, ~OPEN_TOURNAMENT)
        for row in await self._store.rows(over.where(tournaments.c.doc.like(f"%{user}%"))):
            batch.add(self._store.sql.tournaments.scrub_tournament, {"p_id": row.id, "p_doc": without(row.doc, user)})


def _plain(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if not isinstance(value, bytes)}


def _own(row: Row, taken: Sequence[Row]) -> dict[str, Any]:
    """A round as one member played it. In scheme 1 each seat has two of its inputs, after the message's: a press and a
    phrase; in scheme 2 only who plays alone has a phrase."""
    members, stakes, inputs, lines = (json.loads(row._mapping[name]) for name in _BY_SEAT)
    seats = [seat for seat, member in enumerate(members) if member == row.member]
    return {
        **{name: value for name, value in _plain(row).items() if name not in _BY_SEAT + _OTHER},
        "stakes": [stakes[seat] for seat in seats],
        "phrases": [row.phrase]
        if row.phrase
        else [phrase for seat in seats for phrase in inputs[2 * seat + 2 : 2 * seat + 3]],
        "lines": [line for line in lines if line["seat"] in seats],
        "actions": [{"action": step.action, "by": step.by, "at": step.at} for step in taken if step.seat in seats],
    }


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
