"""Plays rounds straight against the bank, as the tables do, without any cards."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from data import Bank
from engine.fairness.replay import lines_hash
from engine.games.contract import CHIP, By, Cents, Line, Outcome, Step
from engine.tables.ports import Account, Change, Deal, Finish, Kind, Member, Seal, TableRow, Taken, Transfer

GUILD = 7 << 22
NOW = 1_800_000_000.0

_numbers = itertools.count(1_000)


def press() -> int:
    """The id of an interaction: never the same twice."""
    return next(_numbers)


@dataclass
class HandClock:
    time: float = NOW

    def now(self) -> float:
        return self.time


def seal(table: int, number: int) -> Seal:
    seed = hashlib.sha256(f"{table}/{number}".encode()).digest()
    return Seal(number, seed, hashlib.sha256(seed).hexdigest())


def account(member: Member) -> Account:
    return Account(Kind.MEMBER, member.guild, str(member.id))


def line(seat: int, staked: Cents, returned: Cents) -> Line:
    return Line(seat, "main", staked, returned, Outcome.WIN if returned > staked else Outcome.LOSE)


@dataclass
class Dealer:
    """A table of its own. Each method makes one change and commits it; `last` is the last one, to be sent again."""

    bank: Bank
    guild: int = GUILD
    id: int = field(default_factory=press)
    version: int = 0
    number: int = 0
    seats: list[Member] = field(default_factory=list)
    staked: list[Cents] = field(default_factory=list)
    steps: int = 0
    last: Change | None = None

    # -- accounts --------------------------------------------------------------------------------------------------

    @property
    def escrow(self) -> Account:
        return Account(Kind.ESCROW, self.guild, f"{self.id}/{self.number}")

    @property
    def house(self) -> Account:
        return Account(Kind.HOUSE, self.guild)

    # -- changes ---------------------------------------------------------------------------------------------------

    def row(self, doc: str = "{}", *, is_open: bool = True, deadline: float | None = None) -> TableRow:
        """The table's next state."""
        return TableRow(self.id, self.guild, 70, "blackjack", doc, self.version + 1, is_open, deadline)

    async def commit(self, change: Change) -> Change:
        self.last = change
        await self.bank.tables.commit(change)
        self.version = change.table.version
        return change

    async def open(self, doc: str = "{}") -> Dealer:
        change = Change(f"press/{press()}", self.row(doc), seal=seal(self.id, 1))
        await self.commit(change)
        self.number = 1
        return self

    def staking(self, member: Member, chips: int, *, cause: str = "") -> Change:
        cause = cause or f"press/{press()}"
        stake = Transfer(f"{cause}/stake", account(member), self.escrow, chips * CHIP, "stake")
        return Change(cause, self.row(), [stake])

    async def stake(self, member: Member, chips: int) -> None:
        await self.commit(self.staking(member, chips))
        self.seats.append(member)
        self.staked.append(chips * CHIP)

    def dealing(self, *transfers: Transfer) -> Change:
        stakes = [{"main": cents} for cents in self.staked]
        members = [member.id for member in self.seats]
        deal = Deal(self.number, "blackjack", "vegas", {"decks": 6}, stakes, members, ["m/1", "p/2"], NOW)
        return Change(f"press/{press()}", self.row(), transfers, deal=deal)

    async def deal(self) -> None:
        await self.commit(self.dealing())
        self.steps = 0

    def acting(self, action: str = "hit", *, more: int = 0, seat: int = 0) -> Change:
        cause = f"press/{press()}"
        taken = [Taken(self.number, self.steps, Step(seat, action, By.MEMBER), NOW)]
        stake = (
            Transfer(f"{cause}/stake", account(self.seats[seat]), self.escrow, more * CHIP, "stake") if more else None
        )
        return Change(cause, self.row(), [stake] if stake else [], taken=taken)

    async def act(self, action: str = "hit", *, more: int = 0, seat: int = 0) -> None:
        await self.commit(self.acting(action, more=more, seat=seat))
        self.steps += 1
        self.staked[seat] += more * CHIP

    def finishing(self, returned: Sequence[float]) -> Change:
        """`returned` in chips, by seat."""
        back = [round(chips * CHIP) for chips in returned]
        lines = [line(seat, self.staked[seat], cents) for seat, cents in enumerate(back)]
        key = f"{self.id}/{self.number}/pay"
        owed = sum(back) - sum(self.staked)
        house = (self.house, self.escrow) if owed > 0 else (self.escrow, self.house)
        moves = [Transfer(f"{key}/house", *house, abs(owed), "house")] if owed else []
        moves += [
            Transfer(f"{key}/{seat}", self.escrow, account(member), back[seat], "returned")
            for seat, member in enumerate(self.seats)
            if back[seat]
        ]
        finish = Finish(self.number, lines, lines_hash(lines), NOW)
        return Change(f"press/{press()}", self.row(), moves, seal=seal(self.id, self.number + 1), finish=finish)

    async def finish(self, *returned: float) -> None:
        await self.commit(self.finishing(returned))
        self.number += 1
        self.seats, self.staked = [], []

    async def round(self, stakes: Mapping[Member, int], *returned: float) -> None:
        """A whole round: everybody stakes, the cards are dealt, somebody hits, everybody is paid."""
        for member, chips in stakes.items():
            await self.stake(member, chips)
        await self.deal()
        await self.act()
        await self.finish(*returned)

    async def close(self) -> None:
        await self.commit(Change(f"press/{press()}", replace(self.row(), open=False)))
