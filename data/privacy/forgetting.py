"""Hands out what is stored of a person, and forgets people."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base.errors import StillDuelling, StillPlaying
from data.base.json_text import compact
from data.base.schema import (
    OPEN_TABLE,
    OPEN_TOURNAMENT,
    WAITING,
    breaks,
    chains,
    entries,
    grades,
    holdings,
    jobs,
    limits,
    member_days,
    members,
    mistakes,
    notices,
    season_places,
    season_points,
    tables,
    titles,
    tournaments,
    training,
    wishes,
)
from data.base.set_tables import OPEN_DUEL, duels, people, sets, standings, tries
from data.base.values import EVERYWHERE, SeasonBoard
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Statement, param
from data.drivers.store import Store
from data.jobs import champions
from data.ledger.chips import expect_nothing_at_stake
from data.people.fingerprints import PERSON_LEAVES, Fingerprints, KeptFingerprints, boards, fingerprint_of
from data.people.members import Members
from data.privacy.pages import MEMBER, ExportPage, long_lists, plain
from data.seasons.places import LEAVE
from engine.tables.ports import Clock

#: The values that remove everything about the person from a member's row.
_NOBODY: Final = {
    **dict.fromkeys(("user_id", "language", "suits", "shown", "daily_at", "helped_at", "resting_until", "away_until")),
    **dict.fromkeys(("warnings", "calls", "streak", "hidden"), 0),
    "phrase": "",
    "stale": 1,
}
_FORGET: Final = Statement(
    sa.update(members).values(**_NOBODY).where(members.c.id == param("member"), members.c.user_id == param("user_id"))
)
_member = param("member")
#: Removes grades, days and mistakes of a member who is forgotten, and the phrases from their chains.
_FORGET_WITH: Final = (
    Statement(sa.update(chains).values(phrase="").where(chains.c.member == _member, chains.c.phrase != "")),
    *(Statement(sa.delete(table).where(table.c.member == _member)) for table in (grades, member_days, mistakes)),
)
_person = sa.select(people.c.id).where(people.c.user_id == param("user_id", sa.BigInteger())).scalar_subquery()
_known_somewhere = sa.exists(sa.select(members.c.id).where(members.c.user_id == param("user_id", sa.BigInteger())))
#: Removes what is stored of a person for all servers, if none knows them any more. The fingerprints of their breaks and
#: limits stay.
_FORGET_PERSON: Final = (
    *(
        Statement(sa.update(table).values(user_id=None).where(table.c.user_id == param("user_id"), ~_known_somewhere))
        for table in (breaks, limits)
    ),
    *(
        Statement(sa.delete(table).where(table.c.user_id == param("user_id"), ~_known_somewhere))
        for table in (wishes, training)
    ),
    Statement(
        sa.delete(season_places).where(
            season_places.c.guild.in_(sa.select(standings.c.guild).where(standings.c.person == _person)),
            season_places.c.board == SeasonBoard.FIVE.value,
            season_places.c.who == _person,
            ~_known_somewhere,
        )
    ),
    Statement(sa.delete(standings).where(standings.c.person == _person, ~_known_somewhere)),
    Statement(sa.update(people).values(user_id=None).where(people.c.user_id == param("user_id"), ~_known_somewhere)),
)

_OF_NO_SERVER: Final = (people, breaks, limits, wishes, training)
#: The Discord ids of all people of whom something is stored that belongs to no server.
_PERSONS: Final = sa.union(*(sa.select(table.c.user_id).where(table.c.user_id.is_not(None)) for table in _OF_NO_SERVER))
_IS_AMONG_THEM: Final = sa.union(
    *(sa.select(table.c.user_id).where(table.c.user_id == sa.bindparam("user")) for table in _OF_NO_SERVER)
)

#: Deletes a person's places on a server's boards of Today's five.
_LEAVE_BOARDS: Final = Statement(
    sa.delete(standings).where(standings.c.person == _person, standings.c.guild == param("guild"))
)
_THEIR_BREAKS: Final = sa.select(breaks.c.what, breaks.c.began_at, breaks.c.until).order_by(breaks.c.id)
_THEIR_LIMITS: Final = sa.select(limits.c.kind, limits.c.at, limits.c.most, limits.c.later, limits.c.later_at).order_by(
    limits.c.id
)
_ENTERED: Final = sa.select(*(column for column in entries.c if column.name != "person"))
_days = sa.select(sets.c.day, sets.c.name)
_THEIR_TRIES: Final = (
    _days.add_columns(*(column for column in tries.c if column.name != "person"))
    .join(tries, tries.c.set == sets.c.id)
    .join(people, people.c.id == tries.c.person)
    .order_by(tries.c.began_at)
)
_THEIR_PLACES: Final = (
    _days.add_columns(standings.c.guild, standings.c.points)
    .join(standings, standings.c.set == sets.c.id)
    .join(people, people.c.id == standings.c.person)
    .order_by(sets.c.day, standings.c.guild)
)
#: The guilds on whose boards of Today's five people stand, with or without an account there.
_ON_BOARDS: Final = (
    sa.select(standings.c.guild, people.c.user_id)
    .join(people, people.c.id == standings.c.person)
    .where(people.c.user_id.is_not(None))
)


def _naming(table: sa.Table, text: sa.Column[str], waits: sa.ColumnElement[bool]) -> Statement:
    """Return a query for the key of one row that names a person in its `text`.

    Only rows of the guild count, and only while their table, job or tournament is not over (the condition `waits`).
    """
    here = table.c.guild == param("guild"), text.like(param("naming"))
    return Statement(sa.select(*table.primary_key.columns).where(waits, *here).limit(ONE))


def _scrub(table: sa.Table, text: sa.Column[str], waits: sa.ColumnElement[bool]) -> Statement:
    """Return an update that replaces the text of one row.

    It changes nothing while the condition `waits` is true: the row's table, job or tournament is not over yet.
    """
    (key,) = table.primary_key.columns
    return Statement(sa.update(table).values({text.name: param("text")}).where(key == param("key"), ~waits))


#: The tables whose texts may name people by their Discord ids: the text, and the condition under which it is in use.
_TEXTS: Final = (
    (tables, tables.c.doc, OPEN_TABLE),
    (jobs, jobs.c.payload, WAITING),
    (tournaments, tournaments.c.doc, OPEN_TOURNAMENT),
)
_IN_NONE_OPEN: Final = tuple(_naming(*each) for each in _TEXTS)
_SCRUB: Final = tuple(_scrub(*each) for each in _TEXTS)


_IN_NO_DUEL: Final = Statement(
    sa.select(duels.c.id)
    .where(OPEN_DUEL, sa.or_(duels.c.challenger == _member, duels.c.challenged == _member))
    .limit(ONE)
)


class Privacy(Part):
    """The rights of people over their data: to get a copy of it, and to be forgotten."""

    def __init__(self, store: Store, clock: Clock, members: Members, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._members = members
        self._fingerprints = fingerprints

    async def servers(self, user: int) -> Sequence[int]:
        """Return the guilds on which a person has an account, in order of their ids."""
        here = sa.select(members.c.guild).where(members.c.user_id == user).order_by(members.c.guild)
        return [row.guild for row in await self._store.rows(here)]

    async def servers_after(self, guild: int, most: int) -> Sequence[int]:
        """Return the next guilds after this one, in order of their ids, on which anybody is known.

        That is somebody with an account, or with a place on a board of Today's five.
        """
        five = season_places.c.board == SeasonBoard.FIVE.value
        each = (
            sa.select(table.c.guild).where(table.c.guild > guild, known).distinct().order_by(table.c.guild).limit(most)
            for table, known in ((members, members.c.user_id.is_not(None)), (season_places, five))
        )
        both = sa.union(*(sa.select(some.subquery()) for some in each)).subquery()
        return [row.guild for row in await self._store.rows(sa.select(both).order_by(both.c.guild).limit(most))]

    async def people_after(self, guild: int, user: int, most: int) -> Sequence[int]:
        """Return the next Discord ids after `user` of people with an account on a guild, in ascending order."""
        here = sa.select(members.c.user_id).where(members.c.guild == guild, members.c.user_id > user)
        return [row.user_id for row in await self._store.rows(here.order_by(members.c.user_id).limit(most))]

    async def on_boards(self, guild: int) -> Sequence[int]:
        """Return the Discord ids of people on a guild's boards of Today's five; some may have no account there."""
        return [row.user_id for row in await self._store.rows(_ON_BOARDS.where(standings.c.guild == guild).distinct())]

    async def own(self, user: int) -> dict[str, Any]:
        """Return what is stored of a person outside of their accounts in guilds, as lists by name, ready for JSON.

        That is breaks, limits, choices for all servers (`Wishes`), training, tries and places on boards.
        """
        tables = {"wishes": wishes, "training": training}
        of_tables = {name: sa.select(table).where(table.c.user_id == user) for name, table in tables.items()}
        decided = {"breaks": _THEIR_BREAKS.where(breaks.c.user_id == user)}
        decided["limits"] = _THEIR_LIMITS.where(limits.c.user_id == user)
        of_the_house = {"today": _THEIR_TRIES, "boards": _THEIR_PLACES}
        played = {name: query.where(people.c.user_id == user) for name, query in of_the_house.items()}
        queries = decided | of_tables | played
        return {name: await self._plain(query) for name, query in queries.items()}

    async def export(self, guild: int, user: int) -> dict[str, Any] | None:
        """Return a document with all parts that `pages` yields, or None if the user has no account in this guild."""
        whole: dict[str, Any] = {}
        async for name, rows in self.pages(guild, user):
            if name == MEMBER:
                (whole[name],) = rows
            else:
                whole.setdefault(name, []).extend(rows)
        return whole or None

    async def pages(self, guild: int, user: int) -> AsyncIterator[ExportPage]:
        """Yield all that is stored of one person in one guild and for all guilds, ready for JSON and without seeds.

        The first part is the member's own row. A long list comes in parts that follow each other, so that only one is
        in memory. Nothing is yielded for somebody without an account in the guild.
        """
        found = await self._members.known(guild, user)
        if found is None:
            return
        yield MEMBER, [plain(await self._members.row(found.id))]
        for name, rows in (await self._short_lists(guild, user, found.id)).items():
            yield name, rows
        async for page in long_lists(self._store, guild, found.id):
            yield page

    async def _short_lists(self, guild: int, user: int, member: int) -> dict[str, list[dict[str, Any]]]:
        named = sa.select(tables.c.id, tables.c.channel, tables.c.game, tables.c.open)
        named = named.where(tables.c.guild == guild, tables.c.doc.like(f"%{user}%"))
        won = sa.select(titles).where(titles.c.guild == guild, titles.c.member == member)
        is_about = sa.or_(notices.c.actor == member, notices.c.member == member)
        return {
            "tables": await self._plain(named.order_by(tables.c.id)),
            "tournaments": await self._plain(_ENTERED.where(entries.c.member == member)),
            "seasons": await self._plain(_standings_of(guild, member, user)),
            "points": await self._plain(sa.select(season_points).where(season_points.c.member == member)),
            "days": await self._plain(
                sa.select(member_days).where(member_days.c.member == member).order_by(member_days.c.day)
            ),
            "roles": await self._plain(sa.select(holdings).where(holdings.c.member == member)),
            "notices": await self._plain(sa.select(notices).where(notices.c.guild == guild, is_about)),
            "duels": await self._plain(
                sa.select(duels)
                .where(sa.or_(duels.c.challenger == member, duels.c.challenged == member))
                .order_by(duels.c.made_at)
            ),
            "titles": await self._plain(won.order_by(titles.c.at)),
            **await self.own(user),
        }

    async def forget(self, guild: int, user: int) -> bool:
        """Remove a person's Discord id, settings, phrases and grades from a guild; return whether anything was there.

        The person also leaves the boards of Today's five, and the guild's champions are looked for again. In the ledger
        the person stays as a number, and for thirty days as a fingerprint. If no other guild knows them, what is stored
        of them for all guilds goes too. Raises StillPlaying if they have chips at stake, or if an open table, an open
        tournament or a job that waits names them, and StillDuelling if they are in a duel.

        Somebody without an account only leaves the boards; without one anywhere, they are forgotten as by `forget_own`.
        """
        found = await self._members.known(guild, user)
        if found is None:
            left = await self._leave_boards(guild, user)
            return await self.forget_own(user) or left
        batch, fault = self._store.batch(), StillPlaying(str(user))
        batch.add(PERSON_LEAVES, {})
        batch.must(_FORGET, {"member": found.id, "user_id": user}, fault)
        batch.must(_IN_NO_DUEL, {"member": found.id}, StillDuelling(str(user)), rows=0)
        expect_nothing_at_stake(batch, guild, found.id, fault)
        for in_none_open in _IN_NONE_OPEN:
            batch.must(in_none_open, {"guild": guild, "naming": f"%{user}%"}, fault, rows=0)
        for forget in _FORGET_WITH:
            batch.add(forget, {"member": found.id})
        batch.add(LEAVE, {"guild": guild, "user_id": user})
        champions.look_again(batch, guild, self._clock.now())
        for forget in _FORGET_PERSON:
            batch.add(forget, {"user_id": user})
        await self._scrub(batch, guild, user)
        await self._fingerprints.remember(batch, guild, user)
        batch.add(_LEAVE_BOARDS, {"guild": guild, "user_id": user})
        await self._fingerprints.remember_if_gone(batch, user)
        await self._store.write.run(batch)
        return True

    async def forget_on_boards(self, guild: int, user: int) -> bool:
        """Take a person without an account on a guild off its boards, and return whether they stood on any.

        If they stand on no other guild's boards, they are also forgotten as by `forget_own`.
        """
        if await self._members.known(guild, user) is not None:
            return False
        left = await self._leave_boards(guild, user)
        if not await self._store.rows(_THEIR_PLACES.where(people.c.user_id == user)):
            await self.forget_own(user)
        return left

    async def forget_own(self, user: int) -> bool:
        """Remove what belongs to no guild, such as a person's wishes, if the person has no account on any.

        Return whether anything was removed. Fingerprints of breaks and limits stay.
        """
        if await self.servers(user) or not await self._store.rows(_IS_AMONG_THEM, {"user": user}):
            return False
        batch = self._store.batch()
        for forget in _FORGET_PERSON:
            batch.add(forget, {"user_id": user})
        await self._fingerprints.remember(batch, EVERYWHERE, user)
        await self._store.write.run(batch)
        return True

    async def forget_again(self, kept: KeptFingerprints, since: float) -> tuple[int, int]:
        """Forget, after a restore, the people whom the replaced bank forgot since the backup was made.

        Return how many were forgotten, and how many are still playing and have to ask once more. The fingerprints
        `kept` by the replaced bank are added to this one. Raises BadBackup if the two banks have different keys.
        """
        await self._fingerprints.take_over(kept)
        key, gone = kept.key or b"", {(guild, fingerprint) for guild, fingerprint, at in kept.rows if at > since}
        guilds = {guild for guild, _ in gone}
        back = sa.union(
            sa.select(members.c.guild, members.c.user_id).where(
                members.c.user_id.is_not(None), members.c.guild.in_(guilds)
            ),
            _ON_BOARDS.where(standings.c.guild.in_(guilds)),
        )
        forgotten = still_playing = 0
        for row in await self._store.rows(back):
            names = row.guild, boards(row.guild)
            if gone & {(row.guild, fingerprint_of(key, name, row.user_id)) for name in names}:
                try:
                    forgotten += await self.forget(row.guild, row.user_id)
                except StillPlaying:
                    still_playing += 1
        forgotten += await self._forget_people_again(key, gone)
        return forgotten, still_playing

    # -- private ---------------------------------------------------------------------------------------------------

    async def _leave_boards(self, guild: int, user: int) -> bool:
        """Take a person without an account off a server's boards, and return whether they stood on any."""
        if not await self._store.rows(_THEIR_PLACES.where(people.c.user_id == user, standings.c.guild == guild)):
            return False
        batch = self._store.batch()
        for leave in (LEAVE, _LEAVE_BOARDS):
            batch.add(leave, {"guild": guild, "user_id": user})
        await self._fingerprints.remember(batch, guild, user, of=boards(guild))
        await self._store.write.run(batch)
        return True

    async def _forget_people_again(self, key: bytes, gone: set[tuple[int, str]]) -> int:
        """Forget people whom no server knows and whose fingerprints for all servers are in `gone`; return how many."""
        forgotten = 0
        if any(guild == EVERYWHERE for guild, _ in gone):
            for row in await self._store.rows(_PERSONS):
                if (EVERYWHERE, fingerprint_of(key, EVERYWHERE, row.user_id)) in gone:
                    forgotten += await self.forget_own(row.user_id)
        return forgotten

    async def _plain(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        return [plain(row) for row in await self._store.rows(query)]

    async def _scrub(self, batch: Batch, guild: int, user: int) -> None:
        """Add to a batch the statements that replace a person's id by 0 in what is stored of a server as JSON.

        Only closed tables, done jobs and tournaments that are over are changed.
        """
        for (table, text, waits), scrub in zip(_TEXTS, _SCRUB, strict=True):
            (key,) = table.primary_key.columns
            over = sa.select(key.label("key"), text.label("text")).where(table.c.guild == guild, ~waits)
            for row in await self._store.rows(over.where(text.like(f"%{user}%"))):
                batch.add(scrub, {"key": row.key, "text": without(row.text, user)})


def _standings_of(guild: int, member: int, user: int) -> sa.Select[Any]:
    """Return a query for somebody's places on the boards of a guild's seasons."""
    person = sa.select(people.c.id).where(people.c.user_id == user).scalar_subquery()
    five = season_places.c.board == SeasonBoard.FIVE.value
    own = sa.case((five, season_places.c.who == person), else_=season_places.c.who == member)
    return sa.select(season_places).where(season_places.c.guild == guild, own).order_by(season_places.c.season)


def without(doc: str, user: int) -> str:
    """Return the same JSON with a 0 wherever a value, as a number or a text, is the user's id."""

    def scrubbed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: scrubbed(each) for name, each in value.items()}
        if isinstance(value, list):
            return [scrubbed(each) for each in value]
        named = not isinstance(value, bool) and value in (user, str(user))
        return type(value)(0) if named else value

    return compact(scrubbed(json.loads(doc)))
