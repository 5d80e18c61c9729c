"""Which account a chair plays from, and the transfers that move its chips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.games.contract import BOTTOMLESS, Cents, Settlement
from engine.tables.house import BANKROLL
from engine.tables.ports import Account, Kind, Transfer
from engine.tables.refused import Reason, Refused
from engine.tables.state import Chair, Money, TableState


@dataclass(slots=True)
class Till:
    """Collects the transfers of one change of one table, and keeps the chairs' purses up to date with them."""

    state: TableState
    balances: dict[int, Cents]
    transfers: list[Transfer] = field(default_factory=list)

    # -- accounts --------------------------------------------------------------------------------------------------

    def escrow(self, number: int) -> Account:
        return Account(Kind.ESCROW, self.state.guild, f"{self.state.id}/{number}")

    @property
    def house(self) -> Account:
        return Account(Kind.HOUSE, self.state.guild)

    def wallet(self, chair: Chair) -> Account:
        return Account(Kind.MEMBER, self.state.guild, str(chair.member))

    def account(self, chair: Chair) -> Account:
        if not chair.is_person:
            return Account(Kind.COMPUTER, self.state.guild, f"{self.state.id}/{chair.holder}")
        if self.state.money is Money.STACK:
            return Account(Kind.STACK, self.state.guild, f"{self.state.id}/{chair.holder}")
        return self.wallet(chair)

    def purse(self, chair: Chair) -> Cents:
        """What the chair has beside its stakes."""
        if not chair.is_person and self.state.money is Money.WALLET:
            return BOTTOMLESS  # the house refills it
        if chair.stack is not None:
            return chair.stack
        assert chair.member is not None
        return self.balances.get(chair.member, 0)

    # -- moving chips ----------------------------------------------------------------------------------------------

    def stake(self, chair: Chair, amount: Cents, number: int, key: str) -> None:
        """From the chair's purse to the round."""
        if amount > self.purse(chair):
            raise Refused(Reason.CANNOT_PAY, balance=self.purse(chair), needed=amount)
        if not chair.is_person and self.state.money is Money.WALLET:
            self._refill(chair, amount, key)
        self._move(key, self.account(chair), self.escrow(number), amount, "stake")
        self._book(chair, -amount)

    def settle(self, settlement: Settlement, number: int, chairs: Mapping[int, Chair]) -> None:
        """From the round to the purses; the house takes what is lost and adds what is won."""
        staked = sum(line.staked for line in settlement.lines)
        returned = sum(line.returned for line in settlement.lines)
        key, escrow = f"{self.state.id}/{number}/pay", self.escrow(number)
        if returned > staked:
            self._move(f"{key}/house", self.house, escrow, returned - staked, "winnings")
        elif staked > returned:
            self._move(f"{key}/house", escrow, self.house, staked - returned, "losses")
        for seat, chair in chairs.items():
            amount = settlement.returned(seat)
            self._move(f"{key}/{seat}", escrow, self.account(chair), amount, "returned")
            self._book(chair, amount)

    def buy_in(self, chair: Chair, amount: Cents) -> None:
        """Chips for a stack: a person's come from the wallet, a computer player's from the house."""
        source = self.wallet(chair) if chair.is_person else self.house
        if chair.member is not None:
            balance = self.balances.get(chair.member, 0)
            if amount > balance:
                raise Refused(Reason.CANNOT_PAY, balance=balance, needed=amount)
            self.balances[chair.member] = balance - amount
        self._move(f"{self.state.id}/buy-in/{chair.holder}", source, self.account(chair), amount, "buy-in")
        self.state = self.state.with_chair(replace(chair, stack=amount))

    def cash_out(self, chair: Chair) -> None:
        """What is left of a stack, or of a computer player's bankroll, goes home."""
        if not chair.stack or self.state.money is Money.PLAY:
            return
        home = self.wallet(chair) if chair.is_person else self.house
        key = f"{self.state.id}/{self.state.round}/cash-out/{chair.holder}"
        self._move(key, self.account(chair), home, chair.stack, "cash-out")
        if chair.member is not None:
            self.balances[chair.member] = self.balances.get(chair.member, 0) + chair.stack
        self.state = self.state.with_chair(replace(chair, stack=0))

    def members(self) -> Iterator[int]:
        return (chair.member for chair in self.state.chairs if chair.member is not None)

    # -- private ---------------------------------------------------------------------------------------------------

    def _refill(self, chair: Chair, amount: Cents, key: str) -> None:
        current = self._current(chair)
        short = amount - (current.stack or 0)
        if short > 0:
            lent = max(short, BANKROLL)
            self._move(f"{key}/refill", self.house, self.account(chair), lent, "refill")
            self.state = self.state.with_chair(replace(current, stack=(current.stack or 0) + lent))

    def _move(self, key: str, source: Account, target: Account, amount: Cents, reason: str) -> None:
        if amount and self.state.money is not Money.PLAY:
            self.transfers.append(Transfer(key, source, target, amount, reason))

    def _book(self, chair: Chair, amount: Cents) -> None:
        current = self._current(chair)
        if current.stack is not None:
            self.state = self.state.with_chair(replace(current, stack=current.stack + amount))
        elif current.member is not None:
            self.balances[current.member] = self.balances.get(current.member, 0) + amount

    def _current(self, chair: Chair) -> Chair:
        return self.state.chair_at(chair.place) or chair
