"""Chips that change hands without a game: handouts, gifts, and what admins order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import MustKeep, NotBroke, OverCap, OverReceived, TooFewHands, TooSoon, TooYoung
from data.base.schema import LIVE, members, pots, transfers
from data.base.values import UNSAID, Ages, Handout, LimitKind, LogLine
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Row, Statement, param
from data.drivers.store import Store
from data.jobs import notices
from data.ledger import door, ledger
from data.ledger.caps import GIVEN, GIVEN_WITHIN, RECEIVED, RECEIVED_WITHIN
from data.ledger.limits import SO_FAR
from data.people.breaks import Breaks
from data.people.fingerprints import DAY
from data.people.guilds import Guilds
from data.people.members import Members
from engine.games.contract import CHIP, Cents
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, Clock, OnBreak
from engine.tables.values import Account, Kind, Transfer

HOUR: Final = 3600.0

#: Each day in a row adds a tenth to the daily chips, up to double; help is for members with under 10 chips (R10.3).
MOST_TENTHS: Final = 10
POOR: Final[Cents] = 10 * CHIP
HELP: Final[Cents] = 50 * CHIP

#: Seconds after the due time within which daily chips still continue a streak, so one missed day does not end it, and
#: two do. Time spent on a break is added.
ROW_PAUSES: Final = 2 * DAY


#: Discord ids of people and roles in an admin's reason. They are cut out, because the ledger keeps reasons for good.
_ID: Final = re.compile(r"<@[!&]?\d+>|\d{15,20}")


_member = members.c.id == param("member")
_at = param("seen", sa.Double())
_DAILY: Final = Statement(
    sa.update(members)
    .values(daily_at=param("at"), streak=param("streak"))
    .where(_member, members.c.daily_at.is_not_distinct_from(_at))
)
_HELP: Final = Statement(
    sa.update(members)
    .values(helped_at=param("at"))
    .where(_member, members.c.balance < param("poor"), members.c.helped_at.is_not_distinct_from(_at))
)
_at_stake = (
    sa.select(transfers.c.id)
    .join(pots, sa.and_(pots.c.guild == transfers.c.guild, pots.c.name == transfers.c.target))
    .where(pots.c.guild == param("guild", sa.BigInteger()), LIVE)
)
_out_of_purse = sa.or_(
    transfers.c.source == param("name", sa.Text()), transfers.c.source.like(param("stacks", sa.Text()))
)
_AT_STAKE: Final = Statement(_at_stake.where(_out_of_purse).limit(ONE))
KEEPS: Final = Statement(sa.select(members.c.id).where(_member, members.c.balance >= param("kept", sa.BigInteger())))
HAS_PLAYED: Final = Statement(sa.select(members.c.id).where(_member, members.c.rounds >= param("hands")))


def expect_nothing_at_stake(batch: Batch, guild: int, member: int, fault: Exception) -> None:
    """Make the batch raise the fault if the member has chips at a table, in a tournament or in a duel."""
    mine = {"guild": guild, "name": accounts.member(member), "stacks": accounts.stacks(member)}
    batch.must(_AT_STAKE, mine, fault, rows=0)


class _GiftLimits(NamedTuple):
    """The exceptions that refuse a gift, one for each limit."""

    hands: TooFewHands
    kept: MustKeep
    given: OverCap
    received: OverReceived


class Chips(Part):
    """Chips that change hands without a game."""

    def __init__(self, store: Store, clock: Clock, members: Members, guilds: Guilds, breaks: Breaks) -> None:
        super().__init__(store, clock)
        self._breaks = breaks
        self._members = members
        self._guilds = guilds

    async def daily(self, member: int, press: int, since: Ages = UNSAID) -> Handout:
        """Pay out the daily chips (R10.3) and count the member's streak, or refuse with TooSoon or TooYoung.

        `since` says when the Discord account was made and when it joined the server. What is not known is not checked.
        """
        row, now = await self._members.row(member), self._clock.now()
        settings = await self._guilds.settings(row.guild)
        self._expect_age(since, settings.account_days, settings.server_days)
        wait, due = settings.house.daily_hours * HOUR, _due(row, settings.house)
        if now < due:
            raise TooSoon(due)
        rested = await self._breaks.rested(row.user_id, row.daily_at) if row.daily_at is not None else 0.0
        streak = row.streak + 1 if now <= due + ROW_PAUSES + rested else 1
        amount = settings.house.daily_chips * (10 + min(streak - 1, MOST_TENTHS)) // 10
        batch, again = self._store.batch(), now + wait
        batch.must(_DAILY, {"member": member, "at": now, "streak": streak, "seen": row.daily_at}, TooSoon(again))
        await self._hand_out(batch, row, f"press/{press}/daily", amount, "daily")
        return Handout(amount, await self._balance_after(row, amount), streak, again)

    async def help(self, member: int, press: int) -> Handout:
        """Pay out help for the broke (R10.3), or refuse with TooSoon or NotBroke."""
        row, now = await self._members.row(member), self._clock.now()
        due = _due(row, await self._guilds.house(row.guild))
        if row.helped_at is not None and now < row.helped_at + HOUR:
            raise TooSoon(row.helped_at + HOUR)
        batch, fault = self._store.batch(), NotBroke(str(member))
        batch.must(_HELP, {"member": member, "at": now, "poor": POOR, "seen": row.helped_at}, fault)
        expect_nothing_at_stake(batch, row.guild, member, fault)
        await self._hand_out(batch, row, f"press/{press}/help", HELP, "help")
        return Handout(HELP, await self._balance_after(row, HELP), row.streak, due)

    async def daily_due(self, member: int) -> float:
        """Return when the next daily chips are due; zero for a member who never took any."""
        row = await self._members.row(member)
        return _due(row, await self._guilds.house(row.guild))

    async def so_far(self, member: int) -> Mapping[LimitKind, int]:
        """Return what counts against each limit of a member now: cents lost on this server, or hands on all servers.

        Open stakes and what was bought count as lost. Somebody who has won has lost 0.
        """
        values = {"member": member, "now": self._clock.now(), "escrow": ""}
        found = await self._store.fetch(SO_FAR, values)
        return {kind: max(0, int(used)) for kind, used in zip(LimitKind, found[0], strict=True)}

    # -- gifts (R10.4) -------------------------------------------------------------------------------------------------

    async def expect_age(self, guild: int, since: Ages) -> None:
        """Raise TooYoung if an account with these ages may not give chips, pay a buy-in or stake on a duel yet."""
        house = await self._guilds.house(guild)
        self._expect_age(since, house.gift_account_days, house.gift_server_days)

    async def expect_gift(self, giver: int, receiver: int | None, amount: Cents, since: Ages = UNSAID) -> None:
        """Raise what `give` would raise now: OnBreak, TooYoung, TooFewHands, MustKeep, OverCap or OverReceived.

        Only `give` checks the giver's own limits (R13.3) and whether a reset runs. The amount must not be more than the
        giver's balance. `receiver` is None if the receiver has no account yet. `since` has the ages of the giver's
        Discord account.
        """
        row = await self._members.row(giver)
        house, limits = await self._guilds.house(row.guild), await self._gift_limits(row, receiver)
        if row.resting_until is not None and row.resting_until > self._clock.now():
            raise OnBreak(row.resting_until)
        await self.expect_age(row.guild, since)
        for fits, fault in (
            (row.rounds >= house.gift_hands, limits.hands),
            (row.balance - amount >= house.kept_chips, limits.kept),
            (amount <= limits.given.left, limits.given),
            (amount <= limits.received.left, limits.received),
        ):
            if not fits:
                raise fault

    async def give(self, giver: int, receiver: int, amount: Cents, press: int, since: Ages = UNSAID) -> None:
        """Move chips from one member to another, or raise why the gift is refused.

        That is TooYoung, TooFewHands, MustKeep, OverCap, OverReceived, CannotPay, OnBreak, OverLimit, Resetting, or
        AlreadyDone if this `press` (an interaction's id) has given chips before. The ages of the giver's account
        (`since`) are checked first, all else in the transaction of the transfer. The caps are checked after the
        transfer, so the gift itself counts, and the second of two gifts at once counts both.
        """
        row, now = await self._members.row(giver), self._clock.now()
        house, limits = await self._guilds.house(row.guild), await self._gift_limits(row, receiver)
        await self.expect_age(row.guild, since)
        mine, theirs = _account(row.guild, giver), _account(row.guild, receiver)
        batch, lately = self._store.batch(), {"guild": row.guild, "since": now - DAY}
        ledger.move(batch, [Transfer(f"press/{press}/gift", mine, theirs, amount, "gift")], now)
        batch.must(HAS_PLAYED, {"member": giver, "hands": house.gift_hands}, limits.hands)
        batch.must(KEEPS, {"member": giver, "kept": house.kept_chips}, limits.kept)
        given = {**lately, **_whose(giver), "cap": house.gift_cap, "more": 0}
        batch.must(GIVEN_WITHIN, given, limits.given)
        received = {**lately, **_whose(receiver), "cap": house.received_cap, "more": 0}
        batch.must(RECEIVED_WITHIN, received, limits.received)
        await door.write(self._store, batch, now)

    # -- orders of admins ----------------------------------------------------------------------------------------------

    async def grant(
        self, member: int, amount: Cents, *, actor: int, reason: str, press: int, line: LogLine | None = None
    ) -> Cents:
        """Create chips on an admin's order and return the new balance.

        The ledger keeps who ordered it (`actor`, the number of a member) and why, without ids of people and roles; the
        server's log gets the line. Raises AlreadyDone if this `press` (an interaction's id) has created chips before.
        """
        row = await self._members.row(member)
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, member)
        await self._order(Transfer(f"press/{press}/grant", mint, account, amount, f"grant: {reason}", actor), line)
        return await self._balance_after(row, amount)

    async def take(
        self, member: int, amount: Cents, *, actor: int, reason: str, press: int, line: LogLine | None = None
    ) -> Cents:
        """Take chips on an admin's order and return the new balance.

        The ledger keeps who ordered it (`actor`, the number of a member) and why, without ids of people and roles; the
        server's log gets the line. Raises CannotPay if the wallet holds less, and AlreadyDone if this `press` (an
        interaction's id) has taken chips before.
        """
        row = await self._members.row(member)
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, member)
        await self._order(Transfer(f"press/{press}/take", account, mint, amount, f"take: {reason}", actor), line)
        return await self._balance_after(row, -amount)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _gift_limits(self, giver: Row, receiver: int | None) -> _GiftLimits:
        house, lately = await self._guilds.house(giver.guild), {"guild": giver.guild, "since": self._clock.now() - DAY}
        given = await self._sum(GIVEN, lately, giver.id)
        received = await self._sum(RECEIVED, lately, receiver) if receiver is not None else 0
        return _GiftLimits(
            TooFewHands(house.gift_hands, giver.rounds),
            MustKeep(house.kept_chips),
            OverCap(max(0, house.gift_cap - given)),
            OverReceived(max(0, house.received_cap - received)),
        )

    async def _sum(self, gifts: Statement, lately: Mapping[str, float], member: int) -> Cents:
        """Return the cents that count towards a member's cap on gifts given (`GIVEN`) or received (`RECEIVED`).

        `lately` has the guild, and the moment since which gifts count (a day ago).
        """
        found = await self._store.fetch(gifts, {**lately, **_whose(member)})
        return int(found[0][0])

    def _expect_age(self, since: Ages, account_days: int, server_days: int) -> None:
        now = self._clock.now()
        for began, days in ((since.account, account_days), (since.server, server_days)):
            if began is not None and now < began + days * DAY:
                raise TooYoung(began + days * DAY)

    async def _balance_after(self, row: Row, change: Cents) -> Cents:
        """Return the balance to show. The chips have moved already, so it is worked out if the bank does not answer."""
        try:
            balance: Cents = (await self._members.row(row.id)).balance
        except BankUnavailable:
            balance = row.balance + change
        return balance

    async def _hand_out(self, batch: Batch, row: Row, key: str, amount: Cents, reason: str) -> None:
        mint, account = Account(Kind.MINT, row.guild), _account(row.guild, row.id)
        transfers = [Transfer(key, mint, account, amount, reason)] if amount else []
        ledger.move(batch, transfers, self._clock.now())
        await self._store.write.run(batch)

    async def _order(self, transfer: Transfer, line: LogLine | None) -> None:
        batch, order = self._store.batch(), replace(transfer, reason=_ID.sub("…", transfer.reason))
        now = self._clock.now()
        ledger.move(batch, [order], now)
        notices.log(batch, transfer.source.guild, line, now)
        await self._store.write.run(batch)


def _due(row: Row, house: HouseSettings) -> float:
    return 0.0 if row.daily_at is None else float(row.daily_at + house.daily_hours * HOUR)


def _whose(member: int) -> dict[str, object]:
    return {"member": member, "name": accounts.member(member)}


def _account(guild: int, member: int) -> Account:
    return Account(Kind.MEMBER, guild, str(member))
