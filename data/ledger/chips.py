"""Chips that change hands without a game: handouts, gifts, and what admins order."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.drivers.store import Store
from data.faults import NotBroke, OverCap, TooSoon, TooYoung
from data.ledger import accounts, ledger
from data.part import Part
from data.people.fingerprints import DAY
from data.people.guilds import Guilds
from data.people.members import Members
from data.schema import GIFT, transfers
from data.values import Handout
from engine.games.contract import CHIP, Cents
from engine.tables.ports import BankUnavailable, Clock
from engine.tables.values import Account, Kind, Transfer

HOUR: Final = 3600.0

#: R10.3: each day in a row is worth a tenth more, up to double; help is for those with under 10 chips.
MOST_TENTHS: Final = 10
POOR: Final[Cents] = 10 * CHIP
HELP: Final[Cents] = 50 * CHIP

_GIVEN: Final = sa.select(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0)).where(
    transfers.c.guild == sa.bindparam("guild"),
    transfers.c.source == sa.bindparam("name"),
    transfers.c.at > sa.bindparam("since"),
    GIFT,
)


class Chips(Part):
    def __init__(self, store: Store, clock: Clock, members: Members, guilds: Guilds) -> None:
        super().__init__(store, clock)
        self._members = members
        self._guilds = guilds

    async def daily(
        self, member: int, press: int, *, account_since: float | None = None, server_since: float | None = None
    ) -> Handout:
        """R10.3. The cog says since when the account exists and is on the server, where Discord says so."""
        row, now = await self._members.row(member), self._clock.now()
        settings = await self._guilds.settings(row.guild)
        _old_enough(account_since, settings.account_days, now)
        _old_enough(server_since, settings.server_days, now)
        if row.daily_at is not None and now < row.daily_at + DAY:
            raise TooSoon(row.daily_at + DAY)
        streak = row.streak + 1 if row.daily_at is not None and now < row.daily_at + 2 * DAY else 1
        amount = settings.house.daily_chips * (10 + min(streak - 1, MOST_TENTHS)) // 10
        batch, fault = Batch(), TooSoon(now + DAY)
        values = {"p_member": member, "p_at": now, "p_streak": streak, "p_seen": row.daily_at}
        batch.must(self._store.sql.people.daily, values, fault)
        await self._hand_out(batch, row, f"press/{press}/daily", amount, "daily")
        return Handout(amount, await self._balance_after(row, amount), streak, now + DAY)

    async def help(self, member: int, press: int) -> Handout:
        """R10.3: for those with next to nothing in hand and nothing on the tables."""
        row, now = await self._members.row(member), self._clock.now()
        if row.helped_at is not None and now < row.helped_at + HOUR:
            raise TooSoon(row.helped_at + HOUR)
        batch, sql, fault = Batch(), self._store.sql, NotBroke(str(member))
        values = {"p_member": member, "p_at": now, "p_poor": POOR, "p_seen": row.helped_at}
        batch.must(sql.people.helped, values, fault)
        stack = f"{Kind.STACK.value}/%/{member}"
        mine = {"p_guild": row.guild, "p_name": accounts.member(member), "p_stack": stack}
        batch.must(sql.chips.nothing_at_stake, mine, fault, rows=0)
        await self._hand_out(batch, row, f"press/{press}/help", HELP, "help")
        return Handout(HELP, await self._balance_after(row, HELP), row.streak, now + HOUR)

    async def daily_due(self, member: int) -> float:
        """When the next daily chips are to be had; long past for who never took any."""
        row = await self._members.row(member)
        return 0.0 if row.daily_at is None else float(row.daily_at + DAY)

    async def gifts_left(self, member: int) -> Cents:
        """How much of the day's cap is left (R10.4)."""
        row = await self._members.row(member)
        within = {"guild": row.guild, "name": accounts.member(member), "since": self._clock.now() - DAY}
        cap = (await self._guilds.house(row.guild)).gift_cap
        return max(0, cap - int(await self._store.value(_GIVEN, within)))

    async def give(self, giver: int, receiver: int, amount: Cents, press: int) -> None:
        """R10.4: at most the guild's cap in a rolling day."""
        row, now = await self._members.row(giver), self._clock.now()
        cap = (await self._guilds.house(row.guild)).gift_cap
        mine, theirs = _account(row.guild, giver), _account(row.guild, receiver)
        batch, sql = Batch(), self._store.sql
        ledger.move(batch, sql, [Transfer(f"press/{press}/gift", mine, theirs, amount, "gift")], now)
        within = {"guild": row.guild, "name": accounts.member(giver), "since": now - DAY}
        # asked after the transfer: it counts itself, and two gifts at once cannot both come first
        over = OverCap(max(0, cap - await self._store.value(_GIVEN, within)))
        batch.must(
            sql.chips.within_gift_cap, {f"p_{name}": value for name, value in within.items()} | {"p_cap": cap}, over
        )
        await self._store.write.run(batch)

    async def grant(self, member: int, amount: Cents, *, actor: int, reason: str, press: int) -> Cents:
        """An admin's chips out of nothing; who and why stay in the ledger. The new balance."""
        row = await self._members.row(member)
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, member)
        await self._order(Transfer(f"press/{press}/grant", mint, account, amount, f"grant: {reason}", actor))
        return await self._balance_after(row, amount)

    async def take(self, member: int, amount: Cents, *, actor: int, reason: str, press: int) -> Cents:
        """The other way; CannotPay where there is less. What lies on the tables is out of reach."""
        row = await self._members.row(member)
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, member)
        await self._order(Transfer(f"press/{press}/take", account, mint, amount, f"take: {reason}", actor))
        return await self._balance_after(row, -amount)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _balance_after(self, row: Row, change: Cents) -> Cents:
        """To be shown. The chips have moved: a bank that cannot be asked any more must not make that a refusal."""
        try:
            balance: Cents = (await self._members.row(row.id)).balance
        except BankUnavailable:
            balance = row.balance + change
        return balance

    async def _hand_out(self, batch: Batch, row: Row, key: str, amount: Cents, reason: str) -> None:
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, row.id)
        transfers = [Transfer(key, mint, account, amount, reason)] if amount else []
        ledger.move(batch, self._store.sql, transfers, self._clock.now())
        await self._store.write.run(batch)

    async def _order(self, transfer: Transfer) -> None:
        batch = Batch()
        ledger.move(batch, self._store.sql, [transfer], self._clock.now())
        await self._store.write.run(batch)


def _account(guild: int, member: int) -> Account:
    return Account(Kind.MEMBER, guild, str(member))


def _old_enough(since: float | None, days: int, now: float) -> None:
    if since is not None and now < since + days * DAY:
        raise TooYoung(since + days * DAY)
