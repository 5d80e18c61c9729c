"""Resets to equal chips (R14.2): an order of the admins, announced a week before. Until it begins it can be withdrawn.

From the moment it begins, nobody whose chips are not reset yet can stake anything new. Wallets are then set to the same
amount in slices; somebody with chips at a table or in a duel has their turn once these have come back. A reset can be
interrupted anywhere: the row of each member has the number of the last reset of their chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import sqlalchemy as sa

from data.base.errors import Moved, ResetMoved
from data.base.schema import LIVE, OPEN_RESET, OPEN_TOURNAMENT, entries, members, pots, resets, tournaments, transfers
from data.base.set_tables import OPEN_DUEL, duels
from data.base.values import Job, LogLine
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert, param
from data.jobs import jobs, notices
from data.ledger import ledger
from data.ledger.ledger import CLOSES
from data.people.fingerprints import DAY
from engine.games.contract import Cents
from engine.sets.duels import DuelState
from engine.tables.values import Account, Kind, Member, Transfer
from engine.tournament.tournament import TournamentPhase

#: The kind of job that carries out a reset.
RESETS: Final = "reset"
#: Seconds between the announcement and the reset.
NOTICE: Final = 7 * DAY
#: The most members of a slice, and the most attempts at one in which somebody's chips moved at the same moment.
SLICE: Final = 100
_TRIES: Final = 5
_HOUR: Final = 3_600

_this = resets.c.id == param("id")
_waits = sa.and_(_this, OPEN_RESET, resets.c.began_at.is_(None))
_ORDER: Final = Statement(
    insert(resets)
    .values({name: param(name) for name in ("id", "guild", "channel", "actor", "amount", "at")})
    .on_conflict_do_nothing()
)
_MOVE: Final = Statement(sa.update(resets).values(at=param("at", sa.Double())).where(_waits))
_ANNOUNCED: Final = Statement(
    sa.update(resets)
    .values(announced_at=param("now"), event=param("event"))
    .where(_waits, resets.c.announced_at.is_(None), resets.c.at >= param("now") + NOTICE)
)
_WITHDRAW: Final = Statement(
    sa.update(resets).values(ended_at=param("now"), withdrawn=1).where(_waits, resets.c.guild == param("guild"))
)
_newest = sa.select(sa.func.max(members.c.id)).where(members.c.guild == resets.c.guild).scalar_subquery()
_BEGIN: Final = Statement(
    sa.update(resets).values(began_at=param("now"), last=_newest).where(_waits, resets.c.at <= param("now"))
)
_now = param("now", sa.Double())
#: The end is never before the beginning, though a clock may be set back in between.
_END: Final = Statement(
    sa.update(resets)
    .values(ended_at=sa.case((resets.c.began_at > _now, resets.c.began_at), else_=_now))
    .where(_this, OPEN_RESET)
)
#: Marks a member as reset, unless the chips have moved since they were read, or are reset already.
_MARK: Final = Statement(
    sa.update(members)
    .values(reset=param("reset", sa.BigInteger()))
    .where(
        *(members.c.id == param("member"), members.c.balance == param("seen", sa.BigInteger())),
        sa.or_(members.c.reset.is_(None), members.c.reset < param("reset", sa.BigInteger())),
    )
)
_NEXT: Final = (
    sa.select(members.c.id, members.c.user_id, members.c.balance)
    .where(
        *(members.c.guild == sa.bindparam("guild"), members.c.user_id > sa.bindparam("after")),
        *(
            members.c.id <= sa.bindparam("last"),
            sa.or_(members.c.reset.is_(None), members.c.reset < sa.bindparam("id")),
        ),
    )
    .order_by(members.c.user_id)
    .limit(SLICE)
)
#: The accounts whose chips are in play: those that hold some, and those that they came from.
_IN_PLAY: Final = sa.union(
    sa.select(pots.c.name).where(pots.c.guild == sa.bindparam("guild"), LIVE),
    sa.select(transfers.c.source)
    .join(pots, sa.and_(pots.c.guild == transfers.c.guild, pots.c.name == transfers.c.target))
    .where(pots.c.guild == sa.bindparam("guild"), LIVE),
)
_OF_MEMBERS: Final = (Kind.MEMBER, Kind.STACK, Kind.POOL)
_BOUGHT_IN: Final = (
    sa.select(tournaments.c.id, members.c.id, members.c.guild, members.c.user_id, members.c.balance)
    .join(entries, entries.c.tournament == tournaments.c.id)
    .join(members, members.c.id == entries.c.member)
    .where(
        *(tournaments.c.guild == sa.bindparam("guild"), OPEN_TOURNAMENT, entries.c.buy_in > 0),
        tournaments.c.phase == TournamentPhase.SIGN_UP.value,
    )
    .order_by(tournaments.c.id, members.c.id)
)
_CHALLENGES: Final = sa.select(duels.c.id).where(
    duels.c.guild == sa.bindparam("guild"), OPEN_DUEL, duels.c.state == DuelState.CHALLENGED.value, duels.c.stake > 0
)


@dataclass(frozen=True, slots=True)
class Reset:
    """An order to set everybody's chips to the same amount."""

    id: int
    guild: int
    channel: int
    amount: Cents
    at: float
    announced: bool
    event: int | None  # the number on Discord's calendar
    began: bool
    over: bool
    withdrawn: bool

    @property
    def closes(self) -> float:
        """The moment from which nobody can buy in anywhere or stake on a duel any more."""
        return self.at - CLOSES


def first_moment(now: float) -> float:
    """Return the first full hour that is at least a week away."""
    return float(ceil((now + NOTICE) / _HOUR) * _HOUR)


def key_of(reset: int) -> str:
    """Return the key of the job that carries out a reset."""
    return f"{RESETS}/{reset}"


class Resets(Part):
    """The resets of all servers."""

    #: Seconds between looks for resets that are due.
    every: float = 10.0

    async def order(
        self, number: int, actor: Member, channel: int, amount: Cents, at: float, line: LogLine | None = None
    ) -> Reset:
        """Order that everybody's chips are set to `amount`, and return this reset, whose id is `number`.

        It is due at `at` or, if that is too soon, at the first full hour at least a week away. A job will announce it
        in the channel and carry it out. Raises ResetMoved if another reset of the server is not over.
        """
        batch, now = self._store.batch(), self._clock.now()
        at = max(at, first_moment(now))
        values = {"id": number, "guild": actor.guild, "channel": channel, "actor": actor.id, "amount": amount, "at": at}
        batch.must(_ORDER, values, ResetMoved(str(number)))
        jobs.post(batch, Job(key_of(number), RESETS, {RESETS: number}, now, actor.guild))
        notices.log(batch, actor.guild, line, now)
        await self._store.write.run(batch)
        return await self.known(number)

    async def known(self, number: int) -> Reset:
        """Return a reset by its number, or raise ResetMoved if there is none."""
        row = await self._store.row(sa.select(resets).where(resets.c.id == number))
        if row is None:
            raise ResetMoved(str(number))
        return _reset_of(row)

    async def coming(self, guild: int) -> Reset | None:
        """Return the reset of a server that is not over, or None."""
        row = await self._store.row(sa.select(resets).where(resets.c.guild == guild, OPEN_RESET))
        return _reset_of(row) if row is not None else None

    async def in_time(self, reset: Reset) -> Reset:
        """Move a reset that is not announced yet to a later hour if it is less than a week away, and return it.

        Raises ResetMoved if it would be moved but has begun or was withdrawn.
        """
        at = first_moment(self._clock.now())
        if at <= reset.at:
            return reset
        await self._store.change(_MOVE, {"id": reset.id, "at": at}, ResetMoved(str(reset.id)))
        return await self.known(reset.id)

    async def announced(self, reset: int, event: int | None) -> None:
        """Store that a reset is announced, and its event on the calendar.

        Raises ResetMoved if it was announced before, is less than a week away, or has begun or been withdrawn.
        """
        values = {"id": reset, "now": self._clock.now(), "event": event}
        await self._store.change(_ANNOUNCED, values, ResetMoved(str(reset)))

    async def withdraw(self, reset: int, guild: int, line: LogLine | None = None) -> None:
        """Withdraw a server's reset. Raises ResetMoved if it has begun or is withdrawn.

        The reset's job becomes due at once. If the reset was announced, the job tells people that it is withdrawn.
        """
        batch, now = self._store.batch(), self._clock.now()
        batch.must(_WITHDRAW, {"id": reset, "guild": guild, "now": now}, ResetMoved(str(reset)))
        jobs.hasten(batch, key_of(reset), now)
        notices.log(batch, guild, line, now)
        await self._store.write.run(batch)

    # -- what comes back first -------------------------------------------------------------------------------------

    async def bought_in(self, guild: int) -> Sequence[tuple[int, Member]]:
        """Return tournament and member of each buy-in to be given back: those of tournaments with an open sign-up."""
        rows = await self._store.rows(_BOUGHT_IN, {"guild": guild})
        return [(row[0], Member(*row[1:])) for row in rows]

    async def challenges(self, guild: int) -> Sequence[int]:
        """Return the numbers of a server's open challenges for chips."""
        return [row.id for row in await self._store.rows(_CHALLENGES, {"guild": guild})]

    # -- the reset itself ------------------------------------------------------------------------------------------

    async def begin(self, reset: Reset) -> Reset:
        """Begin a reset, and return it: from now on nobody whose chips are not reset can stake anything new.

        Raises ResetMoved if its time has not come, or if it was withdrawn or begun since it was read.
        """
        if not reset.began:
            values = {"id": reset.id, "now": self._clock.now()}
            await self._store.change(_BEGIN, values, ResetMoved(str(reset.id)))
        return await self.known(reset.id)

    async def slice(self, reset: Reset, after: int = 0) -> tuple[int | None, int]:
        """Reset up to `SLICE` members with the next Discord ids after this one.

        Return the last of these ids (None: there are no more), and how many members were left out: those whose chips
        are in play, or all if somebody's chips changed at every attempt.
        """
        for _ in range(_TRIES):
            row = await self._row(reset.id)
            here = {"guild": reset.guild, "after": after, "last": row.last or 0, "id": reset.id}
            found = await self._store.rows(_NEXT, here)
            playing = await self._in_play(reset.guild)  # asked last: a stake before it changes the balance
            try:
                moment = max(self._clock.now(), row.began_at)  # a clock may be set back
                await self._set(reset, [member for member in found if member.id not in playing], moment)
            except Moved:
                continue
            return (found[-1].user_id if found else None), sum(member.id in playing for member in found)
        return (found[-1].user_id if found else None), len(found)

    async def end(self, reset: int) -> None:
        """Store that a reset is over, because everybody's chips are reset. Raises ResetMoved if it was over before."""
        await self._store.change(_END, {"id": reset, "now": self._clock.now()}, ResetMoved(str(reset)))

    # -- private ---------------------------------------------------------------------------------------------------

    async def _row(self, reset: int) -> Row:
        row = await self._store.row(sa.select(resets).where(resets.c.id == reset))
        assert row is not None
        return row

    async def _in_play(self, guild: int) -> set[int]:
        """Return the numbers of the members with chips at a table, in a pool or in a duel."""
        return {number for row in await self._store.rows(_IN_PLAY, {"guild": guild}) if (number := _owner(row.name))}

    async def _set(self, reset: Reset, found: Iterable[Row], now: float) -> None:
        batch = self._store.batch()
        moves = list[Transfer]()
        for member in sorted(found, key=lambda member: int(member.id)):
            seen = {"reset": reset.id, "member": member.id, "seen": member.balance}
            batch.must(_MARK, seen, Moved(str(member.id)))
            if member.balance != reset.amount:
                moves.append(_booked(reset, member.id, member.balance))
        ledger.move(batch, moves, now)
        await self._store.write.run(batch)


def _booked(reset: Reset, member: int, balance: Cents) -> Transfer:
    """Return the transfer between a wallet and the house that leaves the wallet with the amount of the reset."""
    wallet, house = Account(Kind.MEMBER, reset.guild, str(member)), Account(Kind.HOUSE, reset.guild)
    source, target = (wallet, house) if balance > reset.amount else (house, wallet)
    return Transfer(f"{key_of(reset.id)}/{member}", source, target, abs(balance - reset.amount), ledger.RESET)


def _owner(name: str) -> int:
    """Return the member whose account this is, or 0."""
    kind, _slash, owner = name.partition("/")
    return int(owner.rpartition("/")[2]) if kind in _OF_MEMBERS else 0


def _reset_of(row: Row) -> Reset:
    return Reset(
        row.id,
        row.guild,
        row.channel,
        row.amount,
        row.at,
        announced=row.announced_at is not None,
        event=row.event,
        began=row.began_at is not None,
        over=row.ended_at is not None,
        withdrawn=bool(row.withdrawn),
    )
