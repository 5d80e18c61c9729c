"""Roles that servers sell for chips (R10.7), and those that members bought or won.

A purchase is one change: the chips leave the wallet, the holding is noted as paid, and a job is posted that gives the
role. If Discord refuses to give it, one change returns the chips and notes that. A `line` goes to the server's log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from data.base.club import OWNED, WON
from data.base.errors import AlreadyHeld, RoleInUse, ShopFull, TakenOver, WareChanged
from data.base.schema import holdings, members, wares
from data.base.values import NEVER, Championship, Holding, Job, LogLine, Sold, Ware
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, insert, insert_once, param
from data.jobs import jobs, notices
from data.ledger import door, ledger
from engine.games.contract import Cents
from engine.tables.values import Account, Kind, Member, Transfer

#: The kind of the jobs that give roles, and take them back when their time is over.
ROLE: Final = "role"

#: The most roles that a server can sell.
MOST: Final = 20

_guild, _role = param("guild", sa.BigInteger()), param("role", sa.BigInteger())
_this = sa.and_(wares.c.guild == _guild, wares.c.role == _role, ~WON)
#: Locks a server's roles, so that of two managers who offer one at once, neither misses what the other has offered.
_SHELF: Final = Statement(sa.select(wares.c.role).where(wares.c.guild == _guild).with_for_update())
_IS_WON: Final = Statement(sa.select(wares.c.role).where(wares.c.guild == _guild, wares.c.role == _role, WON))
_others = sa.select(sa.func.count()).where(wares.c.guild == _guild, wares.c.role != _role, ~WON).scalar_subquery()
_fits = insert(wares).from_select(
    ["guild", "role", "price", "seconds"],
    sa.select(_guild, _role, param("price", sa.BigInteger()), param("seconds", sa.Double())).where(_others < MOST),
)
_OFFER: Final = Statement(
    _fits.on_conflict_do_update(
        index_elements=list(wares.primary_key.columns),
        set_={"price": _fits.excluded.price, "seconds": _fits.excluded.seconds},
        where=~WON,
    )
)
_WITHDRAW: Final = Statement(sa.delete(wares).where(_this))
_STILL_SOLD: Final = Statement(
    sa.select(wares.c.role).where(
        _this,
        wares.c.price == param("price", sa.BigInteger()),
        wares.c.seconds.is_not_distinct_from(param("seconds", sa.Double())),
    )
)
_BUY: Final = insert_once(holdings)
_GIVEN: Final = Statement(
    sa.update(holdings)
    .values(state=Sold.HELD.value, until=sa.func.coalesce(holdings.c.until, param("until", sa.Double())))
    .where(holdings.c.id == param("id"), holdings.c.state == Sold.PAID.value)
)
_ENDS: Final = Statement(
    sa.update(holdings)
    .values(state=param("state", sa.Text()))
    .where(holdings.c.id == param("id"), holdings.c.state == param("was", sa.Text()))
)


class Shop(Part):
    """The roles that servers sell, and those that members bought or won."""

    #: Seconds between looks for roles that are to be given or taken back.
    every: float = 10.0

    async def wares(self, guild: int) -> tuple[Ware, ...]:
        """Return the roles that a server sells, the cheapest first."""
        query = sa.select(wares).where(wares.c.guild == guild, ~WON).order_by(wares.c.price, wares.c.role)
        return tuple(Ware(row.role, row.price, row.seconds) for row in await self._store.rows(query))

    async def offer(self, guild: int, ware: Ware, line: LogLine | None = None) -> None:
        """Sell a role from now on, or change its price and time.

        Raises RoleInUse if the server gives it to champions, or ShopFull.
        """
        batch, this = self._store.batch(), {"guild": guild, "role": ware.role}
        batch.add(_SHELF, {"guild": guild})
        batch.must(_IS_WON, this, RoleInUse(str(ware.role)), rows=0)
        batch.must(_OFFER, {**this, "price": ware.price, "seconds": ware.seconds}, ShopFull(MOST))
        notices.log(batch, guild, line, self._clock.now())
        await self._store.write.run(batch)

    async def withdraw(self, guild: int, role: int, line: LogLine | None = None) -> None:
        """Stop selling a role. People who have it keep it for the time they paid."""
        batch = self._store.batch()
        batch.add(_WITHDRAW, {"guild": guild, "role": role})
        notices.log(batch, guild, line, self._clock.now())
        await self._store.write.run(batch)

    async def buy(self, member: Member, ware: Ware, press: int, line: LogLine | None = None) -> Job:
        """Take the chips for a role, and post and return the job that gives it.

        `press` becomes the number of the holding. Raises WareChanged if the role is no longer sold for this price and
        time, AlreadyHeld if the member has it or is about to get it, OverLimit if the member would be past one of their
        limits (R13.3), CannotPay, OnBreak, or Resetting during a reset to equal chips.
        """
        batch, now = self._store.batch(), self._clock.now()
        sold = {"guild": member.guild, "role": ware.role, "price": ware.price, "seconds": ware.seconds}
        batch.must(_STILL_SOLD, sold, WareChanged(str(ware.role)))
        job = begin_holding(batch, {**sold, "id": press, "member": member.id, "championship": None}, now)
        wallet, house = Account(Kind.MEMBER, member.guild, str(member.id)), Account(Kind.HOUSE, member.guild)
        ledger.move(batch, [Transfer(f"press/{press}/role", wallet, house, ware.price, "role")], now)
        notices.log(batch, member.guild, line, now)
        await door.write(self._store, batch, now)
        return job

    async def holding(self, number: int) -> Holding | None:
        """Return the holding of this number, or None."""
        found = await self._holdings(holdings.c.id == number)
        return found[0] if found else None

    async def held_by(self, member: int) -> tuple[Holding, ...]:
        """Return the roles that a member bought or won and has now or is about to get, the oldest first."""
        return await self._holdings(
            sa.and_(holdings.c.member == member, holdings.c.state.in_((Sold.PAID.value, Sold.HELD.value)))
        )

    async def given(self, job: Job, by: str) -> None:
        """Note that the job's role was given, and let the job wait until the role is to be taken back.

        For a role that was sold for good, the job is done. A champion keeps the role until another one follows, so that
        job waits without a due time. Raises TakenOver if another process has noted it or has the job.
        """
        batch, now, fault = self._store.batch(), self._clock.now(), TakenOver(job.key)
        bought = await self.holding(job.payload["holding"])
        if bought is None:
            raise fault
        until = max(now, bought.at) + bought.seconds if bought.seconds is not None else None
        batch.must(_GIVEN, {"id": bought.id, "until": until}, fault)
        if until is None and bought.championship is None:
            batch.must(jobs.FINISH, {"key": job.key, "by": by, "at": now}, fault)
        else:
            jobs.rest(batch, job, by, job.payload, until or NEVER)
        await self._store.write.run(batch)

    async def refund(self, job: Job, by: str, line: LogLine | None = None) -> Cents:
        """Pay back a role that Discord refused to give, end its job, and return the amount.

        The amount is 0 for a champion's role, which was not paid for. Raises TakenOver if another process has
        given the role, returned the chips, or has the job.
        """
        batch, now, fault = self._store.batch(), self._clock.now(), TakenOver(job.key)
        bought = await self.holding(job.payload["holding"])
        if bought is None:
            raise fault
        batch.must(_ENDS, {"id": bought.id, "was": Sold.PAID.value, "state": Sold.REFUNDED.value}, fault)
        wallet, house = Account(Kind.MEMBER, bought.guild, str(bought.member)), Account(Kind.HOUSE, bought.guild)
        if bought.price:  # a champion has paid nothing
            ledger.move(batch, [Transfer(f"{ROLE}/{bought.id}/back", house, wallet, bought.price, "role back")], now)
        batch.must(jobs.FINISH, {"key": job.key, "by": by, "at": now}, fault)
        notices.log(batch, bought.guild, line, now)
        await self._store.write.run(batch)
        return bought.price

    async def ended(self, job: Job, by: str, line: LogLine | None = None) -> None:
        """Note that a role's time is over, whether or not it could be taken back, and end its job.

        Raises TakenOver if the role is not held any more, or if `by` has lost the job.
        """
        batch, now, fault = self._store.batch(), self._clock.now(), TakenOver(job.key)
        values = {"id": job.payload["holding"], "was": Sold.HELD.value, "state": Sold.OVER.value}
        batch.must(_ENDS, values, fault)
        batch.must(jobs.FINISH, {"key": job.key, "by": by, "at": now}, fault)
        if job.guild is not None:
            notices.log(batch, job.guild, line, now)
        await self._store.write.run(batch)

    async def lost(self, guild: int, user: int, since: float) -> tuple[Holding, ...]:
        """Return the roles that a user bought or won before joining the server at `since`, and should still have.

        Discord takes all roles off people who leave, so they have to be given again.
        """
        if not await self._has_any(guild):
            return ()
        mine = sa.and_(members.c.guild == guild, members.c.user_id == user, holdings.c.state == Sold.HELD.value)
        goes_on = sa.or_(holdings.c.until.is_(None), holdings.c.until > self._clock.now())
        return await self._holdings(sa.and_(mine, goes_on, holdings.c.at < since))

    # -- private ---------------------------------------------------------------------------------------------------

    async def _holdings(self, which: sa.ColumnElement[bool]) -> tuple[Holding, ...]:
        mine = holdings.join(members, members.c.id == holdings.c.member)
        query = sa.select(holdings, members.c.user_id).select_from(mine).where(which).order_by(holdings.c.id)
        return tuple(map(holding_of, await self._store.rows(query)))

    async def _has_any(self, guild: int) -> bool:
        """Return whether any member of a server has a role that they bought or won. On most servers nobody has."""
        return bool(await self._store.rows(sa.select(holdings.c.id).where(holdings.c.guild == guild, OWNED).limit(ONE)))


def begin_holding(batch: Batch, values: Mapping[str, Any], now: float) -> Job:
    """Add to a batch the row of a role that a member is to get, and the job that gives it. Return the job.

    `values` has all columns of `holdings` except `at`, `until` and `state`. The batch raises AlreadyHeld if the member
    has the role or is about to get it, or if the role is a champion's and the previous champion is not yet deposed.
    """
    row = {**values, "at": now, "until": None, "state": Sold.PAID.value}
    batch.must(_BUY, row, AlreadyHeld(str(values["role"])))
    number: int = values["id"]
    job = Job(f"{ROLE}/{number}", ROLE, {"holding": number}, now, values["guild"])
    jobs.post(batch, job)
    return job


def holding_of(row: Row) -> Holding:
    """Return the holding in a row of `holdings` that is joined with its member's Discord id."""
    championship = Championship(row.championship) if row.championship is not None else None
    terms = (row.price, row.seconds, row.at, row.until, Sold(row.state), championship)
    return Holding(row.id, row.guild, row.role, row.member, row.user_id, *terms)
