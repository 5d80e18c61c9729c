"""Chips that change hands without a game: handouts, gifts, and what admins order."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.drivers.store import Store
from data.faults import MustKeep, NotBroke, OverCap, OverReceived, TooFewHands, TooSoon, TooYoung
from data.ledger import accounts, ledger
from data.part import Part
from data.people.fingerprints import DAY
from data.people.guilds import Guilds
from data.people.members import Members
from data.schema import GIFT, transfers
from data.values import UNSAID, Handout, Since
from engine.games.contract import CHIP, Cents
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, Clock
from engine.tables.values import Account, Kind, Transfer

HOUR: Final = 3600.0

#: R10.3: each day in a row is worth a tenth more, up to double; help is for those with under 10 chips.
MOST_TENTHS: Final = 10
POOR: Final[Cents] = 10 * CHIP
HELP: Final[Cents] = 50 * CHIP

#: The row of daily chips goes on over one missed day, and begins again after two: seconds since they were due.
ROW_PAUSES: Final = 2 * DAY


#: Discord ids of people and roles, as an admin may write them into a reason: the ledger keeps reasons for good.
_ID: Final = re.compile(r"<@[!&]?\d+>|\d{15,20}")


def _gifts(side: sa.Column[str]) -> sa.Select[tuple[Cents]]:
    """Select what went as gifts through this side of an account since some moment."""
    here = transfers.c.guild == sa.bindparam("guild"), side == sa.bindparam("name")
    total = sa.func.coalesce(sa.func.sum(transfers.c.amount), 0)
    return sa.select(total).where(*here, transfers.c.at > sa.bindparam("since"), GIFT)


_GIVEN: Final = _gifts(transfers.c.source)
_RECEIVED: Final = _gifts(transfers.c.target)


class _GiftLimits(NamedTuple):
    """What stands against a gift that is beyond one of the limits."""

    hands: TooFewHands
    kept: MustKeep
    given: OverCap
    received: OverReceived


class Chips(Part):
    def __init__(self, store: Store, clock: Clock, members: Members, guilds: Guilds) -> None:
        super().__init__(store, clock)
        self._members = members
        self._guilds = guilds

    async def daily(self, member: int, press: int, since: Since = UNSAID) -> Handout:
        """Pay out the daily chips (R10.3), or refuse with TooSoon or TooYoung."""
        row, now = await self._members.row(member), self._clock.now()
        settings = await self._guilds.settings(row.guild)
        self._expect_age(since, settings.account_days, settings.server_days)
        wait, due = settings.house.daily_hours * HOUR, _due(row, settings.house)
        if now < due:
            raise TooSoon(due)
        streak = row.streak + 1 if now <= due + ROW_PAUSES else 1
        amount = settings.house.daily_chips * (10 + min(streak - 1, MOST_TENTHS)) // 10
        batch, fault = Batch(), TooSoon(now + wait)
        values = {"p_member": member, "p_at": now, "p_streak": streak, "p_seen": row.daily_at}
        batch.must(self._store.sql.people.daily, values, fault)
        await self._hand_out(batch, row, f"press/{press}/daily", amount, "daily")
        again = now + wait
        return Handout(amount, await self._balance_after(row, amount), streak, again, again + ROW_PAUSES)

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
        return Handout(HELP, await self._balance_after(row, HELP), row.streak, now + HOUR, now + HOUR)

    async def daily_due(self, member: int) -> float:
        """Return when the next daily chips are due; zero for a member who never took any."""
        row = await self._members.row(member)
        return _due(row, await self._guilds.house(row.guild))

    # -- gifts (R10.4) -------------------------------------------------------------------------------------------------

    async def expect_age(self, guild: int, since: Since) -> None:
        """TooYoung for an account that may not give or pay a buy-in yet."""
        house = await self._guilds.house(guild)
        self._expect_age(since, house.gift_account_days, house.gift_server_days)

    async def expect_gift(self, giver: int, receiver: int | None, amount: Cents, since: Since = UNSAID) -> None:
        """Raise what `give` would refuse such a gift with now; `receiver` is None for somebody without an account."""
        row = await self._members.row(giver)
        house, limits = await self._guilds.house(row.guild), await self._gift_limits(row, receiver)
        await self.expect_age(row.guild, since)
        for fits, fault in (
            (row.rounds >= house.gift_hands, limits.hands),
            (row.balance - amount >= house.kept_chips, limits.kept),
            (amount <= limits.given.left, limits.given),
            (amount <= limits.received.left, limits.received),
        ):
            if not fits:
                raise fault

    async def give(self, giver: int, receiver: int, amount: Cents, press: int, since: Since = UNSAID) -> None:
        """Move chips from one member to another within the limits of the server.

        They are asked after the transfer, in its transaction: the gift counts itself, and of two gifts at once the
        second one sees the first.
        """
        row, now, sql = await self._members.row(giver), self._clock.now(), self._store.sql.chips
        house, limits = await self._guilds.house(row.guild), await self._gift_limits(row, receiver)
        await self.expect_age(row.guild, since)
        mine, theirs = _account(row.guild, giver), _account(row.guild, receiver)
        batch, within = Batch(), {"p_guild": row.guild, "p_since": now - DAY}
        ledger.move(batch, self._store.sql, [Transfer(f"press/{press}/gift", mine, theirs, amount, "gift")], now)
        batch.must(sql.has_played, {"p_member": giver, "p_hands": house.gift_hands}, limits.hands)
        batch.must(sql.keeps, {"p_member": giver, "p_kept": house.kept_chips}, limits.kept)
        given = {**within, "p_name": accounts.member(giver), "p_cap": house.gift_cap}
        batch.must(sql.given_within, given, limits.given)
        received = {**within, "p_name": accounts.member(receiver), "p_cap": house.received_cap}
        batch.must(sql.received_within, received, limits.received)
        await self._store.write.run(batch)

    # -- orders of admins ----------------------------------------------------------------------------------------------

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

    async def _gift_limits(self, giver: Row, receiver: int | None) -> _GiftLimits:
        house, since = await self._guilds.house(giver.guild), self._clock.now() - DAY
        this = {"guild": giver.guild, "since": since}
        given = int(await self._store.value(_GIVEN, {**this, "name": accounts.member(giver.id)}))
        received = 0
        if receiver is not None:
            received = int(await self._store.value(_RECEIVED, {**this, "name": accounts.member(receiver)}))
        return _GiftLimits(
            TooFewHands(house.gift_hands, giver.rounds),
            MustKeep(house.kept_chips),
            OverCap(max(0, house.gift_cap - given)),
            OverReceived(max(0, house.received_cap - received)),
        )

    def _expect_age(self, since: Since, account_days: int, server_days: int) -> None:
        now = self._clock.now()
        for began, days in ((since.account, account_days), (since.server, server_days)):
            if began is not None and now < began + days * DAY:
                raise TooYoung(began + days * DAY)

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
        batch, order = Batch(), replace(transfer, reason=_ID.sub("…", transfer.reason))
        ledger.move(batch, self._store.sql, [order], self._clock.now())
        await self._store.write.run(batch)


def _due(row: Row, house: HouseSettings) -> float:
    return 0.0 if row.daily_at is None else float(row.daily_at + house.daily_hours * HOUR)


def _account(guild: int, member: int) -> Account:
    return Account(Kind.MEMBER, guild, str(member))
