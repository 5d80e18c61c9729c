"""Finds rounds of the past by member and by name, and who has passed chips to whom. Open seeds stay secret."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base import accounts
from data.base.schema import GIFT, by_index, members, plays, rounds, transfers
from data.base.set_tables import duels
from data.base.values import Feeding, HistoryPage, Played
from data.drivers.part import Part
from data.drivers.statement import Row, is_storable
from data.journal import reading
from data.journal.reading import CODE
from data.journal.round_rows import ROUNDS
from engine.fairness.chain import read_mark
from engine.tables.ports import StillSecret
from engine.tables.values import Kind, StoredRound

_HISTORY: Final = (
    sa.select(plays, rounds.c.code, rounds.c.game, rounds.c.rules_name)
    .join(rounds, sa.and_(rounds.c.table_id == plays.c.table_id, rounds.c.number == plays.c.number))
    .where(plays.c.member == sa.bindparam("member"))
    .limit(sa.bindparam("size"))
)
_ORDER: Final = (plays.c.at, plays.c.table_id, plays.c.number)
_NEWEST: Final = _HISTORY.order_by(*(column.desc() for column in _ORDER))


def _beside(*, newer: bool) -> sa.Select[Any]:
    """Return a query for the rounds next to a given one of the same member, the nearest first."""
    table, number = sa.bindparam("table", type_=sa.BigInteger), sa.bindparam("number", type_=sa.Integer)
    that = plays.alias("that")
    key = (that.c.table_id == table, that.c.number == number, that.c.member == sa.bindparam("member"))
    ended = sa.select(that.c.at).where(*key).scalar_subquery()
    mine, theirs = sa.tuple_(*_ORDER), sa.tuple_(ended, table, number)
    # the first condition of each pair is the one by which an index is entered
    if newer:
        return _HISTORY.where(plays.c.at >= ended, mine > theirs).order_by(*_ORDER)
    return _HISTORY.where(plays.c.at <= ended, mine < theirs).order_by(*(column.desc() for column in _ORDER))


_OLDER: Final = _beside(newer=False)
_NEWER: Final = _beside(newer=True)


_gifts = (
    sa.select(transfers.c.source, transfers.c.target, transfers.c.amount)
    .where(transfers.c.guild == sa.bindparam("guild"), GIFT, transfers.c.at > sa.bindparam("since"))
    .with_hint(transfers, by_index("transfers_gifts"), "sqlite")
)
_wallet = sa.literal(f"{Kind.MEMBER.value}/", sa.Text)
_loser = sa.case((duels.c.winner == duels.c.challenger, duels.c.challenged), else_=duels.c.challenger)
_lost = sa.select(_wallet + sa.cast(_loser, sa.Text), _wallet + sa.cast(duels.c.winner, sa.Text), duels.c.stake).where(
    *(duels.c.guild == sa.bindparam("guild"), duels.c.ended_at > sa.bindparam("since")),
    *(duels.c.winner.is_not(None), duels.c.stake > sa.literal_column("0")),
)
_passed = sa.union_all(_gifts, _lost).subquery("passed")
_pair = (_passed.c.source, _passed.c.target)
_total = sa.func.sum(_passed.c.amount)
_FED: Final = (
    sa.select(*_pair, _total.label("total"), sa.func.count().label("gifts"))
    .group_by(*_pair)
    .order_by(_total.desc(), *_pair)
    .limit(sa.bindparam("most"))
)


class Records(Part):
    """The rounds of the past, and the chips that members passed to each other."""

    async def history(self, member: int, size: int = 10) -> HistoryPage:
        """Return the first page of a member's history: the `size` finished rounds that ended last, the newest first."""
        found = await self._store.rows(_NEWEST, {"member": member, "size": size + 1})
        return _page(found[:size], newer=False, older=len(found) > size)

    async def older(self, member: int, table: int, number: int, size: int = 10) -> HistoryPage:
        """Return the page with the rounds of a member that ended just before this one, the last first."""
        values = {"member": member, "table": table, "number": number, "size": size + 1}
        found = await self._store.rows(_OLDER, values)
        return _page(found[:size], newer=True, older=len(found) > size)

    async def newer(self, member: int, table: int, number: int, size: int = 10) -> HistoryPage:
        """Return the page with the rounds of a member that ended just after this one, the last first.

        If they would fill no more than a page, return the newest page instead.
        """
        values = {"member": member, "table": table, "number": number, "size": size + 1}
        found = await self._store.rows(_NEWER, values)
        if len(found) <= size:
            return await self.history(member, size)
        return _page(found[size - 1 :: -1], newer=True, older=True)

    async def round(self, code: str, guild: int) -> StoredRound | None:
        """Return a finished round of a guild by its name, or None.

        The name is its mark. The first eight digits of a chain's promise stand for the last finished round under it. A
        round of scheme 1 is named by the beginning of its commitment; the latest is returned if several begin alike.
        Raises StillSecret while the round is being played; a round that is only sealed is not found.
        """
        code = code.strip().lower()
        if len(code) < CODE or not is_storable([code]):
            return None
        if read_mark(code) is None and len(code) == CODE:
            code = await self._last_of_chain(code, guild) or code
        name = code if read_mark(code) is not None else code[:CODE]
        named = sa.and_(rounds.c.guild == guild, rounds.c.code == name, rounds.c.dealt_at.is_not(None))
        async with self._store.reading() as connection:
            found = await reading.stored_rounds(connection, ROUNDS.where(named))
        fitting = sorted(
            (stored for stored in found if stored.code == code or stored.commitment.startswith(code)),
            key=lambda stored: stored.dealt_at,
        )
        if fitting and fitting[-1].lines is None:
            raise StillSecret(code)
        return fitting[-1] if fitting else None

    async def _last_of_chain(self, digits: str, guild: int) -> str | None:
        """Return the mark of the last round finished under the server's promise with these first digits, or None."""
        after, before = around_marks(digits)
        by_index = rounds.c.code > after, rounds.c.code < before
        marks = sa.and_(*by_index, rounds.c.code.startswith(f"{digits}-", autoescape=True))
        finished = sa.select(rounds.c.code).where(rounds.c.guild == guild, marks, rounds.c.finished_at.is_not(None))
        found: str | None = await self._store.value(
            finished.order_by(rounds.c.finished_at.desc(), rounds.c.link.desc()).limit(1)
        )
        return found

    async def feeding(self, guild: int, since: float, most: int = 25) -> tuple[Feeding, ...]:
        """Return who has passed how much to whom since then, by gifts and lost duels.

        These are the `most` pairs of giver and receiver with the largest sums, the largest first.
        """
        found = await self._store.rows(_FED, {"guild": guild, "since": since, "most": most})
        users = await self._users({accounts.owner(name) for row in found for name in (row.source, row.target)})
        return tuple(_fed(row, users) for row in found)

    async def _users(self, numbers: Collection[int]) -> Mapping[int, int | None]:
        found = await self._store.rows(sa.select(members.c.id, members.c.user_id).where(members.c.id.in_(numbers)))
        return {row.id: row.user_id for row in found}


def around_marks(digits: str) -> tuple[str, str]:
    """Return two texts with all marks that begin with these hex digits between them, in the order of any database.

    Not every database counts signs: to PostgreSQL in English, ``1a2b3c4d-17`` comes after ``1a2b3c4d.``.
    """
    return digits, f"{digits}g"


def _fed(row: Row, users: Mapping[int, int | None]) -> Feeding:
    giver, receiver = users[accounts.owner(row.source)], users[accounts.owner(row.target)]
    return Feeding(giver, receiver, int(row.total), row.gifts)


def _page(found: Sequence[Row], *, newer: bool, older: bool) -> HistoryPage:
    return HistoryPage(tuple(map(_played, found)), newer, older)


def _played(row: Row) -> Played:
    return Played(
        code=row.code,
        table=row.table_id,
        number=row.number,
        game=row.game,
        rules_name=row.rules_name,
        staked=row.staked,
        returned=row.returned,
        real=bool(row.real),
        at=row.at,
    )
