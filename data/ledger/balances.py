"""All balances of a server at once: read for a file, and set from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from data.base.errors import Moved
from data.base.schema import members
from data.base.values import ImportPlan, LogLine
from data.drivers.part import Part
from data.drivers.statement import Statement, param
from data.drivers.store import Store
from data.jobs import notices
from data.ledger import ledger
from data.people.fingerprints import Fingerprints
from data.people.members import Members
from engine.games.contract import Cents
from engine.tables.ports import Clock
from engine.tables.values import Account, Kind, Member, Transfer

#: The reasons in the ledger for what an import books.
_MORE: Final = "grant: import"
_LESS: Final = "take: import"
#: The most attempts at setting a balance that moves at the same moment.
_TRIES: Final = 5

_IS: Final = Statement(
    sa.select(members.c.id)
    .where(members.c.id == param("member"), members.c.balance == param("balance", sa.BigInteger()))
    .with_for_update()
)


class Balances(Part):
    """The balances of a whole server."""

    def __init__(self, store: Store, clock: Clock, members: Members, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._members = members
        self._fingerprints = fingerprints

    async def of(self, guild: int) -> Sequence[tuple[int, Cents]]:
        """Return Discord id and balance of each member who is not forgotten, in the order in which they came."""
        here = members.c.guild == guild, members.c.user_id.is_not(None)
        query = sa.select(members.c.user_id, members.c.balance).where(*here).order_by(members.c.id)
        return [(row.user_id, row.balance) for row in await self._store.rows(query)]

    async def plan(self, guild: int, wanted: Mapping[int, Cents]) -> ImportPlan:
        """Return what would change if these balances were set now. `wanted` has them by Discord id."""
        known = dict(await self.of(guild))
        gone = {user for user in wanted.keys() - known.keys() if await self._is_forgotten(guild, user)}
        now = {user: known.get(user, 0) for user in wanted.keys() - gone}
        changes = [wanted[user] - balance for user, balance in now.items()]
        return ImportPlan(
            new=len(now.keys() - known.keys()),
            more=[change for change in changes if change > 0],
            less=[-change for change in changes if change < 0],
            same=changes.count(0),
            forgotten=len(gone),
        )

    async def bring_to(
        self, guild: int, wanted: Mapping[int, Cents], *, actor: int, press: int, line: LogLine | None = None
    ) -> int:
        """Set these balances, by Discord id, and return how many were different. Forgotten people are skipped.

        Accounts that are missing are opened. Each balance is set in a transaction of its own. Raises Moved if one of
        them keeps changing. The server's log gets its line first, because a process that is killed may have set some.
        """
        if line is not None:
            batch = self._store.batch()
            notices.log(batch, guild, line, self._clock.now())
            await self._store.write.run(batch)
        changed = 0
        for user, balance in wanted.items():
            if await self._members.known(guild, user) is not None or not await self._is_forgotten(guild, user):
                changed += await self._set(await self._members.sign_in(guild, user), balance, actor, press)
        return changed

    # -- private ---------------------------------------------------------------------------------------------------

    async def _is_forgotten(self, guild: int, user: int) -> bool:
        return await self._fingerprints.forgotten_at(guild, user) is not None

    async def _set(self, member: Member, wanted: Cents, actor: int, press: int) -> bool:
        """Set one balance, and return whether it was different. Raises Moved if it changes at every attempt."""
        for _ in range(_TRIES):
            balance = (await self._members.row(member.id)).balance
            if balance == wanted:
                return False
            mint, wallet = Account(Kind.MINT, member.guild), Account(Kind.MEMBER, member.guild, str(member.id))
            key = f"press/{press}/import/{member.id}"
            order = Transfer(key, mint, wallet, wanted - balance, _MORE, actor)
            if wanted < balance:
                order = Transfer(key, wallet, mint, balance - wanted, _LESS, actor)
            batch = self._store.batch()
            batch.must(_IS, {"member": member.id, "balance": balance}, Moved(str(member.id)))
            ledger.move(batch, [order], self._clock.now())
            try:
                await self._store.write.run(batch)
            except Moved:
                continue
            return True
        raise Moved(str(member.id))
