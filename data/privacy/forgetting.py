"""Hands out what is stored of a person, and forgets people."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import StillPlaying
from data.base.json_text import compact
from data.base.schema import (
    OPEN_TABLE,
    OPEN_TOURNAMENT,
    WAITING,
    chains,
    entries,
    grades,
    jobs,
    members,
    mistakes,
    plays,
    rounds,
    steps,
    tables,
    titles,
    tournaments,
    transfers,
)
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, param
from data.drivers.store import Store
from data.journal.packs import opened, packs_of, steps_away, whole
from data.ledger.chips import expect_nothing_at_stake
from data.people.fingerprints import Fingerprints, KeptFingerprints, fingerprint_of
from data.people.members import Members
from engine.tables.ports import Clock

#: The columns of a round that everybody in it may know, those with a part for each seat, and those shown to nobody.
_TOLD: Final = ("code", "commitment", "game", "rules_name", "dealt_at", "hash")
_BY_SEAT: Final = ("members", "stakes", "inputs", "lines")
_OTHER: Final = ("phrase", "pack")

#: The values of a row that says nothing of its person.
_NOBODY: Final = {
    **dict.fromkeys(("user_id", "language", "suits", "shown", "daily_at", "helped_at")),
    **dict.fromkeys(("warnings", "calls", "streak"), 0),
    "phrase": "",
    "stale": 1,
}
_FORGET: Final = Statement(
    sa.update(members).values(**_NOBODY).where(members.c.id == param("member"), members.c.user_id == param("user_id"))
)
_member = param("member")
#: The deletions that go with a member: the phrases of their chains, grades and mistakes.
_FORGET_WITH: Final = (
    Statement(sa.update(chains).values(phrase="").where(chains.c.member == _member, chains.c.phrase != "")),
    *(Statement(sa.delete(table).where(table.c.member == _member)) for table in (grades, mistakes)),
)


def _naming(table: sa.Table, text: sa.Column[str], waits: sa.ColumnElement[bool]) -> Statement:
    """Ask whether anything of a guild that is not over names a person."""
    here = table.c.guild == param("guild"), text.like(param("naming"))
    return Statement(sa.select(*table.primary_key.columns).where(waits, *here).limit(ONE))


def _scrub(table: sa.Table, text: sa.Column[str], waits: sa.ColumnElement[bool]) -> Statement:
    """Replace the text of a row that is over."""
    (key,) = table.primary_key.columns
    return Statement(sa.update(table).values({text.name: param("text")}).where(key == param("key"), ~waits))


#: The tables whose texts may name people by their Discord ids: the text, and when the row is not over.
_TEXTS: Final = (
    (tables, tables.c.doc, OPEN_TABLE),
    (jobs, jobs.c.payload, WAITING),
    (tournaments, tournaments.c.doc, OPEN_TOURNAMENT),
)
_IN_NONE_OPEN: Final = tuple(_naming(*each) for each in _TEXTS)
_SCRUB: Final = tuple(_scrub(*each) for each in _TEXTS)


class Privacy(Part):
    """The rights of people over their data: to get a copy of it, and to be forgotten."""

    def __init__(self, store: Store, clock: Clock, members: Members, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._members = members
        self._fingerprints = fingerprints

    async def servers(self, user: int) -> Sequence[int]:
        """Return the guilds that know this person."""
        here = sa.select(members.c.guild).where(members.c.user_id == user).order_by(members.c.guild)
        return [row.guild for row in await self._store.rows(here)]

    async def export(self, guild: int, user: int) -> dict[str, Any] | None:
        """Return all that is stored of one person in one guild, ready for JSON and without seeds, or None."""
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
        """Remove the Discord id from everything, and return whether there was anybody to forget.

        The ledger keeps a number. StillPlaying if an open table or a coming tournament has the person.
        """
        found = await self._members.known(guild, user)
        if found is None:
            return False
        batch, fault = self._store.batch(), StillPlaying(str(user))
        batch.must(_FORGET, {"member": found.id, "user_id": user}, fault)
        expect_nothing_at_stake(batch, guild, found.id, fault)
        for in_none_open in _IN_NONE_OPEN:
            batch.must(in_none_open, {"guild": guild, "naming": f"%{user}%"}, fault, rows=0)
        for forget in _FORGET_WITH:
            batch.add(forget, {"member": found.id})
        await self._scrub(batch, guild, user)
        await self._fingerprints.remember(batch, guild, user)
        await self._store.write.run(batch)
        return True

    async def forget_again(self, kept: KeptFingerprints, since: float) -> tuple[int, int]:
        """Forget, after a restore, the people whom the replaced bank forgot after the backup was made.

        Return how many were forgotten, and how many sit at open tables and have to ask once more.
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
        """Return the finished rounds with what the member did in them, but not what others did."""
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
        """Remove the person from closed tables, done jobs and tournaments that are over: nobody reads those again."""
        for (table, text, waits), scrub in zip(_TEXTS, _SCRUB, strict=True):
            (key,) = table.primary_key.columns
            over = sa.select(key.label("key"), text.label("text")).where(table.c.guild == guild, ~waits)
            for row in await self._store.rows(over.where(text.like(f"%{user}%"))):
                batch.add(scrub, {"key": row.key, "text": without(row.text, user)})


def _plain(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if not isinstance(value, bytes)}


def _own(row: Row, taken: Sequence[Row]) -> dict[str, Any]:
    """Return a round as one member played it.

    In scheme 1 each seat has two inputs after the message's: a press and a phrase. In scheme 2 only a member who plays
    alone has a phrase.
    """
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
    """Return the same JSON with a 0 wherever it named the user."""

    def scrubbed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: scrubbed(each) for name, each in value.items()}
        if isinstance(value, list):
            return [scrubbed(each) for each in value]
        named = not isinstance(value, bool) and value in (user, str(user))
        return type(value)(0) if named else value

    return compact(scrubbed(json.loads(doc)))
